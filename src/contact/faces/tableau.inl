/* Included by faces/core.inl.
 *
 * Few bodies and few contacts: all of u = q + W f at once, as a tableau.
 *
 *     y = x + T z,    all z = 0
 *
 * Each contact has three places, for its rows n, e and a. The directions (e, a) are its frame: any frame at
 * first, that of an edge when the contact has come to one.
 *
 *     place     z               y
 *     free      an impulse      a velocity
 *     held      a velocity      an impulse
 *
 * ADD and DEL exchange z and y at one place. Only the columns of held places are kept. That of a free place
 * is made when it is needed: its column of W, less what the held places answer to it. So an event costs one
 * or two passes over as many columns as an inverse has rows, and nothing has to be computed around it, since
 * all velocities stand in y. With five bodies an event takes half the time that it takes on an inverse.
 *
 * Friction leans with the normal impulse: f = theta (1, lean) + what stands at e and a. OPEN -> SLIDE makes a
 * column that leans. COL changes the lean of a place that is held, which is a sum of rows.
 *
 * Rounding grows with every exchange, so the end is refined: the velocities are computed from the impulses
 * through the rows of the system, and their error at held places goes back through T. */

/* A vector's value for each body, component by component. The world is one of the sixteen bodies. */
typedef struct body_table {
    _Alignas(64) double at[ABUTI_LANES][FACES_TABLE];
} body_table;

static bool tableau_serves(const abuti_system *s)
{
    return !s->W && s->sides == 2 && s->stride == ABUTI_LANES && s->joints == 0 && s->bodies < FACES_TABLE &&
           s->n <= FACES_TABLEAU;
}

HOT int place_in(const faces *f, int contact, int axis)
{
    return axis * f->lanes + contact;
}

HOT double *tableau_column(const faces *f, int place)
{
    return f->tableau.columns + (size_t)place * (size_t)f->tableau.length;
}

/* ---- velocities ---- */

/* The three rows of eight contacts times a table, both with `dim` numbers for each body. */
HOT void rows_times_dim(const faces *f, int g, const body_table *table, int dim, lanes sum[3])
{
    const abuti_system *s = f->system;
    size_t axis_rows = (size_t)(2 * dim) * (size_t)f->lanes;
    for (int side = 0; side < 2; ++side) {
        const double *row = s->rows + (size_t)(side * dim) * (size_t)f->lanes + g;
        for (int c = 0; c < dim; ++c, row += f->lanes) {
            lanes v = lanes_pick16(table->at[c], s->body[side] + g);
            sum[0] = lanes_madd(lanes_load(row), v, sum[0]);
            sum[1] = lanes_madd(lanes_load(row + axis_rows), v, sum[1]);
            sum[2] = lanes_madd(lanes_load(row + 2 * axis_rows), v, sum[2]);
        }
    }
}

HOT void rows_times(const faces *f, int g, const body_table *table, lanes sum[3])
{
    if (f->system->dim == 6) {
        rows_times_dim(f, g, table, 6, sum);
    } else {
        rows_times_dim(f, g, table, f->system->dim, sum);
    }
}

/* From (n, t_x, t_y) to (n, e, a) for eight contacts. */
HOT void into_frames(const faces *f, int g, lanes u[3])
{
    lanes ax = lanes_load(f->tableau.frame[0] + g), ay = lanes_load(f->tableau.frame[1] + g), x = u[1],
          y = u[2];
    u[1] = lanes_msub(ay, x, lanes_mul(ax, y));
    u[2] = lanes_madd(ax, x, lanes_mul(ay, y));
}

/* un and ut of all contacts from v. */
static void tableau_velocities(faces *f)
{
    const abuti_system *s = f->system;
    _Alignas(64) int at[FACES_TABLE];
    for (int b = 0; b < FACES_TABLE; ++b) at[b] = (b < s->bodies ? b : s->bodies) * s->stride;
    body_table v;
    for (int c = 0; c < s->dim; ++c) {
        for (int h = 0; h < FACES_TABLE; h += 8) lanes_store(v.at[c] + h, lanes_gather(f->v[0] + c, at + h));
    }
    for (int g = 0; g < f->lanes; g += 8) {
        lanes u[3] = {lanes_load(s->offset[0] + g), lanes_load(s->offset[1] + g),
                      lanes_load(s->offset[2] + g)};
        rows_times(f, g, &v, u);
        lanes_store(f->un[0] + g, u[0]);
        lanes_store(f->ut[0][0] + g, u[1]);
        lanes_store(f->ut[0][1] + g, u[2]);
    }
}

