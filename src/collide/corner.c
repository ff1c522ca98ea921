/* Where two polytopes are beside a corner that juts out (corner.h).
 *
 * Two convex things are apart while any face of either separates them. Beside a corner several faces do, and a
 * manifold, which knows one direction, would make an infinite wall of one of them. So each face that separates the two,
 * or touches, is one side: the face and the farthest corner of the other thing before it. Where the things do not turn,
 * these sides tell everything. */
#include "collide/corner.h"

/* A face touches when the other polytope is behind it by less than this part of the size. */
#define TOUCHES 1e-6
/* Normals whose product is larger than this are one direction. */
#define ONE_DIRECTION (1 - 1e-6)
/* Corners whose distances differ by less than this part of the size are equally far; the one nearest to the middle of
 * the other shape is taken. */
#define EQUAL 1e-9

/* The farthest corner of a polytope in a direction of its frame; of equal ones the nearest to a point. */
static int nearest_corner(const abuti_core *core, const double d[3], const double middle[3])
{
    double point[3], least = INFINITY;
    int best = abuti_core_support(core, d, point);
    double height = abuti_v3_dot(point, d) - EQUAL * core->size;
    for (int i = 0; i < core->vertex_count; ++i) {
        if (abuti_v3_dot(core->vertices[i], d) < height) continue;
        double way[3];
        abuti_v3_sub(way, core->vertices[i], middle);
        double distance = abuti_v3_length(way);
        if (distance < least - EQUAL * core->size) {
            least = distance;
            best = i;
        }
    }
    return best;
}

/* The side of face f of one core and a corner of the other before it, both in the frame of the core that has the
 * face. */
static void face_side(const abuti_core *core, int f, const double corner[3], abuti_touch *side)
{
    const int32_t *vertex = core->faces.vertex + core->faces.start[f];
    double from[3];
    abuti_v3_sub(from, corner, core->vertices[vertex[0]]);
    side->gap = abuti_v3_dot(from, core->normals[f]);
    abuti_v3_sub(side->tangent, core->vertices[vertex[1]], core->vertices[vertex[0]]);
    abuti_v3_normalise(side->tangent);
    abuti_v3_add_scaled(side->point, corner, -0.5 * side->gap, core->normals[f]);
    side->over = false;
}

/* Face f of A with the corner of B before it, in A's frame. */
static void side_of_a(const abuti_core *a, const abuti_core *b, const abuti_relative *rel, int f,
                      abuti_touch *side)
{
    double d[3], against[3], middle[3], corner[3];
    abuti_v3_scale(against, -1, a->normals[f]);
    abuti_m3_apply_transposed(d, rel->R, against);
    abuti_m3_apply_transposed(middle, rel->R, rel->t);
    abuti_v3_scale(middle, -1, middle);
    int v = nearest_corner(b, d, middle);
    abuti_to_a(corner, rel, b->vertices[v]);
    face_side(a, f, corner, side);
    abuti_v3_copy(side->normal, against);
    side->name_a = abuti_feature_name(ABUTI_FACE, f);
    side->name_b = abuti_feature_name(ABUTI_VERTEX, v);
}

/* Face f of B with the corner of A before it, in A's frame. */
static void side_of_b(const abuti_core *a, const abuti_core *b, const abuti_relative *rel, int f,
                      abuti_touch *side)
{
    double d[3], corner[3];
    abuti_m3_apply(side->normal, rel->R, b->normals[f]);
    abuti_v3_scale(d, -1, side->normal);
    int v = nearest_corner(a, d, rel->t);
    abuti_v3_sub(corner, a->vertices[v], rel->t);
    abuti_m3_apply_transposed(corner, rel->R, corner);
    face_side(b, f, corner, side);
    abuti_to_a(side->point, rel, side->point);
    abuti_m3_apply(side->tangent, rel->R, side->tangent);
    side->name_a = abuti_feature_name(ABUTI_VERTEX, v);
    side->name_b = abuti_feature_name(ABUTI_FACE, f);
}

static bool is_known(const abuti_touch *sides, int count, const double normal[3])
{
    for (int i = 0; i < count; ++i) {
        if (abuti_v3_dot(sides[i].normal, normal) > ONE_DIRECTION) return true;
    }
    return false;
}

int abuti_corner_sides(const abuti_core *a, const abuti_core *b, const abuti_relative *rel, double margin,
                       abuti_touch sides[ABUT_CORNER_SIDES])
{
    int count = 0;
    double touches = TOUCHES * fmin(a->size, b->size);
    if (a->kind != ABUTI_POLYTOPE || b->kind != ABUTI_POLYTOPE || a->radius + b->radius > 0) return 0;
    for (int i = 0; i < a->face_count + b->face_count; ++i) {
        abuti_touch side;
        if (i < a->face_count) {
            side_of_a(a, b, rel, i, &side);
        } else {
            side_of_b(a, b, rel, i - a->face_count, &side);
        }
        if (!(side.gap >= -touches) || is_known(sides, count, side.normal)) continue;
        if (side.gap > margin) return 0;
        if (count < ABUT_CORNER_SIDES) sides[count++] = side;
    }
    return count < 2 ? 0 : count;
}
