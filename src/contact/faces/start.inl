/* Included by faces/core.inl.
 *
 * Given states: those of a caller or of the last step, or guesses for a fresh manifold (system/crash.h). */

/* Puts a contact straight into a state. Rows that depend on those present are left out. */
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
    if (!f->basis->add(f, contact, 0, normal, column)) {
        set_state(f, contact, ABUT_OPEN, 0);
        seat_leave(f, contact);
        return;
    }
    bool along = state == ABUT_SLIDE || ((mask & 2) && f->basis->add(f, contact, 1, e, e));
    if (state == ABUT_STICK && (mask & 4)) f->basis->add(f, contact, 2, a, a);
    if (state == ABUT_EDGE && !along) set_state(f, contact, ABUT_STICK, face);
}

/* Loads given states into an empty basis. */
static void load_states(faces *f, const abut_contact_face *start)
{
    for (int i = 0; i < f->system->n; ++i) {
        if (start[i].state == ABUT_OPEN || is_given(f, i)) continue;
        int face, mask = given_slots(f, i, start[i], &face);
        enter_state(f, i, (abut_contact_state)start[i].state, face, mask);
    }
}

/* Gives new offsets to old slots. */
static void rebase(faces *f)
{
    const abuti_system *s = f->system;
    for (int t = 0; t < f->slots.top; ++t) {
        int contact = f->slots.contact[t];
        if (contact <= -2) f->slots.base[0][t] = s->joint_offset[-2 - contact];
        if (contact < 0) continue;
        const faces_polygon *p = &f->polygon[s->directions[contact]];
        double ax = p->ax[f->face[contact]], ay = p->ay[f->face[contact]];
        double ox = s->offset[1][contact], oy = s->offset[2][contact];
        f->slots.base[0][t] = f->slots.kind[t] == 0   ? s->offset[0][contact]
                              : f->slots.kind[t] == 1 ? abuti_madd(oy, ax, -ox * ay)
                                                      : abuti_madd(ox, ax, oy * ay);
        f->slots.base[1][t] = 0.0;
    }
    set_shift(f, s->offset, f->path.cover);
}
