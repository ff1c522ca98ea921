/* Included by faces/core.inl.
 *
 * Changes of state: each is one or two operations on the contact's slots.
 *
 *     OPEN -> SLIDE j    ADD(n, n + mu d_j), j = argmin d_j.u        driving variable: theta
 *     SLIDE -> OPEN      DEL slot 0                                                    u_n
 *     SLIDE j -> EDGE k  ADD(e_k, e_k); COL(0, 1, side mu h)                           mu h theta + side s
 *     EDGE k -> SLIDE    COL(0, 1, side mu h); DEL slot 1                              -side e_k.u
 *     EDGE k -> STICK    ADD(a_k, a_k); COL(0, 2, -mu kap)                             mu kap theta - p
 *     STICK -> EDGE l    ROT to l; COL(0, 2, mu kap); DEL slot 2                       -a_l.u
 *
 * When a row turns out to depend on the others, or a slot cannot go without leaving such rows behind, the
 * slots change all the same, but f->regular says that B is no longer their inverse: the path then takes a
 * vertical step. */

/* ---- seats ---- */

/* Component c of the contact's row on an axis, from the system's lanes. */
static void gather_row(const faces *f, int contact, int axis, double *out)
{
    const abuti_system *s = f->system;
    if (f->local) {
        int numbers = 3 * s->n + s->joints;
        for (int c = 0; c < numbers; ++c)
            out[c] = s->W[(size_t)c * (size_t)s->W_ld + (size_t)(3 * contact + axis)];
        for (int c = numbers; c < f->width; ++c) out[c] = 0.0;
        return;
    }
    for (int side = 0; side < s->sides; ++side)
        abuti_row_gather(s, contact, axis, side, out + side * s->stride);
}

HOT double *seat_row(const faces *f, int seat, int axis)
{
    return f->seats.rows + (size_t)(3 * seat + axis) * (size_t)f->width;
}

HOT void shift_seat(faces *f, int seat, int contact)
{
    for (int part = 0; part < 2; ++part) {
        for (int axis = 0; axis < 2; ++axis)
            f->eight.shift[part][axis][seat] = f->path.shift[part][axis + 1][contact];
    }
}

/* Chooses what stands beside J v in both parts. */
static void set_shift(faces *f, const double *const part0[3], const double *const part1[3])
{
    for (int axis = 0; axis < 3; ++axis) {
        f->path.shift[0][axis] = part0[axis];
        f->path.shift[1][axis] = part1[axis];
    }
    if (!f->single) return;
    for (int i = 0; i < f->seats.active_count; ++i)
        shift_seat(f, f->seats.of[f->seats.active[i]], f->seats.active[i]);
}

/* One block of eight: the rows in registers, and the tangents component by component. */
HOT void seat_rows_single(faces *f, int contact, int seat)
{
    const abuti_system *s = f->system;
    shift_seat(f, seat, contact);
    lanes used = lanes_load(f->eight.component_used);
    for (int axis = 0; axis < 3; ++axis) {
        const double *at = abuti_row(s, axis, 0, 0) + contact;
        double *row = seat_row(f, seat, axis);
        lanes_store(row, lanes_mul(used, lanes_gather(at, f->eight.component_at)));
        if (axis == 0) continue;
        double *tangent = f->eight.tangent[axis - 1] + seat;
        for (int c = 0; c < ABUTI_LANES; ++c) tangent[8 * c] = row[c];
    }
}

