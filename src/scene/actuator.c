/* Actuators. All kinds are ways to say one: the elements of defaults are applied one after the other, whatever their kind,
 * as MuJoCo does. */
#include "scene/reader.h"

#include "base/space.h"
#include <string.h>

enum { DYN_NONE, DYN_INTEGRATOR, DYN_FILTER, DYN_FILTEREXACT };
enum { FIXED, AFFINE };

typedef struct actuator_draft {
    abut_scene_actuator actuator;
    int ctrl_limited, force_limited, act_limited; /* false, true, auto */
    bool has_ctrl, has_force, has_act;
    int dyn, gain_kind, bias_kind; /* as in the table */
    double gain[10], bias[10], dyn_prm[10];
    double inherit, damping[3], armature;
    bool integrates; /* intvelocity: the range inherited is that of the state */
} actuator_draft;

static void take_common(actuator_draft *draft, const abuti_element *element)
{
    abut_scene_actuator *actuator = &draft->actuator;
    abuti_integer_of(element, "group", &actuator->group);
    abuti_word_of(element, "ctrllimited", &draft->ctrl_limited);
    abuti_word_of(element, "forcelimited", &draft->force_limited);
    abuti_word_of(element, "actlimited", &draft->act_limited);
    draft->has_ctrl |= abuti_numbers_of(element, "ctrlrange", actuator->ctrl_range) > 0;
    draft->has_force |= abuti_numbers_of(element, "forcerange", actuator->force_range) > 0;
    draft->has_act |= abuti_numbers_of(element, "actrange", actuator->act_range) > 0;
    abuti_numbers_of(element, "gear", actuator->gear);
    abuti_numbers_of(element, "damping", draft->damping);
    abuti_numbers_of(element, "armature", &draft->armature);
    abuti_numbers_of(element, "inheritrange", &draft->inherit);
}

static void take_general(actuator_draft *draft, const abuti_element *element)
{
    abuti_word_of(element, "dyntype", &draft->dyn);
    abuti_word_of(element, "gaintype", &draft->gain_kind);
    abuti_word_of(element, "biastype", &draft->bias_kind);
    abuti_numbers_of(element, "dynprm", draft->dyn_prm);
    abuti_numbers_of(element, "gainprm", draft->gain);
    abuti_numbers_of(element, "biasprm", draft->bias);
    abuti_word_of(element, "actearly", &draft->actuator.early);
}

static void take_servo(actuator_draft *draft, const abuti_element *element)
{
    double value;
    abuti_numbers_of(element, "kp", &draft->gain[0]);
    draft->bias[1] = -draft->gain[0];
    if (abuti_numbers_of(element, "kv", &value) > 0) draft->bias[2] = -value;
    if (abuti_numbers_of(element, "dampratio", &value) > 0) draft->bias[2] = value;
    draft->gain_kind = FIXED;
    draft->bias_kind = AFFINE;
}

static void take_velocity(actuator_draft *draft, const abuti_element *element)
{
    abuti_numbers_of(element, "kv", &draft->gain[0]);
    draft->bias[0] = draft->bias[1] = 0;
    draft->bias[2] = -draft->gain[0];
    draft->dyn = DYN_NONE;
    draft->gain_kind = FIXED;
    draft->bias_kind = AFFINE;
}

static void take_damper(actuator_draft *draft, const abuti_element *element)
{
    double kv = 0;
    abuti_numbers_of(element, "kv", &kv);
    draft->gain[0] = draft->gain[1] = 0;
    draft->gain[2] = -kv;
    draft->dyn = DYN_NONE;
    draft->ctrl_limited = 1;
    draft->gain_kind = AFFINE;
    draft->bias_kind = 0;
}

static void take(actuator_draft *draft, const abuti_element *element)
{
    double time;
    take_common(draft, element);
    if (abuti_is(element, "general")) take_general(draft, element);
    if (abuti_is(element, "velocity")) take_velocity(draft, element);
    if (abuti_is(element, "damper")) take_damper(draft, element);
    if (abuti_is(element, "motor")) {
        memset(draft->gain, 0, sizeof draft->gain);
        draft->gain[0] = 1;
        draft->dyn = DYN_NONE;
        draft->gain_kind = FIXED;
        draft->bias_kind = 0;
    }
    if (abuti_is(element, "position")) {
        take_servo(draft, element);
        if (abuti_numbers_of(element, "timeconst", &time) > 0) {
            draft->dyn_prm[0] = time;
            draft->dyn = time == 0 ? DYN_NONE : DYN_FILTEREXACT;
        }
    }
    if (abuti_is(element, "intvelocity")) {
        take_servo(draft, element);
        draft->dyn = DYN_INTEGRATOR;
        draft->act_limited = 1;
    }
    draft->integrates = abuti_is(element, "intvelocity");
}

