/* Ready scenes for worlds: what rests, what moves, what falls. */
#include "random.h"
#include "world_scene.h"

#include <math.h>
#include <string.h>

#define FRICTION 0.5
#define DENSITY 1000.0

static const double up[3] = {0, 0, 1}, origin[3] = {0, 0, 0};

static void stack(world_scene *s, int size)
{
    for (int i = 0; i < size; ++i) world_scene_box(s, 0.1, 0.1, 0.1, 0, 0, 0.1 + 0.2 * i, DENSITY, FRICTION);
}

/* A thousand times as heavy above as below. */
static void heavy_on_light(world_scene *s, int size)
{
    for (int i = 0; i < size; ++i) {
        world_scene_box(s, 0.1, 0.1, 0.1, 0, 0, 0.1 + 0.2 * i, i == size - 1 ? 1000 * DENSITY : DENSITY,
                        FRICTION);
    }
}

/* Boxes that do not touch each other. */
static void spread(world_scene *s, int size)
{
    int side = (int)ceil(sqrt(size));
    for (int i = 0; i < size; ++i) {
        world_scene_box(s, 0.1, 0.1, 0.1, 0.5 * (i % side), 0.5 * (i / side), 0.1, DENSITY, FRICTION);
    }
}

/* Bricks in running bond, four and three a row in turn, so that each stands on two. */
static void wall(world_scene *s, int size)
{
    for (int row = 0, i = 0; i < size; ++row) {
        for (int column = 0; column < 4 - row % 2 && i < size; column++, ++i) {
            world_scene_box(s, 0.2, 0.1, 0.1, 0.4 * column + 0.2 * (row % 2), 0, 0.1 + 0.2 * row, DENSITY,
                            FRICTION);
        }
    }
}

/* A wedge of an arch between two angles: a convex body with its vertices about its own middle. */
static void wedge(world_scene *s, double from, double to, double inner, double outer, double half_width)
{
    double vertices[8][3], middle[3] = {0, 0, 0};
    for (int i = 0; i < 8; ++i) {
        double angle = i & 1 ? to : from, radius = i & 2 ? outer : inner;
        vertices[i][0] = radius * cos(angle);
        vertices[i][1] = i & 4 ? half_width : -half_width;
        vertices[i][2] = radius * sin(angle);
        for (int k = 0; k < 3; ++k) middle[k] += vertices[i][k] / 8;
    }
    for (int i = 0; i < 8; ++i) {
        for (int k = 0; k < 3; ++k) vertices[i][k] -= middle[k];
    }
    static const int sizes[6] = {4, 4, 4, 4, 4, 4};
    static const int faces[24] = {0, 2, 3, 1, 4, 5, 7, 6, 0, 1, 5, 4, 2, 6, 7, 3, 0, 4, 6, 2, 1, 3, 7, 5};
    abut_convex_def def = {.vertex_count = 8,
                           .vertices = (const double(*)[3])vertices,
                           .face_count = 6,
                           .face_sizes = sizes,
                           .face_vertices = faces};
    abut_convex **convex = &s->convex[s->convex_count];
    if (s->convex_count == WORLD_SCENE_CONVEX || abut_convex_create(&def, NULL, convex, NULL) != ABUT_OK) {
        s->failures++;
        return;
    }
    s->convex_count++;
    abut_shape shape = {.kind = ABUT_CONVEX, .convex = *convex};
    world_scene_add(s, &shape, middle, NULL, DENSITY, FRICTION);
}

/* A half circle of wedges, which stands by itself: its feet rest on the floor. */
static void arch(world_scene *s, int size)
{
    double pi = 3.14159265358979323846;
    for (int i = 0; i < size; ++i) wedge(s, pi * i / size, pi * (i + 1) / size, 1.0, 1.4, 0.2);
}

/* Two cards that lean against each other, and so on beside them. */
static void cards(world_scene *s, int size)
{
    double lean = 0.35, half = 0.5, thin = 0.01;
    abut_shape card = {.kind = ABUT_BOX, .half = {thin, 0.3, half}};
    for (int i = 0; i < size; ++i) {
        /* Leaning by +-lean about y: lowest corner on the floor, upper corners touch in the middle. */
        double sign = i % 2 ? -1 : 1, c = cos(lean), n = sin(lean);
        double rotation[4] = {cos(0.5 * lean), 0, sign * sin(0.5 * lean), 0};
        double z = half * c + thin * n, reach = half * n + thin * c;
        double position[3] = {1.5 * (i / 2) - sign * reach, 0, z};
        world_scene_add(s, &card, position, rotation, DENSITY, 0.8);
    }
}

