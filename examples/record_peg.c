/* A peg goes into its hole: a compliant hand pushes it down, leans on it and twists, and 16 points in two rings say which
 * of them carry, stick, slide. `example_record_peg peg.abr`, then `abut view peg.abr -o peg.html`. */

#include "record_loop.h"

static const double radius = 0.02, half_length = 0.045, hole = 0.0202, depth = 0.07, friction = 0.25;
#define PI 3.14159265358979

enum { SECTORS = 48, CUT = 34 }; /* the hole is drawn with a part cut away, to look inside */

/* The wall of the hole as a mesh: for each of its sectors inner and outer corners, bottom and top. */
typedef struct tube {
    float vertices[(CUT + 1) * 4 * 3];
    int triangles[(CUT * 8 + 4) * 3];
    int count;
} tube;

static void quad(tube *t, int a, int b, int c, int d)
{
    const int corners[6] = {a, b, c, a, c, d};
    for (int k = 0; k < 6; k++) t->triangles[3 * t->count + k] = corners[k];
    t->count += 2;
}

static void make_tube(tube *t)
{
    const double outer = 0.034;
    for (int i = 0; i <= CUT; i++) {
        double a = 2 * PI * (i + 3) / SECTORS;
        for (int k = 0; k < 4; k++) {
            double r = k & 1 ? outer : hole, z = k & 2 ? 0 : -depth - 0.008;
            float *v = &t->vertices[3 * (4 * i + k)];
            v[0] = (float)(r * cos(a)), v[1] = (float)(r * sin(a)), v[2] = (float)z;
        }
    }
    for (int i = 0; i < CUT; i++) {
        int p = 4 * i, n = p + 4;
        quad(t, p, p + 2, n + 2, n);         /* inside */
        quad(t, p + 1, n + 1, n + 3, p + 3); /* outside */
        quad(t, p + 2, p + 3, n + 3, n + 2); /* top */
        quad(t, p, n, n + 1, p + 1);         /* bottom */
    }
    int last = 4 * CUT;
    quad(t, 0, 1, 3, 2);
    quad(t, last, last + 2, last + 3, last + 1);
}

static void make_scene(loop *l, tube *wall)
{
    double mass = 0.4, across = mass * (3 * radius * radius + 4 * half_length * half_length) / 12;
    const double lean = 0.06;
    l->body_count = 1;
    l->shape_count = 5;
    l->named[0] = (abut_record_body){.name = "peg", .mass = mass};
    memcpy(l->moments[0], (double[3]){across, across, mass * radius * radius / 2}, sizeof l->moments[0]);
    l->poses[0] = (abut_record_pose){.position = {0.0007, -0.0004, half_length + 0.004},
                                     .orientation = {cos(lean / 2), 0, sin(lean / 2), 0}};
    l->poses[0].position[0] += half_length * sin(lean);
    make_tube(wall);
    l->shapes[0] = (abut_record_shape){.body = 0,
                                       .kind = ABUT_RECORD_CYLINDER,
                                       .name = "peg",
                                       .size = {radius, half_length},
                                       .colour = {0.93f, 0.6f, 0.18f, 1}};
    l->shapes[1] = (abut_record_shape){.body = ABUT_RECORD_WORLD,
                                       .kind = ABUT_RECORD_MESH,
                                       .name = "hole",
                                       .colour = {0.5f, 0.56f, 0.64f, 1},
                                       .vertex_count = 4 * (CUT + 1),
                                       .vertices = wall->vertices,
                                       .triangle_count = wall->count,
                                       .triangles = wall->triangles};
    l->shapes[2] = (abut_record_shape){.body = ABUT_RECORD_WORLD,
                                       .kind = ABUT_RECORD_CYLINDER,
                                       .name = "bottom",
                                       .size = {0.034, 0.004},
                                       .position = {0, 0, -depth - 0.004},
                                       .colour = {0.42f, 0.47f, 0.55f, 1}};
    l->shapes[3] = (abut_record_shape){.body = ABUT_RECORD_WORLD,
                                       .kind = ABUT_RECORD_PLANE,
                                       .name = "table",
                                       .position = {0, 0, -depth - 0.008},
                                       .orientation = {1, 0, 0, 0}};
    /* What the hand holds it by. */
    l->shapes[4] = (abut_record_shape){.body = 0,
                                       .kind = ABUT_RECORD_CAPSULE,
                                       .name = "grip",
                                       .size = {0.006, 0.01},
                                       .position = {0, 0, half_length + 0.01},
                                       .colour = {0.35f, 0.4f, 0.48f, 1}};
}

