/* Included by faces/core.inl.
 *
 * One body: where a stage begins, with everything open or with given states, and its answer. */

/* Clears all seats and slots. */
static void one_clear(faces *f)
{
    static _Alignas(64) const double unit[SIX][8] = {{1},          {0, 1},          {0, 0, 1},
                                                     {0, 0, 0, 1}, {0, 0, 0, 0, 1}, {0, 0, 0, 0, 0, 1}};
    faces_one *o = f->one;
    lanes none = lanes_all(0.0);
    for (int c = 0; c < SIX; ++c) {
        lanes_store(o->P_row[c], lanes_load(unit[c]));
        lanes_store(o->P_column[c], lanes_load(unit[c]));
        lanes_store(o->D[c], none);
        lanes_store(o->E[c], none);
        lanes_store(o->R[c], none);
    }
    lanes_store(o->x, none);
    lanes_store(o->base, none);
    for (int i = 0; i < 2; ++i) {
        lanes_store(o->ut[i], none);
        lanes_store(o->first[i], none);
        lanes_store(o->third[i], none);
    }
    for (int i = 0; i < 4; ++i) lanes_store(o->second[i], none);
    for (int kind = 0; kind < FACES_KINDS; ++kind) fill_none(o->slot[kind], ABUTI_LANES);
    fill_none(o->contact, ABUTI_LANES);
    o->free_seats = o->free_slots = (1u << SIX) - 1u;
    o->stuck = 0;
    f->regular = true;
    f->rests = false;
}

/* Opens all contacts. */
static void one_open(faces *f)
{
    faces_one *o = f->one;
    const abuti_system *s = f->system;
    one_clear(f);
    lanes_store(o->v, lanes_load(s->k));
    one_move(f, s->k, lanes_all(1.0), s->offset[0], (const double *const[2]){o->ut[0], o->ut[1]});
}

/* One step of refinement: v = k + C x, x -= B (R'v + base). Returns the error before it. */
static double one_refine(faces *f)
{
    faces_one *o = f->one;
    lanes v = lanes_load(f->system->k);
    v = lanes_add(v, combine8(o->C[0], o->x));
    lanes_store(o->v, v);
    lanes g = lanes_add(combine6(o->R[0], o->v), lanes_load(o->base));
    double back[SIX];
    for (int c = 0; c < SIX; ++c) back[c] = lanes_sum(lanes_mul(lanes_load(o->E[c]), g));
    lanes_store(o->x, lanes_sub(lanes_load(o->x), combine6(o->D[0], back)));
    return lanes_most(lanes_abs(g));
}

/* ---- given states ---- */

/* Puts a contact straight into a state with the slots that hold it. False: their rows are dependent. */
static bool one_enter(faces *f, int contact, abut_contact_face given)
{
    static const double still[2] = {0.0, 0.0};
    faces_one *o = f->one;
    const faces_polygon *p = &f->polygon[f->system->directions[contact]];
    double rows[3][SIX], mu = f->mu[contact];
    int face, mask = given_slots(f, contact, given, &face), seat = __builtin_ctz(o->free_seats | 1u << SIX);
    bool slides = given.state == ABUT_SLIDE || mu == 0.0;
    bool sticks = !slides && given.state == ABUT_STICK && p->kap > 0.0;
    double ax = p->ax[face], ay = p->ay[face];
    if (!o->free_slots || (!slides && !sticks && !(mask & 2))) return false;
    for (int axis = 0; axis < 3; ++axis) contact_row(f->system, contact, axis, rows[axis]);
    one_seat(o, seat, contact, still, rows);
    o->fhat[seat][0] = slides ? mu * p->dx[face] : sticks ? 0.0 : mu * p->kap * ax;
    o->fhat[seat][1] = slides ? mu * p->dy[face] : sticks ? 0.0 : mu * p->kap * ay;
    one_state(f, seat, slides ? ABUT_SLIDE : sticks ? ABUT_STICK : ABUT_EDGE, face);
    one_change change;
    if (!one_add_normal(f, seat, rows, 0.0, &change)) return false;
    one_change_basis(o, &change);
    if (slides) return true;
    for (int kind = 1; kind <= (sticks ? 2 : 1); ++kind) {
        if (!(mask >> kind & 1)) continue;
        if (!one_add(f, seat, kind, &change)) return false;
        one_change_basis(o, &change);
    }
    return true;
}

/* Makes the basis of given states. False: they are left to faces/eight.inl. */
static bool one_load(faces *f, const abut_contact_face *start)
{
    one_clear(f);
    for (int i = 0; i < f->system->n; ++i) {
        if (start[i].state != ABUT_OPEN && !one_enter(f, i, start[i])) return false;
    }
    return true;
}

