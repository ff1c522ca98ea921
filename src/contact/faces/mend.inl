/* Included by faces/core.inl.
 *
 * Given states of many bodies: checked, and mended, on the factors of faces/band.inl.
 *
 * A check is one factorisation, one solve and one look at all slacks: O(m) for stacks and walls. If some
 * slacks are violated, the contacts that are worst off among their neighbours take the state that their own
 * numbers suggest, all at once, and the check is repeated. A few such rounds mend what one time step has
 * changed.
 *
 * A contact's own numbers are theta and f of the last solve, moved by its local velocity in units of its
 * rows, theta - u_n and f - u_t. The part of the friction polygon onto which that point projects is the
 * suggestion. There is no proof that this ends: the rounds are capped, and a homotopy (faces/homotopy.inl) comes
 * after. */

/* The state and face of mu theta P onto which the point (x, y) projects; `limit` is mu theta. */
static abut_contact_face projected_face(const faces_polygon *p, int d, double limit, double x, double y)
{
    if (d == 2) {
        if (fabs(x) <= limit) return (abut_contact_face){.state = ABUT_EDGE};
        return (abut_contact_face){.state = ABUT_SLIDE, .face = x > 0.0 ? 0 : 1};
    }
    stuck from = {.x = x, .y = y, .radius = limit * p->kap};
    lowest best = {.value = lanes_all(INFINITY), .number = lanes_all(0.0)};
    lanes number = lanes_count_from(0.0);
    for (int l = 0; l < p->padded; l += 8, number = lanes_add(number, lanes_all(8.0)))
        lowest_offer(&best, stuck_slack(p, l, from), number);
    _Alignas(64) double value[8], which[8];
    lanes_store(value, best.value);
    lanes_store(which, best.number);
    int winner = lanes_argmin(best.value), edge = (int)which[winner] % d;
    if (value[winner] >= 0.0) return (abut_contact_face){.state = ABUT_STICK};
    double along = abuti_madd(y, p->ax[edge], -x * p->ay[edge]);
    if (fabs(along) <= limit * p->h) return (abut_contact_face){.state = ABUT_EDGE, .face = (uint8_t)edge};
    return (abut_contact_face){.state = ABUT_SLIDE, .face = (uint8_t)(along > 0.0 ? (edge + 1) % d : edge)};
}

/* How far a contact's own slacks are violated: 0 when they hold. un, ut and value are those of the last
 * solve. */
static double violation(const faces *f, int contact)
{
    int i = contact;
    double least = 0.0;
    if (f->state[i] == ABUT_OPEN) return f->un[0][i] < -f->zero ? -f->un[0][i] : 0.0;
    if (f->band.reciprocal[f->seats.slot[0][i]] == 0.0) least = fmin(least, f->un[0][i]);
    if (f->state[i] == ABUT_STICK) {
        const faces_polygon *p = &f->polygon[f->system->directions[i]];
        stuck s = stuck_friction(f, i, i, 0);
        lanes lowest_slack = lanes_all(0.0);
        for (int l = 0; l < p->padded; l += 8) {
            lanes slack = stuck_slack(p, l, s);
            lowest_slack = lanes_select(lanes_less(slack, lowest_slack), slack, lowest_slack);
        }
        _Alignas(64) double by_lane[8];
        lanes_store(by_lane, lowest_slack);
        least = fmin(least, by_lane[lanes_argmin(lowest_slack)]);
        double slip = fmax(fabs(f->ut[0][0][i]), fabs(f->ut[0][1][i]));
        least = fmin(least, -slip);
    } else {
        if (f->state[i] == ABUT_EDGE &&
            (f->seats.slot[1][i] == FACES_NONE || f->band.reciprocal[f->seats.slot[1][i]] == 0.0)) {
            const faces_polygon *p = &f->polygon[f->system->directions[i]];
            least = -fabs(f->ut[0][1][i] * p->ax[f->face[i]] - f->ut[0][0][i] * p->ay[f->face[i]]);
        }
        for (int q = 0; q < 3; ++q) {
            double slack =
                f->slack.weight[q][0][i] * f->value[0][0][i] + f->slack.weight[q][1][i] * f->value[0][1][i] +
                f->slack.weight[q][2][i] * f->ut[0][0][i] + f->slack.weight[q][3][i] * f->ut[0][1][i];
            least = fmin(least, slack);
        }
    }
    return least < -f->zero ? -least : 0.0;
}

