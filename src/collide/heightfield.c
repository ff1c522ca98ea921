/* Heightfields: two triangles a cell, made where they are asked for (abut/shape.h). */
#include "collide/shape.h"
#include "collide/surface.h"

/* Second differences of heights below this part of the spacing are none. */
#define FLAT 1e-12

static const char *check(const abut_shape *s)
{
    const abut_heightfield *f = s->heightfield;
    if (!f) return "heightfield";
    if (f->rows < 2 || f->columns < 2 || (double)f->rows * f->columns > 50e6)
        return "heightfield->rows, columns";
    if (!abuti_is_length(f->spacing[0]) || !abuti_is_length(f->spacing[1])) return "heightfield->spacing";
    if (!f->heights) return "heightfield->heights";
    for (int i = 0; i < f->rows * f->columns; ++i) {
        if (!(fabs(f->heights[i]) <= 1e100)) return "heightfield->heights";
    }
    return NULL;
}

static double height(const abut_heightfield *f, int r, int c)
{
    return f->heights[(size_t)r * (size_t)f->columns + (size_t)c];
}

static void vertex(const abut_heightfield *f, int r, int c, double out[3])
{
    abuti_v3_set(out, (c - 0.5 * (f->columns - 1)) * f->spacing[0], (r - 0.5 * (f->rows - 1)) * f->spacing[1],
                 height(f, r, c));
}

static void bounds(const abut_shape *s, double low[3], double high[3])
{
    const abut_heightfield *f = s->heightfield;
    vertex(f, 0, 0, low);
    vertex(f, f->rows - 1, f->columns - 1, high);
    for (int r = 0; r < f->rows; ++r) {
        for (int c = 0; c < f->columns; ++c) {
            low[2] = fmin(low[2], height(f, r, c));
            high[2] = fmax(high[2], height(f, r, c));
        }
    }
}

/* Corners (row, column) of the two triangles of a cell, counterclockwise from above. */
static const int corner[2][3][2] = {{{0, 0}, {0, 1}, {1, 1}}, {{0, 0}, {1, 1}, {1, 0}}};
/* Across edge k: which cell, which of its triangles. */
static const int beyond[2][3][3] = {{{-1, 0, 1}, {0, 1, 1}, {0, 0, 1}}, {{0, 0, 0}, {1, 0, 0}, {0, -1, 0}}};
/* Names of edges: 3 a vertex, to the right, up, and along the diagonal; which vertex, which of the three. */
static const int edge_of[2][3][3] = {{{0, 0, 0}, {0, 1, 1}, {0, 0, 2}}, {{0, 0, 2}, {1, 0, 0}, {0, 0, 1}}};

static bool cell_exists(const abut_heightfield *f, int r, int c)
{
    return r >= 0 && c >= 0 && r + 1 < f->rows && c + 1 < f->columns;
}

static void plain_triangle(const abut_heightfield *f, int r, int c, int half, double corners[3][3],
                           double normal[3])
{
    for (int k = 0; k < 3; ++k) vertex(f, r + corner[half][k][0], c + corner[half][k][1], corners[k]);
    abuti_triangle_normal(corners, normal);
}

/* Whether the six triangles round a vertex are in one plane; not at the border. */
static bool flat(const abut_heightfield *f, int r, int c)
{
    if (r < 1 || c < 1 || r + 1 >= f->rows || c + 1 >= f->columns) return false;
    double middle = 2 * height(f, r, c), slack = FLAT * fmin(f->spacing[0], f->spacing[1]);
    return fabs(height(f, r, c - 1) + height(f, r, c + 1) - middle) <= slack &&
           fabs(height(f, r - 1, c) + height(f, r + 1, c) - middle) <= slack &&
           fabs(height(f, r - 1, c - 1) + height(f, r + 1, c + 1) - middle) <= slack &&
           fabs(height(f, r + 1, c + 1) + height(f, r, c) - height(f, r + 1, c) - height(f, r, c + 1)) <=
               slack;
}

bool abuti_heightfield_highest(const abut_heightfield *f, int i, const double direction[3], double slack)
{
    static const int around[6][2] = {{0, 1}, {1, 1}, {1, 0}, {0, -1}, {-1, -1}, {-1, 0}};
    int row = i / f->columns, column = i % f->columns;
    double here[3], there[3];
    vertex(f, row, column, here);
    for (int k = 0; k < 6; ++k) {
        int r = row + around[k][0], c = column + around[k][1];
        if (r < 0 || c < 0 || r >= f->rows || c >= f->columns) continue;
        vertex(f, r, c, there);
        if (abuti_rises(here, there, direction, slack)) return false;
    }
    return true;
}

