/* A contact that persists from step to step carries its state under its key (roll.h). A key that is new starts open,
 * unless all contacts between two bodies are new (crash.h). */
#include "contact/system/warm.h"
#include "contact/system/crash.h"
#include "contact/system/models.h"
#include "linalg/kernels.h"
#include <math.h>
#include <string.h>

/* Forces that differ by less than this part are the same but for rounding. */
#define SAME_PULL 1e-9
/* Two changes of an impulse that differ by at most this part are the same trend. */
#define TREND 0.5

void abuti_warm_layout(abuti_warm *warm, abuti_arena *arena, const abut_contact_limits *limits,
                       abuti_roll *roll)
{
    int states = limits->contacts + (limits->bounded > 0 ? limits->joints : 0);
    warm->roll = roll;
    warm->capacity = states;
    warm->contact_room = limits->contacts;
    warm->joint_room = limits->joints;
    warm->count = warm->rows = 0;
    warm->face = abuti_take(arena, states, abut_contact_face);
    int lanes = abuti_padded(limits->contacts + limits->bounded), round = limits->cones ? lanes : 0;
    warm->start = abuti_take(arena, lanes, abut_contact_face);
    warm->fresh = abuti_take(arena, lanes, bool);
    warm->impulse = abuti_take(arena, 3 * (size_t)limits->contacts, double);
    warm->cones = limits->cones;
    warm->turn = abuti_take(arena, round, uint8_t);
    for (int axis = 0; axis < 3; ++axis) warm->pushed[axis] = abuti_take(arena, round, double);
    warm->drift = abuti_take(arena, limits->cones ? 3 * (size_t)limits->contacts : 0, double);
    warm->steady = abuti_take(arena, limits->cones ? limits->contacts : 0, bool);
    warm->axis = abuti_take(arena, 3 * (size_t)limits->contacts, double);
    warm->pull = abuti_take(arena, limits->contacts, double);
    warm->place = abuti_take(arena, lanes, int);
    warm->joint = abuti_take(arena, limits->joints, double);
    warm->joint_again = abuti_take(arena, limits->joints, double);
    for (int axis = 0; axis < 3; ++axis) warm->again[axis] = abuti_take(arena, lanes, double);
}

/* Turns a state that a caller may have given into one that exists. */
static abut_contact_face sensible(abut_contact_face face, int directions)
{
    bool has_face = face.state == ABUT_SLIDE || face.state == ABUT_EDGE;
    if (face.state == ABUT_EDGE && directions == ABUT_DIRECTIONS_MIN) return (abut_contact_face){0};
    if (face.state > ABUT_STICK || (has_face && face.face >= directions)) return (abut_contact_face){0};
    bool idle = face.state == ABUT_STICK && face.face != 0; /* no-slip: touches and carries nothing */
    bool framed = face.state == ABUT_STICK && face.frame < directions;
    return (abut_contact_face){.state = face.state,
                               .face = has_face ? face.face : idle,
                               .rows = face.state == ABUT_OPEN ? 0 : face.rows & 7,
                               .frame = framed ? face.frame : 0};
}

/* Turns the state of a circle into one of its polygon: the nearest vertex. `turn` gets the direction itself. */
static abut_contact_face on_polygon(abut_contact_face face, int directions, uint8_t *turn)
{
    *turn = face.face;
    if (face.state == ABUT_EDGE) *turn = (uint8_t)((256 * face.face + 128) / directions % 256);
    if (face.state == ABUT_SLIDE) face.face = (uint8_t)((face.face * directions + 128) / 256 % directions);
    return face;
}

bool abuti_warm_remembers(const abuti_warm *warm, const abut_contact_problem *problem,
                          const abut_contact_options *options)
{
    return options->warm && warm->count + warm->rows > 0 &&
           (warm->roll->keyed || warm->count == problem->contact_count);
}

/* A contact as its last state is looked for and read. */
typedef struct sought {
    uint64_t key;
    int index, directions;
    bool round;
} sought;

/* The state of a contact to start from; *place: where it was in the last step, -1: it is new (or the caller gives its
 * state and that is ABUT_NEW). */
