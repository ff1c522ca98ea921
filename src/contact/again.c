/* Bodies that rested go on resting: the verifier judges the impulses of the last step as they are, with velocities of
 * zero. No system is built for this.
 *
 * Where rest is an answer, rest is the answer (contact.h, "Several answers"), so nothing else has to be asked. The
 * residual has to be mere rounding: an answer that is only good enough would be taken again and again while what holds
 * the bodies changes under them. */
#include "contact/again.h"
#include "contact/rest/rest.h"
#include "contact/verify/verify.h"
#include <math.h>
#include <string.h>

/* The residual of such an answer is at most this part of the tolerance, and so is the speed that the bodies had, in
 * steps of their forces (abuti_slower_than). */
#define ROUNDING 0.1
/* Tangents closer than this (one less the cosine between them) are the same but for rounding. */
#define SAME 1e-15

static bool serves(const abuti_call *c, const abuti_island *island)
{
    const abuti_survey *survey = &c->survey;
    bool plain = survey->sides == 0 && survey->bounded == 0 && survey->compliant == 0 && !survey->viscous;
    if (!plain || !abuti_is_coulomb(c->problem->model) || c->options->stage || island->contacts == 0 ||
        !c->plan->rests || !abuti_has_bodies(c, island))
        return false;
    return abuti_warm_knows(&c->work->warm, c->problem, c->options, island->joints);
}

bool abuti_has_bodies(const abuti_call *c, const abuti_island *island)
{
    const abut_generalised *g = c->problem->generalised;
    if (c->problem->body_count > 0) return true;
    for (int b = 0; b < island->bodies && g && g->block_count > 0; ++b)
        if (!abuti_block_is_body(&c->work->build.blocks.block[island->body[b]])) return false;
    return g && g->block_count > 0;
}

const abut_body *abuti_body_of(const abuti_call *c, const abuti_island *island, int b, abut_body *store)
{
    int index = island->body[b];
    if (c->problem->body_count > 0) return &c->problem->bodies[index];
    abuti_block_body(&c->work->build.blocks.block[index], c->problem->generalised, store);
    return store;
}

/* m |v|^2 + w.I w */
double abuti_twice_energy(const abut_body *body)
{
    const double *v = body->velocity, *w = v + 3, *I = body->inertia;
    return body->mass * (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]) + I[0] * w[0] * w[0] + I[1] * w[1] * w[1] +
           I[2] * w[2] * w[2] + 2.0 * (I[3] * w[0] * w[1] + I[4] * w[0] * w[2] + I[5] * w[1] * w[2]);
}

bool abuti_slower_than(const abuti_call *c, const abuti_island *island, double steps)
{
    double moved = 0.0, pushed = 0.0, most = steps * c->problem->step;
    for (int b = 0; b < island->bodies; ++b) {
        abut_body store;
        const abut_body *body = abuti_body_of(c, island, b, &store);
        const double *f = body->force;
        moved = fmax(moved, abuti_twice_energy(body));
        pushed = fmax(pushed, (f[0] * f[0] + f[1] * f[1] + f[2] * f[2]) / body->mass);
    }
    return moved <= most * most * pushed;
}

/* Whether the builder of systems would take the island; what it would refuse is left to it. */
static bool valid(const abuti_call *c, const abuti_island *island)
{
    abuti_factor factor;
    bool good = true;
    if (c->problem->generalised) return abuti_valid_blocks(&c->work->build, c->problem, island);
    for (int b = 0; b < island->bodies; ++b)
        good &= abuti_valid_body(&c->problem->bodies[island->body[b]], &factor);
    for (int j = 0; j < island->joints; ++j) good &= abuti_valid_joint(&c->problem->joints[island->joint[j]]);
    return good;
}

static bool all_zero(const double *x, int count)
{
    for (int i = 0; i < count; ++i)
        if (x[i] != 0.0) return false;
    return true;
}

/* Whether a contact may be at rest: false where a kinematic body, or a surface, moves. */
static bool fixed(const abut_contact_problem *problem, const abut_contact *contact)
{
    if (problem->generalised) return all_zero(contact->surface, 3);
    for (int side = 0; side < 2; ++side) {
        const abut_body *body = contact->bodies[side] >= 0 ? &problem->bodies[contact->bodies[side]] : NULL;
        if (body && body->kind == ABUT_KINEMATIC && !all_zero(body->velocity, 6)) return false;
    }
    return true;
}

/* Whether the forces on a contact's first body differ from those of the last step. Mostly the first contact of an
 * island tells already. */
static bool pulled_anew(abuti_call *c, int index)
{
    return abuti_warm_known(&c->work->warm, c->problem, c->options, index).pulled_anew;
}

/* Turns the friction of a contact into its present tangents where these are not those of the last step, which for
 * normals near an axis is a matter of rounding (carry.c). False: the contact has a circle, whose direction is not
 * turned. */
