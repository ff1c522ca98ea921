/* Five boxes on one slope, each with another coefficient of friction: who stays, who slides, and how far? The program
 * records its world: run `example_record_world slope.abr`, then `abut view slope.abr -o slope.html`. */
#include <abut/record.h>
#include <abut/world.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { BOXES = 5, CONTACTS = 8 * BOXES };
static const double half[3] = {0.16, 0.1, 0.12}, mass = 2, friction[BOXES] = {0.05, 0.15, 0.25, 0.35, 0.6};

/* Shape 0 is the slope, shape 1 the floor, then the boxes. */
typedef struct scene {
    abut_record_body bodies[BOXES];
    abut_record_shape shapes[2 + BOXES];
} scene;

static bool to_file(void *file, const void *bytes, size_t size)
{
    return fwrite(bytes, 1, size, file) == size;
}

/* Where things are, for the recording. */
static void describe(scene *s, double angle)
{
    static const char *const names[BOXES] = {"friction 0.05", "friction 0.15", "friction 0.25",
                                             "friction 0.35", "friction 0.60"};
    const double length = 2.2, thick = 0.05, up = 1.7, sine = sin(angle), cosine = cos(angle);
    abut_record_shape slope = {
        .body = ABUT_RECORD_WORLD,
        .kind = ABUT_RECORD_BOX,
        .name = "slope",
        .size = {length / 2, 0.9, thick / 2},
        .position = {-length / 2 * cosine - thick / 2 * sine, 0, length / 2 * sine - thick / 2 * cosine},
        .orientation = {cos(angle / 2), 0, sin(angle / 2), 0},
        .colour = {0.62f, 0.66f, 0.72f, 1}};
    s->shapes[0] = slope;
    s->shapes[1] = (abut_record_shape){
        .body = ABUT_RECORD_WORLD, .kind = ABUT_RECORD_PLANE, .name = "floor", .orientation = {1, 0, 0, 0}};
    for (int i = 0; i < BOXES; ++i) {
        s->bodies[i] = (abut_record_body){.name = names[i], .mass = mass};
        s->shapes[2 + i] = (abut_record_shape){.body = i, .kind = ABUT_RECORD_BOX, .name = names[i]};
        memcpy(s->shapes[2 + i].size, half, sizeof half);
        /* Where the box begins: on the slope, `up` along it. */
        memcpy(s->shapes[2 + i].position,
               (double[3]){-up * cosine + half[2] * sine, 0.32 * (i - 2), up * sine + half[2] * cosine},
               sizeof half);
        memcpy(s->shapes[2 + i].orientation, slope.orientation, sizeof slope.orientation);
    }
}

/* Makes the same things as bodies and colliders. The place that `shapes` gives for a box becomes that of its body. */
static bool build(abut_world *world, scene *s, abut_body_id boxes[BOXES])
{
    bool fine = true;
    for (int i = 0; i < 2 + BOXES; ++i) {
        abut_record_shape *shape = &s->shapes[i];
        abut_collider_def collider = abut_collider_default_def();
        abut_body_id body = {0}; /* the ground */
        collider.shape = (abut_shape){.kind = shape->kind == ABUT_RECORD_PLANE ? ABUT_PLANE : ABUT_BOX};
        memcpy(collider.shape.half, shape->size, sizeof shape->size);
        collider.friction = i >= 2 ? friction[i - 2] : i == 1 ? 0.3 : 0; /* the larger of two counts */
        if (i >= 2) {
            abut_body_def def = abut_body_default_def();
            abut_joint_def joint = abut_joint_default_def(ABUT_JOINT_FREE);
            memcpy(def.position, shape->position, sizeof shape->position);
            memcpy(def.rotation, shape->orientation, sizeof shape->orientation);
            collider.density = mass / (8 * half[0] * half[1] * half[2]);
            fine = fine && abut_world_add_body(world, &def, &boxes[i - 2], NULL) == ABUT_OK &&
                   abut_world_add_joint(world, boxes[i - 2], &joint, NULL, NULL) == ABUT_OK;
            body = boxes[i - 2];
            memset(shape->position, 0, sizeof shape->position);
            memcpy(shape->orientation, (double[4]){1, 0, 0, 0}, sizeof shape->orientation);
        }
        memcpy(collider.position, shape->position, sizeof shape->position);
        memcpy(collider.rotation, shape->orientation, sizeof shape->orientation);
        fine = fine && abut_world_add_collider(world, body, &collider, NULL, NULL) == ABUT_OK;
    }
    return fine;
}

