/* The first door: bodies and contacts in maximal coordinates, six numbers a body.
 *
 * With M = G G', G = diag(sqrt(m) I, L) and inertia = L L', the Jacobian row of a unit impulse a at the arm r
 * becomes
 *
 *     (a / sqrt(m), L^-1 (r x a)),        k = (sqrt(m) v + step f / sqrt(m), L' w + step L^-1 torque),
 *
 * for the body that receives +a, and its negative for the other (Lloyd 2005, section 3, in the coordinates of
 * eq. (22)). */
#include "contact/build.h"
#include "contact/validate.h"
#include <string.h>

/* The blocks that a pair of bodies moves: side 0 is A if it moves, else B. Side 1 is B when both move. */
static void sides_of(const int *block, const int pair[2], int none, int side[2], double sign[2])
{
    int a = pair[0] >= 0 ? block[pair[0]] : -1, b = pair[1] >= 0 ? block[pair[1]] : -1;
    side[0] = a >= 0 ? a : b >= 0 ? b : none;
    sign[0] = a >= 0 ? 1.0 : -1.0;
    side[1] = a >= 0 && b >= 0 ? b : none;
    sign[1] = -1.0;
}

static void set_side(abuti_body_chunk *chunk, int l, const abuti_factor *factor, double sign)
{
    for (int c = 0; c < 3; ++c) chunk->com[c][l] = factor->com[c];
    chunk->root[l] = sign * factor->inverse_root;
    for (int c = 0; c < 6; ++c) chunk->inverse[c][l] = sign * factor->inverse[c];
}

static void clear_side(abuti_body_chunk *chunk, int l)
{
    static const abuti_factor nothing = {.inverse_root = 0.0};
    set_side(chunk, l, &nothing, 1.0);
}

/* Copies the frame of a contact into its lane; padding lanes have a valid frame. */
static void set_frame(abuti_frame_chunk *f, int l, const abut_contact *contact)
{
    static const double nowhere[3] = {0.0, 0.0, 0.0}, up[3] = {0.0, 0.0, 1.0}, ahead[3] = {1.0, 0.0, 0.0};
    const double *point = contact ? contact->point : nowhere, *normal = contact ? contact->normal : up;
    const double *tangent = contact ? contact->tangent : ahead;
    for (int c = 0; c < 3; ++c) {
        f->point[c][l] = point[c];
        f->axis[0][c][l] = normal[c];
        f->axis[1][c][l] = tangent[c];
    }
}

/* Whether the contact's offsets are anything but zero, or its velocity before the step matters. */
static bool has_offset(const abut_contact *contact, const int *block)
{
    bool given_body =
        block[contact->bodies[0]] < 0 || (contact->bodies[1] >= 0 && block[contact->bodies[1]] < 0);
    return (contact->gap != 0.0) | (contact->restitution != 0.0) | (contact->viscous != 0.0) | given_body;
}

/* What the walk over the contacts finds out. */
typedef struct walk {
    bool valid, offsets;
    bool uniform; /* one body, on side A of every contact: its constants are the same in all lanes */
} walk;

/* All contacts from the problem's structs into lanes. */
static walk gather(abuti_build *build, const abut_contact_problem *problem, const abuti_islands *islands,
                   const abuti_island *island)
{
    abuti_system_store *store = &build->store;
    const abuti_system *s = &build->system;
    walk w = {.valid = true, .offsets = abuti_acceleration_level(problem->model), .uniform = s->bodies == 1};
    for (int lane = 0; lane < s->n; ++lane) {
        int index = island->contact[lane], side[2];
        double sign[2];
        const abut_contact *contact = &problem->contacts[index];
        w.valid &= abuti_valid_contact(contact);
        w.offsets |= has_offset(contact, islands->block);
        sides_of(islands->block, contact->bodies, s->bodies, side, sign);
        store->body[0][lane] = side[0];
        store->body[1][lane] = side[1];
        w.uniform &= (side[0] == 0) & (sign[0] > 0.0);
        set_frame(&build->frames[lane / ABUTI_LANES], lane % ABUTI_LANES, contact);
        abuti_lane_of_contact(build, contact, lane, index);
    }
    for (int lane = s->n; lane < s->lanes; ++lane) {
        set_frame(&build->frames[lane / ABUTI_LANES], lane % ABUTI_LANES, NULL);
    }
    return w;
}