/* ---- what it acts on ---- */

static abuti_found find_target(abuti_section *section, const abuti_element *element,
                               abut_scene_actuator *actuator)
{
    static const struct {
        const char *attribute;
        abuti_name_kind kind;
        abut_scene_transmission transmission;
    } rows[] = {{"joint", ABUTI_NAME_JOINT, ABUT_SCENE_ON_JOINT},
                {"jointinparent", ABUTI_NAME_JOINT, ABUT_SCENE_ON_JOINT_PARENT},
                {"tendon", ABUTI_NAME_TENDON, ABUT_SCENE_ON_TENDON},
                {"site", ABUTI_NAME_SITE, ABUT_SCENE_ON_SITE}};
    actuator->reference = -1;
    int given = 0;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (abuti_given(element, rows[i].attribute) == NULL) continue;
        given++;
        actuator->transmission = rows[i].transmission;
        abuti_found found =
            abuti_reference(section, element, rows[i].attribute, rows[i].kind, &actuator->target);
        if (found != ABUTI_FOUND) return found;
    }
    if (given != 1) {
        abuti_fail(&section->reader->source, ABUT_INVALID_ARGUMENT, element, NULL,
                   "expected one of joint, jointinparent, tendon, site");
        return ABUTI_FAILED;
    }
    if (actuator->transmission != ABUT_SCENE_ON_SITE || abuti_given(element, "refsite") == NULL)
        return ABUTI_FOUND;
    return abuti_reference(section, element, "refsite", ABUTI_NAME_SITE, &actuator->reference);
}

/* ---- damping ratios ---- */

/* The velocity at a site, along gear in its frame, that one velocity of a joint makes. */
static double site_moment(const abuti_reader *reader, const abut_scene_actuator *actuator,
                          const abut_scene_joint *joint, int k, const abut_scene_pose *frame,
                          const double point[3])
{
    const abut_scene_pose *pose = &reader->poses[joint->body];
    double axis[3], at[3], arm[3], linear[3] = {0, 0, 0}, force[3], torque[3];
    bool free = joint->type == ABUT_SCENE_FREE, slides = joint->type == ABUT_SCENE_SLIDE || (free && k < 3);
    abuti_v3_copy(axis, joint->axis);
    if (free || joint->type == ABUT_SCENE_BALL)
        for (int d = 0; d < 3; d++) axis[d] = d == k % 3;
    if (!(free && k < 3)) abuti_quat_apply(axis, pose->quat, axis);
    abuti_quat_apply(at, pose->quat, joint->pos);
    abuti_v3_add(at, at, pose->pos);
    abuti_v3_sub(arm, point, at);
    abuti_v3_cross(linear, axis, arm);
    abuti_quat_apply(force, frame->quat, actuator->gear);
    abuti_quat_apply(torque, frame->quat, actuator->gear + 3);
    if (slides) return abuti_v3_dot(force, axis);
    return abuti_v3_dot(force, linear) + abuti_v3_dot(torque, axis);
}

static bool hangs_on(const abuti_reader *reader, int body, int ancestor)
{
    const abut_scene_body *bodies = reader->bodies.items;
    for (; body > 0; body = bodies[body].parent)
        if (body == ancestor) return true;
    return false;
}

