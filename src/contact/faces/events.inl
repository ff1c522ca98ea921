/* Included by faces/core.inl.
 *
 * Changes of state: each is one or two operations on the contact's slots.
 *
 *     change               operations                                driving variable
 *     OPEN -> SLIDE j      ADD(n, n + mu d_j), j = argmin d_j.u      theta
 *     SLIDE -> OPEN        DEL slot 0                                u_n
 *     SLIDE j -> EDGE k    ADD(e_k, e_k); COL(0, 1, end mu h)        mu h theta + end s
 *     EDGE k -> SLIDE      COL(0, 1, end mu h); DEL slot 1           -end e_k.u
 *     EDGE k -> STICK      ADD(a_k, a_k); COL(0, 2, -mu kap)         mu kap theta - p
 *     STICK -> EDGE l      ROT to l; COL(0, 2, mu kap); DEL slot 2   -a_l.u
 *
 * `end` is +1 or -1: at which end of the edge the vertex is. Contacts take seats and leave them; the
 * operations are those of the representation at hand (faces_basis in basis.h). */

/* ---- seats ---- */

/* Chooses what stands beside J v in both parts. */
static void set_shift(faces *f, const double *const part0[3], const double *const part1[3])
{
    for (int axis = 0; axis < 3; ++axis) {
        f->path.shift[0][axis] = part0[axis];
        f->path.shift[1][axis] = part1[axis];
    }
    f->basis->shift(f);
}

/* Gives an open contact a seat; false when all are taken. */
HOT bool seat_take(faces *f, int contact)
{
    int seat = f->basis->sit(f, contact);
    if (seat == FACES_NONE) return false;
    f->seats.of[contact] = seat;
    f->seats.contact[seat] = contact;
    f->seats.active_at[contact] = f->seats.active_count;
    f->seats.active[f->seats.active_count++] = contact;
    f->slack.open[contact] = 0.0;
    return true;
}

HOT void seat_leave(faces *f, int contact)
{
    int seat = f->seats.of[contact], last = f->seats.active[--f->seats.active_count];
    f->seats.active[f->seats.active_at[contact]] = last;
    f->seats.active_at[last] = f->seats.active_at[contact];
    f->seats.of[contact] = FACES_NONE;
    f->basis->rise(f, seat);
    f->slack.open[contact] = 1.0;
}

/* ---- states ---- */

HOT void set_weight(faces *f, int q, int seat, double theta, double s, double x, double y)
{
    f->slack.weight[q][0][seat] = f->slack.urgency * theta;
    f->slack.weight[q][1][seat] = f->slack.urgency * s;
    f->slack.weight[q][2][seat] = f->slack.urgency * x;
    f->slack.weight[q][3][seat] = f->slack.urgency * y;
}

/* The contact's state, and with it the weights of its slacks (the table in faces.h). */
static void set_state(faces *f, int contact, abut_contact_state state, int face)
{
    int d = f->system->directions[contact], seat = f->seats.of[contact];
    const faces_polygon *p = &f->polygon[d];
    double mu = f->mu[contact];
    f->state[contact] = (uint8_t)state;
    f->face[contact] = (uint8_t)face;
    if (state == ABUT_SLIDE) {
        int before = face == 0 ? d - 1 : face - 1;
        double turns = mu == 0.0 ? 0.0 : 1.0, other = d > 2 ? turns : 0.0;
        set_weight(f, 0, seat, 1.0, 0.0, 0.0, 0.0);
        set_weight(f, 1, seat, 0.0, 0.0, -turns * p->ay[face], turns * p->ax[face]);
        set_weight(f, 2, seat, 0.0, 0.0, other * p->ay[before], -other * p->ax[before]);
    } else if (state == ABUT_EDGE) {
        double slips = d > 2 ? 1.0 : 0.0;
        set_weight(f, 0, seat, mu * p->h, -1.0, 0.0, 0.0);
        set_weight(f, 1, seat, mu * p->h, 1.0, 0.0, 0.0);
        set_weight(f, 2, seat, 0.0, 0.0, -slips * p->ax[face], -slips * p->ay[face]);
    } else {
        for (int q = 0; q < 3; ++q) set_weight(f, q, seat, 0.0, 0.0, 0.0, 0.0);
    }
}

