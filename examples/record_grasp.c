/* Two fingers close on a block, lift it, and then squeeze less and less until it slips. Records what happens under
 * Coulomb's law, or under another model: `example_record_grasp grasp.abr no-slip`. */

#include "record_loop.h"

enum { BLOCK, LEFT, RIGHT };
static const double block[3] = {0.04, 0.03, 0.05}, finger[3] = {0.008, 0.018, 0.045};
static const double friction = 0.5;

static void make_scene(loop *l)
{
    static const char *const names[] = {"block", "left finger", "right finger"};
    static const float colours[3][4] = {
        {0.95f, 0.66f, 0.2f, 1}, {0.35f, 0.4f, 0.48f, 1}, {0.35f, 0.4f, 0.48f, 1}};
    l->body_count = 3;
    l->shape_count = 4;
    for (int i = 0; i < 3; i++) {
        const double *half = i == BLOCK ? block : finger, mass = i == BLOCK ? 1 : 0.2;
        double side = i == LEFT ? -1 : i == RIGHT ? 1 : 0;
        l->named[i] = (abut_record_body){.name = names[i], .mass = mass};
        l->shapes[i] = (abut_record_shape){.body = i, .kind = ABUT_RECORD_BOX, .name = names[i]};
        memcpy(l->shapes[i].size, half, sizeof l->shapes[i].size);
        memcpy(l->shapes[i].colour, colours[i], sizeof colours[i]);
        loop_box_moments(mass, half, l->moments[i]);
        l->poses[i] = (abut_record_pose){.position = {side * (block[0] + finger[0] + 0.02), 0, block[2]},
                                         .orientation = {1, 0, 0, 0}};
    }
    l->shapes[3] = (abut_record_shape){
        .body = ABUT_RECORD_WORLD, .kind = ABUT_RECORD_PLANE, .name = "table", .orientation = {1, 0, 0, 0}};
}

/* N: close for half a second, hold, let go slowly, hold a little. */
static double squeeze(double t)
{
    if (t < 2.2) return 25;
    return t < 4.2 ? 25 - 9 * (t - 2.2) : 7;
}

/* m/s: up by 12 cm between 0.6 and 1.8 s, smoothly. */
static double lift(double t)
{
    if (t < 0.6 || t > 1.8) return 0;
    return 0.12 / 1.2 * (1 - cos(2 * 3.14159265358979 * (t - 0.6) / 1.2));
}

/* A finger slides along x in its hand: no turning, nothing along y, and along z what the hand does. */
static void add_hand(loop *l, int body, double speed)
{
    for (int k = 1; k < 6; k++) {
        abut_joint *row = &l->rows[l->row_count++];
        *row = (abut_joint){.bodies = {body, ABUT_WORLD}, .target = k == 2 ? speed : 0};
        row->jacobian[0][k] = 1;
    }
    double push = squeeze(l->time), side = body == LEFT ? 1 : -1;
    l->bodies[body].force[0] += side * push - 20 * l->bodies[body].velocity[0];
}

/* The pad of a finger is smaller than the face of the block: its corners touch, where they are on the face. */
static void add_pad(loop *l, int body)
{
    double side = body == LEFT ? 1 : -1, m[3][3], normal[3];
    loop_matrix(l->poses[BLOCK].orientation, m);
    for (int k = 0; k < 3; k++) normal[k] = m[k][0] * side; /* out of the pad, into the block */
    for (int i = 0; i < 4; i++) {
        double corner[3] = {side * finger[0], i & 1 ? finger[1] : -finger[1], i & 2 ? finger[2] : -finger[2]},
               point[3];
        double at[3] = {0}, gap;
        loop_point(&l->poses[body], corner, point);
        for (int k = 0; k < 3; k++)
            for (int r = 0; r < 3; r++) at[k] += m[r][k] * (point[r] - l->poses[BLOCK].position[r]);
        gap = -side * at[0] - block[0];
        if (fabs(at[1]) <= block[1] && fabs(at[2]) <= block[2])
            loop_contact(l, BLOCK, body, point, normal, gap, friction);
    }
}

int main(int argc, char **argv)
{
    static loop l = {
        .title = "A grasp",
        .caption =
            "Two fingers lift a block of 1 kg, then squeeze less and less. With friction 0.5 it begins "
            "to slip when the squeeze falls below 9.8 N a finger.",
        .step = 0.005,
        .gravity = 9.81};
    if (argc > 2 && !abut_contact_model_from_name(argv[2], &l.model)) {
        fprintf(stderr, "'%s' is no contact model; expected coulomb or no-slip\n", argv[2]);
        return 2;
    }
    make_scene(&l);
    if (!loop_begin(&l, argc > 1 ? argv[1] : "grasp.abr")) return 1;
    const double origin[3] = {0, 0, 0}, up[3] = {0, 0, 1};
    while (l.time < 5) {
        loop_clear(&l);
        add_hand(&l, LEFT, lift(l.time));
        add_hand(&l, RIGHT, lift(l.time));
        add_pad(&l, LEFT);
        add_pad(&l, RIGHT);
        loop_box_on_plane(&l, BLOCK, block, origin, up, friction);
        if (!loop_step(&l)) return 1;
    }
    return loop_end(&l);
}