static double site_mass(const abuti_reader *reader, const abut_scene_actuator *actuator)
{
    static const int widths[] = {6, 3, 1, 1};
    const abut_scene_site *sites = reader->sites.items, *site = &sites[actuator->target];
    const abut_scene_site *reference = actuator->reference >= 0 ? &sites[actuator->reference] : site;
    const abut_scene_joint *joints = reader->joints.items;
    abut_scene_pose at, frame;
    abuti_pose_compose(&at, &reader->poses[site->body], &site->pose);
    abuti_pose_compose(&frame, &reader->poses[reference->body], &reference->pose);
    double mass = 0;
    for (int j = 0; j < reader->joints.count; j++) {
        bool mine = hangs_on(reader, site->body, joints[j].body);
        bool other = actuator->reference >= 0 && hangs_on(reader, reference->body, joints[j].body);
        if (mine == other) continue;
        const double *point = mine ? at.pos : frame.pos;
        for (int k = 0; k < widths[joints[j].type]; k++) {
            double moment = site_moment(reader, actuator, &joints[j], k, &frame, point);
            if (moment * moment > ABUTI_TINY) mass += reader->m0[joints[j].qvel + k] / (moment * moment);
        }
    }
    return mass;
}

/* The inertia behind an actuator at the reference. */
static double felt_mass(const abuti_reader *reader, const abut_scene_actuator *actuator)
{
    const abut_scene_joint *joints = reader->joints.items;
    const abut_scene_tendon *tendons = reader->tendons.items;
    double mass = 0;
    if (actuator->transmission == ABUT_SCENE_ON_SITE) return site_mass(reader, actuator);
    if (actuator->transmission == ABUT_SCENE_ON_TENDON) {
        const abut_scene_tendon *tendon = &tendons[actuator->target];
        for (int i = 0; i < tendon->count; i++) {
            double moment = tendon->coefs[i] * actuator->gear[0];
            if (moment * moment > ABUTI_TINY)
                mass += reader->m0[joints[tendon->joints[i]].qvel] / (moment * moment);
        }
        return mass;
    }
    const abut_scene_joint *joint = &joints[actuator->target];
    int width = joint->type == ABUT_SCENE_FREE ? 6 : joint->type == ABUT_SCENE_BALL ? 3 : 1;
    for (int k = 0; k < width; k++) {
        double moment = actuator->gear[k];
        if (moment * moment > ABUTI_TINY) mass += reader->m0[joint->qvel + k] / (moment * moment);
    }
    return mass;
}

/* ---- putting it together ---- */

static bool set_law(abuti_section *section, const abuti_element *element, actuator_draft *draft, bool *keep)
{
    abuti_source *source = &section->reader->source;
    abut_scene_actuator *actuator = &draft->actuator;
    *keep = draft->gain_kind <= AFFINE && draft->bias_kind <= AFFINE && draft->dyn <= DYN_FILTEREXACT;
    if (!*keep)
        return abuti_unsupported(source, element, NULL,
                                 "not supported: it is not affine in length and velocity");
    actuator->dynamics = (abut_scene_dynamics)draft->dyn;
    actuator->time_constant = draft->dyn_prm[0];
    for (int k = 0; k < 3; k++) {
        actuator->gain[k] = draft->gain_kind == AFFINE || k == 0 ? draft->gain[k] : 0;
        actuator->bias[k] = draft->bias_kind == AFFINE ? draft->bias[k] : 0;
    }
    return true;
}

/* A servo whose bias on velocity is positive means a damping ratio: of what it feels when all actuators are there. */
void abuti_actuators_finish(abuti_reader *reader)
{
    abut_scene_actuator *actuators = reader->actuators.items;
    for (int i = 0; i < reader->actuators.count; i++) {
        abut_scene_actuator *actuator = &actuators[i];
        bool fixed = actuator->gain[1] == 0 && actuator->gain[2] == 0;
        if (fixed && actuator->bias[2] > 0 && actuator->gain[0] == -actuator->bias[1])
            actuator->bias[2] *= -2 * sqrt(actuator->gain[0] * felt_mass(reader, actuator));
    }
}

static bool inherit_range(abuti_section *section, const abuti_element *element, actuator_draft *draft)
{
    abut_scene_actuator *actuator = &draft->actuator;
    const abut_scene_joint *joints = section->reader->joints.items;
    const abut_scene_tendon *tendons = section->reader->tendons.items;
    if (!(draft->inherit > 0)) return true;
    const double *range = actuator->transmission == ABUT_SCENE_ON_TENDON ? tendons[actuator->target].range
                          : actuator->transmission == ABUT_SCENE_ON_SITE ? NULL
                                                                         : joints[actuator->target].range;
    if (range == NULL || !(range[0] < range[1]))
        return abuti_fail(&section->reader->source, ABUT_INVALID_ARGUMENT, element, "inheritrange",
                          "what it acts on has no range");
    double middle = (range[0] + range[1]) / 2, reach = (range[1] - range[0]) / 2 * draft->inherit;
    double *own = draft->integrates ? actuator->act_range : actuator->ctrl_range;
    own[0] = middle - reach;
    own[1] = middle + reach;
    *(draft->integrates ? &draft->has_act : &draft->has_ctrl) = true;
    return true;
}

