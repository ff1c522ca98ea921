/* Included by faces/core.inl.
 *
 * The first steps of a stage: it takes in a system, opens all contacts, and gives joint rows their slots. */

/* The largest of k and all offsets. */
static double size_of(const abuti_system *s)
{
    lanes most = lanes_all(0.0);
    for (int c = 0; !s->W && c < (s->bodies + 1) * s->stride; c += 8)
        most = lanes_max(lanes_abs(lanes_load(s->k + c)), most);
    for (int axis = 0; axis < 3; ++axis) {
        for (int i = 0; i < s->lanes; i += 8)
            most = lanes_max(lanes_abs(lanes_load(s->offset[axis] + i)), most);
    }
    double largest = lanes_most(most);
    for (int j = 0; j < s->joints; ++j) {
        double offset = fabs(s->joint_offset[j]);
        largest = offset > largest ? offset : largest;
    }
    return largest;
}

/* Borrows a system and finds its sizes. False: it does not fit the workspace. */
static bool begin(faces *f, const abuti_system *s)
{
    f->memory.stood = f->memory.kept;
    f->memory.kept = FACES_LEFT_NOTHING;
    f->counted = 0;
    f->system = s;
    f->door = s->W ? &door_of_W : s->given ? &door_of_block : &door_of_bodies;
    f->k = s->W ? f->still : s->given ? f->loaded : s->k;
    f->lanes = s->lanes;
    f->width = s->W ? abuti_padded(3 * s->n + s->joints + 2) : s->sides * s->stride;
    f->space = s->W ? f->width : (s->bodies + 1) * s->stride;
    if (s->lanes > f->room.lanes || f->width > f->room.width || f->space > f->room.space) return false;
    f->mu = abuti_model_of(s->model)->friction == ABUT_LAW_NONE ? f->still : s->mu;
    f->size = size_of(s);
    f->zero = FACES_ZERO * f->size * (s->bodies > 5 ? 0.2 * s->bodies : 1.0);
    for (int axis = 0; axis < 3; ++axis) f->path.cover[axis] = f->still;
    if (s->given) find_parts(f);
    return true;
}

/* Nobody is seated; slacks of seats weigh nothing. */
static void clear_seats(faces *f)
{
    int seats = f->seats.count;
    for (int kind = 0; kind < FACES_KINDS; ++kind) {
        fill_none(f->seats.slot[kind], seats);
        fill(f->value[0][kind], 0.0, seats);
        fill(f->value[1][kind], 0.0, seats);
        for (int w = 0; w < 4; ++w) fill(f->slack.weight[kind][w], 0.0, seats);
    }
}

/* All contacts open, in a representation without slots. */
static void clear(faces *f, const faces_basis *basis)
{
    const abuti_system *s = f->system;
    if (f->basis) f->basis->clear(f);
    f->basis = basis;
    f->slack.urgency = 1.0;
    f->band.laid_out = false;
    f->seats.active_count = 0;
    f->regular = true;
    f->rests = false;
    f->inverse.shaky = f->inverse.delicate = false;
    f->since_refresh = 0;
    fill_none(f->seats.of, f->lanes);
    static const uint8_t open[ABUTI_LANES] = {ABUT_OPEN};
    lanes end = lanes_all((double)s->n), lane = lanes_count_from(0.0);
    for (int i = 0; i < f->lanes; i += 8, lane = lanes_add(lane, lanes_all(8.0))) {
        memcpy(f->state + i, open, sizeof open);
        memcpy(f->face + i, open, sizeof open);
        lanes_store(f->slack.open + i, lanes_select(lanes_less(lane, end), lanes_all(1.0), lanes_all(0.0)));
    }
    if (s->given) copy(s->k, f->loaded, f->space);
    copy(f->k, f->v[0], f->space);
    fill(f->v[1], 0.0, f->space);
    set_shift(f, s->offset, f->path.cover);
    basis->open(f);
    clear_seats(f);
}

/* Joint rows have slots for good. Dependent rows get none, but must hold all the same: false if they
 * contradict the others. */
static bool add_joints(faces *f)
{
    const abuti_system *s = f->system;
    for (int j = 0; j < s->joints; ++j) {
        int code = -2 - j;
        faces_terms terms = {.offset = s->joint_offset[j], .scale = 1.0};
        f->door->joint(f, j, f->work.row, f->work.column);
        if (f->basis->join(f, code, 0, &terms)) continue;
        double error = f->door->dot(f, f->work.row, f->door->place(f, code), f->v[0]) + s->joint_offset[j];
        if (!(fabs(error) <= FACES_DRIFT * f->size)) return false;
    }
    return true;
}

/* Makes the polygons that this system's contacts use; each is made once for a workspace. */
static void make_polygons(faces *f)
{
    const abuti_system *s = f->system;
    const int *directions = s->directions;
    int other = 0;
    for (int i = 1; i < s->n; ++i) other |= directions[i] ^ directions[0];
    for (int i = 0; i < (other ? s->n : s->n > 0); ++i) {
        int d = directions[i];
        faces_polygon *p = &f->polygon[d];
        if (p->padded > 0) continue;
        p->padded = abuti_padded(d);
        for (int j = 0; j < p->padded; ++j) {
            const double *at = abuti_direction(d, j % d), *next = abuti_direction(d, (j + 1) % d);
            double ex = next[0] - at[0], ey = next[1] - at[1], length = sqrt(ex * ex + ey * ey);
            p->dx[j] = at[0];
            p->dy[j] = at[1];
            p->ax[j] = ey / length;
            p->ay[j] = -ex / length;
            if (j == 0) p->h = 0.5 * length;
        }
        p->kap = d == 2 ? 0.0 : abuti_madd(p->ax[0], p->dx[0], p->ay[0] * p->dy[0]);
    }
}
