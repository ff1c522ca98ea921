/* Included by faces/core.inl.
 *
 * From states that are nearly right to the answer, on factors: a homotopy.
 *
 * The states at hand satisfy their equations at (x0, u0), but some slacks are violated. A point nearby for
 * which they are right, (x*, u*), is projected from it. With
 *
 *     x1 = x* - x0,     c = u* - u0 - J C x1
 *
 * the states are right at t = 1 of the problem whose local velocities are moved by t c, and the path of
 * faces/path.inl leads from there to t = 0. Few contacts move, so there are few events. Each costs one
 * factorisation, O(m) for stacks and walls.
 *
 * Vertical steps are left to the path that begins with everything open, and so are stuck contacts without all
 * of their rows, of which the path knows nothing. */

/* The point that a violated contact is given: x* in value[0] and u* in path.moved. `some` is between 1 and
 * 1.5. */
static void project_contact(faces *f, int i, double some)
{
    const faces_polygon *p = &f->polygon[f->system->directions[i]];
    double least = FACES_HOME * f->size * some, mu = f->mu[i];
    double *theta = f->value[0][0] + i, *along = f->value[0][1] + i, *out = f->value[0][2] + i;
    double *un = f->path.moved[0] + i, *ux = f->path.moved[1] + i, *uy = f->path.moved[2] + i;
    int face = f->face[i];
    if (f->state[i] == ABUT_OPEN) {
        *un = fmax(*un, least);
        return;
    }
    *theta = fmax(*theta, least);
    *un = 0.0;
    if (f->state[i] == ABUT_SLIDE) {
        double speed = sqrt(*ux * *ux + *uy * *uy) + least;
        *ux = -p->dx[face] * speed;
        *uy = -p->dy[face] * speed;
    } else if (f->state[i] == ABUT_EDGE) {
        double limit = FACES_WITHIN * mu * p->h * *theta;
        *along = fmin(fmax(*along, -limit), limit);
        double away = fmax(-(p->ax[face] * *ux + p->ay[face] * *uy), least);
        *ux = p->kap > 0.0 ? -p->ax[face] * away : *ux;
        *uy = p->kap > 0.0 ? -p->ay[face] * away : *uy;
    } else {
        stuck s = stuck_friction(f, i, i, 0);
        double most = 0.0;
        for (int l = 0; l < f->system->directions[i]; ++l) most = fmax(most, p->ax[l] * s.x + p->ay[l] * s.y);
        double shrink = fmin(1.0, FACES_WITHIN * s.radius / fmax(most, FACES_NO_SIZE));
        *along *= shrink;
        *out *= shrink;
    }
}

/* The cover for which the states are right at t = 1, and part 1 with it. */
static void cover_from_here(faces *f)
{
    const abuti_system *s = f->system;
    const double *const still[3] = {f->still, f->still, f->still};
    double *const here[3] = {f->un[0], f->ut[0][0], f->ut[0][1]}, *const there[3] = {f->un[1], f->ut[1][0],
                                                                                     f->ut[1][1]};
    for (int axis = 0; axis < 3; ++axis) {
        for (int i = 0; i < f->lanes; i += ABUTI_LANES)
            lanes_store(f->path.moved[axis] + i, lanes_load(here[axis] + i));
    }
    for (int i = 0; i < s->n; ++i) {
        if (violation(f, i) > 0.0) project_contact(f, i, f->path.table[0][i]);
    }
    fill(f->x[1], 0.0, f->slots.top);
    for (int t = 0; t < f->slots.top; ++t) {
        int contact = f->slots.contact[t];
        if (contact >= 0) f->x[1][t] = f->value[0][f->slots.kind[t]][contact] - f->x[0][t];
    }
    velocity_factored(f, 1);
    set_shift(f, s->offset, still);
    f->door->velocities(f, 1);
    for (int axis = 0; axis < 3; ++axis) {
        for (int i = 0; i < f->lanes; ++i)
            f->path.made[axis][i] = f->path.moved[axis][i] - here[axis][i] - there[axis][i];
        f->path.cover[axis] = f->path.made[axis];
    }
    set_shift(f, s->offset, f->path.cover);
}

/* The state that an event leads to. What drive_rate asks for is noted in the event. */
static abut_contact_face state_after(const faces *f, faces_event *event, double t)
{
    int i = event->contact, d = f->system->directions[i], face = f->face[i], next = face;
    const faces_polygon *p = &f->polygon[d];
    abut_contact_state state = ABUT_SLIDE;
    bool up = event->change == FACES_TURN_UP || event->change == FACES_VERTEX_UP;
    event->end = up ? 1.0 : -1.0;
    switch (event->change) {
    case FACES_CLOSE:
        next = opposing_vertex(p, abuti_madd(t, f->ut[1][0][i], f->ut[0][0][i]),
                               abuti_madd(t, f->ut[1][1][i], f->ut[0][1][i]));
        break;
    case FACES_LIFT: state = ABUT_OPEN; break;
    case FACES_TURN_UP:
    case FACES_TURN_DOWN:
        state = ABUT_EDGE;
        event->face = next = up ? face : (face + d - 1) % d;
        break;
    case FACES_VERTEX_UP:
    case FACES_VERTEX_DOWN:
        event->face = face;
        next = up ? (face + 1) % d : face;
        break;
    case FACES_HALT:
        state = ABUT_STICK;
        event->face = face;
        break;
    default: /* FACES_LOOSEN */ state = ABUT_EDGE; next = event->face;
    }
    return (abut_contact_face){.state = (uint8_t)state, .face = (uint8_t)next};
}