/* Damping and inertia of an actuator are those of its joint, through the gear. */
static bool pass_on(abuti_section *section, const abuti_element *element, const actuator_draft *draft)
{
    abuti_reader *reader = section->reader;
    const abut_scene_actuator *actuator = &draft->actuator;
    if (draft->damping[0] == 0 && draft->damping[1] == 0 && draft->damping[2] == 0 && draft->armature == 0)
        return true;
    double gear = actuator->gear[0];
    if (actuator->transmission == ABUT_SCENE_ON_TENDON) {
        abut_scene_tendon *tendon = (abut_scene_tendon *)reader->tendons.items + actuator->target;
        tendon->damping[0] += draft->damping[0] * gear * gear;
        tendon->armature += draft->armature * gear * gear;
    } else if (actuator->transmission != ABUT_SCENE_ON_SITE) {
        abut_scene_joint *joint = (abut_scene_joint *)reader->joints.items + actuator->target;
        joint->damping[0] += draft->damping[0] * gear * gear;
        joint->armature += draft->armature * gear * gear;
        if (joint->type == ABUT_SCENE_HINGE || joint->type == ABUT_SCENE_SLIDE)
            reader->m0[joint->qvel] += draft->armature * gear * gear;
    } else {
        return abuti_unsupported(&reader->source, element, "damping", "not supported on sites");
    }
    if (draft->damping[1] != 0 || draft->damping[2] != 0)
        return abuti_unsupported(&reader->source, element, "damping", "only the linear part is supported");
    return true;
}

abuti_found abuti_actuator_read(abuti_section *section, const abuti_element *element)
{
    abuti_reader *reader = section->reader;
    const abuti_model *model = section->instance->model;
    const abuti_compiler *compiler = &model->compiler;
    const abuti_element *chain[ABUTI_CHAIN_MAX];
    actuator_draft draft = {.actuator = {.gear = {1}},
                            .ctrl_limited = 2,
                            .force_limited = 2,
                            .act_limited = 2,
                            .gain = {1},
                            .dyn_prm = {1}};
    abut_scene_actuator *actuator = &draft.actuator;
    int class;
    bool keep;
    if (!abuti_class_of(reader, model, element, -1, &class)) return ABUTI_FAILED;
    int count = abuti_defaults(model, class, "actuator", element, chain, ABUTI_CHAIN_MAX);
    for (int i = 0; i < count; i++) take(&draft, chain[i]);
    abuti_found found = find_target(section, element, actuator);
    if (found != ABUTI_FOUND) return found;
    if (!set_law(section, element, &draft, &keep)) return ABUTI_FAILED;
    if (!keep) return ABUTI_FOUND;
    if (!inherit_range(section, element, &draft) || !pass_on(section, element, &draft) ||
        !abuti_limited(reader, compiler, element, "ctrlrange", draft.ctrl_limited, draft.has_ctrl,
                       actuator->ctrl_range, &actuator->ctrl_limited) ||
        !abuti_limited(reader, compiler, element, "forcerange", draft.force_limited, draft.has_force,
                       actuator->force_range, &actuator->force_limited) ||
        !abuti_limited(reader, compiler, element, "actrange", draft.act_limited, draft.has_act,
                       actuator->act_range, &actuator->act_limited))
        return ABUTI_FAILED;
    actuator->name = abuti_section_name(section, element);
    abut_scene_actuator *added = abuti_add(reader, &reader->actuators, sizeof *added, element);
    if (added == NULL || actuator->name == NULL) return ABUTI_FAILED;
    *added = *actuator;
    if (actuator->dynamics != ABUT_SCENE_DIRECT) reader->scene->na++;
    if (actuator->group >= 0 && actuator->group < 31 && (reader->disabled_groups >> actuator->group & 1)) {
        memset(added->gain, 0, sizeof added->gain);
        memset(added->bias, 0, sizeof added->bias);
    }
    return ABUTI_FOUND;
}