/* The hand: a spring and a damper towards where it goes, which is down while it leans and twists; softly enough for the
 * hole to guide the peg. */
static void add_hand(loop *l)
{
    double t = l->time, sink = t < 2.4 ? 0.034 * t : 0.034 * 2.4, sway = t < 3 ? 1 : 0;
    const double target[3] = {0.004 * sway * cos(2.5 * t), 0.004 * sway * sin(2.5 * t),
                              half_length + 0.004 - sink};
    abut_body *peg = &l->bodies[0];
    const double *q = l->poses[0].orientation, *v = peg->velocity;
    const double wanted[3] = {0.06 * sway * sin(2.5 * t), 0.08 * sway * cos(2.5 * t), 0.8 * sin(1.3 * t)};
    peg->force[2] += peg->mass * l->gravity; /* the hand carries the peg */
    for (int k = 0; k < 3; k++) {
        double turn = 2 * q[0] * q[1 + k]; /* the angle about this axis, for small ones */
        peg->force[k] += 1500 * (target[k] - l->poses[0].position[k]) - 40 * v[k];
        peg->force[3 + k] += (k == 2 ? 0.3 : 2.5) * (wanted[k] - turn) - 0.02 * v[3 + k];
    }
}

/* The edge of the peg's end against the wall, and on the bottom: points of the peg. */
static void add_lower_ring(loop *l)
{
    const double up[3] = {0, 0, 1};
    for (int i = 0; i < 8; i++) {
        double a = 2 * PI * i / 8, local[3] = {radius * cos(a), radius * sin(a), -half_length}, point[3];
        loop_point(&l->poses[0], local, point);
        double r = sqrt(point[0] * point[0] + point[1] * point[1]);
        const double inwards[3] = {-point[0] / r, -point[1] / r, 0};
        if (point[2] < 0) loop_contact(l, 0, ABUT_WORLD, point, inwards, hole - r, friction);
        if (point[2] + depth < 0.002) loop_contact(l, 0, ABUT_WORLD, point, up, point[2] + depth, friction);
    }
}

/* The rim of the hole against the side of the peg: points of the hole. */
static void add_upper_ring(loop *l)
{
    double m[3][3];
    loop_matrix(l->poses[0].orientation, m);
    const double axis[3] = {m[0][2], m[1][2], m[2][2]};
    for (int i = 0; i < 8; i++) {
        double a = 2 * PI * i / 8, point[3] = {hole * cos(a), hole * sin(a), 0}, from[3], along = 0, r = 0;
        for (int k = 0; k < 3; k++) along += axis[k] * (point[k] - l->poses[0].position[k]);
        for (int k = 0; k < 3; k++) from[k] = point[k] - l->poses[0].position[k] - along * axis[k];
        for (int k = 0; k < 3; k++) r += from[k] * from[k];
        r = sqrt(r);
        const double inwards[3] = {-from[0] / r, -from[1] / r, -from[2] / r};
        if (fabs(along) < half_length) loop_contact(l, 0, ABUT_WORLD, point, inwards, r - radius, friction);
    }
}

int main(int argc, char **argv)
{
    static tube wall;
    static loop l = {
        .title = "A peg in a hole",
        .caption = "A hand pushes a peg into its hole, leans on it and twists. Two rings of eight points "
                   "touch the wall, with 0.2 mm of play: watch which carry, stick and slide.",
        .step = 0.002,
        .gravity = 9.81};
    make_scene(&l, &wall);
    if (!loop_begin(&l, argc > 1 ? argv[1] : "peg.abr")) return 1;
    while (l.time < 4) {
        loop_clear(&l);
        add_hand(&l);
        add_lower_ring(&l);
        add_upper_ring(&l);
        if (!loop_step(&l)) return 1;
    }
    return loop_end(&l);
}
