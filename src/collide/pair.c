/* Two posed shapes: the public queries (abut/shape.h). Shapes are brought into the frame of one of them, which makes
 * results independent of where the pair is; and back. */
#include "collide/corner.h"
#include "collide/gjk.h"
#include "collide/plane.h"
#include "collide/surface.h"

/* A gap that is smaller than this part of the positions and sizes is nothing but rounding. */
#define ROUNDING (16 * 0x1p-53)

/* Points of two triangles at one place, as a part of the size, are one point. */
#define SAME_PLACE 1e-9

/* A pair in the order convex shape, other shape. It is turned round where the caller gave it otherwise. */
typedef struct posed_pair {
    bool flipped;
    const abut_shape *other;
    double R[9], position[3]; /* of the first */
    abuti_core first, second;
    abuti_relative rel;
    double rounding; /* m */
} posed_pair;

static bool is_convex(const abut_shape *s)
{
    return s->kind != ABUT_PLANE && s->kind != ABUT_HEIGHTFIELD && s->kind != ABUT_MESH;
}

static double largest(const double v[3])
{
    return fmax(fabs(v[0]), fmax(fabs(v[1]), fabs(v[2])));
}

/* False where neither of the two is convex. */
static bool begin(const abut_shape *a, const abut_pose *pose_a, const abut_shape *b, const abut_pose *pose_b,
                  posed_pair *p)
{
    if (!is_convex(a) && !is_convex(b)) return false;
    p->flipped = !is_convex(a);
    const abut_shape *first = p->flipped ? b : a;
    const abut_pose *at_first = p->flipped ? pose_b : pose_a, *at_other = p->flipped ? pose_a : pose_b;
    p->other = p->flipped ? a : b;
    abuti_core_make(first, &p->first);
    double q[4], r[4];
    double back[4], turn[4], apart[3];
    abuti_pose_rotation(at_first, q);
    abuti_pose_rotation(at_other, r);
    abuti_m3_from_quat(p->R, q);
    abuti_v3_copy(p->position, at_first->position);
    abuti_quat_conjugate(back, q);
    abuti_quat_multiply(turn, back, r);
    abuti_quat_normalise(turn);
    abuti_m3_from_quat(p->rel.R, turn);
    abuti_v3_sub(apart, at_other->position, at_first->position);
    abuti_m3_apply_transposed(p->rel.t, p->R, apart);
    p->rounding = largest(at_first->position) + largest(at_other->position) + p->first.size;
    if (is_convex(p->other)) {
        abuti_core_make(p->other, &p->second);
        p->rounding += p->second.size;
    } else {
        p->rounding += largest(p->rel.t);
    }
    p->rounding *= ROUNDING;
    return true;
}

static void to_world(const posed_pair *p, const double point[3], double out[3])
{
    abuti_m3_apply(out, p->R, point);
    abuti_v3_add(out, out, p->position);
}

/* One touch in the caller's order. */
static void write_point(const posed_pair *p, const abuti_touch *t, abut_manifold_point *out)
{
    uint64_t a = p->flipped ? t->name_b : t->name_a, b = p->flipped ? t->name_a : t->name_b;
    to_world(p, t->point, out->point);
    abuti_m3_apply(out->normal, p->R, t->normal);
    abuti_m3_apply(out->tangent, p->R, t->tangent);
    if (p->flipped) abuti_v3_scale(out->normal, -1, out->normal);
    out->gap = fabs(t->gap) <= p->rounding ? 0 : t->gap;
    out->key = a << 30 | b;
}

/* Where the touches of a surface go. */
typedef struct surface_points {
    const posed_pair *pair;
    abut_manifold_point *points;
    int capacity, *count;
} surface_points;

/* Whether two points of neighbouring triangles are one: they have one name, or one place and one direction. */
static bool same_point(const posed_pair *p, const abut_manifold_point *x, const abut_manifold_point *y)
{
    double apart[3];
    if (x->key == y->key) return true;
    abuti_v3_sub(apart, x->point, y->point);
    return largest(apart) <= SAME_PLACE * p->first.size &&
           abuti_v3_dot(x->normal, y->normal) >= 1 - SAME_PLACE;
}

static void add_surface_point(void *context, const abuti_touch *touch)
{
    surface_points *to = context;
    abut_manifold_point point;
    write_point(to->pair, touch, &point);
    int written = *to->count < to->capacity ? *to->count : to->capacity;
    for (int i = 0; i < written; ++i) {
        if (!same_point(to->pair, &to->points[i], &point)) continue;
        /* Of equally deep ones the first stays, so that rounding does not choose between two triangles at one edge. */
        if (point.gap < to->points[i].gap - SAME_PLACE * to->pair->first.size) to->points[i] = point;
        return;
    }
    if (*to->count < to->capacity) to->points[*to->count] = point;
    ++*to->count;
}

