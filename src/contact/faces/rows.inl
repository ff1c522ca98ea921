/* Included by faces/core.inl.
 *
 * Rows and columns in the space of v, through either door.
 *
 *               of bodies (or trees)                        at the W + q door
 *     v         velocities, mass-scaled                     W p: for each contact three numbers, for each
 *                                                           joint one
 *     k         the velocity without impulses               0: all of q is in the offsets
 *     row       numbers on one or two bodies                three numbers, at the contact's place in v
 *     column    the same                                    a sum of columns of W, as long as v
 *
 * A row or column belongs to a contact (its lane is the code) or to a joint (the code is -2 - joint). */

static inline slot_place slot_at(const faces *f, int slot)
{
    return (slot_place){{f->slots.body[0][slot], f->slots.body[1][slot]}};
}

static inline double *slot_row(const faces *f, int slot)
{
    return f->slots.R + (size_t)slot * (size_t)f->width;
}

static inline double *slot_column(const faces *f, int slot)
{
    return f->slots.C + (size_t)slot * (size_t)f->width;
}

HOT double *seat_row(const faces *f, int seat, int axis)
{
    return f->seats.rows + (size_t)(3 * seat + axis) * (size_t)f->width;
}

/* out = n cn + t_x cx + t_y cy of a seated contact */
HOT void weigh_axes(const faces *f, int seat, const double c[3], double *out)
{
    const double *n = seat_row(f, seat, 0), *tx = seat_row(f, seat, 1), *ty = seat_row(f, seat, 2);
    for (int i = 0; i < f->width; i += 8) {
        lanes sum = lanes_mul(lanes_load(n + i), lanes_all(c[0]));
        sum = lanes_madd(lanes_load(tx + i), lanes_all(c[1]), sum);
        lanes_store(out + i, lanes_madd(lanes_load(ty + i), lanes_all(c[2]), sum));
    }
}

/* Whether a lane is a bounded row, whose theta is given. */
HOT bool is_given(const faces *f, int lane)
{
    return f->system->given && f->system->given[lane] > 0.0;
}

/* Steps that a function can be given: see faces_door in basis.h. */
typedef double velocity_function(const faces *f, int contact, int axis, int part);
typedef void row_function(const faces *f, int seat, const double c[3], double *out);
typedef double dot_function(const faces *f, const double *row, slot_place at, const double *v);
typedef double product_function(const faces *f, const double *row, slot_place at, const double *column,
                                slot_place other);

/* work.b and work.g: the slots' rows times work.column, and work.row times the slots' columns, for slots that
 * share a body with `at`; work.list names those. Returns their number. */
HOT int meet(faces *f, slot_place at, product_function *product)
{
    int count = 0;
    for (int s = 0; s < f->slots.top; ++s) {
        if (f->slots.contact[s] == FACES_NONE) continue;
        slot_place other = slot_at(f, s);
        if (at.body[0] != other.body[0] && at.body[0] != other.body[1] && at.body[1] != other.body[0] &&
            at.body[1] != other.body[1])
            continue;
        f->work.b[s] = product(f, slot_row(f, s), other, f->work.column, at);
        f->work.g[s] = product(f, f->work.row, at, slot_column(f, s), other);
        f->work.list[count++] = s;
    }
    return count;
}

/* u_t of a contact at t. */
HOT void slip_at(const faces *f, int contact, double t, velocity_function *velocity, double u[2])
{
    for (int axis = 0; axis < 2; ++axis) u[axis] = velocity(f, contact, axis + 1, 0);
    for (int axis = 0; f->parts == 2 && axis < 2; ++axis)
        u[axis] = abuti_madd(t, velocity(f, contact, axis + 1, 1), u[axis]);
}

/* ---- bodies ---- */

static slot_place bodies_place(const faces *f, int code)
{
    const abuti_system *s = f->system;
    const int *const *body = code >= 0 ? s->body : s->joint_body;
    int at = code >= 0 ? code : -2 - code;
    return (slot_place){{body[0][at], s->sides == 2 ? body[1][at] : s->bodies}};
}

