/* Actuators. Every kind of element describes the same general actuator. So the elements of defaults are applied one
 * after the other, whatever their kind, as MuJoCo does. */
#include "scene/reader.h"

#include "base/angle.h"
#include <string.h>

enum { DYN_NONE, DYN_INTEGRATOR, DYN_FILTER, DYN_FILTEREXACT, DYN_MUSCLE };
enum { FIXED, AFFINE, MUSCLE };

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
    abuti_numbers_of(element, "cranklength", &actuator->crank_length);
    abuti_numbers_of(element, "lengthrange", actuator->length_range);
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

static void take_cylinder(actuator_draft *draft, const abuti_element *element)
{
    double diameter = -1;
    abuti_numbers_of(element, "timeconst", &draft->dyn_prm[0]);
    abuti_numbers_of(element, "bias", draft->bias);
    abuti_numbers_of(element, "area", &draft->gain[0]);
    if (abuti_numbers_of(element, "diameter", &diameter) > 0 && diameter >= 0)
        draft->gain[0] = ABUTI_PI / 4 * diameter * diameter;
    draft->dyn = DYN_FILTER;
    draft->gain_kind = FIXED;
    draft->bias_kind = AFFINE;
}

/* A number that still has the default of all actuators first gets the default of muscles. */
static void take_muscle(actuator_draft *draft, const abuti_element *element)
{
    static const double usual[ABUT_SCENE_MUSCLE_NUMBERS] = {0.75, 1.05, -1, 200, 0.5, 1.6, 1.5, 1.3, 1.2};
    static const char *const names[] = {"force", "scale", "lmin", "lmax", "vmax", "fpmax", "fvmax"};
    if (draft->dyn_prm[0] == 1) draft->dyn_prm[0] = 0.01;
    if (draft->dyn_prm[1] == 0) draft->dyn_prm[1] = 0.04;
    for (int k = 0; k < ABUT_SCENE_MUSCLE_NUMBERS; ++k)
        if (draft->gain[k] == (k == 0 ? 1 : 0)) draft->gain[k] = usual[k];
    abuti_numbers_of(element, "timeconst", draft->dyn_prm);
    abuti_numbers_of(element, "tausmooth", &draft->dyn_prm[2]);
    abuti_numbers_of(element, "range", draft->gain);
    for (int k = 0; k < 7; ++k) abuti_numbers_of(element, names[k], &draft->gain[2 + k]);
    memcpy(draft->bias, draft->gain, ABUT_SCENE_MUSCLE_NUMBERS * sizeof *draft->bias);
    draft->dyn = DYN_MUSCLE;
    draft->gain_kind = draft->bias_kind = MUSCLE;
}

static void take_adhesion(actuator_draft *draft, const abuti_element *element)
{
    abuti_numbers_of(element, "gain", &draft->gain[0]);
    draft->ctrl_limited = 1;
    draft->dyn = DYN_NONE;
    draft->gain_kind = FIXED;
    draft->bias_kind = 0;
}

static void take(actuator_draft *draft, const abuti_element *element)
{
    double time;
    take_common(draft, element);
    if (abuti_is(element, "general")) take_general(draft, element);
    if (abuti_is(element, "velocity")) take_velocity(draft, element);
    if (abuti_is(element, "damper")) take_damper(draft, element);
    if (abuti_is(element, "cylinder")) take_cylinder(draft, element);
    if (abuti_is(element, "muscle")) take_muscle(draft, element);
    if (abuti_is(element, "adhesion")) take_adhesion(draft, element);
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
                {"site", ABUTI_NAME_SITE, ABUT_SCENE_ON_SITE},
                {"slidersite", ABUTI_NAME_SITE, ABUT_SCENE_ON_CRANK},
                {"body", ABUTI_NAME_BODY, ABUT_SCENE_ON_BODY}};
    actuator->reference = -1;
    int given = 0;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i) {
        if (!abuti_given(element, rows[i].attribute)) continue;
        given++;
        actuator->transmission = rows[i].transmission;
        abuti_found found =
            abuti_reference(section, element, rows[i].attribute, rows[i].kind, &actuator->target);
        if (found != ABUTI_FOUND) return found;
    }
    if (given != 1) {
        abuti_fail(&section->reader->source, ABUT_INVALID_ARGUMENT, element, NULL,
                   "expected one of joint, jointinparent, tendon, site, slidersite, body");
        return ABUTI_FAILED;
    }
    if (actuator->transmission == ABUT_SCENE_ON_CRANK) {
        if (actuator->crank_length > 0)
            return abuti_reference(section, element, "cranksite", ABUTI_NAME_SITE, &actuator->reference);
        abuti_fail(&section->reader->source, ABUT_INVALID_ARGUMENT, element, "cranklength",
                   "expected a length > 0");
        return ABUTI_FAILED;
    }
    if (actuator->transmission != ABUT_SCENE_ON_SITE || !abuti_given(element, "refsite")) return ABUTI_FOUND;
    return abuti_reference(section, element, "refsite", ABUTI_NAME_SITE, &actuator->reference);
}

/* ---- putting it together ---- */

/* The lengths between which a muscle works: those that are given, or the limits of its joint or tendon. */
static bool find_lengths(abuti_section *section, const abuti_element *element, abut_scene_actuator *actuator)
{
    const abut_scene_joint *joints = section->reader->joints.items;
    const abut_scene_tendon *tendons = section->reader->tendons.items;
    double *lengths = actuator->length_range, gear = actuator->gear[0];
    const double *range = NULL;
    if (lengths[0] < lengths[1]) return true;
    if (actuator->transmission == ABUT_SCENE_ON_JOINT && joints[actuator->target].limited)
        range = joints[actuator->target].range;
    if (actuator->transmission == ABUT_SCENE_ON_TENDON && tendons[actuator->target].limited)
        range = tendons[actuator->target].range;
    if (!range)
        return abuti_unsupported(
            &section->reader->source, element, "lengthrange",
            "missing, and what it acts on has no limits; lengths of muscles are not found by simulation");
    for (int i = 0; i < 2; ++i) lengths[i] = gear * range[gear > 0 ? i : 1 - i];
    return true;
}