/* Which groups of eight contacts touch each body. */
static void find_touching(faces *f)
{
    const abuti_system *s = f->system;
    for (int b = 0; b <= s->bodies; ++b) f->tableau.touching[b] = 0;
    for (int side = 0; side < 2; ++side) {
        for (int i = 0; i < s->n; ++i) f->tableau.touching[s->body[side][i]] |= 1u << i / 8;
    }
    f->tableau.touching[s->bodies] = 0;
}

/* All open: y = u. */
static void tableau_open(faces *f)
{
    f->tableau.length = 3 * f->lanes;
    f->slack.urgency = FACES_URGENCY;
    seats_in_lanes(f);
    find_touching(f);
    tableau_velocities(f);
    for (int g = 0; g < f->lanes; g += 8) {
        lanes_store(f->x[0] + g, lanes_load(f->un[0] + g));
        lanes_store(f->x[0] + f->lanes + g, lanes_load(f->ut[0][1] + g));
        lanes_store(f->x[0] + 2 * f->lanes + g, lanes_load(f->ut[0][0] + g));
        lanes_store(f->tableau.frame[0] + g, lanes_all(1.0));
        lanes_store(f->tableau.frame[1] + g, lanes_all(0.0));
        for (int axis = 0; axis < 3; ++axis) {
            lanes_store(f->tableau.held[axis] + g, lanes_all(0.0));
            if (axis > 0) lanes_store(f->tableau.lean[axis - 1] + g, lanes_all(0.0));
        }
    }
}

/* ---- what the slacks look at ---- */

/* un, ut and value from y. */
static void tableau_spread(faces *f, int parts)
{
    (void)parts;
    for (int g = 0; g < f->lanes; g += 8) {
        lanes value[3], u[3];
        for (int axis = 0; axis < 3; ++axis) {
            lanes y = lanes_load(f->x[0] + axis * f->lanes + g);
            value[axis] = lanes_mul(y, lanes_load(f->tableau.held[axis] + g));
            u[axis] = lanes_sub(y, value[axis]);
            lanes_store(f->value[0][axis] + g, value[axis]);
        }
        lanes ax = lanes_load(f->tableau.frame[0] + g), ay = lanes_load(f->tableau.frame[1] + g);
        lanes_store(f->un[0] + g, u[0]);
        lanes_store(f->ut[0][0] + g, lanes_msub(ay, u[1], lanes_mul(ax, u[2])));
        lanes_store(f->ut[0][1] + g, lanes_madd(ax, u[1], lanes_mul(ay, u[2])));
    }
}

/* ---- exchanges ---- */

/* w -= by * line, three vectors of it */
HOT void take_line(lanes w[3], const double *line, double by)
{
    for (int i = 0; i < 3; ++i) w[i] = lanes_msub(lanes_all(by), lanes_load(line + 8 * i), w[i]);
}

/* w -= the sum of q at held places times their columns. Odd and even columns are summed apart, so that no sum
 * waits long for the last. */
static void take_lines(faces *f)
{
    const double *q = f->work.b;
    for (int c = 0; c < f->tableau.length; c += 24) {
        double *w = f->work.beta + c;
        lanes none = lanes_all(0.0), odd[3] = {none, none, none};
        lanes even[3] = {lanes_load(w), lanes_load(w + 8), lanes_load(w + 16)};
        int k = 0;
        for (; k + 1 < f->slots.used; k += 2) {
            take_line(even, tableau_column(f, f->tableau.places[k]) + c, q[f->tableau.places[k]]);
            take_line(odd, tableau_column(f, f->tableau.places[k + 1]) + c, q[f->tableau.places[k + 1]]);
        }
        if (k < f->slots.used)
            take_line(even, tableau_column(f, f->tableau.places[k]) + c, q[f->tableau.places[k]]);
        for (int i = 0; i < 3; ++i) lanes_store(w + 8 * i, lanes_add(even[i], odd[i]));
    }
}

/* Subtracts from each column w times (its entry at `place`) / (w's entry there). The entry becomes minus that
 * quotient. The length is a constant where this is inlined. */