static abut_contact_face face_of(abuti_warm *warm, const abut_contact_options *options, const sought *of,
                                 int *place, uint8_t *turn)
{
    abut_contact_face face = {0};
    *place = of->index;
    if (options->start) {
        face = options->start[of->index];
    } else if (!warm->roll->keyed) {
        face = warm->face[of->index];
    } else {
        *place = of->key != 0 ? abuti_roll_place(warm->roll, of->key, of->index) : -1;
        if (*place >= 0) face = warm->face[*place];
    }
    if (face.state == ABUT_NEW) *place = -1; /* of an island that had no answer */
    if (of->round) face = on_polygon(face, of->directions, turn);
    return sensible(face, of->directions);
}

/* The state of bounded joint row j to start from. Where nothing is known a row with two bounds is held. */
static abut_contact_face row_face(abuti_warm *warm, const abut_contact_options *options, uint64_t key, int j,
                                  bool boxed, bool *known)
{
    abut_contact_face face = {.state = ABUT_NEW};
    if (options->start) {
        if (options->start_joints) face = options->start_joints[j];
    } else if (warm->roll->rows_keyed && key != 0) {
        int place = abuti_roll_row(warm->roll, key, j);
        if (place >= 0 && place < warm->rows) face = warm->face[warm->count + place];
    } else if (!warm->roll->rows_keyed && j < warm->rows) {
        face = warm->face[warm->count + j];
    }
    *known = face.state != ABUT_NEW;
    if (boxed && (face.state == ABUT_NEW || face.state == ABUT_OPEN))
        return (abut_contact_face){.state = ABUT_STICK};
    return sensible(face, boxed ? ABUT_DIRECTIONS_MIN : ABUT_DIRECTIONS_DEFAULT);
}

static sought sought_of(const abut_contact *contact, int index)
{
    return (sought){contact->key, index, contact->directions ? contact->directions : ABUT_DIRECTIONS_DEFAULT,
                    contact->cone != ABUT_CONE_POLYGON && contact->directions != ABUT_DIRECTIONS_MIN};
}

abut_contact_face abuti_warm_face(abuti_warm *warm, const abut_contact_options *options,
                                  const abut_contact *contact, int index)
{
    sought of = sought_of(contact, index);
    int place;
    uint8_t turn;
    return face_of(warm, options, &of, &place, &turn);
}

/* The state as it is reported. On circles the face is the direction, and no friction lies on an edge. */
static abut_contact_face reported_face(abuti_warm *warm, const abut_contact_options *options,
                                       const abut_contact *contact, int index)
{
    sought of = sought_of(contact, index);
    int place;
    uint8_t turn = 0;
    abut_contact_face face = face_of(warm, options, &of, &place, &turn);
    if (!of.round || (face.state != ABUT_SLIDE && face.state != ABUT_EDGE)) return face;
    face.state = ABUT_SLIDE;
    face.face = turn;
    return face;
}

/* A number that a caller may have given. */
static double finite_or_zero(double x)
{
    return isfinite(x) ? x : 0.0;
}

const abut_contact_face *abuti_warm_start(abuti_warm *warm, const abuti_system *s,
                                          const abut_contact_problem *problem,
                                          const abut_contact_options *options)
{
    if (!options->start && !abuti_warm_remembers(warm, problem, options)) return NULL;
    const abut_model_info *model = abuti_model_of(s->model);
    bool coulomb = model->friction == ABUT_LAW_COULOMB;
    int known_count = 0;
    warm->pushes = s->round && (!options->start || options->start_impulses);
    for (int lane = 0; lane < s->n; ++lane) {
        int directions = s->directions[lane], index = s->index[lane];
        if (model->acceleration && coulomb && directions != ABUT_DIRECTIONS_MIN)
            directions = options->accel.directions; /* the polygons of its faces */
        int place = -1, row = index - problem->contact_count;
        uint8_t turn = 0;
        if (row < 0) {
            sought of = {problem->contacts[index].key, index, directions, s->round && s->round[lane]};
            warm->start[lane] = face_of(warm, options, &of, &place, &turn);
        } else {
            bool known;
            warm->start[lane] =
                row_face(warm, options, problem->joints[row].key, row, abuti_is_boxed(s, lane), &known);
            place = known ? 0 : -1;
        }
        warm->fresh[lane] = place < 0;
        known_count += place >= 0;
        if (s->round) warm->turn[lane] = turn;
        const double *acted = options->start ? options->start_impulses : warm->impulse;
        for (int axis = 0; axis < 3 && warm->pushes; ++axis) {
            bool known = place >= 0 && row < 0, drifts = known && !options->start && warm->steady[place];
            double drift = drifts ? warm->drift[3 * place + axis] : 0.0;
            warm->pushed[axis][lane] = known ? finite_or_zero(acted[3 * place + axis]) + drift : 0.0;
        }
    }
    for (int lane = s->n; lane < s->lanes; ++lane) warm->start[lane] = (abut_contact_face){0};
    if (known_count == 0) return NULL;
    bool several = coulomb && !model->acceleration && s->rows && s->bodies > 1;
    if (several && known_count < s->n) abuti_crash(s, warm->fresh, warm->start);
    return warm->start;
}

