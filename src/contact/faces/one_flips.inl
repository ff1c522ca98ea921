/* Included by faces/core.inl.
 *
 * One body: changes of state on the basis of faces/one.inl, and greedy flips over them. The events are those
 * of faces/events.inl; here each is one slot that comes or goes. */

/* ---- states ---- */

/* The contact's state, and with it the weights of its slacks (the table in faces.h). */
static void one_state(faces *f, int seat, abut_contact_state state, int face)
{
    faces_one *o = f->one;
    int contact = o->contact[seat], d = f->system->directions[contact];
    const faces_polygon *p = &f->polygon[d];
    double mu = f->mu[contact], first[2] = {0.0, 0.0}, second[4] = {0.0, 0.0, 0.0, 0.0},
           third[2] = {0.0, 0.0};
    double ax = p->ax[face], ay = p->ay[face];
    o->state[seat] = (uint8_t)state;
    o->face[seat] = (uint8_t)face;
    o->stuck = (o->stuck & ~(1u << seat)) | (state == ABUT_STICK ? 1u << seat : 0u);
    if (state == ABUT_SLIDE) {
        int before = face == 0 ? d - 1 : face - 1;
        double turns = mu == 0.0 ? 0.0 : 1.0, other = d > 2 ? turns : 0.0;
        first[0] = 1.0;
        second[2] = -turns * ay;
        second[3] = turns * ax;
        third[0] = other * p->ay[before];
        third[1] = -other * p->ax[before];
    } else if (state == ABUT_EDGE) {
        double slips = d > 2 ? 1.0 : 0.0, reach = mu * p->h;
        double along = abuti_madd(ax, o->fhat[seat][1], -ay * o->fhat[seat][0]);
        first[0] = reach - along;
        first[1] = -1.0;
        second[0] = reach + along;
        second[1] = 1.0;
        third[0] = -slips * ax;
        third[1] = -slips * ay;
    }
    for (int i = 0; i < 2; ++i) {
        o->first[i][seat] = first[i];
        o->third[i][seat] = third[i];
    }
    for (int i = 0; i < 4; ++i) o->second[i][seat] = second[i];
}

/* An unknown of a seat, 0 without its slot. */
HOT double one_value(const faces_one *o, int seat, int kind)
{
    int slot = o->slot[kind][seat];
    return slot == FACES_NONE ? 0.0 : o->x[slot];
}

/* The friction of a contact that is on an edge or sticks, and mu kap theta. */
HOT stuck one_friction(const faces *f, int seat)
{
    const faces_one *o = f->one;
    int contact = o->contact[seat], face = o->face[seat];
    const faces_polygon *p = &f->polygon[f->system->directions[contact]];
    double theta = one_value(o, seat, 0), along = one_value(o, seat, 1), out = one_value(o, seat, 2);
    double x = abuti_madd(out, p->ax[face], -along * p->ay[face]);
    double y = abuti_madd(out, p->ay[face], along * p->ax[face]);
    return (stuck){abuti_madd(theta, o->fhat[seat][0], x), abuti_madd(theta, o->fhat[seat][1], y),
                   f->mu[contact] * p->kap * theta};
}

/* The vertex that opposes the slip (x, y), argmin d_j.u: e_j.u is negative on the edge before it and not on
 * the edge behind it. */
HOT int vertex_against(const faces_polygon *p, int d, double x, double y)
{
    uint64_t all = ~(uint64_t)0 >> (64 - d), down = 0;
    for (int j = 0; j < p->padded; j += ABUTI_LANES) {
        lanes along = lanes_mul(lanes_load(p->ax + j), lanes_all(y));
        along = lanes_msub(lanes_load(p->ay + j), lanes_all(x), along);
        down |= (uint64_t)lanes_bits(lanes_less(along, lanes_all(0.0))) << j;
    }
    down &= all;
    uint64_t turns = (down << 1 | down >> (d - 1)) & ~down & all;
    return turns ? __builtin_ctzll(turns) : 0;
}

/* ---- the changes ---- */