/* One step into the recording: where everything is now, and the contacts that brought it here. */
static bool record(abut_record_writer *writer, abut_world *world, const abut_step_report *report,
                   const abut_body_id boxes[BOXES])
{
    abut_record_pose poses[BOXES];
    abut_record_contact contacts[CONTACTS];
    int count = abut_world_contact_count(world);
    if (count > CONTACTS) return false;
    for (int i = 0; i < BOXES; ++i) {
        abut_body_state state;
        if (abut_body_get_state(world, boxes[i], &state) != ABUT_OK) return false;
        memcpy(poses[i].position, state.position, sizeof state.position);
        memcpy(poses[i].orientation, state.rotation, sizeof state.rotation);
    }
    for (int i = 0; i < count; ++i) {
        abut_world_contact c;
        if (abut_world_get_contact(world, i, &c) != ABUT_OK) return false;
        contacts[i] = (abut_record_contact){.bodies = {c.bodies[0].index - 1, c.bodies[1].index - 1},
                                            .friction = c.friction,
                                            .directions = ABUT_DIRECTIONS_DEFAULT,
                                            .state = (abut_record_contact_state)c.state,
                                            .gap = c.gap};
        memcpy(contacts[i].point, c.point, sizeof c.point);
        memcpy(contacts[i].normal, c.normal, sizeof c.normal);
        memcpy(contacts[i].tangent, c.tangent, sizeof c.tangent);
        memcpy(contacts[i].impulse, c.impulse, sizeof c.impulse);
    }
    abut_record_step step = {.time = report->time,
                             .outcome = report->outcome,
                             .stage = report->solver_stage,
                             .pivots = report->pivots,
                             .islands = report->islands,
                             .residual = report->residual,
                             .kinetic = report->kinetic,
                             .potential = report->potential,
                             .poses = poses,
                             .contact_count = count,
                             .contacts = contacts};
    return abut_record_writer_add(writer, &step, NULL) == ABUT_OK;
}

int main(int argc, char **argv)
{
    const double angle = 22 * 3.14159265358979 / 180;
    const char *path = argc > 1 ? argv[1] : "slope.abr";
    scene s;
    describe(&s, angle);
    abut_world_def def = abut_world_default_def();
    def.step = 0.005;
    abut_world *world = NULL;
    abut_body_id boxes[BOXES];
    if (abut_world_create(&def, NULL, &world, NULL) != ABUT_OK || !build(world, &s, boxes)) return 1;

    abut_record_scene about = {
        .title = "Five boxes on a slope",
        .caption = "The slope has 22 degrees: friction of 0.40 and more would hold. Watch who stays, who "
                   "slides, and where the others come to rest.",
        .model = "coulomb",
        .solver = "auto",
        .step = def.step,
        .gravity = {0, 0, def.gravity[2]},
        .body_count = BOXES,
        .shape_count = 2 + BOXES,
        .bodies = s.bodies,
        .shapes = s.shapes};
    abut_record_writer *writer = NULL;
    FILE *file = fopen(path, "wb");
    if (!file) {
        perror(path);
        return 1;
    }
    abut_record_sink sink = {.write = to_file, .context = file};
    bool fine = abut_record_writer_create(&about, &sink, CONTACTS, NULL, &writer, NULL) == ABUT_OK;
    double worst = 0;
    abut_step_report report;
    for (int i = 0; i < 800 && fine; ++i) {
        fine = abut_world_step(world, &report) == ABUT_OK && report.outcome == ABUT_SOLVED &&
               report.unsolved == 0 && record(writer, world, &report, boxes);
        worst = fmax(worst, report.residual);
    }
    fine = fine && abut_record_writer_finish(writer) == ABUT_OK;
    fine = fclose(file) == 0 && fine;
    printf("%s: 800 steps of five boxes, %s, residual at most %.0e\n", path,
           fine ? "all solved" : "not whole", worst);
    abut_record_writer_destroy(writer);
    abut_world_destroy(world);
    return fine ? 0 : 1;
}