static void make_triangle(const abut_heightfield *f, int r, int c, int half, abuti_triangle *t)
{
    plain_triangle(f, r, c, half, t->corners, t->normal);
    t->face = 2 * (r * (f->columns - 1) + c) + half;
    t->solid = true;
    t->mesh = NULL;
    t->field = f;
    for (int k = 0; k < 3; ++k) {
        int vr = r + corner[half][k][0], vc = c + corner[half][k][1];
        const int *other = beyond[half][k], *edge = edge_of[half][k];
        double corners[3][3], normal[3] = {0, 0, 1};
        bool has = cell_exists(f, r + other[0], c + other[1]);
        t->vertex[k] = vr * f->columns + vc;
        t->flat_vertex[k] = flat(f, vr, vc);
        t->edge[k] = 3 * ((r + edge[0]) * f->columns + c + edge[1]) + edge[2];
        if (has) plain_triangle(f, r + other[0], c + other[1], other[2], corners, normal);
        abuti_triangle_neighbour(t, k, has, normal);
    }
}

/* The cells that a range along an axis meets; a cell that is only touched counts. */
static void cells(double low, double high, double spacing, int count, int *first, int *last)
{
    double half = 0.5 * (count - 1);
    *first = (int)fmin(fmax(floor(low / spacing + half), 0), count);
    *last = (int)fmax(fmin(floor(high / spacing + half), count - 2), -1);
}

void abuti_heightfield_walk(const abut_heightfield *f, const double low[3], const double high[3],
                            abuti_triangle_visitor visit, void *context)
{
    int first_row, last_row, first_column, last_column;
    abuti_triangle t;
    cells(low[1], high[1], f->spacing[1], f->rows, &first_row, &last_row);
    cells(low[0], high[0], f->spacing[0], f->columns, &first_column, &last_column);
    for (int r = first_row; r <= last_row; ++r) {
        for (int c = first_column; c <= last_column; ++c) {
            double top = fmax(fmax(height(f, r, c), height(f, r, c + 1)),
                              fmax(height(f, r + 1, c), height(f, r + 1, c + 1)));
            if (top < low[2]) continue;
            for (int half = 0; half < 2; ++half) {
                make_triangle(f, r, c, half, &t);
                if (!visit(context, &t)) return;
            }
        }
    }
}

typedef struct ray_search {
    const abut_ray *ray;
    double t, normal[3];
    bool hit;
} ray_search;

static bool visit_ray(void *context, const abuti_triangle *triangle)
{
    ray_search *s = context;
    if (!abuti_triangle_ray(triangle, s->ray, &s->t)) return true;
    s->hit = true;
    abuti_v3_copy(s->normal, triangle->normal);
    return true;
}

/* The part of a ray between two planes across axis k. */
static void cut(const abut_ray *ray, int k, double low, double high, double *from, double *to)
{
    double o = ray->origin[k], d = ray->direction[k];
    if (d == 0) {
        if (o < low || o > high) *to = -1;
        return;
    }
    double near = ((d > 0 ? low : high) - o) / d, far = ((d > 0 ? high : low) - o) / d;
    *from = fmax(*from, near);
    *to = fmin(*to, far);
}

/* Row by row, the columns that the ray is over there. */
static bool ray(const abut_shape *shape, const abut_ray *ray, abut_ray_hit *hit)
{
    const abut_heightfield *f = shape->heightfield;
    ray_search s = {.ray = ray, .t = 1 + 0x1p-50};
    int first, last;
    double y0 = ray->origin[1], y1 = y0 + ray->direction[1], slack = 1e-9;
    cells(fmin(y0, y1), fmax(y0, y1), f->spacing[1], f->rows, &first, &last);
    for (int i = first; i <= last; ++i) {
        int r = ray->direction[1] >= 0 ? i : last - (i - first);
        double from = 0, to = 1, y = (r - 0.5 * (f->rows - 1)) * f->spacing[1];
        cut(ray, 1, y - slack * f->spacing[1], y + (1 + slack) * f->spacing[1], &from, &to);
        if (!(from <= to) || from > s.t) continue;
        double x0 = ray->origin[0] + from * ray->direction[0], x1 = ray->origin[0] + to * ray->direction[0];
        double z0 = ray->origin[2] + from * ray->direction[2], z1 = ray->origin[2] + to * ray->direction[2];
        double wide = slack * f->spacing[0];
        double low[3] = {fmin(x0, x1) - wide, y + 0.5 * f->spacing[1], fmin(z0, z1)};
        double high[3] = {fmax(x0, x1) + wide, y + 0.5 * f->spacing[1], fmax(z0, z1)};
        abuti_heightfield_walk(f, low, high, visit_ray, &s);
    }
    if (!s.hit) return false;
    abuti_ray_set(ray, fmin(s.t, 1), s.normal, hit);
    return true;
}

const abuti_shape_kind abuti_heightfield = {
    .name = "heightfield", .check = check, .bounds = bounds, .ray = ray};
