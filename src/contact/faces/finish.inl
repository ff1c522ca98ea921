/* Included by faces/core.inl.
 *
 * The last steps of a stage: the answer in the system's lanes, and what is kept for the next call. */

/* Adds the pivots since the last time to the answer's; they stay counted against the budget. */
static void tell_pivots(faces *f, abuti_answer *answer)
{
    answer->pivots += f->pivots;
    f->counted += f->pivots;
    f->pivots = 0;
}

/* Impulses of one contact from x in a part, held within its cone. */
static void contact_impulse(const faces *f, int contact, int part, double out[3])
{
    const faces_polygon *p = &f->polygon[f->system->directions[contact]];
    int seat = f->seats.of[contact], face = f->face[contact];
    const double *x = f->x[part];
    double mu = f->mu[contact], theta = fmax(theta_of(f, contact, part), 0.0);
    double along = 0.0, outward = 0.0;
    out[0] = theta;
    if (f->state[contact] == ABUT_SLIDE) {
        out[1] = mu * theta * p->dx[face];
        out[2] = mu * theta * p->dy[face];
        return;
    }
    if (f->seats.slot[1][seat] != FACES_NONE) along = x[f->seats.slot[1][seat]];
    if (f->state[contact] == ABUT_EDGE) {
        double limit = mu * p->h * theta;
        along = fmin(fmax(along, -limit), limit);
        outward = mu * p->kap * theta;
    } else if (f->seats.slot[2][seat] != FACES_NONE) {
        outward = x[f->seats.slot[2][seat]];
    }
    out[1] = abuti_madd(outward, p->ax[face], -along * p->ay[face]);
    out[2] = abuti_madd(outward, p->ay[face], along * p->ax[face]);
}

/* Bit k for each slot k that holds a contact's state. */
static int slots_in_use(const faces *f, int contact)
{
    int mask = 0;
    for (int kind = 0; kind < FACES_KINDS; ++kind) {
        int slot = f->seats.slot[kind][f->seats.of[contact]];
        if (slot != FACES_NONE && f->basis->holds(f, slot)) mask |= 1 << kind;
    }
    return mask;
}

/* Writes active contacts and joint rows; everything else is zero already. */
static void write_answer(const faces *f, abuti_answer *answer)
{
    for (int i = 0; i < f->seats.active_count; ++i) {
        int contact = f->seats.active[i];
        double impulse[3];
        contact_impulse(f, contact, 0, impulse);
        answer->theta[contact] = impulse[0];
        answer->f[0][contact] = impulse[1];
        answer->f[1][contact] = impulse[2];
        bool segment = f->system->directions[contact] == 2;
        bool inside = f->state[contact] == ABUT_STICK || (f->state[contact] == ABUT_EDGE && segment);
        answer->face[contact] =
            (abut_contact_face){.state = inside ? ABUT_STICK : f->state[contact],
                                .face = inside ? 0 : f->face[contact],
                                .rows = (uint8_t)slots_in_use(f, contact),
                                .frame = f->state[contact] == ABUT_STICK ? f->face[contact] : 0};
    }
    for (int s = 0; s < f->slots.top; ++s) {
        if (f->slots.contact[s] <= -2) answer->joint[-2 - f->slots.contact[s]] = f->x[0][s];
    }
}

/* The slots of a given state, and the face that its tangential ones belong to. */
static int given_slots(const faces *f, int contact, abut_contact_face start, int *face)
{
    *face = start.state == ABUT_STICK ? start.frame % f->system->directions[contact] : start.face;
    return start.rows ? start.rows : FACES_ALL_SLOTS;
}

/* The direction of a ray lies in part 1; along a path that goes down again it points backwards. */
static void write_ray(const faces *f, double sense, abuti_answer *answer)
{
    fill(answer->ray, 0.0, 3 * f->lanes);
    for (int i = 0; i < f->seats.active_count; ++i) {
        int contact = f->seats.active[i], seat = f->seats.of[contact], face = f->face[contact];
        const faces_polygon *p = &f->polygon[f->system->directions[contact]];
        double theta = sense * theta_of(f, contact, 1), friction[2] = {0.0, 0.0}, mu = f->mu[contact];
        bool edge = f->state[contact] == ABUT_EDGE;
        if (f->state[contact] == ABUT_SLIDE) {
            friction[0] = mu * theta * p->dx[face];
            friction[1] = mu * theta * p->dy[face];
        } else {
            int e = f->seats.slot[1][seat], a = f->seats.slot[2][seat];
            double along = e == FACES_NONE ? 0.0 : sense * f->x[1][e];
            double outward = edge ? mu * p->kap * theta : a == FACES_NONE ? 0.0 : sense * f->x[1][a];
            friction[0] = abuti_madd(outward, p->ax[face], -along * p->ay[face]);
            friction[1] = abuti_madd(outward, p->ay[face], along * p->ax[face]);
        }
        answer->ray[contact] = theta;
        answer->ray[f->lanes + contact] = friction[0];
        answer->ray[2 * f->lanes + contact] = friction[1];
    }
}

/* Keeps the slots for the next call, and the states of the answer that they belong to. */
static void keep(faces *f, faces_left what, const abuti_answer *answer)
{
    const abuti_system *s = f->system;
    faces_memory *memory = &f->memory;
    memory->kept = what;
    memory->n = s->n;
    memory->dim = s->dim;
    memcpy(memory->told, answer->face, (size_t)s->n * sizeof *memory->told);
    memcpy(memory->mu, f->mu, (size_t)s->n * sizeof(double));
    memcpy(memory->directions, s->directions, (size_t)s->n * sizeof(int));
}

/* Whether these states are those of the last answer whose slots were kept, with the same polygons. */
static bool stays(const faces *f, const abut_contact_face *start)
{
    const abuti_system *s = f->system;
    const faces_memory *memory = &f->memory;
    return memory->n == s->n && memcmp(memory->told, start, (size_t)s->n * sizeof *start) == 0 &&
           memcmp(memory->directions, s->directions, (size_t)s->n * sizeof(int)) == 0 &&
           memcmp(memory->mu, f->mu, (size_t)s->n * sizeof(double)) == 0;
}