/* The state that a contact's own numbers suggest. */
static abut_contact_face suggested(const faces *f, int contact)
{
    const abuti_system *s = f->system;
    int i = contact, d = s->directions[contact], face = f->face[contact];
    const faces_polygon *p = &f->polygon[d];
    double normal_size = s->size[0][i] * s->size[0][i],
           tangent_size = fmax(s->size[1][i] * s->size[1][i], FACES_NO_SIZE);
    double mu = f->mu[contact], theta = f->value[0][0][i] - f->un[0][i] / normal_size, x = 0.0, y = 0.0;
    if (theta <= 0.0) return (abut_contact_face){.state = ABUT_OPEN};
    if (mu == 0.0) return (abut_contact_face){.state = ABUT_SLIDE};
    if (f->state[contact] == ABUT_SLIDE) {
        x = mu * f->value[0][0][i] * p->dx[face];
        y = mu * f->value[0][0][i] * p->dy[face];
    } else if (f->state[contact] != ABUT_OPEN) {
        double along = f->value[0][1][i];
        double out = f->state[contact] == ABUT_EDGE ? mu * p->kap * f->value[0][0][i] : f->value[0][2][i];
        x = abuti_madd(out, p->ax[face], -along * p->ay[face]);
        y = abuti_madd(out, p->ay[face], along * p->ax[face]);
    }
    x -= f->ut[0][0][i] / tangent_size;
    y -= f->ut[0][1][i] / tangent_size;
    return projected_face(p, d, mu * theta, x, y);
}

/* Whether all slacks hold. It says of all contacts in one pass what violation() says of one. */
static bool all_hold(const faces *f)
{
    lanes limit = lanes_all(-f->zero), none = lanes_all(0.0), one = lanes_all(1.0), bad = none;
    lanes lowest_slack = none;
    for (int g = 0; g < f->lanes; g += ABUTI_LANES) {
        lanes least = lanes_mul(lanes_load(f->slack.open + g), lanes_load(f->un[0] + g));
        for (int q = 0; q < 3; ++q) {
            lanes slack = seat_slack(f, q, 0, g);
            least = lanes_select(lanes_less(slack, least), slack, least);
        }
        bad = lanes_add(bad, lanes_select(lanes_less(least, limit), one, none));
    }
    for (int k = 0; k < f->seats.active_count; ++k) {
        int i = f->seats.active[k];
        if (f->band.set_aside > 0 || (f->state[i] == ABUT_EDGE && f->seats.slot[1][i] == FACES_NONE)) {
            if (violation(f, i) > 0.0) return false;
        } else if (f->state[i] == ABUT_STICK) {
            const faces_polygon *p = &f->polygon[f->system->directions[i]];
            stuck s = stuck_friction(f, i, i, 0);
            for (int l = 0; l < p->padded; l += ABUTI_LANES) {
                lanes slack = stuck_slack(p, l, s);
                lowest_slack = lanes_select(lanes_less(slack, lowest_slack), slack, lowest_slack);
            }
            if (fabs(f->ut[0][0][i]) > f->zero || fabs(f->ut[0][1][i]) > f->zero) return false;
        }
    }
    bad = lanes_add(bad, lanes_select(lanes_less(lowest_slack, limit), one, none));
    return lanes_sum(bad) == 0.0;
}

/* x, v and local velocities of the states at hand; dependent slots are set aside. */
static bool solve_states(faces *f)
{
    if (!f->band.laid_out && !lay_slots(f)) return false;
    f->band.laid_out = true;
    fill_slots(f);
    factor(f);
    solve_slots(f, 0);
    for (int kind = 0; kind < FACES_KINDS; ++kind) fill(f->value[0][kind], 0.0, f->seats.count);
    f->basis->spread(f, 1);
    return true;
}

/* Gives a contact a state without slots; lay_slots lays those out. */
static bool put_state(faces *f, int contact, abut_contact_face next, int mask)
{
    f->band.laid_out = false;
    f->band.wanted[contact] = (uint8_t)(mask | 1);
    bool segment = f->system->directions[contact] == 2;
    if (next.state != ABUT_OPEN && f->mu[contact] == 0.0) next.state = ABUT_SLIDE;
    if (next.state == ABUT_STICK && segment) next.state = ABUT_EDGE;
    if (f->state[contact] == ABUT_OPEN && next.state != ABUT_OPEN && !seat_take(f, contact)) return false;
    bool leaves = f->state[contact] != ABUT_OPEN && next.state == ABUT_OPEN;
    if (f->state[contact] == ABUT_OPEN && next.state == ABUT_OPEN) return true;
    set_state(f, contact, (abut_contact_state)next.state, next.face);
    if (leaves) seat_leave(f, contact);
    return true;
}

/* New states for the contacts that are worst off among those that share a body with them. Returns the number
 * of contacts that are violated; with 0 all is right. */