/* x and v of the states at hand. False: some slots depend on others. */
static bool solve_parts(faces *f, int parts)
{
    if (!lay_slots(f)) return false;
    f->band.laid_out = true;
    fill_slots(f);
    factor(f);
    if (f->band.set_aside > 0) return false;
    for (int part = 0; part < parts; ++part) {
        solve_slots(f, part);
        for (int kind = 0; kind < FACES_KINDS; ++kind) fill(f->value[part][kind], 0.0, f->seats.count);
    }
    return true;
}

/* ---- rows that stuck contacts do without ---- */

/* Several contacts in one plane stick without all of their rows. The rows that depend on the
 * others hold by themselves at every t (the cover, too, is that of a motion). When an event takes one of the
 * others away, they may move. The row that moves most is then taken up, and its friction takes over from the
 * friction that has come to its limit. Nothing slips in that case, and t goes on as before. Returns the
 * contact whose row it is, or FACES_NONE. */
static int moving_row(const faces *f, int part, double allowed, int *kind)
{
    int contact = FACES_NONE;
    for (int k = 0; k < f->seats.active_count; ++k) {
        int i = f->seats.active[k], state = f->state[i];
        const faces_polygon *p = &f->polygon[f->system->directions[i]];
        double ax = p->ax[f->face[i]], ay = p->ay[f->face[i]];
        double ux = f->ut[part][0][i], uy = f->ut[part][1][i];
        double along = fabs(abuti_madd(uy, ax, -ux * ay)), out = fabs(abuti_madd(ux, ax, uy * ay));
        if (state >= ABUT_EDGE && f->seats.slot[1][i] == FACES_NONE && along > allowed) {
            contact = i;
            *kind = 1;
            allowed = along;
        }
        if (state == ABUT_STICK && f->seats.slot[2][i] == FACES_NONE && out > allowed) {
            contact = i;
            *kind = 2;
            allowed = out;
        }
    }
    return contact;
}

/* Takes up rows that move; *taken says whether there were some. False: the slots depend on each other. */
static bool take_up(faces *f, int part, double allowed, bool *taken)
{
    int kind, contact;
    *taken = false;
    f->basis->spread(f, part + 1);
    while ((contact = moving_row(f, part, allowed, &kind)) != FACES_NONE) {
        f->band.wanted[contact] = (uint8_t)(f->band.wanted[contact] | 1 << kind);
        *taken = true;
        if (!solve_parts(f, part + 1)) return false;
        f->basis->spread(f, part + 1);
    }
    return true;
}

/* Follows the path from t = 1 to 0. The states are those of the last solve_states. */
static flips follow_homotopy(faces *f, const abuti_stage_context *context)
{
    double t = 1.0, sense = -1.0;
    bool taken;
    if (f->band.set_aside > 0 || !take_up(f, 0, f->zero, &taken)) return FLIPS_STUCK;
    cover_from_here(f);
    for (int events = 0; events < FACES_HOME_EVENTS; ++events) {
        faces_event event;
        ratio_test(f, t, sense, &event);
        if (sense < 0.0 && !(event.found && event.step < t)) return all_hold(f) ? FLIPS_DONE : FLIPS_STUCK;
        if (!event.found) return FLIPS_STUCK;
        if (spent(f, context)) return FLIPS_LIMIT;
        t += sense * event.step;
        put_state(f, event.contact, state_after(f, &event, t), FACES_ALL_SLOTS);
        f->pivots++;
        if (!solve_parts(f, 2) || !take_up(f, 1, FACES_SLIP, &taken)) return FLIPS_STUCK;
        if (taken) continue;
        double drive = drive_rate(f, &event);
        if (!(fabs(drive) > FACES_STALL)) return FLIPS_STUCK;
        sense = drive > 0.0 ? 1.0 : -1.0;
    }
    return FLIPS_STUCK;
}

/* Goes from given states to the answer. */
static flips go_by_homotopy(faces *f, const abuti_stage_context *context)
{
    if (!solve_states(f)) return FLIPS_STUCK;
    f->parts = 2;
    flips end = follow_homotopy(f, context);
    f->parts = 1;
    for (int axis = 0; axis < 3; ++axis) f->path.cover[axis] = f->still;
    set_shift(f, f->system->offset, f->path.cover);
    return end;
}

/* Mends the states of the check that has just failed, or given states: in rounds, then by the homotopy. */
static abut_outcome mend_on_band(faces *f, faces_left ready, const abuti_stage_context *context,
                                 abuti_answer *answer)
{
    if (ready == FACES_LEFT_NOTHING) {
        start_band(f, context->start);
    } else {
        mend(f);
    }
    flips end = mend_rounds(f, FACES_ROUNDS, context);
    if (end == FLIPS_STUCK) {
        start_band(f, context->start);
        end = go_by_homotopy(f, context);
    }
    return finish_band(f, end, answer);
}
