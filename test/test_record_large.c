/* 10,000 steps of 50 bodies: what such a recording costs in bytes, and that it is read back. The bodies fall, bounce a
 * little, come to rest one after the other and are pushed again; each touches the ground at four points. With a path in
 * ABUT_RECORD_OUT the recording is left there, for tests that look at it. */

#include "check.h"
#include "record_case.h"

enum { STEPS = 10000, BODIES = 50, CORNERS = 4 };
#define STEP 0.002

typedef struct crowd {
    abut_record_body bodies[BODIES];
    abut_record_shape shapes[BODIES + 1];
    abut_record_pose poses[BODIES];
    abut_record_contact contacts[BODIES * CORNERS];
    double height[BODIES], speed[BODIES], slide[BODIES], angle[BODIES];
} crowd;

static void make_crowd(crowd *c, abut_record_scene *scene)
{
    memset(c, 0, sizeof *c);
    for (int i = 0; i < BODIES; ++i) {
        c->bodies[i] = (abut_record_body){.name = "box", .mass = 1};
        c->shapes[i] = (abut_record_shape){.body = i, .kind = ABUT_RECORD_BOX, .size = {0.1, 0.1, 0.1}};
        c->height[i] = 0.1 + 0.05 * (i % 17);
    }
    c->shapes[BODIES] = (abut_record_shape){.body = ABUT_RECORD_WORLD, .kind = ABUT_RECORD_PLANE};
    *scene = (abut_record_scene){.title = "A crowd",
                                 .caption = "Boxes that bounce and slide.",
                                 .step = STEP,
                                 .body_count = BODIES,
                                 .bodies = c->bodies,
                                 .shape_count = BODIES + 1,
                                 .shapes = c->shapes};
}

/* Moves every body, and says where it touches; returns how many contacts there are. */
static int move_crowd(crowd *c, int k)
{
    int count = 0;
    for (int i = 0; i < BODIES; ++i) {
        if (k % 2500 == 50 * i) c->speed[i] = 1.5, c->slide[i] = 0.5;
        c->speed[i] -= 9.81 * STEP;
        c->height[i] += STEP * c->speed[i];
        bool down = c->height[i] <= 0.1;
        if (down) c->height[i] = 0.1, c->speed[i] = c->speed[i] < -0.2 ? -0.4 * c->speed[i] : 0;
        if (down) c->slide[i] = fmax(0, c->slide[i] - 2 * STEP);
        c->angle[i] += STEP * c->slide[i];
        double x = 0.3 * (i % 10) + 0.5 * c->angle[i], y = 0.3 * (i / 10.0), a = c->angle[i];
        c->poses[i] = (abut_record_pose){.position = {x, y, c->height[i]},
                                         .orientation = {cos(a / 2), 0, 0, sin(a / 2)}};
        for (int j = 0; down && j < CORNERS; ++j) {
            bool slides = c->slide[i] > 0;
            c->contacts[count++] = (abut_record_contact){
                .bodies = {i, ABUT_RECORD_WORLD},
                .point = {x + 0.1 * cos(a + 1.5707963 * j), y + 0.1 * sin(a + 1.5707963 * j), 0},
                .normal = {0, 0, 1},
                .tangent = {1, 0, 0},
                .impulse = {0.0049 * (1 + 1e-13 * k), slides ? -0.00098 : 1e-19, 0},
                .friction = 0.2,
                .directions = 8,
                .state = slides ? ABUT_RECORD_SLIDING : ABUT_RECORD_STICKING};
        }
    }
    return count;
}

static void write_crowd(memory *m)
{
    static crowd c;
    abut_record_scene scene;
    make_crowd(&c, &scene);
    abut_record_sink sink = {.write = memory_write, .context = m};
    abut_record_writer *writer = NULL;
    abut_error error = {""};
    if (abut_record_writer_create(&scene, &sink, BODIES * CORNERS, NULL, &writer, &error) != ABUT_OK)
        CHECK_MSG(false, "%s", error.text);
    for (int k = 0; k < STEPS; ++k) {
        int contacts = move_crowd(&c, k);
        abut_record_step step = {.time = k * STEP,
                                 .stage = "faces-check",
                                 .pivots = contacts / 7,
                                 .residual = 1e-15 * (1 + k % 7),
                                 .microseconds = 20 + contacts / 8,
                                 .kinetic = 1 + sin(k * STEP),
                                 .potential = cos(k * STEP),
                                 .poses = c.poses,
                                 .contact_count = contacts,
                                 .contacts = c.contacts};
        CHECK_EQ_INT(abut_record_writer_add(writer, &step, &error), ABUT_OK);
    }
    CHECK_EQ_INT(abut_record_writer_finish(writer), ABUT_OK);
    abut_record_writer_destroy(writer);
}

static void test_size(void)
{
    memory m = {0};
    write_crowd(&m);
    abut_record_reader *reader = NULL;
    CHECK_EQ_INT(abut_record_reader_create(m.bytes, m.used, NULL, &reader, NULL), ABUT_OK);
    const abut_record_extent *extent = abut_record_reader_extent(reader);
    CHECK_EQ_INT(extent->steps, STEPS);
    CHECK_EQ_INT(extent->ending, ABUT_RECORD_COMPLETE);
    printf("       %zu bytes, %.1f a step, up to %d contacts\n", m.used, (double)m.used / STEPS,
           extent->contacts);
    /* Poses alone would take 56 bytes a body as doubles, 28 MB. */
    CHECK(m.used < 8u << 20);
    abut_record_reader_destroy(reader);
    const char *path = getenv("ABUT_RECORD_OUT");
    FILE *file = path ? fopen(path, "wb") : NULL;
    if (path) CHECK(file && fwrite(m.bytes, 1, m.used, file) == m.used);
    if (file) fclose(file);
    free(m.bytes);
}

int main(void)
{
    RUN(test_size);
    return check_report();
}