abut_status abut_shape_manifold(const abut_shape *a, const abut_pose *pose_a, const abut_shape *b,
                                const abut_pose *pose_b, double margin, abut_pair_memory *memory,
                                abut_manifold_point *points, int capacity, int *count)
{
    posed_pair p;
    abuti_touch touch;
    if (!a || !b || !pose_a || !pose_b || !count || capacity < 0 || (!points && capacity > 0) ||
        !(margin >= 0))
        return ABUT_INVALID_ARGUMENT;
    *count = 0;
    if (!begin(a, pose_a, b, pose_b, &p)) return ABUT_UNSUPPORTED;
    if (is_convex(p.other)) {
        abuti_touches touches;
        abuti_manifold_find(&p.first, &p.second, &p.rel, margin, memory, &touches);
        for (int i = 0; i < touches.count; ++i, ++*count) {
            if (*count < capacity) write_point(&p, &touches.at[i], &points[*count]);
        }
    } else if (p.other->kind == ABUT_PLANE) {
        abuti_plane_walk walk = abuti_plane_begin(&p.first, &p.rel, margin);
        for (; abuti_plane_next(&walk, &touch); ++*count) {
            if (*count < capacity) write_point(&p, &touch, &points[*count]);
        }
    } else {
        surface_points to = {.pair = &p, .points = points, .capacity = capacity, .count = count};
        abuti_surface_manifold(&p.first, p.other, &p.rel, margin, add_surface_point, &to);
    }
    return *count > capacity ? ABUT_TOO_LARGE : ABUT_OK;
}

abut_status abut_shape_corner(const abut_shape *a, const abut_pose *pose_a, const abut_shape *b,
                              const abut_pose *pose_b, double margin, abut_manifold_point *points, int *count)
{
    posed_pair p;
    abuti_touch sides[ABUT_CORNER_SIDES];
    if (!a || !b || !pose_a || !pose_b || !points || !count || !(margin >= 0)) return ABUT_INVALID_ARGUMENT;
    *count = 0;
    if (!is_convex(a) || !is_convex(b) || !begin(a, pose_a, b, pose_b, &p)) return ABUT_OK;
    *count = abuti_corner_sides(&p.first, &p.second, &p.rel, margin, sides);
    for (int i = 0; i < *count; ++i) write_point(&p, &sides[i], &points[i]);
    return ABUT_OK;
}

static void write_closest(const posed_pair *p, const abuti_axis *axis, double radius_other, abut_closest *out)
{
    double on_first[3], on_other[3];
    out->distance = axis->gap - p->first.radius - radius_other;
    abuti_v3_add_scaled(on_first, axis->a, -p->first.radius, axis->normal);
    abuti_v3_add_scaled(on_other, on_first, -out->distance, axis->normal);
    to_world(p, on_first, p->flipped ? out->point_b : out->point_a);
    to_world(p, on_other, p->flipped ? out->point_a : out->point_b);
    abuti_m3_apply(out->normal, p->R, axis->normal);
    if (p->flipped) abuti_v3_scale(out->normal, -1, out->normal);
    if (fabs(out->distance) <= p->rounding) out->distance = 0;
}

/* Points for a direction that has none yet: the touch with the least gap. */
static void deepest(const posed_pair *p, abuti_axis *axis)
{
    abuti_touches touches;
    abuti_manifold_along(&p->first, &p->second, &p->rel, 1e300, axis, &touches);
    int best = 0;
    for (int i = 1; i < touches.count; ++i) {
        if (touches.at[i].gap < touches.at[best].gap) best = i;
    }
    const abuti_touch *t = &touches.at[best];
    abuti_v3_add_scaled(axis->a, t->point, 0.5 * t->gap + p->first.radius, axis->normal);
}

abut_status abut_shape_distance(const abut_shape *a, const abut_pose *pose_a, const abut_shape *b,
                                const abut_pose *pose_b, double reach, abut_closest *closest)
{
    posed_pair p;
    abuti_axis axis;
    if (!a || !b || !pose_a || !pose_b || !closest || !(reach >= 0)) return ABUT_INVALID_ARGUMENT;
    closest->distance = reach;
    if (!begin(a, pose_a, b, pose_b, &p)) return ABUT_UNSUPPORTED;
    if (is_convex(p.other)) {
        double radii = p.first.radius + p.second.radius;
        abuti_axis_of_distance(&p.first, &p.second, &p.rel, reach + radii, &axis);
        if (axis.kind != ABUTI_AXIS_POINTS) deepest(&p, &axis);
        if (axis.gap - radii < reach) write_closest(&p, &axis, p.second.radius, closest);
    } else if (p.other->kind == ABUT_PLANE) {
        abuti_plane_axis(&p.first, &p.rel, &axis);
        if (axis.gap - p.first.radius < reach) write_closest(&p, &axis, 0, closest);
    } else if (abuti_surface_axis(&p.first, p.other, &p.rel, reach, &axis)) {
        write_closest(&p, &axis, 0, closest);
    }
    return ABUT_OK;
}

bool abut_shape_overlap(const abut_shape *a, const abut_pose *pose_a, const abut_shape *b,
                        const abut_pose *pose_b)
{
    abut_closest closest = {.distance = 1};
    abut_status status = abut_shape_distance(a, pose_a, b, pose_b, 1e-300, &closest);
    return status == ABUT_OK && closest.distance <= 0;
}
