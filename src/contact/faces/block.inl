/* Included by faces/core.inl.
 *
 * The door of systems with bounded rows. They have one block, in which a row has numbers where its trees and bodies
 * stand and zeros elsewhere. A place is the part of the block, in whole eights, that holds all of a row's numbers. Sums
 * go over the part that two rows have in common, and local velocities over the components that some of eight contacts
 * have. */

/* The part of the block where eight numbers in a row are not all zero. */
static slot_place part_of(const double *row, int width)
{
    int low = 0, high = width;
    while (low < high && lanes_most(lanes_abs(lanes_load(row + low))) == 0.0) low += 8;
    while (high > low && lanes_most(lanes_abs(lanes_load(row + high - 8))) == 0.0) high -= 8;
    return (slot_place){{low, high}};
}

/* Finds the components of each eight contacts, and with them the part of the block of each contact. */
static void find_parts(faces *f)
{
    const abuti_system *s = f->system;
    size_t axis = (size_t)s->dim * (size_t)f->lanes;
    for (int g = 0; g < f->lanes; g += 8) {
        int *list = f->block.component + (size_t)(g / 8) * (size_t)s->dim, count = 0;
        for (int l = 0; l < 8; ++l) {
            f->block.low[g + l] = s->stride;
            f->block.high[g + l] = 0;
        }
        const double *at = s->rows + g;
        for (int c = 0; c < s->dim; ++c, at += f->lanes) {
            lanes most = lanes_max(lanes_abs(lanes_load(at)), lanes_abs(lanes_load(at + axis)));
            most = lanes_max(most, lanes_abs(lanes_load(at + 2 * axis)));
            if (lanes_most(most) == 0.0) continue;
            _Alignas(64) double used[8];
            lanes_store(used, most);
            list[count++] = c;
            for (int l = 0; l < 8; ++l) {
                if (used[l] == 0.0) continue;
                if (c < f->block.low[g + l]) f->block.low[g + l] = c / 8 * 8;
                f->block.high[g + l] = c / 8 * 8 + 8;
            }
        }
        f->block.count[g / 8] = count;
    }
}

static slot_place trunk_place(const faces *f, int code)
{
    if (code >= 0) return (slot_place){{f->block.low[code], f->block.high[code]}};
    return part_of(f->system->joint_rows + (size_t)(-2 - code) * (size_t)f->width, f->width);
}

static double trunk_dot(const faces *f, const double *row, slot_place at, const double *v)
{
    (void)f;
    return at.body[0] < at.body[1] ? dot(row + at.body[0], v + at.body[0], at.body[1] - at.body[0]) : 0.0;
}

static void trunk_grow(const faces *f, double factor, const double *column, slot_place at, double *v)
{
    (void)f;
    if (at.body[0] < at.body[1]) axpy(factor, column + at.body[0], v + at.body[0], at.body[1] - at.body[0]);
}

static double trunk_product(const faces *f, const double *row, slot_place at, const double *column,
                            slot_place other)
{
    slot_place both = {{at.body[0] > other.body[0] ? at.body[0] : other.body[0],
                        at.body[1] < other.body[1] ? at.body[1] : other.body[1]}};
    return trunk_dot(f, row, both, column);
}

static int trunk_meet(faces *f, slot_place at)
{
    int count = 0;
    for (int s = 0; s < f->slots.top; ++s) {
        slot_place other = slot_at(f, s);
        if (f->slots.contact[s] == FACES_NONE || at.body[0] >= other.body[1] || other.body[0] >= at.body[1])
            continue;
        f->work.b[s] = trunk_product(f, slot_row(f, s), other, f->work.column, at);
        f->work.g[s] = trunk_product(f, f->work.row, at, slot_column(f, s), other);
        f->work.list[count++] = s;
    }
    return count;
}

static void trunk_dots(const faces *f, const double *v, double *out)
{
    for (int s = 0; s < f->slots.top; ++s)
        out[s] = f->slots.contact[s] == FACES_NONE ? 0.0 : trunk_dot(f, slot_row(f, s), slot_at(f, s), v);
}

static void trunk_push(const faces *f, double sign, const double *by, double *v)
{
    for (int s = 0; s < f->slots.top; ++s) {
        if (by[s] != 0.0) trunk_grow(f, sign * by[s], slot_column(f, s), slot_at(f, s), v);
    }
}

static void trunk_velocities(faces *f, int part)
{
    const abuti_system *s = f->system;
    const double *v = f->v[part];
    const double *const *shift = f->path.shift[part];
    size_t axis = (size_t)s->dim * (size_t)f->lanes;
    for (int g = 0; g < f->lanes; g += 8) {
        const int *list = f->block.component + (size_t)(g / 8) * (size_t)s->dim;
        lanes un = lanes_load(shift[0] + g), ux = lanes_load(shift[1] + g), uy = lanes_load(shift[2] + g);
        for (int k = 0; k < f->block.count[g / 8]; ++k) {
            const double *row = s->rows + (size_t)list[k] * (size_t)f->lanes + g;
            lanes vc = lanes_all(v[list[k]]);
            un = lanes_madd(lanes_load(row), vc, un);
            ux = lanes_madd(lanes_load(row + axis), vc, ux);
            uy = lanes_madd(lanes_load(row + 2 * axis), vc, uy);
        }
        lanes_store(f->un[part] + g, un);
        lanes_store(f->ut[part][0] + g, ux);
        lanes_store(f->ut[part][1] + g, uy);
    }
}

static double trunk_seated_velocity(const faces *f, int contact, int axis, int part)
{
    const double *row = seat_row(f, f->seats.of[contact], axis);
    return trunk_dot(f, row, trunk_place(f, contact), f->v[part]) + f->path.shift[part][axis][contact];
}

static const faces_door door_of_block = {
    .place = trunk_place,
    .gather = bodies_gather,
    .row = weigh_axes,
    .joint = bodies_joint,
    .dot = trunk_dot,
    .add = trunk_grow,
    .product = trunk_product,
    .meet = trunk_meet,
    .dots = trunk_dots,
    .push = trunk_push,
    .velocities = trunk_velocities,
    .velocity = bodies_velocity,
    .seated_velocity = trunk_seated_velocity,
};