HOT void move_lines(faces *f, int place, double inverse, int length)
{
    const double *w = f->work.beta;
    lanes by[3 * FACES_TABLEAU / ABUTI_LANES];
    for (int c = 0; c < length; c += 8) by[c / 8] = lanes_load(w + c);
    for (int k = 0; k < f->slots.used; ++k) {
        double *line = f->tableau.columns + (size_t)f->tableau.places[k] * (size_t)length,
               entry = -line[place] * inverse;
        lanes factor = lanes_all(entry);
        for (int c = 0; c < length; c += 8)
            lanes_store(line + c, lanes_madd(factor, by[c / 8], lanes_load(line + c)));
        line[place] = entry;
    }
}

/* w = the column of T that belongs to an impulse of a contact: its own column of W, and what the held places
 * make of it. */
static void make_column(faces *f, int contact, const double impulse[3])
{
    const abuti_system *s = f->system;
    body_table table;
    double *w = f->work.beta, *q = f->work.b;
    for (int c = 0; c < s->dim; ++c) {
        lanes half[2] = {lanes_all(0.0), lanes_all(0.0)};
        for (int side = 0; side < 2; ++side) {
            int body = s->body[side][contact];
            if (body == s->bodies) continue;
            double sum = impulse[0] * abuti_row(s, 0, side, c)[contact];
            for (int axis = 1; axis < 3; ++axis)
                sum = abuti_madd(impulse[axis], abuti_row(s, axis, side, c)[contact], sum);
            half[body / 8] = lanes_with(half[body / 8], body % 8, sum);
        }
        for (int h = 0; h < 2; ++h) lanes_store(table.at[c] + 8 * h, half[h]);
    }
    unsigned met = f->tableau.touching[s->body[0][contact]] | f->tableau.touching[s->body[1][contact]];
    for (int g = 0; g < f->lanes; g += 8) {
        lanes u[3] = {lanes_all(0.0), lanes_all(0.0), lanes_all(0.0)};
        if (met >> g / 8 & 1) {
            rows_times(f, g, &table, u);
            into_frames(f, g, u);
        }
        for (int axis = 0; axis < 3; ++axis) {
            int at = axis * f->lanes + g;
            lanes_store(q + at, u[axis]);
            lanes_store(w + at, lanes_msub(lanes_load(f->tableau.held[axis] + g), u[axis], u[axis]));
        }
    }
    take_lines(f);
}

/* Exchanges z and y at one place, whose column is w; the other columns that are kept follow. Returns
 * 1 / w there. */
static double exchange(faces *f, int place)
{
    int length = f->tableau.length;
    double *w = f->work.beta, *x = f->x[0], inverse = 1.0 / w[place], now = -x[place] * inverse;
    lanes step = lanes_all(now);
    for (int c = 0; c < length; c += 8)
        lanes_store(x + c, lanes_madd(step, lanes_load(w + c), lanes_load(x + c)));
    x[place] = now;
    switch (f->lanes) {
    case 8: move_lines(f, place, inverse, 24); break;
    case 16: move_lines(f, place, inverse, 48); break;
    case 24: move_lines(f, place, inverse, 72); break;
    case 32: move_lines(f, place, inverse, 96); break;
    case 40: move_lines(f, place, inverse, 120); break;
    case 48: move_lines(f, place, inverse, 144); break;
    default: move_lines(f, place, inverse, f->tableau.length); break;
    }
    return inverse;
}

/* The rows at two places become (cosine e - sine a, sine e + cosine a), and so do the columns, if kept. */
static void tableau_rotate(faces *f, int e, int a, double cosine, double sine)
{
    int contact = e - f->lanes;
    if (f->tableau.held[1][contact] != 0.0)
        rotate_rows(cosine, sine, tableau_column(f, e), tableau_column(f, a), f->tableau.length);
    for (int k = 0; k < f->slots.used; ++k) {
        double *line = tableau_column(f, f->tableau.places[k]);
        rotate_pair(cosine, sine, line + e, line + a);
    }
    rotate_pair(cosine, sine, f->x[0] + e, f->x[0] + a);
    rotate_pair(cosine, sine, f->tableau.lean[0] + contact, f->tableau.lean[1] + contact);
    double ax = f->tableau.frame[0][contact], ay = f->tableau.frame[1][contact];
    f->tableau.frame[0][contact] = abuti_madd(cosine, ax, -sine * ay);
    f->tableau.frame[1][contact] = abuti_madd(cosine, ay, sine * ax);
}

