/* Springs on less and less of the cones.
 *
 * Where springs of one kind lead out of some cones, these contacts carry what they cannot: they pull, or they rub more
 * than they are pressed. A contact that pulls lets go. One that rubs too much gets a spring on the edge of its cone
 * that it has left, then on a vertex, so that its friction follows its normal impulse and the others take what is too
 * much. Bricks whose side joints pull and rows of boxes at the angle of friction are held after two or three
 * factorisations, a wall of a thousand bricks after ten. If too much has been given up, the motion that springs cannot
 * hold closes contacts that have let go, and these come back, once. As long as fewer and fewer contacts give up
 * something this leads to an answer. Otherwise nothing is said, for where bodies move, contacts give up and come back
 * in turn. */
#include "contact/rest/rest.h"
#include <math.h>
#include <string.h>

#define BODIES 8     /* what has fewer is answered in the time of one round by other stages */
#define ROUNDS 20    /* factorisations; two or three are usual */
#define FEW 0.1      /* of the contacts: so few that cannot carry are always given up, */
#define MOST 0.75    /* more if they are less than this share of those in the round before */
#define CLOSES 1e-9  /* velocities that close a contact, in units of the size */
#define VERTEX 1e-6  /* friction so near to a vertex points to it, in shares of an edge */
#define HOPELESS 3.0 /* friction outside the cone by this much, in units of what the contact could carry, */
#define SOFT 1e-8    /* ... leaves a contact springs of this share of the others' stiffness */

/* What of a cone springs act on: count generators from `first` on. */
typedef struct rest_part part;

static void spring_part(rest *r, const abuti_system *s, int i)
{
    double *K = r->K + REST_K * i, c[3];
    const part *on = &r->part[i];
    double share = on->count > 0 ? REST_STIFF / (s->size[0][i] * s->size[0][i] * on->count) : 0.0;
    if (on->soft) share *= SOFT;
    memset(K, 0, REST_K * sizeof(double));
    for (int j = 0; j < on->count; ++j) {
        rest_generator(r, i, (on->first + j) % r->count[i], c);
        rest_add_spring(K, share, c);
    }
}

/* The weights of the one or two generators that p is made of. */
static void weights_of(const rest *r, int i, const double *p, double weight[2])
{
    double a[3], b[3];
    const part *on = &r->part[i];
    weight[0] = p[0];
    weight[1] = 0.0;
    if (on->count < 2) return;
    rest_generator(r, i, on->first, a);
    rest_generator(r, i, (on->first + 1) % r->count[i], b);
    double along[2] = {b[1] - a[1], b[2] - a[2]};
    double square = along[0] * along[0] + along[1] * along[1];
    if (!(square > 0.0)) return;
    weight[1] = ((p[1] - p[0] * a[1]) * along[0] + (p[2] - p[0] * a[2]) * along[1]) / square;
    weight[0] = p[0] - weight[1];
}

/* Narrows a part of one or two generators: those with negative weights are given up. */
static bool narrow_face(rest *r, int i, double allowed)
{
    double weight[2];
    part *on = &r->part[i];
    weights_of(r, i, r->p + 3 * i, weight);
    bool first = weight[0] >= allowed, second = on->count > 1 && weight[1] >= allowed;
    if (first && (second || on->count == 1)) return false;
    if (second) on->first = (on->first + 1) % r->count[i];
    on->count = first || second ? 1 : 0;
    return true;
}

/* Where friction f lies between vertex j and the next: 1 at vertex j, 0 at the next. */
static double share_of_vertex(const rest *r, int i, int j, const double *f)
{
    double a[3], b[3];
    rest_generator(r, i, j, a);
    rest_generator(r, i, (j + 1) % r->count[i], b);
    double first = f[0] * b[2] - f[1] * b[1], second = a[1] * f[1] - a[2] * f[0];
    return first / (first + second);
}

/* Narrows a whole cone to the edge that p has left most, or to a vertex where friction points to one, or to nothing
 * where the contact pulls. A contact that would have to be pressed many times more carries only what nobody else
 * can. */
