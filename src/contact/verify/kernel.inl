/* Included by verify/kernel_avx2.c, verify/kernel_avx512.c and verify/kernel_plain.c.
 *
 * The verifier's passes over eight contacts: straight arithmetic lane by lane, without reductions, so that every
 * vector width gives the same bits. The three files that include this one name the table (VERIFY_KERNEL) and say
 * how many doubles a register holds (VERIFY_WIDTH).
 *
 * A chunk goes through the passes one by one, with its numbers in memory between them; models and doors that
 * differ from each other need this. A run of contacts that all have the same two bodies, the same polygon and
 * nothing but friction, gap and restitution goes through all passes at once, in registers (run_pass). So does
 * almost every call. */
#include "base/columns.h"
#include "contact/verify/contact.inl"
#include <stddef.h>

#define LANES for (int l = 0; l < ABUTI_LANES; ++l)
/* The chunk, one register after the other. */
#define REGISTERS for (int first = 0; first < ABUTI_LANES; first += VERIFY_WIDTH)

/* Eight contacts as they lie in the struct, by fours, and their impulses. */
typedef struct fields {
    ABUTI_ALIGNED double place[4][ABUTI_LANES]; /* bodies (two integers), point */
    double axes[4][ABUTI_LANES];                /* normal, t_x */
    double rest[4][ABUTI_LANES];                /* t_y, t_z, mu, directions and cone (two integers) */
    double bounce[4][ABUTI_LANES];              /* gap, restitution, viscosity, group (likewise) */
    double impulse[4][ABUTI_LANES];
} fields;

static inline void take_fields(const void *const *contact, const void *const *impulse, fields *a)
{
    abuti_columns4(contact, offsetof(abut_contact, bodies), a->place);
    abuti_columns4(contact, offsetof(abut_contact, normal), a->axes);
    abuti_columns4(contact, offsetof(abut_contact, tangent[1]), a->rest);
    abuti_columns4(contact, offsetof(abut_contact, gap), a->bounce);
    abuti_columns3(impulse, a->impulse);
}

static inline frame take_frame(const fields *a, int first)
{
    return (frame){.point = {LOAD(a->place[1]), LOAD(a->place[2]), LOAD(a->place[3])},
                   .normal = {LOAD(a->axes[0]), LOAD(a->axes[1]), LOAD(a->axes[2])},
                   .tangent = {LOAD(a->axes[3]), LOAD(a->rest[0]), LOAD(a->rest[1])}};
}

/* Whether contacts have no gap, restitution or viscosity. */
static inline mask is_plain(const fields *a, int first)
{
    const vec zero = {0};
    vec any = (magnitude(LOAD(a->bounce[0])) + magnitude(LOAD(a->bounce[1]))) + magnitude(LOAD(a->bounce[2]));
    return at_most(any, zero);
}

/* Puts eight contacts into lanes: velocities and sizes are cleared, normal and tangent are made exact, the second
 * tangent is n x t, and the impulse becomes a vector. */
static abuti_frames_seen frames_pass(const void *const *contact, const void *const *impulse,
                                     abuti_chunk *restrict chunk, abuti_frames *restrict g)
{
    fields a;
    take_fields(contact, impulse, &a);
    abuti_frames_seen seen = {.far = false, .special = false};
    REGISTERS
    {
        frame at = take_frame(&a, first);
        const vec p[3] = {LOAD(a.impulse[0]), LOAD(a.impulse[1]), LOAD(a.impulse[2])};
        seen.far |= !in_all(make_exact(&at));
        seen.special |= !in_all(is_plain(&a, first));
        add_push(&at, p);
        for (int k = 0; k < 3; ++k) {
            STORE(g->point[k], at.point[k]);
            STORE(g->normal[k], at.normal[k]);
            STORE(g->tangent[k], at.tangent[k]);
            STORE(g->binormal[k], at.binormal[k]);
            STORE(g->push[k], at.push[k]);
            STORE(chunk->impulse[k], p[k]);
            STORE(chunk->velocity[k], (vec){0});
            STORE(chunk->offset[k], (vec){0});
            STORE(chunk->square[k], (vec){0});
        }
        STORE(chunk->mu, LOAD(a.rest[2]));
    }
    return seen;
}