/* Turns the frame of a contact whose tangential places are free. Its outward direction becomes (x, y). */
static void tableau_turn(faces *f, int contact, double x, double y)
{
    double ax = f->tableau.frame[0][contact], ay = f->tableau.frame[1][contact];
    if (ax == x && ay == y) return;
    double cosine = abuti_madd(ax, x, ay * y), sine = abuti_madd(ax, y, -ay * x);
    tableau_rotate(f, place_in(f, contact, 1), place_in(f, contact, 2), cosine, sine);
    f->tableau.frame[0][contact] = x;
    f->tableau.frame[1][contact] = y;
}

/* COL: the held place b loses tau times theta, and the friction leans by so much more. */
static void tableau_shear(faces *f, int theta, int b, double tau)
{
    for (int k = 0; k < f->slots.used; ++k) {
        double *line = tableau_column(f, f->tableau.places[k]);
        line[b] = abuti_madd(-tau, line[theta], line[b]);
    }
    f->x[0][b] = abuti_madd(-tau, f->x[0][theta], f->x[0][b]);
    f->tableau.lean[b / f->lanes - 1][theta] += tau;
}

/* ADD. False when the row depends on those held. */
static bool tableau_add(faces *f, int contact, int kind, const double row[3], const double column[3])
{
    const abuti_system *s = f->system;
    int place = place_in(f, contact, kind);
    double size = s->size[kind > 0][contact], scale = size * size, *w = f->work.beta;
    if (kind == 0) {
        double ax = f->tableau.frame[0][contact], ay = f->tableau.frame[1][contact];
        scale = size * (size + f->mu[contact] * s->size[1][contact]);
        f->tableau.lean[0][contact] = abuti_madd(ax, column[2], -ay * column[1]);
        f->tableau.lean[1][contact] = abuti_madd(ax, column[1], ay * column[2]);
    } else if (f->tableau.held[3 - kind][contact] == 0.0) {
        tableau_turn(f, contact, kind == 1 ? row[2] : row[1], kind == 1 ? -row[1] : row[2]);
    }
    make_column(f, contact, column);
    if (!(fabs(w[place]) > FACES_SHAKY * scale)) return false;
    double *line = tableau_column(f, place), inverse = exchange(f, place);
    for (int c = 0; c < f->tableau.length; c += 8)
        lanes_store(line + c, lanes_mul(lanes_all(inverse), lanes_load(w + c)));
    line[place] = inverse;
    f->tableau.places[f->slots.used++] = place;
    f->tableau.held[kind][contact] = 1.0;
    f->seats.slot[kind][contact] = place;
    return true;
}

static void tableau_drop(faces *f, int place)
{
    int axis = place / f->lanes, contact = place % f->lanes, at = 0;
    const double *line = tableau_column(f, place);
    if (!(fabs(line[place]) > FACES_SHAKY * largest_of(line, f->tableau.length))) {
        f->regular = false;
        return;
    }
    while (f->tableau.places[at] != place) ++at;
    f->tableau.places[at] = f->tableau.places[--f->slots.used];
    for (int c = 0; c < f->tableau.length; c += 8) lanes_store(f->work.beta + c, lanes_load(line + c));
    (void)exchange(f, place);
    f->tableau.held[axis][contact] = 0.0;
    f->seats.slot[axis][contact] = FACES_NONE;
}

/* ---- accuracy ---- */

/* The impulses of eight contacts, (n, t_x, t_y), from y. */
HOT void impulses_of(const faces *f, int g, lanes impulse[3])
{
    lanes ax = lanes_load(f->tableau.frame[0] + g), ay = lanes_load(f->tableau.frame[1] + g), part[3];
    for (int axis = 0; axis < 3; ++axis)
        part[axis] =
            lanes_mul(lanes_load(f->tableau.held[axis] + g), lanes_load(f->x[0] + axis * f->lanes + g));
    lanes along = lanes_madd(part[0], lanes_load(f->tableau.lean[0] + g), part[1]);
    lanes out = lanes_madd(part[0], lanes_load(f->tableau.lean[1] + g), part[2]);
    impulse[0] = part[0];
    impulse[1] = lanes_msub(ay, along, lanes_mul(ax, out));
    impulse[2] = lanes_madd(ax, along, lanes_mul(ay, out));
}

/* v = k + the impulses of y. What each contact gives to its bodies is computed eight contacts at a time, and
 * then summed. */