/* argmin d_j.u: the vertex that opposes the slip (x, y) */
HOT int opposing_vertex(const faces_polygon *p, double x, double y)
{
    if (p->padded == 8) {
        lanes along = lanes_mul(lanes_load(p->dx), lanes_all(x));
        return lanes_argmin(lanes_madd(lanes_load(p->dy), lanes_all(y), along));
    }
    lowest best = {.value = lanes_all(INFINITY), .number = lanes_all(0.0)};
    lanes number = lanes_count_from(0.0);
    for (int j = 0; j < p->padded; j += 8, number = lanes_add(number, lanes_all(8.0))) {
        lanes along = lanes_mul(lanes_load(p->dx + j), lanes_all(x));
        lowest_offer(&best, lanes_madd(lanes_load(p->dy + j), lanes_all(y), along), number);
    }
    _Alignas(64) double which[8];
    lanes_store(which, best.number);
    return (int)which[lanes_argmin(best.value)];
}

/* ---- the six changes ---- */

/* Closes a contact. With `flat`, a contact that does not slip, or that nothing drives sideways, sticks
 * without friction until its rows ask for some. No vertex is better than another then, and the wrong one
 * would have to be undone. */
HOT bool close_contact(faces *f, int contact, double t, bool flat)
{
    if (!seat_take(f, contact)) return false;
    const faces_polygon *p = &f->polygon[f->system->directions[contact]];
    double mu = f->mu[contact];
    const double normal[3] = {1.0, 0.0, 0.0};
    double u[2];
    f->basis->slip(f, contact, t, u);
    bool rests = f->rests || (fabs(u[0]) <= FACES_FLAT * f->size && fabs(u[1]) <= FACES_FLAT * f->size);
    if (flat && rests && mu > 0.0 && p->kap > 0.0) {
        set_state(f, contact, ABUT_STICK, 0);
        return f->basis->take(f, contact, 0, normal, normal);
    }
    int j = opposing_vertex(p, u[0], u[1]);
    const double column[3] = {1.0, mu * p->dx[j], mu * p->dy[j]};
    set_state(f, contact, ABUT_SLIDE, j);
    return f->basis->take(f, contact, 0, normal, column);
}

HOT void lift_contact(faces *f, int contact)
{
    f->basis->drop(f, f->seats.slot[0][f->seats.of[contact]]);
    set_state(f, contact, ABUT_OPEN, 0);
    seat_leave(f, contact);
}

HOT bool slide_to_edge(faces *f, faces_event *event)
{
    int contact = event->contact, seat = f->seats.of[contact], d = f->system->directions[contact];
    const faces_polygon *p = &f->polygon[d];
    bool up = event->change == FACES_TURN_UP;
    event->face = up ? f->face[contact] : (f->face[contact] + d - 1) % d;
    event->end = up ? 1.0 : -1.0;
    const double e[3] = {0.0, -p->ay[event->face], p->ax[event->face]};
    set_state(f, contact, ABUT_EDGE, event->face);
    if (!f->basis->take(f, contact, 1, e, e)) return false;
    lean(f, contact, f->seats.slot[1][seat], event->end * f->mu[contact] * p->h);
    return true;
}

HOT void edge_to_slide(faces *f, faces_event *event)
{
    int contact = event->contact, seat = f->seats.of[contact], d = f->system->directions[contact];
    const faces_polygon *p = &f->polygon[d];
    bool up = event->change == FACES_VERTEX_UP;
    event->face = f->face[contact];
    event->end = up ? 1.0 : -1.0;
    lean(f, contact, f->seats.slot[1][seat], event->end * f->mu[contact] * p->h);
    f->basis->drop(f, f->seats.slot[1][seat]);
    set_state(f, contact, ABUT_SLIDE, up ? (event->face + 1) % d : event->face);
}

HOT bool edge_to_stick(faces *f, faces_event *event)
{
    int contact = event->contact, seat = f->seats.of[contact];
    const faces_polygon *p = &f->polygon[f->system->directions[contact]];
    event->face = f->face[contact];
    const double a[3] = {0.0, p->ax[event->face], p->ay[event->face]};
    set_state(f, contact, ABUT_STICK, event->face);
    if (!f->basis->take(f, contact, 2, a, a)) return false;
    f->basis->shear(f, f->seats.slot[0][seat], f->seats.slot[2][seat], -f->mu[contact] * p->kap);
    return true;
}