/* What acted at a contact in the last step: three numbers in the caller's units, or NULL. *place: as in face_of. */
static const double *impulse_of(abuti_warm *warm, const abut_contact_problem *problem,
                                const abut_contact_options *options, int index, int *place)
{
    *place = -1;
    if (options->start) return options->start_impulses + 3 * (size_t)index;
    uint64_t key = problem->contacts[index].key;
    *place = !warm->roll->keyed ? index : key != 0 ? abuti_roll_place(warm->roll, key, index) : -1;
    return *place >= 0 ? warm->impulse + 3 * (size_t)*place : NULL;
}

/* The force on the first body of a contact in one number. It changes whenever one of the force's components changes by
 * more than rounding, but for changes that happen to cancel. *size gets how large the number could be. */
static double pull_of(const abut_contact_problem *problem, int index, double *size)
{
    static const double weight[6] = {1.0, 0.8191, 0.6743, 0.5927, 0.4871, 0.3659};
    int body = problem->contacts[index].bodies[0];
    double sum = *size = 0.0;
    if (problem->body_count == 0 || body < 0) return 0.0;
    for (int c = 0; c < 6; ++c) {
        double share = weight[c] * problem->bodies[body].force[c];
        sum += share;
        *size += fabs(share);
    }
    return sum;
}

abuti_known abuti_warm_known(abuti_warm *warm, const abut_contact_problem *problem,
                             const abut_contact_options *options, int index)
{
    int place;
    abuti_known known = {.face = reported_face(warm, options, &problem->contacts[index], index),
                         .impulse = impulse_of(warm, problem, options, index, &place)};
    if (place < 0) return known;
    double size, pull = pull_of(problem, index, &size);
    known.axis = warm->axis + 3 * (size_t)place;
    known.pulled_anew = fabs(pull - warm->pull[place]) > SAME_PULL * size;
    return known;
}

bool abuti_warm_knows(const abuti_warm *warm, const abut_contact_problem *problem,
                      const abut_contact_options *options, int joints)
{
    if (options->start) return options->start_impulses;
    return abuti_warm_remembers(warm, problem, options) &&
           (joints == 0 || warm->joints == problem->joint_count);
}

/* What acted along joint row j in the last step, in the caller's units; a new one carries nothing. False: nobody can
 * tell, since it has no key, and rows have come or gone. */
static bool joint_impulse_of(abuti_warm *warm, const abut_contact_problem *problem,
                             const abut_contact_options *options, int j, double *impulse)
{
    const double *joints = options->start ? options->start_joint_impulses : warm->joint;
    uint64_t key = problem->joints[j].key;
    bool named = !options->start && warm->roll->rows_keyed && key != 0;
    int place = named ? abuti_roll_row(warm->roll, key, j) : j;
    *impulse = 0.0;
    if (!named && !options->start && warm->joints != problem->joint_count) return false;
    if (joints && place >= 0) *impulse = finite_or_zero(joints[place]);
    return true;
}