/* A seat for a contact: its rows, and where it moves. */
HOT void one_seat(faces_one *o, int seat, int contact, const double ut[2], double (*rows)[SIX])
{
    o->contact[seat] = contact;
    o->free_seats &= ~(1u << seat);
    for (int axis = 0; axis < 2; ++axis) {
        lanes_store(o->ut[axis], lanes_with(lanes_load(o->ut[axis]), seat, ut[axis]));
        for (int c = 0; c < SIX; ++c) o->tangent[axis][c][seat] = rows[axis + 1][c];
    }
}

/* OPEN -> SLIDE, or STICK without friction where nothing drives the contact sideways. The vertex comes first,
 * since it takes longest. A contact that sits already has P'n = 0 and is refused. */
HOT bool one_close(faces *f, int contact, double un, one_change *change)
{
    faces_one *o = f->one;
    const abuti_system *s = f->system;
    if (!o->free_slots || contact >= s->n) return false;
    int d = s->directions[contact], seat = __builtin_ctz(o->free_seats);
    const faces_polygon *p = &f->polygon[d];
    double rows[3][SIX], ut[2], mu = f->mu[contact];
    for (int axis = 2; axis >= 0; --axis) contact_row(s, contact, axis, rows[axis]);
    for (int axis = 0; axis < 2; ++axis) ut[axis] = dot6(s->offset[axis + 1][contact], rows[axis + 1], o->v);
    bool still = fabs(ut[0]) <= FACES_FLAT * f->size && fabs(ut[1]) <= FACES_FLAT * f->size;
    if (still && o->free_slots == (1u << SIX) - 1u)
        f->rests = one_at_rest(f); /* the first to close asks all */
    bool flat = (f->rests || still) && mu > 0.0 && p->kap > 0.0;
    one_seat(o, seat, contact, ut, rows);
    int face = flat ? 0 : vertex_against(p, d, ut[0], ut[1]);
    double limit = flat ? 0.0 : mu;
    o->fhat[seat][0] = limit * p->dx[face];
    o->fhat[seat][1] = limit * p->dy[face];
    bool good = one_add_normal(f, seat, rows, un, change);
    one_state(f, seat, flat ? ABUT_STICK : ABUT_SLIDE, face);
    return good;
}

/* SLIDE -> OPEN */
HOT void one_lift(faces *f, int seat)
{
    faces_one *o = f->one;
    one_state(f, seat, ABUT_OPEN, 0);
    o->contact[seat] = FACES_NONE;
    o->free_seats |= 1u << seat;
}

/* SLIDE j -> EDGE j or j - 1 */
HOT void one_turn(faces *f, int seat, bool up)
{
    faces_one *o = f->one;
    int d = f->system->directions[o->contact[seat]], face = o->face[seat];
    one_state(f, seat, ABUT_EDGE, up ? face : face == 0 ? d - 1 : face - 1);
}

/* Brings fhat to (x, y), along the row of a slot. */
HOT void one_turn_column(faces_one *o, int seat, int kind, double tau, double x, double y)
{
    o->fhat[seat][0] = x;
    o->fhat[seat][1] = y;
    one_shear(o, o->slot[0][seat], o->slot[kind][seat], tau);
}

/* EDGE k -> SLIDE k + 1 or k */
HOT void one_vertex(faces *f, int seat, bool up)
{
    faces_one *o = f->one;
    int contact = o->contact[seat], d = f->system->directions[contact], face = o->face[seat];
    const faces_polygon *p = &f->polygon[d];
    double mu = f->mu[contact], ax = p->ax[face], ay = p->ay[face];
    int vertex = !up ? face : face + 1 == d ? 0 : face + 1;
    double x = mu * p->dx[vertex], y = mu * p->dy[vertex];
    double tau = abuti_madd(ax, y - o->fhat[seat][1], -ay * (x - o->fhat[seat][0]));
    if (tau != 0.0) one_turn_column(o, seat, 1, tau, x, y);
    one_state(f, seat, ABUT_SLIDE, vertex);
}