static bool narrow_cone(rest *r, const abuti_system *s, int i, double allowed)
{
    const double *p = r->p + 3 * i;
    double least = allowed;
    int edge = -1;
    for (int l = 0; l < abuti_rest_slacks(r, s, i); ++l) {
        double slack = abuti_rest_slack(r, s, i, l, p);
        if (slack < least) {
            least = slack;
            edge = l;
        }
    }
    if (edge < 0) return false;
    r->part[i] = (part){.first = edge, .count = s->directions[i] > ABUT_DIRECTIONS_MIN ? 2 : 1};
    if (r->part[i].count == 2) {
        double share = share_of_vertex(r, i, edge, p + 1);
        if (share < VERTEX) r->part[i] = (part){.first = (edge + 1) % r->count[i], .count = 1};
        if (share > 1.0 - VERTEX) r->part[i] = (part){.first = edge, .count = 1};
    }
    if (p[0] <= 0.0) r->part[i].count = 0;
    r->part[i].soft = -least > HOPELESS * s->mu[i] * p[0];
    return true;
}

/* Gives up what contacts cannot carry. Returns how many contacts these are. */
static int narrow(rest *r, const abuti_system *s)
{
    double allowed = -REST_CONE * abuti_rest_largest(r, s, r->p);
    int count = 0;
    for (int i = 0; i < s->n; ++i) {
        if (r->part[i].count == 0) continue;
        bool whole =
            r->part[i].count > 2 || (r->part[i].count == 2 && s->directions[i] == ABUT_DIRECTIONS_MIN);
        count += whole ? narrow_cone(r, s, i, allowed) : narrow_face(r, i, allowed);
        spring_part(r, s, i);
    }
    return count;
}

/* Contacts that were given up, and that the velocity v which springs could not hold closes, come back. Returns how many
 * they are. */
static int widen(rest *r, const abuti_system *s)
{
    int count = 0;
    double u[3], c[3];
    for (int i = 0; i < s->n; ++i) {
        if (r->part[i].count == r->count[i] && !r->part[i].soft) continue;
        double closed = 0.0;
        abuti_rest_velocity(&r->matrix, s, i, r->v, u);
        for (int j = 0; j < r->count[i]; ++j) {
            rest_generator(r, i, j, c);
            closed = rest_larger(closed, -(c[0] * u[0] + c[1] * u[1] + c[2] * u[2]));
        }
        if (closed <= CLOSES * r->size * s->size[0][i]) continue;
        r->part[i] = (part){.count = r->count[i]};
        spring_part(r, s, i);
        ++count;
    }
    return count;
}

/* Whether `count` contacts that cannot carry, after `before` in the round before, lead nowhere: where bodies move there
 * are such contacts everywhere, or again and again. */
static bool hopeless(const abuti_system *s, int count, int before)
{
    return count >= before || (count > FEW * s->n && count > MOST * before);
}

bool abuti_rest_narrowed(rest *r, const abuti_system *s, const abuti_stage_context *context)
{
    bool held = true, widened = false;
    if (s->bodies < BODIES) return false;
    for (int i = 0; i < s->n; ++i) r->part[i] = (part){.count = r->count[i]};
    for (int round = 0, before = 2 * s->n; round < ROUNDS && !abuti_rest_spent(context, round); ++round) {
        int count = held ? narrow(r, s) : widen(r, s);
        if (count == 0 || (held ? hopeless(s, count, before) : widened)) return false;
        if (held) before = count;
        widened = widened || !held;
        memset(r->p, 0, 3 * (size_t)s->n * sizeof(double));
        if (s->joints) memset(r->y, 0, (size_t)s->joints * sizeof(double));
        if (!abuti_rest_factor(r, s)) return false;
        held = abuti_rest_hold(r, s, r->p, r->y, s->k, REST_CALM);
        if (held && abuti_rest_in_cones(r, s, r->p) && abuti_rest_hold(r, s, r->p, r->y, s->k, REST_STILL) &&
            abuti_rest_in_cones(r, s, r->p))
            return true;
    }
    return false;
}