static bool turn(const abut_contact *contact, double axis[2][3], abuti_known *known, double p[3])
{
    const double *old = known->axis;
    double along[2] = {1.0, 0.0};
    for (int t = 0; old && t < 2; ++t)
        along[t] = old[0] * axis[t][0] + old[1] * axis[t][1] + old[2] * axis[t][2];
    if (along[0] >= 1.0 - SAME) return true;
    if (contact->cone != ABUT_CONE_POLYGON) return false;
    int directions = contact->directions ? contact->directions : ABUT_DIRECTIONS_DEFAULT;
    abuti_turn_friction(along, directions, &known->face, &p[1], &p[2]);
    return true;
}

/* Writes the answer of a contact at rest, with the tangents `axis`, from what is known of it. Whatever its state, it
 * does not slip. False: other forces than in the last step pull, or a body that it touches moves. */
static bool take_contact(abuti_call *c, int index, double axis[2][3])
{
    const abut_contact *contact = &c->problem->contacts[index];
    abuti_outputs *out = &c->work->outputs;
    abuti_known known = abuti_warm_known(&c->work->warm, c->problem, c->options, index);
    double *p = out->impulses + 3 * (size_t)index;
    for (int k = 0; k < 3; ++k) p[k] = known.impulse ? known.impulse[k] : 0.0;
    bool bodies = c->problem->body_count > 0; /* else the tangents are those of the caller's rows */
    if (known.pulled_anew || (bodies && !turn(contact, axis, &known, p)) || !fixed(c->problem, contact))
        return false;
    out->faces[index] = known.face;
    out->contacts[index] =
        (abut_contact_answer){.normal = p[0],
                              .tangent = {p[1], p[2]},
                              .state = (abut_contact_state)known.face.state,
                              .face = known.face.face,
                              .gap_velocity = abuti_bias(contact, c->problem->step, 0.0, 0.0),
                              .axis = {axis[0][0], axis[0][1], axis[0][2]}};
    return true;
}

/* Takes all contacts, eight at a time. */
static bool take_contacts(abuti_call *c, const abuti_island *island)
{
    static const abut_contact padding = {.normal = {0.0, 0.0, 1.0}, .tangent = {1.0, 0.0, 0.0}};
    abuti_contact_walk walk = {{0.0}, {0.0}};
    double bad = 0.0, none[2][3] = {{0.0}};
    for (int i = 0; c->problem->generalised && i < island->contacts; ++i)
        if (!take_contact(c, island->contact[i], none)) return false;
    if (c->problem->generalised) return true;
    for (int first = 0; first < island->contacts; first += ABUTI_LANES) {
        const void *eight[ABUTI_LANES];
        abuti_frame_chunk frames;
        double mu[ABUTI_LANES];
        int left = island->contacts - first, count = left < ABUTI_LANES ? left : ABUTI_LANES;
        for (int l = 0; l < ABUTI_LANES; ++l)
            eight[l] = l < count ? &c->problem->contacts[island->contact[first + l]] : &padding;
        c->work->build.kernel->contacts(eight, &frames, mu, &walk);
        for (int l = 0; l < count; ++l) {
            double axis[2][3];
            for (int t = 0; t < 2; ++t)
                for (int k = 0; k < 3; ++k) axis[t][k] = frames.axis[1 + t][k][l];
            if (!take_contact(c, island->contact[first + l], axis)) return false;
        }
    }
    for (int l = 0; l < ABUTI_LANES; ++l) bad += walk.bad[l];
    return bad == 0.0;
}

static void take_the_rest(abuti_call *c, const abuti_island *island)
{
    abuti_outputs *out = &c->work->outputs;
    const double *joint = c->options->start ? c->options->start_joint_impulses : c->work->warm.joint;
    for (int j = 0; j < island->joints; ++j) {
        int index = island->joint[j];
        out->joints[index] = joint ? joint[index] : 0.0;
    }
    const abut_generalised *g = c->problem->generalised;
    for (int b = 0; b < island->bodies; ++b) {
        int body = island->body[b];
        size_t at = g ? (size_t)c->work->build.blocks.block[body].at : 6 * (size_t)body;
        memset(out->velocity + at, 0, 6 * sizeof(double));
    }
}

bool abuti_rest_again(abuti_call *c, const abuti_island *island, abuti_verdict *verdict)
{
    abuti_outputs *out = &c->work->outputs;
    if (!serves(c, island) || !abuti_slower_than(c, island, ROUNDING * c->options->tolerance) ||
        pulled_anew(c, island->contact[0]) || !valid(c, island) || !take_contacts(c, island))
        return false;
    take_the_rest(c, island);
    abuti_verify_island(c->problem, c->options, island, out->impulses, out->joints, out->velocity,
                        c->work->verify_scratch, &verdict->check);
    if (!(verdict->check.residual <= ROUNDING * c->options->tolerance)) return false;
    verdict->outcome = ABUT_SOLVED;
    verdict->stage = &abuti_stage_rest_again;
    verdict->described = true;
    return true;
}
