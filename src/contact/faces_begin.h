/* The first steps of a stage: a system comes in, everything is open, joint rows take their slots. */

/* Borrows a system and finds its sizes. False: it does not fit the workspace. */
static bool begin(faces *f, const abuti_system *s)
{
    f->stood = f->standing;
    f->standing = false;
    f->system = s;
    f->local = s->W != NULL;
    f->lanes = s->lanes;
    f->width = f->local ? round_up8(3 * s->n + s->joints + 2) : s->sides * s->stride;
    f->space = f->local ? f->width : (s->bodies + 1) * s->stride;
    if (s->lanes > f->lane_capacity || f->width > f->width_capacity || f->space > f->space_capacity)
        return false;
    f->mu = s->model == ABUT_FRICTIONLESS ? f->still : s->mu;
    f->size = f->local ? 0.0 : largest_of(s->k, f->space);
    for (int axis = 0; axis < 3; ++axis) f->size = fmax(f->size, largest_of(s->offset[axis], s->lanes));
    for (int j = 0; j < s->joints; ++j) f->size = fmax(f->size, fabs(s->joint_offset[j]));
    f->zero = FACES_ZERO * f->size * fmax(1.0, 0.2 * s->bodies);
    for (int axis = 0; axis < 3; ++axis) f->cover[axis] = f->still;
    return true;
}

/* Rows of B are no longer than they must be: an inverse has at most as many slots as there are freedoms. */
static int row_length(const faces *f)
{
    const abuti_system *s = f->system;
    int most = f->local ? 3 * s->n + s->joints : s->bodies * s->dim;
    int length = round_up8(most + 2);
    return length < f->slot_capacity ? length : f->slot_capacity;
}

/* All contacts open, no slots, for factors or for an inverse. */
static void clear(faces *f, bool factored)
{
    const abuti_system *s = f->system;
    for (int t = 0; t < f->top; ++t) {
        f->slot_contact[t] = FACES_NONE;
        if (f->factored) continue; /* B has stayed empty */
        fill(f->B + (size_t)t * (size_t)f->ld, 0.0, round_up8(f->top));
        fill(f->BT + (size_t)t * (size_t)f->ld, 0.0, round_up8(f->top));
    }
    for (int part = 0; part < 2; ++part) fill(f->x[part], 0.0, round_up8(f->top));
    f->slots = f->top = f->joint_slots = 0;
    f->factored = factored;
    f->laid_out = false;
    f->single = !f->local && s->bodies == 1 && s->sides == 1 && s->stride == ABUTI_LANES;
    f->ld = f->single ? ABUTI_LANES : row_length(f);
    f->seats = f->single ? ABUTI_LANES : f->lanes;
    f->active_count = 0;
    for (int c = 0; f->single && c < ABUTI_LANES; ++c) {
        f->component_at[c] = c < s->dim ? c * f->lanes : 0;
        f->component_used[c] = c < s->dim ? 1.0 : 0.0;
    }
    f->regular = true;
    f->rests = false;
    f->shaky = f->delicate = false;
    f->since_refresh = 0;
    for (int i = 0; i < f->lanes; ++i) {
        f->state[i] = ABUT_OPEN;
        f->face[i] = 0;
        f->open[i] = i < s->n ? 1.0 : 0.0;
        f->seat[i] = FACES_NONE;
    }
    for (int seat = 0; seat < f->seats; seat += 8) {
        for (int l = seat; l < seat + 8; ++l) {
            f->seat_contact[l] = f->single ? FACES_NONE : l;
            for (int kind = 0; kind < FACES_KINDS; ++kind) f->slot[kind][l] = FACES_NONE;
        }
        for (int kind = 0; kind < FACES_KINDS; ++kind) {
            lanes_store(f->value[0][kind] + seat, lanes_all(0.0));
            lanes_store(f->value[1][kind] + seat, lanes_all(0.0));
            for (int w = 0; w < 4; ++w) lanes_store(f->weight[kind][w] + seat, lanes_all(0.0));
        }
    }
    if (f->local) {
        fill(f->v[0], 0.0, f->space);
    } else {
        for (int c = 0; c < f->space; c += 8) lanes_store(f->v[0] + c, lanes_load(s->k + c));
    }
    fill(f->v[1], 0.0, f->space);
    set_shift(f, s->offset, f->cover);
}

/* f->row and f->column of a joint. */
static void joint_terms(faces *f, int j)
{
    const abuti_system *s = f->system;
    if (f->local) {
        int place = 3 * s->n + j, numbers = 3 * s->n + s->joints;
        fill(f->row, 0.0, f->width);
        fill(f->column, 0.0, f->width);
        f->row[0] = 1.0;
        for (int c = 0; c < numbers; ++c) f->column[c] = s->W[(size_t)c * (size_t)s->W_ld + (size_t)place];
        return;
    }
    const double *row = s->joint_rows + (size_t)j * (size_t)f->width;
    for (int c = 0; c < f->width; c += 8) {
        lanes_store(f->row + c, lanes_load(row + c));
        lanes_store(f->column + c, lanes_load(row + c));
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
        if (basis_add(f, code, 0, s->joint_offset[j], 0.0, 1.0) != FACES_NONE) {
            f->joint_slots++;
            continue;
        }
        double error = row_dot(f, f->row, place_of(f, code), f->v[0]) + s->joint_offset[j];
        if (!(fabs(error) <= FACES_DRIFT * f->size)) return false;
    }
    return true;
}

/* The polygons that this system's contacts use; each is made once for a workspace. */
static void make_polygons(faces *f)
{
    const abuti_system *s = f->system;
    for (int i = 0; i < s->n; ++i) {
        int d = s->directions[i];
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
