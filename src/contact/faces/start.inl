/* Included by faces/core.inl.
 *
 * Where a stage begins other than with everything open: states that a caller or the last step gave, or that
 * were guessed for a fresh manifold (crash.h). */

/* Closes a contact straight into a state; rows that depend on those present are left out. */
static void enter_state(faces *f, int contact, abut_contact_state state, int face, int mask)
{
    const faces_polygon *p = &f->polygon[f->system->directions[contact]];
    double mu = f->mu[contact];
    if (mu == 0.0) state = ABUT_SLIDE;
    if (state == ABUT_STICK && p->kap == 0.0) state = ABUT_EDGE;
    if (!seat_take(f, contact)) return;
    const double normal[3] = {1.0, 0.0, 0.0};
    const double e[3] = {0.0, -p->ay[face], p->ax[face]}, a[3] = {0.0, p->ax[face], p->ay[face]};
    double fx = 0.0, fy = 0.0;
    if (state == ABUT_SLIDE) {
        fx = mu * p->dx[face];
        fy = mu * p->dy[face];
    } else if (state == ABUT_EDGE) {
        fx = mu * p->kap * p->ax[face];
        fy = mu * p->kap * p->ay[face];
    }
    const double column[3] = {1.0, fx, fy};
    set_state(f, contact, state, face);
    if (!try_add(f, contact, 0, normal, column)) {
        set_state(f, contact, ABUT_OPEN, 0);
        seat_leave(f, contact);
        return;
    }
    bool along = state == ABUT_SLIDE || ((mask & 2) && try_add(f, contact, 1, e, e));
    if (state == ABUT_STICK && (mask & 4)) try_add(f, contact, 2, a, a);
    if (state == ABUT_EDGE && !along) set_state(f, contact, ABUT_STICK, face);
}

/* Loads given states into an empty basis. */
static void load_states(faces *f, const abut_contact_face *start)
{
    for (int i = 0; i < f->system->n; ++i) {
        if (start[i].state == ABUT_OPEN) continue;
        int face, mask = given_slots(f, i, start[i], &face);
        enter_state(f, i, (abut_contact_state)start[i].state, face, mask);
    }
}
