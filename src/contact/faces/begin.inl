/* Included by faces/core.inl.
 *
 * The first steps of a stage: a system comes in, everything is open, joint rows take their slots. */

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
    f->stood = f->standing;
    f->standing = false;
    f->stood_one = f->kept_one;
    f->kept_one = false;
    f->counted = 0;
    f->system = s;
    f->local = s->W != NULL;
    f->lanes = s->lanes;
    f->width = f->local ? round_up8(3 * s->n + s->joints + 2) : s->sides * s->stride;
    f->space = f->local ? f->width : (s->bodies + 1) * s->stride;
    if (s->lanes > f->room.lanes || f->width > f->room.width || f->space > f->room.space) return false;
    f->mu = s->model == ABUT_FRICTIONLESS ? f->still : s->mu;
    f->size = size_of(s);
    f->zero = FACES_ZERO * f->size * (s->bodies > 5 ? 0.2 * s->bodies : 1.0);
    for (int axis = 0; axis < 3; ++axis) f->path.cover[axis] = f->still;
    return true;
}

/* Rows of B are no longer than they must be: an inverse has at most as many slots as there are freedoms. */
static int row_length(const faces *f)
{
    const abuti_system *s = f->system;
    int most = f->local ? 3 * s->n + s->joints : s->bodies * s->dim;
    int length = round_up8(most + 2);
    return length < f->room.slots ? length : f->room.slots;
}

/* out = FACES_NONE, count a multiple of eight. Calls of memset would take longer than the little they do. */
HOT void fill_none(int *out, int count)
{
    static const int none[ABUTI_LANES] = {FACES_NONE, FACES_NONE, FACES_NONE, FACES_NONE,
                                          FACES_NONE, FACES_NONE, FACES_NONE, FACES_NONE};
    for (int i = 0; i < count; i += ABUTI_LANES) memcpy(out + i, none, sizeof none);
}

/* Frees all slots of the last basis, with what of them lies in B and x. */
static void clear_slots(faces *f)
{
    int used = f->tableau.length ? f->tableau.length : round_up8(f->slots.top);
    size_t rows = (size_t)f->slots.top, ld = (size_t)f->inverse.ld;
    double *B = f->inverse.B, *BT = f->inverse.BT;
    for (size_t t = 0; t < rows; ++t) {
        f->slots.contact[t] = FACES_NONE;
        if (f->factored) continue; /* B has stayed empty */
        for (int c = 0; c < used; c += 8) {
            lanes_store(B + t * ld + c, lanes_all(0.0));
            lanes_store(BT + t * ld + c, lanes_all(0.0));
        }
    }
    for (int part = 0; part < 2; ++part) fill(f->x[part], 0.0, used);
    f->slots.used = f->slots.top = 0;
}

/* Nobody is seated; slacks of seats weigh nothing. */
HOT void clear_seats(faces *f, int seats)
{
    for (int kind = 0; kind < FACES_KINDS; ++kind) {
        fill_none(f->seats.slot[kind], seats);
        fill(f->value[0][kind], 0.0, seats);
        fill(f->value[1][kind], 0.0, seats);
        for (int w = 0; w < 4; ++w) fill(f->slack.weight[kind][w], 0.0, seats);
    }
}

/* All contacts open, no slots, for factors or for an inverse. */
static void clear(faces *f, bool factored)
{
    const abuti_system *s = f->system;
    clear_slots(f);
    f->factored = factored;
    f->tableau.length = 0;
    f->slack.urgency = 1.0;
    f->band.laid_out = false;
    f->single = !f->local && s->bodies == 1 && s->sides == 1 && s->stride == ABUTI_LANES;
    f->inverse.ld = f->single ? ABUTI_LANES : row_length(f);
    f->seats.count = f->single ? ABUTI_LANES : f->lanes;
    f->seats.active_count = 0;
    f->eight.free_seats = f->eight.free_slots = (1u << ABUTI_LANES) - 1u;
    for (int c = 0; f->single && c < ABUTI_LANES; ++c) {
        f->eight.component_at[c] = c < s->dim ? c * f->lanes : 0;
        f->eight.component_used[c] = c < s->dim ? 1.0 : 0.0;
    }
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
    if (f->single) {
        clear_seats(f, ABUTI_LANES);
        fill_none(f->seats.contact, ABUTI_LANES);
    } else {
        clear_seats(f, f->seats.count);
        for (int l = 0; l < f->seats.count; ++l) f->seats.contact[l] = l;
    }
    if (f->local) {
        fill(f->v[0], 0.0, f->space);
    } else {
        for (int c = 0; c < f->space; c += 8) lanes_store(f->v[0] + c, lanes_load(s->k + c));
    }
    fill(f->v[1], 0.0, f->space);
    set_shift(f, s->offset, f->path.cover);
}

/* f->work.row and f->work.column of a joint. */
static void joint_terms(faces *f, int j)
{
    const abuti_system *s = f->system;
    if (f->local) {
        int place = 3 * s->n + j, numbers = 3 * s->n + s->joints;
        fill(f->work.row, 0.0, f->width);
        fill(f->work.column, 0.0, f->width);
        f->work.row[0] = 1.0;
        for (int c = 0; c < numbers; ++c)
            f->work.column[c] = s->W[(size_t)c * (size_t)s->W_ld + (size_t)place];
        return;
    }
    const double *row = s->joint_rows + (size_t)j * (size_t)f->width;
    for (int c = 0; c < f->width; c += 8) {
        lanes_store(f->work.row + c, lanes_load(row + c));
        lanes_store(f->work.column + c, lanes_load(row + c));
    }
}

/* Permanent slots. Dependent rows get none, but must hold all the same: false if they contradict the others.
 */
static bool add_joints(faces *f)
{
    const abuti_system *s = f->system;
    for (int j = 0; j < s->joints; ++j) {
        int code = -2 - j;
        joint_terms(f, j);
        if (basis_add(f, code, 0, s->joint_offset[j], 0.0, 1.0) != FACES_NONE) continue;
        double error = row_dot(f, f->work.row, place_of(f, code), f->v[0]) + s->joint_offset[j];
        if (!(fabs(error) <= FACES_DRIFT * f->size)) return false;
    }
    return true;
}

/* The polygons that this system's contacts use; each is made once for a workspace. */
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
        p->padded = round_up8(d);
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