/* Gives a slot to a row that a stuck contact has held without one. */
static bool hold_row(faces *f, const faces_event *event)
{
    int contact = event->contact;
    const faces_polygon *p = &f->polygon[f->system->directions[contact]];
    double ax = p->ax[f->face[contact]], ay = p->ay[f->face[contact]];
    const double e[3] = {0.0, -ay, ax}, a[3] = {0.0, ax, ay};
    bool along = event->change == FACES_HOLD_E;
    if (is_given(f, contact)) set_state(f, contact, ABUT_EDGE, f->face[contact]);
    return f->basis->take(f, contact, along ? 1 : 2, along ? e : a, along ? e : a);
}

static bool stick_to_edge(faces *f, faces_event *event)
{
    int contact = event->contact, seat = f->seats.of[contact];
    const faces_polygon *p = &f->polygon[f->system->directions[contact]];
    if (f->seats.slot[1][seat] == FACES_NONE && f->seats.slot[2][seat] == FACES_NONE) {
        lift_contact(f, contact); /* without friction all edges say the same: theta < 0 */
        return true;
    }
    faces_event missing = {.contact = contact,
                           .change = f->seats.slot[1][seat] == FACES_NONE ? FACES_HOLD_E : FACES_HOLD_A};
    bool partial = f->seats.slot[1][seat] == FACES_NONE || f->seats.slot[2][seat] == FACES_NONE;
    if (partial && !hold_row(f, &missing)) return false;
    int k = f->face[contact], l = event->face, e = f->seats.slot[1][seat], a = f->seats.slot[2][seat];
    double cosine = abuti_madd(p->ax[k], p->ax[l], p->ay[k] * p->ay[l]);
    double sine = abuti_madd(p->ax[k], p->ay[l], -p->ay[k] * p->ax[l]);
    event->end = 1.0;
    /* e' = cos e - sin a, a' = sin e + cos a */
    if (k != l) f->basis->rotate(f, e, a, cosine, sine);
    f->basis->shear(f, f->seats.slot[0][seat], a, f->mu[contact] * p->kap);
    f->basis->drop(f, a);
    set_state(f, contact, ABUT_EDGE, l);
    return true;
}

/* Applies an event. t and part 1 say where u is taken; only a closing contact looks at it. False: no room. */
static bool event_apply(faces *f, faces_event *event, double t, bool flat)
{
    f->pivots++;
    f->since_refresh++;
    f->inverse.fresh = false;
    switch (event->change) {
    case FACES_CLOSE: return close_contact(f, event->contact, t, flat);
    case FACES_LIFT: lift_contact(f, event->contact); return true;
    case FACES_TURN_UP:
    case FACES_TURN_DOWN: return slide_to_edge(f, event);
    case FACES_VERTEX_UP:
    case FACES_VERTEX_DOWN: edge_to_slide(f, event); return true;
    case FACES_HALT: return edge_to_stick(f, event);
    case FACES_LOOSEN: return stick_to_edge(f, event);
    case FACES_HOLD_E:
    case FACES_HOLD_A: return hold_row(f, event);
    }
    return false;
}

/* ---- driving variables ---- */

/* How the driving variable of an applied event changes with t. */
static double drive_rate(const faces *f, const faces_event *event)
{
    int contact = event->contact;
    const faces_polygon *p = &f->polygon[f->system->directions[contact]];
    double mu = f->mu[contact];
    /* Opening and closing know no edge. */
    if (event->change == FACES_LIFT) return f->door->velocity(f, contact, 0, 1);
    if (event->change == FACES_CLOSE) return f->x[1][f->seats.slot[0][f->seats.of[contact]]];
    double ax = p->ax[event->face], ay = p->ay[event->face];
    int seat = f->seats.of[contact];
    const double *x1 = f->x[1];
    switch (event->change) {
    case FACES_TURN_UP:
    case FACES_TURN_DOWN:
        return abuti_madd(mu * p->h, theta_of(f, contact, 1), event->end * x1[f->seats.slot[1][seat]]);
    case FACES_VERTEX_UP:
    case FACES_VERTEX_DOWN:
        return -event->end *
               abuti_madd(ax, f->door->velocity(f, contact, 2, 1), -ay * f->door->velocity(f, contact, 1, 1));
    case FACES_HALT: return abuti_madd(mu * p->kap, x1[f->seats.slot[0][seat]], -x1[f->seats.slot[2][seat]]);
    case FACES_LOOSEN:
        return -abuti_madd(ax, f->door->velocity(f, contact, 1, 1), ay * f->door->velocity(f, contact, 2, 1));
    default: return 0.0;
    }
}