static int mend(faces *f)
{
    const abuti_system *s = f->system;
    int count = 0;
    double *worst = f->work.dv, *own = f->path.moved[0];
    for (int b = 0; b <= s->bodies; ++b) worst[b] = 0.0;
    for (int i = 0; i < s->n; ++i) {
        own[i] = violation(f, i);
        count += own[i] > 0.0;
        for (int side = 0; side < s->sides; ++side) {
            double *at = worst + s->body[side][i];
            if (own[i] > *at) *at = own[i];
        }
    }
    worst[s->bodies] = 0.0;
    for (int i = 0; i < s->n && count > 0; ++i) {
        bool less = own[i] < worst[s->body[0][i]] || (s->sides == 2 && own[i] < worst[s->body[1][i]]);
        if (own[i] == 0.0 || less) continue;
        put_state(f, i, suggested(f, i), FACES_ALL_SLOTS);
        f->pivots++;
    }
    return count;
}

/* Factors, solves and looks; mends and does so again, at most `rounds` times. */
static flips mend_rounds(faces *f, int rounds, const abuti_stage_context *context)
{
    for (int round = 0;; ++round) {
        if (!solve_states(f)) return FLIPS_STUCK;
        if (round == rounds) return all_hold(f) ? FLIPS_DONE : FLIPS_STUCK;
        if (spent(f, context)) return FLIPS_LIMIT;
        if (mend(f) == 0) return FLIPS_DONE;
    }
}

/* Whether the equations hold, those of joint rows that are set aside included. */
static bool band_polish(faces *f)
{
    double allowed = FACES_ACCEPT * f->size;
    if (!errors_within(f, 0, allowed)) return false;
    for (int t = 0; t < f->slots.top && f->system->joints > 0; ++t) {
        if (f->slots.contact[t] <= -2 && !(fabs(f->work.g[t]) <= allowed)) return false;
    }
    return true;
}

/* ---- stages on the band ---- */

/* Whether given states of this system are checked and mended on factors, not on an inverse. */
static bool band_serves(const abuti_system *s)
{
    return !s->W && !s->given && !(s->bodies == 1 && s->stride == ABUTI_LANES);
}

/* The given states on a band; slots that stand since the last call stay where they are. */
static void start_band(faces *f, const abut_contact_face *start)
{
    const abuti_system *s = f->system;
    bool same_pairs = find_order(f);
    if (same_pairs && f->memory.stood == FACES_LEFT_BAND && stays(f, start)) {
        set_shift(f, s->offset, f->path.cover);
        return;
    }
    f->parts = 1;
    f->memory.ready = FACES_LEFT_NOTHING;
    clear(f, &basis_of_band);
    make_polygons(f);
    for (int i = 0; i < s->n; ++i) {
        int face, wanted = given_slots(f, i, start[i], &face);
        put_state(f, i, (abut_contact_face){.state = start[i].state, .face = (uint8_t)face}, wanted);
    }
}

/* The slots stay for the next call if their states do. */
static void keep_band(faces *f, const abuti_answer *answer)
{
    if (f->band.set_aside == 0) keep(f, FACES_LEFT_BAND, answer);
}

static abut_outcome finish_band(faces *f, flips end, abuti_answer *answer)
{
    tell_pivots(f, answer);
    if (end == FLIPS_STUCK) return ABUT_FAILED;
    if (!band_polish(f)) return ABUT_FAILED;
    write_answer(f, answer);
    keep_band(f, answer);
    return end == FLIPS_DONE ? ABUT_SOLVED : ABUT_LIMIT;
}

static abut_outcome check_on_band(faces *f, const abuti_stage_context *context, abuti_answer *answer)
{
    start_band(f, context->start);
    flips end = mend_rounds(f, 0, context);
    if (end != FLIPS_DONE && f->slots.top > 0) f->memory.ready = FACES_LEFT_BAND;
    return finish_band(f, end, answer);
}

/* Replaces the answer of many bodies at hand, for a caller who will start from its states: the interior point
 * shares loads among redundant contacts, which states do not tell. If a few rounds lead to as many rows as
 * act by themselves, those are the answer. */
static void to_corner(faces *f, const abuti_stage_context *context, abuti_answer *answer)
{
    start_band(f, answer->face);
    if (mend_rounds(f, FACES_CORNER, context) != FLIPS_DONE || !band_polish(f)) return;
    for (int i = 0; i < f->system->n; ++i) {
        answer->theta[i] = answer->f[0][i] = answer->f[1][i] = 0.0;
        answer->face[i] = (abut_contact_face){.state = ABUT_OPEN};
    }
    write_answer(f, answer);
    keep_band(f, answer);
}