bool abuti_warm_impulses(abuti_warm *warm, const abuti_system *s, const abut_contact_problem *problem,
                         const abut_contact_options *options)
{
    bool bounded = s->n > 0 && s->index[s->n - 1] >= problem->contact_count;
    if (!abuti_warm_knows(warm, problem, options, 0)) return false;
    if (bounded && options->start && !options->start_joint_impulses) return false;
    double acted;
    for (int lane = 0; lane < s->lanes; ++lane) {
        const double *from = NULL;
        int row = lane < s->n ? s->index[lane] - problem->contact_count : -1;
        warm->place[lane] = -1;
        if (row >= 0) {
            if (!joint_impulse_of(warm, problem, options, row, &acted)) return false;
            warm->again[0][lane] = acted / (s->unit * s->row_scale[lane]);
            warm->again[1][lane] = warm->again[2][lane] = 0.0;
            continue;
        }
        if (lane < s->n) from = impulse_of(warm, problem, options, s->index[lane], &warm->place[lane]);
        double share = from ? 1.0 / (s->unit * s->row_scale[lane]) : 0.0;
        for (int axis = 0; axis < 3; ++axis)
            warm->again[axis][lane] = share > 0.0 ? share * finite_or_zero(from[axis]) : 0.0;
    }
    for (int j = 0; j < s->joints; ++j) {
        if (!joint_impulse_of(warm, problem, options, s->joint_index[j], &acted)) return false;
        warm->joint_again[j] = acted / (s->unit * s->joint_scale[j]);
    }
    return true;
}

void abuti_warm_move(abuti_warm *warm, const abuti_warm *from)
{
    bool fits = from->roll->count <= warm->contact_room && from->roll->rows <= warm->joint_room &&
                from->count + from->rows <= warm->capacity;
    warm->count = fits ? from->count : 0;
    warm->rows = fits ? from->rows : 0;
    warm->joints = fits ? from->joints : 0;
    if (fits) abuti_roll_move(warm->roll, from->roll);
    size_t count = (size_t)warm->count, states = count + (size_t)warm->rows, joints = (size_t)warm->joints;
    if (states > 0) memcpy(warm->face, from->face, states * sizeof *warm->face);
    if (count > 0) memcpy(warm->impulse, from->impulse, 3 * count * sizeof *warm->impulse);
    if (count > 0) memcpy(warm->axis, from->axis, 3 * count * sizeof *warm->axis);
    if (count > 0) memcpy(warm->pull, from->pull, count * sizeof *warm->pull);
    if (joints > 0) memcpy(warm->joint, from->joint, joints * sizeof *warm->joint);
}

/* Takes over the impulse of contact i, and how it changes: `same`, it is the contact that was i in the step before. */
static void keep_impulse(abuti_warm *warm, int i, const abut_contact_answer *answer, bool same)
{
    double *impulse = warm->impulse + 3 * (size_t)i, *drift = warm->drift + 3 * (size_t)i;
    double size = 0.0, differs = 0.0;
    const double now[3] = {answer->normal, answer->tangent[0], answer->tangent[1]};
    for (int k = 0; k < 3 && warm->cones; ++k) {
        double change = same ? now[k] - impulse[k] : 0.0, more = change - drift[k];
        drift[k] = change;
        size += change * change;
        differs += more * more;
    }
    if (warm->cones) warm->steady[i] = same && differs <= TREND * TREND * size;
    for (int k = 0; k < 3; ++k) impulse[k] = now[k];
}

void abuti_warm_keep(abuti_warm *warm, const abut_contact_problem *problem, const abut_contact_face *faces,
                     const abut_contact_face *rows, const abut_contact_answer *answers, const double *joints)
{
    double size;
    int before = warm->count;
    warm->count = faces ? problem->contact_count : 0;
    warm->joints = faces ? problem->joint_count : 0;
    if (warm->joints > 0) memcpy(warm->joint, joints, (size_t)warm->joints * sizeof(double));
    for (int i = 0, body = ABUT_WORLD; i < warm->count; ++i) {
        bool stays = i < before && problem->contacts[i].key == warm->roll->key[i];
        keep_impulse(warm, i, &answers[i], stays);
        warm->face[i] = faces[i];
        memcpy(warm->axis + 3 * (size_t)i, answers[i].axis, sizeof answers[i].axis);
        bool same =
            i > 0 && problem->contacts[i].bodies[0] == body; /* as contacts one after the other mostly have */
        warm->pull[i] = same ? warm->pull[i - 1] : pull_of(problem, i, &size);
        body = problem->contacts[i].bodies[0];
    }
    warm->rows = faces && rows ? problem->joint_count : 0;
    for (int j = 0; j < warm->rows; ++j) warm->face[warm->count + j] = rows[j];
}