/* Gives an open contact a seat and gathers its rows; false when all are taken. */
HOT bool seat_take(faces *f, int contact)
{
    int seat = contact;
    if (f->single) {
        if (!f->eight.free_seats) return false;
        seat = __builtin_ctz(f->eight.free_seats);
        f->eight.free_seats &= ~(1u << seat);
    }
    f->seats.of[contact] = seat;
    f->seats.contact[seat] = contact;
    if (f->single) {
        seat_rows_single(f, contact, seat);
    } else if (!f->factored && !f->tableau.length) {
        for (int axis = 0; axis < 3; ++axis) gather_row(f, contact, axis, seat_row(f, seat, axis));
    }
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
    f->seats.contact[seat] = f->single ? FACES_NONE : contact;
    if (f->single) f->eight.free_seats |= 1u << seat;
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

/* u along an axis of a seated contact in one part, straight from v. */
HOT double seat_velocity(const faces *f, int contact, int axis, int part)
{
    if (f->local) return f->v[part][3 * contact + axis] + f->path.shift[part][axis][contact];
    if (f->tableau.length) return axis == 0 ? f->un[0][contact] : f->ut[0][axis - 1][contact];
    const double *row = seat_row(f, f->single ? f->seats.of[contact] : contact, axis);
    return row_dot(f, row, place_of(f, contact), f->v[part]) + f->path.shift[part][axis][contact];
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

/* ---- operations that keep going without an inverse ---- */

/* f->work.row or f->work.column = n cn + t_x cx + t_y cy of a seated contact; at the W + q door a row is these three
 * numbers. */
HOT void make_row(const faces *f, int seat, const double c[3], double *out, bool row)
{
    if (f->local && row) {
        for (int i = 0; i < f->width; ++i) out[i] = i < 3 ? c[i] : 0.0;
        return;
    }
    const double *n = seat_row(f, seat, 0), *tx = seat_row(f, seat, 1), *ty = seat_row(f, seat, 2);
    for (int i = 0; i < f->width; i += 8) {
        lanes sum = lanes_mul(lanes_load(n + i), lanes_all(c[0]));
        sum = lanes_madd(lanes_load(tx + i), lanes_all(c[1]), sum);
        lanes_store(out + i, lanes_madd(lanes_load(ty + i), lanes_all(c[2]), sum));
    }
}

/* What ADD takes besides f->work.row and f->work.column, which are made here. */
typedef struct add_terms {
    double offset, cover, scale;
} add_terms;

HOT add_terms make_terms(faces *f, int contact, int kind, const double row[3], const double column[3])
{
    const abuti_system *s = f->system;
    make_row(f, f->seats.of[contact], row, f->work.row, true);
    make_row(f, f->seats.of[contact], column, f->work.column, false);
    add_terms terms = {0.0, 0.0, 0.0};
    for (int axis = 0; axis < 3; ++axis) {
        terms.offset = abuti_madd(row[axis], s->offset[axis][contact], terms.offset);
        terms.cover = abuti_madd(row[axis], f->path.cover[axis][contact], terms.cover);
    }
    double size = kind == 0 ? s->size[0][contact] : s->size[1][contact];
    terms.scale = kind == 0 ? size * (size + f->mu[contact] * s->size[1][contact]) : size * size;
    return terms;
}

/* ADD for a seated contact, unless the row depends on those present. */
static bool try_add(faces *f, int contact, int kind, const double row[3], const double column[3])
{
    if (f->tableau.length) return tableau_add(f, contact, kind, row, column);
    add_terms terms = make_terms(f, contact, kind, row, column);
    return basis_add(f, contact, kind, terms.offset, terms.cover, terms.scale) != FACES_NONE;
}

/* ADD for a seated contact; when the row is dependent the slot is filled all the same and f->regular cleared.
 */
HOT bool op_add(faces *f, int contact, int kind, const double row[3], const double column[3])
{
    if (f->tableau.length) return tableau_add(f, contact, kind, row, column);
    add_terms terms = make_terms(f, contact, kind, row, column);
    if (f->regular && basis_add(f, contact, kind, terms.offset, terms.cover, terms.scale) != FACES_NONE)
        return true;
    int slot = free_slot(f);
    if (slot == FACES_NONE) return false;
    f->regular = false;
    slot_put(f, slot, contact, kind, place_of(f, contact), terms.offset, terms.cover);
    return true;
}

HOT void op_delete(faces *f, int slot)
{
    if (f->tableau.length) {
        f->regular = tableau_delete(f, slot);
    } else if (f->regular && basis_may_delete(f, slot)) {
        basis_delete(f, slot);
    } else {
        f->regular = false;
        slot_drop(f, slot);
    }
}

HOT void op_shear(faces *f, int th, int b, double tau)
{
    if (f->tableau.length) {
        tableau_shear(f, th, b, tau);
    } else if (f->regular) {
        basis_shear(f, th, b, tau);
    } else {
        column_shear(f, th, b, tau);
    }
}

static void op_rotate(faces *f, int e, int a, double cosine, double sine)
{
    if (f->tableau.length) {
        tableau_rotate(f, e, a, cosine, sine);
    } else if (f->regular) {
        basis_rotate(f, e, a, cosine, sine);
    } else {
        slots_rotate(f, e, a, cosine, sine);
    }
}

/* ---- the six changes ---- */

/* u along an axis in one part, for contacts with or without a seat. */
static double velocity_along(const faces *f, int contact, int axis, int part)
{
    const abuti_system *s = f->system;
    if (f->local) return f->v[part][3 * contact + axis] + f->path.shift[part][axis][contact];
    double sum = f->path.shift[part][axis][contact];
    for (int side = 0; side < s->sides; ++side) {
        const double *v = f->v[part] + (size_t)(f->single ? 0 : s->body[side][contact]) * (size_t)s->stride;
        const double *row = abuti_row(s, axis, side, 0) + contact;
        for (int c = 0; c < s->dim; ++c) sum = abuti_madd(row[(size_t)c * (size_t)s->lanes], v[c], sum);
    }
    return sum;
}

/* Whether nothing drives the contacts sideways before any has closed: gravity on a level stack. */
static bool all_at_rest(const faces *f)
{
    if (f->tableau.length) return largest_of(f->x[0] + f->lanes, 2 * f->lanes) <= FACES_FLAT * f->size;
    for (int i = 0; i < f->system->n; ++i) {
        for (int axis = 1; axis < 3; ++axis) {
            if (!(fabs(velocity_along(f, i, axis, 0)) <= FACES_FLAT * f->size)) return false;
        }
    }
    return true;
}

/* Closes a contact. With `flat` one that does not slip, or that nothing drives sideways, sticks without
 * friction until its rows ask for some: no vertex is better than another then, and the wrong one would have
 * to be undone. */
HOT bool close_contact(faces *f, int contact, double t, bool flat)
{
    if (!seat_take(f, contact)) return false;
    const faces_polygon *p = &f->polygon[f->system->directions[contact]];
    double mu = f->mu[contact];
    const double normal[3] = {1.0, 0.0, 0.0};
    double ux = seat_velocity(f, contact, 1, 0), uy = seat_velocity(f, contact, 2, 0);
    if (f->parts == 2) {
        ux = abuti_madd(t, seat_velocity(f, contact, 1, 1), ux);
        uy = abuti_madd(t, seat_velocity(f, contact, 2, 1), uy);
    }
    bool rests = f->rests || (fabs(ux) <= FACES_FLAT * f->size && fabs(uy) <= FACES_FLAT * f->size);
    if (flat && rests && mu > 0.0 && p->kap > 0.0) {
        set_state(f, contact, ABUT_STICK, 0);
        return op_add(f, contact, 0, normal, normal);
    }
    int j = opposing_vertex(p, ux, uy);
    const double column[3] = {1.0, mu * p->dx[j], mu * p->dy[j]};
    set_state(f, contact, ABUT_SLIDE, j);
    return op_add(f, contact, 0, normal, column);
}

HOT void lift_contact(faces *f, int contact)
{
    op_delete(f, f->seats.slot[0][f->seats.of[contact]]);
    set_state(f, contact, ABUT_OPEN, 0);
    seat_leave(f, contact);
}

HOT bool slide_to_edge(faces *f, faces_event *event)
{
    int contact = event->contact, seat = f->seats.of[contact], d = f->system->directions[contact];
    const faces_polygon *p = &f->polygon[d];
    bool up = event->change == FACES_TURN_UP;
    event->face = up ? f->face[contact] : (f->face[contact] + d - 1) % d;
    event->side = up ? 1.0 : -1.0;
    const double e[3] = {0.0, -p->ay[event->face], p->ax[event->face]};
    set_state(f, contact, ABUT_EDGE, event->face);
    if (!op_add(f, contact, 1, e, e)) return false;
    op_shear(f, f->seats.slot[0][seat], f->seats.slot[1][seat], event->side * f->mu[contact] * p->h);
    return true;
}

HOT void edge_to_slide(faces *f, faces_event *event)
{
    int contact = event->contact, seat = f->seats.of[contact], d = f->system->directions[contact];
    const faces_polygon *p = &f->polygon[d];
    bool up = event->change == FACES_VERTEX_UP;
    event->face = f->face[contact];
    event->side = up ? 1.0 : -1.0;
    op_shear(f, f->seats.slot[0][seat], f->seats.slot[1][seat], event->side * f->mu[contact] * p->h);
    op_delete(f, f->seats.slot[1][seat]);
    set_state(f, contact, ABUT_SLIDE, up ? (event->face + 1) % d : event->face);
}

HOT bool edge_to_stick(faces *f, faces_event *event)
{
    int contact = event->contact, seat = f->seats.of[contact];
    const faces_polygon *p = &f->polygon[f->system->directions[contact]];
    event->face = f->face[contact];
    const double a[3] = {0.0, p->ax[event->face], p->ay[event->face]};
    set_state(f, contact, ABUT_STICK, event->face);
    if (!op_add(f, contact, 2, a, a)) return false;
    op_shear(f, f->seats.slot[0][seat], f->seats.slot[2][seat], -f->mu[contact] * p->kap);
    return true;
}

/* A row that a stuck contact has held without a slot. */
static bool hold_row(faces *f, const faces_event *event)
{
    int contact = event->contact;
    const faces_polygon *p = &f->polygon[f->system->directions[contact]];
    double ax = p->ax[f->face[contact]], ay = p->ay[f->face[contact]];
    const double e[3] = {0.0, -ay, ax}, a[3] = {0.0, ax, ay};
    bool along = event->change == FACES_HOLD_E;
    return op_add(f, contact, along ? 1 : 2, along ? e : a, along ? e : a);
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
    event->side = 1.0;
    /* e' = cos e - sin a, a' = sin e + cos a */
    if (k != l) op_rotate(f, e, a, cosine, sine);
    op_shear(f, f->seats.slot[0][seat], a, f->mu[contact] * p->kap);
    op_delete(f, a);
    set_state(f, contact, ABUT_EDGE, l);
    return true;
}

/* Applies an event; t and part 1 say where u is taken (only a closing contact looks at it). False: no room.
 */
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
    if (event->change == FACES_LIFT) return velocity_along(f, contact, 0, 1);
    if (event->change == FACES_CLOSE) return f->x[1][f->seats.slot[0][f->seats.of[contact]]];
    double ax = p->ax[event->face], ay = p->ay[event->face];
    int seat = f->seats.of[contact];
    const double *x1 = f->x[1];
    switch (event->change) {
    case FACES_TURN_UP:
    case FACES_TURN_DOWN:
        return abuti_madd(mu * p->h, x1[f->seats.slot[0][seat]], event->side * x1[f->seats.slot[1][seat]]);
    case FACES_VERTEX_UP:
    case FACES_VERTEX_DOWN:
        return -event->side *
               abuti_madd(ax, velocity_along(f, contact, 2, 1), -ay * velocity_along(f, contact, 1, 1));
    case FACES_HALT: return abuti_madd(mu * p->kap, x1[f->seats.slot[0][seat]], -x1[f->seats.slot[2][seat]]);
    case FACES_LOOSEN:
        return -abuti_madd(ax, velocity_along(f, contact, 1, 1), ay * velocity_along(f, contact, 2, 1));
    default: return 0.0;
    }
}
