/* Included by verify/kernel.inl.
 *
 * A run is contacts that all lie on the same two bodies, have the same polygon (or all have circles) and nothing but
 * friction, gap and restitution. They go, eight at a time, from their structs through every piece of
 * verify/contact.inl without a stop in memory. */
#ifndef ABUTI_CONTACT_VERIFY_RUN_INL
#define ABUTI_CONTACT_VERIFY_RUN_INL

/* One body in all lanes. */
static inline body everywhere(const abuti_body_record *r)
{
    body b = {.inverse_mass = all_lanes(r->inverse_mass)};
    for (int k = 0; k < 3; ++k) {
        b.com[k] = all_lanes(r->com[k]);
        b.linear[k] = all_lanes(r->velocity[k]);
        b.angular[k] = all_lanes(r->velocity[3 + k]);
        b.lower[k] = all_lanes(r->lower[k]);
        b.inverse_pivot[k] = all_lanes(r->inverse_pivot[k]);
    }
    return b;
}

/* Pushes and moments on the two sides so far, lane by lane; the last two rows are 0. */
typedef struct run_sums {
    ABUTI_ALIGNED double side[2][ABUTI_LANES][ABUTI_LANES];
} run_sums;

/* Where the eight contacts from `first` on lie, and their impulses. `special` tells whether some are compliant or have
 * two points. Lanes past the last contact show the first once more, without an impulse. */
static inline int find_eight(const abuti_run *r, int first, const void **contact, const void **impulse,
                             bool *special)
{
    static const double nothing[3] = {0};
    int count = r->count - first < ABUTI_LANES ? r->count - first : ABUTI_LANES;
    int any = 0;
    for (int l = 0; l < count; ++l) {
        const abut_contact *at = &r->contacts[r->contact[first + l]];
        any |= (at->compliance != 0.0) | at->two_points;
        contact[l] = at;
        impulse[l] = r->impulses + 3 * (size_t)r->contact[first + l];
    }
    for (int l = count; l < ABUTI_LANES; ++l) {
        contact[l] = contact[0];
        impulse[l] = nothing;
    }
    *special = any;
    return count;
}

/* The integer in the first half of eight bytes; the other half is cleared. */
static inline vec integer_of(vec field)
{
    return (vec)((vec_bits)field & (UINT32_MAX - (vec_bits){0}));
}

/* Whether all eight belong to the run: its bodies, directions and cone, no viscosity, no union. */
static inline mask belongs(const abuti_run *r, const fields *a, int first)
{
    const vec zero = {0};
    vec group = integer_of(LOAD(a->bounce[3])), directions = LOAD(a->rest[3]); /* and the cone */
    return both(both(same_bits(LOAD(a->place[0]), all_lanes(r->pair)),
                     same_bits(directions, all_lanes(r->directions))),
                both(same_bits(group, zero), at_most(magnitude(LOAD(a->bounce[2])), zero)));
}

/* b of the normal condition: gap / step, or that of a bounce where a contact that has restitution approaches and would
 * touch (abuti_verify_bias). */
static inline vec bias_of(const abuti_run *r, const fields *a, const frame *at, int first)
{
    const vec zero = {0};
    vec gap = LOAD(a->bounce[0]), approach = zero;
    for (int side = 0; side < 2; ++side) {
        const abuti_body_record *body = r->body[side];
        if (!body) continue;
        vec arm[3], turning[3], u[3];
        for (int k = 0; k < 3; ++k) {
            arm[k] = at->point[k] - body->com[k];
            u[k] = all_lanes(body->before[k]);
            turning[k] = all_lanes(body->before[3 + k]);
        }
        add_cross(turning, arm, u);
        approach = side == 0 ? approach + dot(at->normal, u) : approach - dot(at->normal, u);
    }
    vec restitution = LOAD(a->bounce[1]);
    mask touches = at_most(madd(all_lanes(r->step), approach, gap), zero);
    mask bounces = both(below(zero, restitution), below(approach, all_lanes(-r->restitution_threshold)));
    return choose(both(touches, bounces), restitution * approach, gap / r->step);
}

/* The lanes of a register that show a contact. */
static inline mask live_lanes(int count, int first)
{
    static ABUTI_ALIGNED const double lane[ABUTI_LANES] = {0, 1, 2, 3, 4, 5, 6, 7};
    return below(LOAD(lane), all_lanes(count));
}

/* Both sides of one register of contacts: velocities, squares of sizes, and what they push. */
static inline void run_sides(const abuti_run *r, const frame *at, int first, run_sums *sums, vec velocity[3],
                             vec square[3])
{
    for (int side = 0; side < 2; ++side) {
        if (!r->body[side]) continue;
        body b = everywhere(r->body[side]);
        double(*sum)[ABUTI_LANES] = sums->side[side];
        vec moment[3] = {LOAD(sum[3]), LOAD(sum[4]), LOAD(sum[5])};
        add_side(at, &b, side == 0, velocity, square, moment);
        for (int k = 0; k < 3; ++k) {
            STORE(sum[k], LOAD(sum[k]) + at->push[k]);
            STORE(sum[3 + k], moment[k]);
        }
    }
}