/* ROT: the tangential slots of a stuck contact, from one edge to another. */
static void one_rotate(faces_one *o, int seat, double cosine, double sine)
{
    int e = o->slot[1][seat], a = o->slot[2][seat];
    double *const vectors[] = {o->x, o->base};
    for (int i = 0; i < 2; ++i) rotate_pair(cosine, sine, vectors[i] + e, vectors[i] + a);
    for (int c = 0; c < SIX; ++c) {
        rotate_pair(cosine, sine, o->R[c] + e, o->R[c] + a);
        rotate_pair(cosine, sine, o->D[c] + e, o->D[c] + a);
        rotate_pair(cosine, sine, o->E[c] + e, o->E[c] + a);
    }
    rotate_rows(cosine, sine, o->C[e], o->C[a], 8);
}

/* STICK -> EDGE l. Returns the kind of the slot that goes, or FACES_NONE for a contact with one tangential
 * slot, which is left to faces/eight.inl. Without friction all edges say the same, theta < 0, and the contact
 * opens. */
static int one_loosen(faces *f, int seat, int l)
{
    faces_one *o = f->one;
    bool along = o->slot[1][seat] != FACES_NONE, out = o->slot[2][seat] != FACES_NONE;
    if (!along && !out) {
        one_lift(f, seat);
        return 0;
    }
    if (!along || !out) return FACES_NONE;
    int k = o->face[seat], contact = o->contact[seat];
    const faces_polygon *p = &f->polygon[f->system->directions[contact]];
    double ax = p->ax[l], ay = p->ay[l];
    if (k != l)
        one_rotate(o, seat, abuti_madd(p->ax[k], ax, p->ay[k] * ay),
                   abuti_madd(p->ax[k], ay, -p->ay[k] * ax));
    double *fhat = o->fhat[seat];
    double tau = abuti_madd(-ax, fhat[0], abuti_madd(-ay, fhat[1], f->mu[contact] * p->kap));
    one_turn_column(o, seat, 2, tau, abuti_madd(tau, ax, fhat[0]), abuti_madd(tau, ay, fhat[1]));
    one_state(f, seat, ABUT_EDGE, l);
    return 2;
}

/* ---- the most violated slack ---- */

/* What one_worst found. */
typedef struct one_event {
    faces_change change;
    int at; /* FACES_CLOSE: the contact; else the seat */
    int face;
    double slack;
} one_event;

/* Lanes that are not above `least`. */
HOT unsigned lanes_at(lanes a, double least)
{
    return ~lanes_bits(lanes_less(lanes_all(least), a)) & 0xffu;
}

/* The contact whose u_n is `least`. */
HOT int one_lowest(const faces *f, double least)
{
    for (int begin = 0; begin < f->lanes; begin += 64) {
        uint64_t found = 0;
        for (int g = 0; g < 64 && begin + g < f->lanes; g += ABUTI_LANES)
            found |= (uint64_t)lanes_at(lanes_load(f->un[0] + begin + g), least) << g;
        if (found) return begin + __builtin_ctzll(found);
    }
    return f->lanes;
}

/* Slacks of contacts that stick, against the worst so far. */
static void one_worst_stuck(const faces *f, one_event *worst)
{
    const faces_one *o = f->one;
    for (unsigned left = o->stuck; left; left &= left - 1u) {
        int seat = __builtin_ctz(left), face = o->face[seat];
        const faces_polygon *p = &f->polygon[f->system->directions[o->contact[seat]]];
        stuck s = one_friction(f, seat);
        for (int l = 0; l < p->padded; l += ABUTI_LANES) {
            lanes slack = stuck_slack(p, l, s);
            double least = lanes_least(slack);
            if (!(least < worst->slack)) continue;
            int edge = (l + __builtin_ctz(lanes_at(slack, least))) % f->system->directions[o->contact[seat]];
            *worst = (one_event){FACES_LOOSEN, seat, edge, least};
        }
        double ax = p->ax[face], ay = p->ay[face], ux = o->ut[0][seat], uy = o->ut[1][seat];
        double along = -fabs(abuti_madd(uy, ax, -ux * ay)), out = -fabs(abuti_madd(ux, ax, uy * ay));
        if (o->slot[1][seat] == FACES_NONE && along < worst->slack)
            *worst = (one_event){FACES_HOLD_E, seat, 0, along};
        if (o->slot[2][seat] == FACES_NONE && out < worst->slack)
            *worst = (one_event){FACES_HOLD_A, seat, 0, out};
    }
}