static bool set_law(abuti_section *section, const abuti_element *element, actuator_draft *draft, bool *keep)
{
    abuti_source *source = &section->reader->source;
    abut_scene_actuator *actuator = &draft->actuator;
    *keep = draft->gain_kind <= MUSCLE && draft->bias_kind <= MUSCLE && draft->dyn <= DYN_MUSCLE;
    if (!*keep)
        return abuti_unsupported(source, element, NULL,
                                 "not supported: neither affine in length and velocity nor a muscle");
    actuator->dynamics = (abut_scene_dynamics)draft->dyn;
    actuator->time_constant = draft->dyn_prm[0];
    for (int k = 0; k < 3; ++k) {
        actuator->gain[k] = draft->gain_kind == AFFINE || k == 0 ? draft->gain[k] : 0;
        actuator->bias[k] = draft->bias_kind == AFFINE ? draft->bias[k] : 0;
    }
    actuator->muscle_gain = draft->gain_kind == MUSCLE;
    actuator->muscle_bias = draft->bias_kind == MUSCLE;
    if (actuator->muscle_gain) actuator->gain[0] = 0;
    if (actuator->transmission == ABUT_SCENE_ON_CRANK && actuator->bias[2] > 0 &&
        actuator->gain[0] == -actuator->bias[1])
        return abuti_unsupported(source, element, "dampratio", "not supported on cranks; expected kv");
    memcpy(actuator->muscle_active, draft->gain, sizeof actuator->muscle_active);
    memcpy(actuator->muscle_passive, draft->bias, sizeof actuator->muscle_passive);
    memcpy(actuator->muscle_times, draft->dyn_prm, sizeof actuator->muscle_times);
    return !(actuator->muscle_gain || actuator->muscle_bias) || find_lengths(section, element, actuator);
}

static bool inherit_range(abuti_section *section, const abuti_element *element, actuator_draft *draft)
{
    abut_scene_actuator *actuator = &draft->actuator;
    const abut_scene_joint *joints = section->reader->joints.items;
    const abut_scene_tendon *tendons = section->reader->tendons.items;
    if (!(draft->inherit > 0)) return true;
    const double *range = actuator->transmission == ABUT_SCENE_ON_TENDON ? tendons[actuator->target].range
                          : actuator->transmission <= ABUT_SCENE_ON_JOINT_PARENT
                              ? joints[actuator->target].range
                              : NULL;
    if (!range || !(range[0] < range[1]))
        return abuti_fail(&section->reader->source, ABUT_INVALID_ARGUMENT, element, "inheritrange",
                          "what it acts on has no range");
    double middle = (range[0] + range[1]) / 2, reach = (range[1] - range[0]) / 2 * draft->inherit;
    double *own = draft->integrates ? actuator->act_range : actuator->ctrl_range;
    own[0] = middle - reach;
    own[1] = middle + reach;
    *(draft->integrates ? &draft->has_act : &draft->has_ctrl) = true;
    return true;
}

/* Damping and inertia of an actuator are those of its joint or tendon, through the gear. */
static bool pass_on(abuti_section *section, const abuti_element *element, const actuator_draft *draft)
{
    abuti_reader *reader = section->reader;
    const abut_scene_actuator *actuator = &draft->actuator;
    double scale = actuator->gear[0] * actuator->gear[0];
    bool on_tendon = actuator->transmission == ABUT_SCENE_ON_TENDON,
         on_joint = actuator->transmission == ABUT_SCENE_ON_JOINT ||
                    actuator->transmission == ABUT_SCENE_ON_JOINT_PARENT;
    if (draft->damping[0] == 0 && draft->damping[1] == 0 && draft->damping[2] == 0 && draft->armature == 0)
        return true;
    if (!on_tendon && !on_joint)
        return abuti_fail(&reader->source, ABUT_INVALID_ARGUMENT, element,
                          draft->armature != 0 ? "armature" : "damping",
                          "expected to act on a joint or tendon");
    abut_scene_tendon *tendon = (abut_scene_tendon *)reader->tendons.items + actuator->target;
    abut_scene_joint *joint = (abut_scene_joint *)reader->joints.items + actuator->target;
    *(on_tendon ? &tendon->armature : &joint->armature) += draft->armature * scale;
    if (on_joint && (joint->type == ABUT_SCENE_HINGE || joint->type == ABUT_SCENE_SLIDE))
        reader->m0[joint->qvel] += draft->armature * scale;
    for (int k = 0; k < 3; ++k)
        *(on_tendon ? &tendon->damping[k] : &joint->damping[k]) += draft->damping[k] * scale;
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
    for (int i = 0; i < count; ++i) take(&draft, chain[i]);
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
    if (!added || !actuator->name) return ABUTI_FAILED;
    *added = *actuator;
    if (actuator->dynamics != ABUT_SCENE_DIRECT) reader->scene->na++;
    if (actuator->group >= 0 && actuator->group < 31 && (reader->disabled_groups >> actuator->group & 1)) {
        memset(added->gain, 0, sizeof added->gain);
        memset(added->bias, 0, sizeof added->bias);
        added->muscle_gain = added->muscle_bias = 0;
    }
    return ABUTI_FOUND;
}