static void tableau_impulses(faces *f)
{
    const abuti_system *s = f->system;
    double *v = f->v[0];
    _Alignas(64) double given[2 * ABUTI_LANES][ABUTI_LANES];
    for (int c = 0; c < f->space; c += 8) lanes_store(v + c, lanes_load(s->k + c));
    for (int g = 0; g < f->lanes; g += 8) {
        lanes impulse[3];
        impulses_of(f, g, impulse);
        for (int c = 0; c < 2 * s->dim; ++c) {
            const double *row = s->rows + (size_t)c * (size_t)f->lanes + g;
            size_t axis_rows = (size_t)(2 * s->dim) * (size_t)f->lanes;
            lanes sum = lanes_mul(impulse[0], lanes_load(row));
            sum = lanes_madd(impulse[1], lanes_load(row + axis_rows), sum);
            lanes_store(given[c], lanes_madd(impulse[2], lanes_load(row + 2 * axis_rows), sum));
        }
        for (int l = 0; l < 8 && g + l < s->n; ++l) {
            for (int side = 0; side < 2; ++side) {
                double *at = v + (size_t)s->body[side][g + l] * (size_t)s->stride;
                for (int c = 0; c < s->dim; ++c) at[c] += given[side * s->dim + c][l];
            }
        }
    }
    lanes_store(v + (size_t)s->bodies * (size_t)s->stride, lanes_all(0.0)); /* the world stays */
}

/* One refinement of y. Returns the largest error of held places before it. */
static double tableau_refine(faces *f)
{
    double *x = f->x[0], *off = f->work.b, largest = 0.0;
    tableau_impulses(f);
    tableau_velocities(f);
    for (int g = 0; g < f->lanes; g += 8) {
        lanes u[3] = {lanes_load(f->un[0] + g), lanes_load(f->ut[0][0] + g), lanes_load(f->ut[0][1] + g)};
        into_frames(f, g, u);
        for (int axis = 0; axis < 3; ++axis) {
            int at = axis * f->lanes + g;
            lanes held = lanes_load(f->tableau.held[axis] + g), y = lanes_load(x + at);
            lanes_store(off + at, lanes_mul(held, u[axis]));
            lanes_store(x + at, lanes_select(lanes_less(lanes_all(0.0), held), y, u[axis]));
        }
    }
    for (int k = 0; k < f->slots.used; ++k) {
        int place = f->tableau.places[k];
        if (!(fabs(off[place]) <= largest)) largest = fabs(off[place]);
        axpy(-off[place], tableau_column(f, place), x, f->tableau.length);
    }
    return largest;
}

/* Errors shrink to their square, so one refinement is enough unless T has lost half of its digits. */
static bool tableau_refresh(faces *f, int parts)
{
    (void)parts;
    f->since_refresh = 0;
    double allowed = FACES_DRIFT * f->size + FACES_ROUNDING * largest_of(f->x[0], f->tableau.length);
    return tableau_refine(f) <= allowed || tableau_refine(f) <= allowed;
}

/* The last thing that flips do is to refine y. */
static bool tableau_polish(faces *f)
{
    (void)f;
    return true;
}

/* ---- the representation ---- */

static int sit_in_lane(faces *f, int contact)
{
    (void)f;
    return contact;
}

static void tableau_slip(const faces *f, int contact, double t, double u[2])
{
    (void)t;
    for (int axis = 0; axis < 2; ++axis) u[axis] = f->ut[0][axis][contact];
}

static bool tableau_at_rest(const faces *f)
{
    return largest_of(f->x[0] + f->lanes, 2 * f->lanes) <= FACES_FLAT * f->size;
}

static void tableau_clear(faces *f)
{
    fill(f->x[0], 0.0, f->tableau.length);
    f->slots.used = 0;
}

static const faces_basis basis_of_tableau = {
    .open = tableau_open,
    .clear = tableau_clear,
    .sit = sit_in_lane,
    .rise = rise_from_lane,
    .shift = shift_nothing,
    .add = tableau_add,
    .take = tableau_add,
    .drop = tableau_drop,
    .shear = tableau_shear,
    .rotate = tableau_rotate,
    .spread = tableau_spread,
    .slip = tableau_slip,
    .at_rest = tableau_at_rest,
    .holds = always_holds,
    .refresh = tableau_refresh,
    .polish = tableau_polish,
};