/* The most violated slack; false: none is. */
HOT bool one_worst(const faces *f, one_event *worst)
{
    const faces_one *o = f->one;
    lanes theta = lanes_pick(o->x, o->slot[0]), s = lanes_pick(o->x, o->slot[1]);
    lanes ux = lanes_load(o->ut[0]), uy = lanes_load(o->ut[1]), low = lanes_load(o->low);
    lanes first = lanes_mul(lanes_load(o->first[0]), theta),
          second = lanes_mul(lanes_load(o->second[0]), theta);
    lanes turned = lanes_mul(lanes_load(o->second[2]), ux), third = lanes_mul(lanes_load(o->third[0]), ux);
    first = lanes_madd(lanes_load(o->first[1]), s, first);
    second = lanes_madd(lanes_load(o->second[1]), s, second);
    turned = lanes_madd(lanes_load(o->second[3]), uy, turned);
    third = lanes_madd(lanes_load(o->third[1]), uy, third);
    second = lanes_add(second, turned);
    double least = lanes_least(lanes_min(lanes_min(first, low), lanes_min(second, third)));
    *worst = (one_event){FACES_CLOSE, FACES_NONE, 0, -f->zero};
    if (least < worst->slack) {
        unsigned seats = lanes_at(first, least) | lanes_at(second, least) << 8 | lanes_at(third, least) << 16;
        worst->slack = least;
        if (seats) {
            int at = __builtin_ctz(seats), q = at / ABUTI_LANES;
            worst->at = at % ABUTI_LANES;
            worst->change =
                (faces_change)((o->state[worst->at] == ABUT_SLIDE ? FACES_LIFT : FACES_VERTEX_UP) + q);
        } else {
            worst->at = one_lowest(f, least);
        }
    }
    if (o->stuck) one_worst_stuck(f, worst);
    return worst->at != FACES_NONE;
}

/* ---- flips ---- */

/* Makes a new state, and the slot that comes or goes with it. False: the change is left to faces/eight.inl. */
HOT bool one_change_state(faces *f, const one_event *event, one_change *change)
{
    int at = event->at, kind = 0;
    bool comes = false;
    change->factor = change->y = 0.0;
    change->freed = FACES_NONE;
    switch (event->change) {
    case FACES_CLOSE: return one_close(f, at, event->slack, change);
    case FACES_LIFT: one_lift(f, at); break;
    case FACES_TURN_UP:
    case FACES_TURN_DOWN:
        one_turn(f, at, event->change == FACES_TURN_UP);
        comes = true, kind = 1;
        break;
    case FACES_VERTEX_UP:
    case FACES_VERTEX_DOWN:
        one_vertex(f, at, event->change == FACES_VERTEX_UP);
        kind = 1;
        break;
    case FACES_HALT:
        one_state(f, at, ABUT_STICK, f->one->face[at]);
        comes = true, kind = 2;
        break;
    case FACES_LOOSEN: kind = one_loosen(f, at, event->face); break;
    case FACES_HOLD_E:
    case FACES_HOLD_A: comes = true, kind = event->change == FACES_HOLD_E ? 1 : 2; break;
    }
    if (comes) return one_add(f, at, kind, change);
    return kind != FACES_NONE && one_delete(f, at, kind, change);
}

/* Flips from the states at hand. Where one_change_state says no, it returns FLIPS_STUCK and clears
 * f->regular. */
static flips one_flip(faces *f, int cap, const abuti_stage_context *context)
{
    one_event event;
    one_change change;
    for (int count = 0; one_worst(f, &event); ++count) {
        if (count >= cap) return FLIPS_STUCK;
        if (spent(f, context)) return FLIPS_LIMIT;
        f->pivots++;
        f->regular = one_change_state(f, &event, &change);
        if (!f->regular) return FLIPS_STUCK;
        one_update(f, &change);
    }
    return FLIPS_DONE;
}