static void body_pass(const abuti_body_record *restrict r, abuti_side *restrict s)
{
    for (int c = 0; c < 3; ++c) {
        LANES s->com[c][l] = r->com[c];
        LANES s->linear[c][l] = r->velocity[c];
        LANES s->angular[c][l] = r->velocity[3 + c];
        LANES s->lower[c][l] = r->lower[c];
        LANES s->inverse_pivot[c][l] = r->inverse_pivot[c];
        LANES s->sum[c][l] = 0.0;
        LANES s->sum[3 + c][l] = 0.0;
    }
    LANES s->inverse_mass[l] = r->inverse_mass;
}

static void side_pass(abuti_chunk *restrict c, const abuti_frames *restrict g, abuti_side *restrict s,
                      double sign)
{
    REGISTERS
    {
        frame at;
        body b = {.inverse_mass = LOAD(s->inverse_mass)};
        vec velocity[3], square[3], moment[3] = {{0}, {0}, {0}};
        for (int k = 0; k < 3; ++k) {
            at.point[k] = LOAD(g->point[k]), at.push[k] = LOAD(g->push[k]);
            at.normal[k] = LOAD(g->normal[k]), at.tangent[k] = LOAD(g->tangent[k]);
            at.binormal[k] = LOAD(g->binormal[k]);
            b.com[k] = LOAD(s->com[k]), b.linear[k] = LOAD(s->linear[k]), b.angular[k] = LOAD(s->angular[k]);
            b.lower[k] = LOAD(s->lower[k]), b.inverse_pivot[k] = LOAD(s->inverse_pivot[k]);
            velocity[k] = LOAD(c->velocity[k]), square[k] = LOAD(c->square[k]);
        }
        add_side(&at, &b, sign > 0.0, velocity, square, moment);
        for (int k = 0; k < 3; ++k) {
            STORE(c->velocity[k], velocity[k]);
            STORE(c->square[k], square[k]);
            STORE(s->moment[k], moment[k]);
            STORE(s->sum[k], LOAD(s->sum[k]) + at.push[k]);
            STORE(s->sum[3 + k], LOAD(s->sum[3 + k]) + moment[k]);
        }
    }
}

static inline touch take_touch(const abuti_chunk *c, int first)
{
    touch at = {.mu = LOAD(c->mu)};
    for (int k = 0; k < 3; ++k) at.impulse[k] = LOAD(c->impulse[k]), at.velocity[k] = LOAD(c->velocity[k]);
    for (int k = 0; k < 2; ++k) at.size[k] = LOAD(c->size[k]), at.inverse_size[k] = LOAD(c->inverse_size[k]);
    return at;
}

static inline void put_touch(const touch *at, abuti_chunk *c, int first)
{
    STORE(c->mu, at->mu);
    for (int k = 0; k < 3; ++k) {
        STORE(c->impulse[k], at->impulse[k]);
        STORE(c->velocity[k], at->velocity[k]);
    }
    for (int k = 0; k < 2; ++k) {
        STORE(c->size[k], at->size[k]);
        STORE(c->inverse_size[k], at->inverse_size[k]);
    }
}

static void sizes_pass(abuti_chunk *restrict c, abuti_findings *restrict f)
{
    REGISTERS
    {
        touch at = take_touch(c, first);
        const vec square[3] = {LOAD(c->square[0]), LOAD(c->square[1]), LOAD(c->square[2])};
        const vec offset[3] = {LOAD(c->offset[0]), LOAD(c->offset[1]), LOAD(c->offset[2])};
        take_sizes(square, &at);
        put_touch(&at, c, first);
        raise(f->offset, first, finite_or_infinite(largest_of(offset, at.inverse_size)));
        note_impulses(&at, f, first);
    }
}

static void normal_pass(const abuti_chunk *restrict c, abuti_findings *restrict f, double *restrict error)
{
    REGISTERS
    {
        touch at = take_touch(c, first);
        raise(error, first, judge_normal(&at, f, first));
    }
}