/* The contact's row on an axis, from the system's lanes. */
static void bodies_gather(const faces *f, int contact, int axis, double *out)
{
    const abuti_system *s = f->system;
    for (int side = 0; side < s->sides; ++side)
        abuti_row_gather(s, contact, axis, side, out + side * s->stride);
}

static void bodies_joint(const faces *f, int joint, double *row, double *column)
{
    const double *from = f->system->joint_rows + (size_t)joint * (size_t)f->width;
    copy(from, row, f->width);
    copy(from, column, f->width);
}

HOT double bodies_dot(const faces *f, const double *row, slot_place at, const double *v)
{
    int stride = f->system->stride;
    double sum = dot(row, v + (size_t)at.body[0] * (size_t)stride, stride);
    if (f->width > stride) sum += dot(row + stride, v + (size_t)at.body[1] * (size_t)stride, stride);
    return sum;
}

HOT void bodies_add(const faces *f, double factor, const double *column, slot_place at, double *v)
{
    int stride = f->system->stride;
    axpy(factor, column, v + (size_t)at.body[0] * (size_t)stride, stride);
    if (f->width > stride) axpy(factor, column + stride, v + (size_t)at.body[1] * (size_t)stride, stride);
}

/* Only bodies that both touch count. */
static double bodies_product(const faces *f, const double *row, slot_place at, const double *column,
                             slot_place other)
{
    const abuti_system *s = f->system;
    double sum = 0.0;
    for (int i = 0; i < s->sides; ++i) {
        for (int j = 0; j < s->sides; ++j) {
            if (at.body[i] == other.body[j] && at.body[i] < s->bodies)
                sum += dot(row + i * s->stride, column + j * s->stride, s->stride);
        }
    }
    return sum;
}

static int bodies_meet(faces *f, slot_place at)
{
    return meet(f, at, bodies_product);
}

static void bodies_dots(const faces *f, const double *v, double *out)
{
    for (int s = 0; s < f->slots.top; ++s)
        out[s] = f->slots.contact[s] == FACES_NONE ? 0.0 : bodies_dot(f, slot_row(f, s), slot_at(f, s), v);
}

static void bodies_push(const faces *f, double sign, const double *by, double *v)
{
    for (int s = 0; s < f->slots.top; ++s) {
        if (by[s] != 0.0) bodies_add(f, sign * by[s], slot_column(f, s), slot_at(f, s), v);
    }
}

static void bodies_velocities(faces *f, int part)
{
    const abuti_system *s = f->system;
    const double *v = f->v[part];
    const double *const *shift = f->path.shift[part];
    size_t axis_rows = (size_t)(s->sides * s->dim) * (size_t)f->lanes;
    for (int g = 0; g < f->lanes; g += 8) {
        lanes un = lanes_load(shift[0] + g), ux = lanes_load(shift[1] + g), uy = lanes_load(shift[2] + g);
        for (int side = 0; side < s->sides; ++side) {
            _Alignas(64) int at[8];
            for (int l = 0; l < 8; ++l) at[l] = s->body[side][g + l] * s->stride;
            const double *row = s->rows + (size_t)(side * s->dim) * (size_t)f->lanes + g;
            for (int c = 0; c < s->dim; ++c, row += f->lanes) {
                lanes vc = lanes_gather(v + c, at);
                un = lanes_madd(lanes_load(row), vc, un);
                ux = lanes_madd(lanes_load(row + axis_rows), vc, ux);
                uy = lanes_madd(lanes_load(row + 2 * axis_rows), vc, uy);
            }
        }
        lanes_store(f->un[part] + g, un);
        lanes_store(f->ut[part][0] + g, ux);
        lanes_store(f->ut[part][1] + g, uy);
    }
}

static double bodies_velocity(const faces *f, int contact, int axis, int part)
{
    const abuti_system *s = f->system;
    double sum = f->path.shift[part][axis][contact];
    for (int side = 0; side < s->sides; ++side) {
        const double *v = f->v[part] + (size_t)s->body[side][contact] * (size_t)s->stride;
        const double *row = abuti_row(s, axis, side, 0) + contact;
        for (int c = 0; c < s->dim; ++c) sum = abuti_madd(row[(size_t)c * (size_t)s->lanes], v[c], sum);
    }
    return sum;
}