/* Random shapes above a box of five planes. */
static void drops(world_scene *s, int size, unsigned seed)
{
    bench_random random = bench_random_stream(seed, 77);
    double wide = s->wide = 0.25 * sqrt(size) + 0.4;
    for (int k = 0; k < 4; ++k) {
        double inwards[3] = {k == 0 ? 1 : k == 1 ? -1 : 0, k == 2 ? 1 : k == 3 ? -1 : 0, 0};
        double point[3] = {-wide * inwards[0], -wide * inwards[1], 0};
        world_scene_plane(s, point, inwards, FRICTION);
    }
    for (int i = 0; i < size; ++i) {
        double r = bench_uniform(&random, 0.05, 0.15), rotation[4];
        abut_shape shapes[5] = {{.kind = ABUT_SPHERE, .radius = r},
                                {.kind = ABUT_BOX, .half = {r, 0.7 * r, 1.2 * r}},
                                {.kind = ABUT_CAPSULE, .radius = r, .half_length = r},
                                {.kind = ABUT_CYLINDER, .radius = r, .half_length = 0.8 * r},
                                {.kind = ABUT_ELLIPSOID, .half = {r, 0.8 * r, 1.2 * r}}};
        for (int k = 0; k < 4; ++k) rotation[k] = bench_uniform(&random, -1, 1);
        double position[3] = {bench_uniform(&random, 0.3 - wide, wide - 0.3),
                              bench_uniform(&random, 0.3 - wide, wide - 0.3), 0.35 + 0.35 * i};
        world_scene_add(s, &shapes[bench_below(&random, 5)], position, rotation, DENSITY, FRICTION);
    }
}

/* Two fingers on slides press blocks between them, which friction carries. */
static void grasp(world_scene *s, int size)
{
    for (int i = 0; i < 2; ++i) {
        abut_body_def body = abut_body_default_def();
        abut_body_id finger = {0};
        abut_joint_def slide = abut_joint_default_def(ABUT_JOINT_SLIDE);
        abut_joint_id joint = {0};
        abut_collider_def pad = abut_collider_default_def();
        abut_motor_def motor = abut_motor_default_def();
        abut_motor_id id = {0};
        body.position[0] = (i ? 1 : -1) * (0.1 * size + 0.1);
        body.position[2] = 1;
        body.gravity_scale = 0;
        slide.axis[2] = 0;
        slide.axis[0] = i ? -1 : 1;
        pad.shape = (abut_shape){.kind = ABUT_BOX, .half = {0.1, 0.1, 0.1}};
        pad.friction = FRICTION;
        bool fine = abut_world_add_body(s->world, &body, &finger, NULL) == ABUT_OK &&
                    abut_world_add_joint(s->world, finger, &slide, &joint, NULL) == ABUT_OK &&
                    abut_world_add_collider(s->world, finger, &pad, NULL, NULL) == ABUT_OK;
        motor.joint = joint;
        fine = fine && abut_world_add_motor(s->world, &motor, &id, NULL) == ABUT_OK &&
               abut_motor_set_control(s->world, id, 40.0 * size) == ABUT_OK;
        if (!fine) s->failures++;
    }
    for (int i = 0; i < size; ++i)
        world_scene_box(s, 0.1, 0.1, 0.1, 0.2 * i - 0.1 * (size - 1), 0, 1, 250, FRICTION);
}

/* A hanging chain of hinges about two axes in turn, let go sideways. */
static void chain(world_scene *s, int size)
{
    abut_body_id link = {0};
    for (int i = 0; i < size; ++i) {
        abut_body_def body = abut_body_default_def();
        abut_joint_def hinge = abut_joint_default_def(ABUT_JOINT_HINGE);
        body.parent = link;
        body.position[0] = i ? 0.1 : 0;
        body.position[2] = i ? 0 : 10;
        body.mass = 0.1;
        body.com[0] = 0.05;
        for (int k = 0; k < 3; ++k) body.inertia[k] = 1e-4;
        memcpy(hinge.axis, (double[3]){0, i % 2 ? 0.3 : 1, i % 2 ? 1 : 0}, sizeof hinge.axis);
        bool fine = abut_world_add_body(s->world, &body, &link, NULL) == ABUT_OK &&
                    abut_world_add_joint(s->world, link, &hinge, NULL, NULL) == ABUT_OK;
        if (!fine) s->failures++;
    }
}

bool world_scene_fill(world_scene *s, const char *name, int size, unsigned seed)
{
    static const struct {
        const char *name;
        void (*build)(world_scene *, int);
    } table[] = {{"stack", stack},   {"heavy-on-light", heavy_on_light},
                 {"spread", spread}, {"wall", wall},
                 {"arch", arch},     {"cards", cards},
                 {"grasp", grasp},   {"chain", chain}};
    world_scene_plane(s, origin, up, FRICTION);
    if (strcmp(name, "drops") == 0) {
        drops(s, size, seed);
        return true;
    }
    for (size_t i = 0; i < sizeof table / sizeof *table; ++i) {
        if (strcmp(name, table[i].name) != 0) continue;
        table[i].build(s, size);
        return true;
    }
    return false;
}

world_scene *world_scene_make(const char *name, int size, double step, unsigned seed)
{
    world_scene *s = world_scene_create(step, NULL);
    if (!s || world_scene_fill(s, name, size, seed)) return s;
    world_scene_destroy(s);
    return NULL;
}