/* Gives new offsets to old slots. */
static void one_rebase(faces *f)
{
    faces_one *o = f->one;
    const abuti_system *s = f->system;
    f->regular = true;
    f->rests = false;
    for (unsigned left = one_seats(o); left; left &= left - 1u) {
        int seat = __builtin_ctz(left), contact = o->contact[seat];
        const faces_polygon *p = &f->polygon[s->directions[contact]];
        double ax = p->ax[o->face[seat]], ay = p->ay[o->face[seat]];
        double ox = s->offset[1][contact], oy = s->offset[2][contact];
        const double base[FACES_KINDS] = {s->offset[0][contact], one_along(-ay, ax, ox, oy),
                                          one_along(ax, ay, ox, oy)};
        for (int kind = 0; kind < FACES_KINDS; ++kind) {
            if (o->slot[kind][seat] != FACES_NONE) o->base[o->slot[kind][seat]] = base[kind];
        }
    }
}

/* x, v and all velocities of the basis at hand. */
static void one_solve(faces *f)
{
    faces_one *o = f->one;
    const abuti_system *s = f->system;
    lanes_store(o->x, lanes_all(0.0));
    one_refine(f);
    lanes_store(o->v, lanes_add(lanes_load(s->k), combine8(o->C[0], o->x)));
    for (unsigned left = one_seats(o); left; left &= left - 1u) {
        int seat = __builtin_ctz(left);
        for (int axis = 0; axis < 2; ++axis) o->ut[axis][seat] = s->offset[axis + 1][o->contact[seat]];
    }
    one_move(f, o->v, lanes_all(1.0), s->offset[0], (const double *const[2]){o->ut[0], o->ut[1]});
}

/* ---- the answer ---- */

/* The impulses of active contacts, held within their cones; everything else is zero already. */
static void one_write(const faces *f, abuti_answer *answer)
{
    const faces_one *o = f->one;
    for (unsigned left = one_seats(o); left; left &= left - 1u) {
        int seat = __builtin_ctz(left), contact = o->contact[seat], face = o->face[seat];
        int d = f->system->directions[contact];
        const faces_polygon *p = &f->polygon[d];
        double theta = fmax(one_value(o, seat, 0), 0.0), limit = f->mu[contact] * theta;
        double x = limit * p->dx[face], y = limit * p->dy[face];
        if (o->state[seat] != ABUT_SLIDE) {
            stuck s = one_friction(f, seat);
            x = s.x;
            y = s.y;
        }
        if (o->state[seat] == ABUT_EDGE) {
            double along = abuti_madd(y, p->ax[face], -x * p->ay[face]), reach = limit * p->h;
            along = fmin(fmax(along, -reach), reach);
            x = abuti_madd(limit * p->kap, p->ax[face], -along * p->ay[face]);
            y = abuti_madd(limit * p->kap, p->ay[face], along * p->ax[face]);
        }
        int rows = 0;
        for (int kind = 0; kind < FACES_KINDS; ++kind) rows |= (o->slot[kind][seat] != FACES_NONE) << kind;
        bool inside = o->state[seat] == ABUT_STICK || (o->state[seat] == ABUT_EDGE && d == 2);
        answer->theta[contact] = theta;
        answer->f[0][contact] = x;
        answer->f[1][contact] = y;
        answer->face[contact] =
            (abut_contact_face){.state = inside ? ABUT_STICK : o->state[seat],
                                .face = (uint8_t)(inside ? 0 : face),
                                .rows = (uint8_t)rows,
                                .frame = (uint8_t)(o->state[seat] == ABUT_STICK ? face : 0)};
    }
}

/* ---- stages ---- */

/* What flips have come to, as an answer. ABUT_FAILED: flips lead nowhere or, where f->regular is false, rows
 * are too near to each other. */
static abut_outcome one_finish(faces *f, flips end, abuti_answer *answer)
{
    if (end == FLIPS_DONE) f->regular = one_refine(f) <= FACES_POLISH * f->size;
    if (end == FLIPS_STUCK || !f->regular) return ABUT_FAILED;
    tell_pivots(f, answer);
    one_write(f, answer);
    return end == FLIPS_DONE ? ABUT_SOLVED : ABUT_LIMIT;
}

/* Solves the given states. False: they are left to faces/eight.inl. */
static bool one_given(faces *f, const abuti_stage_context *context)
{
    if (one_find(f, context)) {
        one_rebase(f);
    } else {
        make_polygons(f);
        if (!one_load(f, context->start)) return false;
    }
    one_solve(f);
    return true;
}

static abut_outcome one_check(faces *f, const abuti_stage_context *context, abuti_answer *answer)
{
    one_event event;
    if (one_worst(f, &event)) {
        f->memory.ready = FACES_LEFT_ONE;
        return ABUT_FAILED;
    }
    abut_outcome outcome = one_finish(f, FLIPS_DONE, answer);
    if (context->options->warm && outcome == ABUT_SOLVED) one_keep(f, answer);
    return outcome;
}

static abut_outcome one_greedy(faces *f, const abuti_stage_context *context, abuti_answer *answer)
{
    f->one = f->memory.common;
    make_polygons(f);
    one_open(f);
    return one_finish(f, one_flip(f, FACES_FLIPS, context), answer);
}