/* Takes eight contacts from their structs to velocities. False, and nothing is done, when some do not belong to the
 * run. */
static inline bool run_open(const abuti_run *r, int place, run_sums *sums, abuti_chunk *chunk)
{
    const void *contact[ABUTI_LANES], *impulse[ABUTI_LANES];
    fields a;
    frame frames[ABUTI_LANES / VERIFY_WIDTH];
    bool special, right = true;
    int count = find_eight(r, place, contact, impulse, &special);
    if (special) return false;
    chunk->place = place;
    chunk->plain = true;
    take_fields(contact, impulse, &a);
    REGISTERS
    {
        frame *at = &frames[first / VERIFY_WIDTH];
        *at = take_frame(&a, first);
        right &= in_all(both(make_exact(at), belongs(r, &a, first)));
        chunk->plain &= in_all(is_plain(&a, first));
    }
    if (!right) return false;
    REGISTERS
    {
        frame *at = &frames[first / VERIFY_WIDTH];
        const vec p[3] = {LOAD(a.impulse[0]), LOAD(a.impulse[1]), LOAD(a.impulse[2])}, zero = {0};
        vec velocity[3] = {zero, zero, zero}, square[3] = {zero, zero, zero};
        if (!chunk->plain) {
            velocity[0] = bias_of(r, &a, at, first);
            STORE(chunk->offset[0], velocity[0]);
        }
        add_push(at, p);
        run_sides(r, at, first, sums, velocity, square);
        STORE(chunk->mu, LOAD(a.rest[2]));
        for (int k = 0; k < 3; ++k) {
            if (count < ABUTI_LANES) velocity[k] = choose(live_lanes(count, first), velocity[k], zero);
            STORE(chunk->impulse[k], p[k]);
            STORE(chunk->velocity[k], velocity[k]);
            STORE(chunk->square[k], square[k]);
        }
    }
    return true;
}

/* Sizes and judgement. */
static inline void run_judge(const abuti_run *r, abuti_chunk *chunk, abuti_findings *f)
{
    REGISTERS
    {
        const vec square[3] = {LOAD(chunk->square[0]), LOAD(chunk->square[1]), LOAD(chunk->square[2])};
        touch c;
        c.mu = LOAD(chunk->mu);
        for (int k = 0; k < 3; ++k) {
            c.impulse[k] = LOAD(chunk->impulse[k]);
            c.velocity[k] = LOAD(chunk->velocity[k]);
        }
        take_sizes(square, &c);
        note_impulses(&c, f, first);
        if (!chunk->plain)
            raise(f->offset, first,
                  finite_or_infinite(magnitude(LOAD(chunk->offset[0])) * c.inverse_size[0]));
        judge_friction(&c, r->polygon, chunk->place, f, first);
        if (r->true_cone) note_true_cone(&c, f, first);
    }
}

/* The sums are transposed, so that the eight lanes of each stand in one column. */
static inline void add_lanes(double rows[ABUTI_LANES][ABUTI_LANES], double *restrict out)
{
    const void *row[ABUTI_LANES];
    ABUTI_ALIGNED double low[4][ABUTI_LANES], high[4][ABUTI_LANES];
    for (int c = 0; c < ABUTI_LANES; ++c) row[c] = rows[c];
    abuti_columns4(row, 0, low);
    abuti_columns4(row, 4 * sizeof(double), high);
    REGISTERS STORE(out, ((LOAD(low[0]) + LOAD(high[0])) + (LOAD(low[2]) + LOAD(high[2]))) +
                             ((LOAD(low[1]) + LOAD(high[1])) + (LOAD(low[3]) + LOAD(high[3]))));
}

/* Four times eight contacts are opened, then judged. Within one eight each operation waits for the one before, and the
 * other three fill the waiting. */
static int run_pass(const abuti_run *r, int place, abuti_findings *restrict f, double pushed[2][ABUTI_LANES])
{
    enum { TOGETHER = 4 };
    abuti_chunk chunk[TOGETHER];
    run_sums sums = {0};
    int count = TOGETHER;
    while (place < r->count && count == TOGETHER) {
        for (count = 0; count < TOGETHER && place < r->count; ++count, place += ABUTI_LANES)
            if (!run_open(r, place, &sums, &chunk[count])) break;
        for (int i = 0; i < count; ++i) run_judge(r, &chunk[i], f);
    }
    for (int side = 0; side < 2; ++side)
        if (r->body[side]) add_lanes(sums.side[side], pushed[side]);
    return place < r->count ? place : r->count;
}

#endif