/* The bodies on both sides of eight contacts. */
static void gather_sides(const abuti_build *build, const abut_contact_problem *problem,
                         const abuti_islands *islands, const abuti_island *island, int first,
                         abuti_body_chunk sides[2])
{
    const abuti_system *s = &build->system;
    for (int l = 0; l < ABUTI_LANES; ++l) {
        int lane = first + l;
        for (int k = 0; k < s->sides; ++k) {
            int block = s->body[k][lane];
            if (block >= s->bodies) {
                clear_side(&sides[k], l);
                continue;
            }
            const int *pair = problem->contacts[island->contact[lane]].bodies;
            bool is_a = k == 0 && islands->block[pair[0]] == block;
            set_side(&sides[k], l, &build->factor[block], is_a ? 1.0 : -1.0);
        }
    }
}

/* All contacts, eight at a time: frames, scaled rows, sizes. */
static walk make_contacts(abuti_build *build, const abut_contact_problem *problem,
                          const abuti_islands *islands, const abuti_island *island)
{
    abuti_system *s = &build->system;
    abuti_system_store *store = &build->store;
    abuti_pad_lanes(build);
    walk w = gather(build, problem, islands, island);
    w.valid &= build->kernel->frames(build->frames, s->lanes / ABUTI_LANES);
    abuti_body_chunk sides[2];
    abuti_scale_chunk scale;
    for (int first = 0; first < s->lanes; first += ABUTI_LANES) {
        bool padded = first + ABUTI_LANES > s->n;
        if (first == 0 || !w.uniform || padded) gather_sides(build, problem, islands, island, first, sides);
        for (int l = 0; l < ABUTI_LANES; ++l) {
            scale.spatial[l] = store->directions[first + l] == ABUT_DIRECTIONS_MIN ? 0.0 : 1.0;
        }
        build->kernel->rows(&build->frames[first / ABUTI_LANES], &sides[0], s->sides == 2 ? &sides[1] : NULL,
                            store->rows + first, (size_t)s->lanes, &scale);
        memcpy(store->row_scale + first, scale.scale, sizeof scale.scale);
        memcpy(store->size[0] + first, scale.size[0], sizeof scale.size[0]);
        memcpy(store->size[1] + first, scale.size[1], sizeof scale.size[1]);
    }
    if (problem->model == ABUT_FRICTIONLESS) memset(store->mu, 0, (size_t)s->lanes * sizeof(double));
    return w;
}

/* Whether some contact or joint of the island moves two blocks. */
static int sides_needed(const abut_contact_problem *problem, const abuti_islands *islands,
                        const abuti_island *island)
{
    for (int i = 0; i < island->contacts && island->bodies > 1; ++i) {
        const int *pair = problem->contacts[island->contact[i]].bodies;
        if (pair[0] >= 0 && pair[1] >= 0 && islands->block[pair[0]] >= 0 && islands->block[pair[1]] >= 0)
            return 2;
    }
    for (int i = 0; i < island->joints && island->bodies > 1; ++i) {
        const int *pair = problem->joints[island->joint[i]].bodies;
        if (pair[0] >= 0 && pair[1] >= 0 && islands->block[pair[0]] >= 0 && islands->block[pair[1]] >= 0)
            return 2;
    }
    return 1;
}

abut_status abuti_build_bodies(abuti_build *build, const abut_contact_problem *problem,
                               const abuti_islands *islands, const abuti_island *island)
{
    abuti_system *s = &build->system;
    abuti_system_store *store = &build->store;
    *s = (abuti_system){.model = problem->model,
                        .n = island->contacts,
                        .lanes = abuti_padded(island->contacts),
                        .bodies = island->bodies,
                        .dim = 6,
                        .stride = 8,
                        .sides = sides_needed(problem, islands, island),
                        .joints = island->joints};
    abuti_point_system(build);
    bool acceleration = abuti_acceleration_level(problem->model);
    for (int b = 0; b < s->bodies; ++b) {
        const abut_body *body = &problem->bodies[island->body[b]];
        if (!abuti_valid_body(body, &build->factor[b])) return ABUT_INVALID_ARGUMENT;
        abuti_body_k(body, &build->factor[b], problem->step, acceleration, store->k + (size_t)b * 8);
    }
    memset(store->k + (size_t)s->bodies * 8, 0, 8 * sizeof(double));

    walk w = make_contacts(build, problem, islands, island);
    if (!w.valid) return ABUT_INVALID_ARGUMENT;
    if (w.offsets) abuti_body_offsets(build, problem, island);
    for (int j = 0; j < s->joints; ++j) {
        if (!abuti_valid_joint(&problem->joints[island->joint[j]])) return ABUT_INVALID_ARGUMENT;
        abuti_body_joint(build, problem, islands, j, island->joint[j]);
    }
    abuti_scale_right_sides(build);
    return ABUT_OK;
}