/* Contacts with another number of directions are left out. */
static void polygon_pass(const abuti_chunk *restrict c, const abuti_polygon *restrict p,
                         abuti_findings *restrict f, double *restrict error)
{
    const vec zero = {0};
    REGISTERS
    {
        touch at = take_touch(c, first);
        mask mine = at_most(magnitude(LOAD(c->directions) - (double)p->d), zero);
        vec cone, direction;
        judge_polygon(&at, p, &cone, &direction);
        cone = choose(mine, cone, zero);
        direction = choose(mine, direction, zero);
        raise(f->cone, first, cone);
        raise(f->direction, first, direction);
        raise(error, first, larger(cone, direction));
    }
}

static void work_pass(const abuti_chunk *restrict c, abuti_findings *restrict f)
{
    REGISTERS
    {
        touch at = take_touch(c, first);
        judge_work(&at, f, first);
    }
}

/* The same for single lanes. */
static inline double larger_one(double a, double b)
{
    return a > b ? a : b;
}

/* Contacts on polygons are left out. */
static void circle_pass(const abuti_chunk *restrict c, abuti_findings *restrict f, double *restrict error)
{
    const vec zero = {0};
    REGISTERS
    {
        touch at = take_touch(c, first);
        mask mine = below(zero, LOAD(c->round));
        vec normal, cone, direction;
        judge_circle(&at, &normal, &cone, &direction);
        normal = choose(mine, normal, zero);
        cone = choose(mine, cone, zero);
        direction = choose(mine, direction, zero);
        raise(f->normal, first, normal);
        raise(f->cone, first, cone);
        raise(f->direction, first, direction);
        raise(error, first, larger(normal, larger(cone, direction)));
    }
}

/* Slip along n x t does not count in the plane. */
static void true_cone_pass(const abuti_chunk *restrict c, abuti_findings *restrict f)
{
    REGISTERS
    {
        touch at = take_touch(c, first);
        mask plane = at_most(magnitude(LOAD(c->directions) - 2.0), (vec){0});
        at.velocity[2] = choose(plane, (vec){0}, at.velocity[2]);
        note_true_cone(&at, f, first);
    }
}

static void record_pass(const abuti_chunk *restrict c, const double *restrict error,
                        abuti_findings *restrict f)
{
    REGISTERS record_worst(c->place, LOAD(error), f, first);
}

static void coulomb_pass(const abuti_chunk *restrict c, const abuti_polygon *restrict p,
                         abuti_findings *restrict f)
{
    REGISTERS
    {
        touch at = take_touch(c, first);
        judge_friction(&at, p, c->place, f, first);
    }
}

/* The findings are transposed, so that the eight lanes of each stand in one column. */
static void largest_pass(const abuti_findings *restrict f, double *restrict out)
{
    const void *row[ABUTI_BY_LANE] = {f->normal, f->cone,  f->direction, f->true_cone,
                                      f->work,   f->power, f->impulse,   f->offset};
    ABUTI_ALIGNED double low[4][ABUTI_LANES], high[4][ABUTI_LANES];
    abuti_columns4(row, 0, low);
    abuti_columns4(row, 4 * sizeof(double), high);
    LANES
    {
        double a = larger_one(larger_one(low[0][l], high[0][l]), larger_one(low[2][l], high[2][l]));
        double b = larger_one(larger_one(low[1][l], high[1][l]), larger_one(low[3][l], high[3][l]));
        out[l] = larger_one(a, b);
    }
}

#include "contact/verify/run.inl"

const abuti_verify_kernel VERIFY_KERNEL = {.frames = frames_pass,
                                           .body = body_pass,
                                           .side = side_pass,
                                           .sizes = sizes_pass,
                                           .normal = normal_pass,
                                           .polygon = polygon_pass,
                                           .work = work_pass,
                                           .circle = circle_pass,
                                           .true_cone = true_cone_pass,
                                           .record = record_pass,
                                           .coulomb = coulomb_pass,
                                           .run = run_pass,
                                           .largest = largest_pass};