static double bodies_seated_velocity(const faces *f, int contact, int axis, int part)
{
    const double *row = seat_row(f, f->seats.of[contact], axis);
    return bodies_dot(f, row, bodies_place(f, contact), f->v[part]) + f->path.shift[part][axis][contact];
}

static const faces_door door_of_bodies = {
    .place = bodies_place,
    .gather = bodies_gather,
    .row = weigh_axes,
    .joint = bodies_joint,
    .dot = bodies_dot,
    .add = bodies_add,
    .product = bodies_product,
    .meet = bodies_meet,
    .dots = bodies_dots,
    .push = bodies_push,
    .velocities = bodies_velocities,
    .velocity = bodies_velocity,
    .seated_velocity = bodies_seated_velocity,
};

/* ---- W + q ---- */

/* body[0] is the same for all, so that all slots meet; body[1] is the first number in v. */
static slot_place local_place(const faces *f, int code)
{
    return (slot_place){{0, code >= 0 ? 3 * code : 3 * f->system->n - 2 - code}};
}

/* Column `number` of W, padded with zeros. */
static void local_column(const faces *f, int number, double *out)
{
    const abuti_system *s = f->system;
    int numbers = 3 * s->n + s->joints;
    for (int c = 0; c < numbers; ++c) out[c] = s->W[(size_t)c * (size_t)s->W_ld + (size_t)number];
    for (int c = numbers; c < f->width; ++c) out[c] = 0.0;
}

static void local_gather(const faces *f, int contact, int axis, double *out)
{
    local_column(f, 3 * contact + axis, out);
}

static void local_row(const faces *f, int seat, const double c[3], double *out)
{
    (void)seat;
    for (int i = 0; i < f->width; ++i) out[i] = i < 3 ? c[i] : 0.0;
}

static void local_joint(const faces *f, int joint, double *row, double *column)
{
    fill(row, 0.0, f->width);
    row[0] = 1.0;
    local_column(f, 3 * f->system->n + joint, column);
}

static double local_dot(const faces *f, const double *row, slot_place at, const double *v)
{
    (void)f;
    const double *u = v + at.body[1];
    return abuti_madd(row[0], u[0], abuti_madd(row[1], u[1], row[2] * u[2]));
}

static void local_add(const faces *f, double factor, const double *column, slot_place at, double *v)
{
    (void)at;
    axpy(factor, column, v, f->width);
}

static double local_product(const faces *f, const double *row, slot_place at, const double *column,
                            slot_place other)
{
    (void)other;
    return local_dot(f, row, at, column);
}

static int local_meet(faces *f, slot_place at)
{
    return meet(f, at, local_product);
}

static void local_dots(const faces *f, const double *v, double *out)
{
    for (int s = 0; s < f->slots.top; ++s)
        out[s] = f->slots.contact[s] == FACES_NONE ? 0.0 : local_dot(f, slot_row(f, s), slot_at(f, s), v);
}

static void local_push(const faces *f, double sign, const double *by, double *v)
{
    for (int s = 0; s < f->slots.top; ++s) {
        if (by[s] != 0.0) axpy(sign * by[s], slot_column(f, s), v, f->width);
    }
}

static double local_velocity(const faces *f, int contact, int axis, int part)
{
    return f->v[part][3 * contact + axis] + f->path.shift[part][axis][contact];
}

static void local_velocities(faces *f, int part)
{
    for (int i = 0; i < f->system->n; ++i) {
        f->un[part][i] = local_velocity(f, i, 0, part);
        f->ut[part][0][i] = local_velocity(f, i, 1, part);
        f->ut[part][1][i] = local_velocity(f, i, 2, part);
    }
}

static const faces_door door_of_W = {
    .place = local_place,
    .gather = local_gather,
    .row = local_row,
    .joint = local_joint,
    .dot = local_dot,
    .add = local_add,
    .product = local_product,
    .meet = local_meet,
    .dots = local_dots,
    .push = local_push,
    .velocities = local_velocities,
    .velocity = local_velocity,
    .seated_velocity = local_velocity,
};
