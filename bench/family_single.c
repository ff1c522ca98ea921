/* Ten situations of one body, like those of Lloyd's section 5.4: from a ball on a plane with one contact to a
 * peg in a hole with sixteen. The random wrench is biased towards the contacts, else nothing would touch. */
#include "contact_families.h"

static const double SIDE = 0.1, BALL = 0.05, MASS = 1.0;

static int ball(contact_case *c)
{
    double i = 0.4 * MASS * BALL * BALL;
    return contact_case_body(c, MASS, (double[]){i, i, i}, (double[]){0, 0, 0});
}

static int block(contact_case *c)
{
    double inertia[3];
    contact_block_inertia(MASS, SIDE, SIDE, SIDE, inertia);
    return contact_case_body(c, MASS, inertia, (double[]){0, 0, 0});
}

/* A ball touched in this direction (from its centre). */
static void touch_ball(contact_case *c, int body, double x, double y, double z, bench_random *random)
{
    contact_case_add(c, body, ABUT_WORLD, contact_usual_friction(random),
                     (double[]){BALL * x, BALL * y, BALL * z}, (double[]){-x, -y, -z});
}

static void push(contact_case *c, int body, double x, double y, double z)
{
    c->bodies[body].force[0] += x;
    c->bodies[body].force[1] += y;
    c->bodies[body].force[2] += z;
}

static void ball_on_plane(contact_case *c, bench_random *random)
{
    int body = ball(c);
    touch_ball(c, body, 0, 0, -1, random);
    push(c, body, 0, 0, -10);
}

static void ball_in_groove(contact_case *c, bench_random *random)
{
    int body = ball(c);
    const double h = sqrt(0.5);
    touch_ball(c, body, h, 0, -h, random);
    touch_ball(c, body, -h, 0, -h, random);
    push(c, body, 0, 0, -10);
}

static void ball_in_corner(contact_case *c, bench_random *random)
{
    int body = ball(c);
    touch_ball(c, body, -1, 0, 0, random);
    touch_ball(c, body, 0, -1, 0, random);
    touch_ball(c, body, 0, 0, -1, random);
    push(c, body, -8, -8, -8);
}

/* Points on the block's lower face, normals up. */
static void foot(contact_case *c, int body, double x, double y, bench_random *random)
{
    contact_case_add(c, body, ABUT_WORLD, contact_usual_friction(random), (double[]){x, y, -SIDE / 2},
                     (double[]){0, 0, 1});
}

static void block_on_plane(contact_case *c, bench_random *random)
{
    int body = block(c);
    for (int i = 0; i < 4; ++i)
        foot(c, body, i & 1 ? SIDE / 2 : -SIDE / 2, i & 2 ? SIDE / 2 : -SIDE / 2, random);
    push(c, body, 0, 0, -10);
}

/* Two faces that overlap in a hexagon. */
static void face_on_face(contact_case *c, bench_random *random)
{
    int body = block(c);
    for (int i = 0; i < 6; ++i) {
        double x, y;
        contact_circle(i, 6, &x, &y);
        foot(c, body, 0.5 * SIDE * x, 0.4 * SIDE * y, random);
    }
    push(c, body, 0, 0, -10);
}

static void ball_in_rim(contact_case *c, bench_random *random)
{
    int body = ball(c);
    for (int i = 0; i < 8; ++i) {
        double x, y;
        contact_circle(i, 8, &x, &y);
        touch_ball(c, body, 0.6 * x, 0.6 * y, -0.8, random);
    }
    push(c, body, 0, 0, -10);
}

/* Two faces of a block that stands on its edge lie in a V: `rows` pairs of points a face. */
static void in_groove(contact_case *c, double half_angle_cos, double half_angle_sin, int rows,
                      bench_random *random)
{
    int body = block(c);
    for (int face = 0; face < 2; ++face)
        for (int i = 0; i < 2 * rows; ++i) {
            double sign = face == 0 ? 1 : -1, along = i % 2 == 0 ? -0.5 : 0.5, up = (double)(i / 2) / rows;
            /* From the lowest edge up the face. */
            double point[3] = {sign * SIDE * up * half_angle_sin, SIDE * along,
                               SIDE * (up * half_angle_cos - 0.7)};
            double normal[3] = {-sign * half_angle_cos, 0, half_angle_sin};
            contact_case_add(c, body, ABUT_WORLD, contact_usual_friction(random), point, normal);
        }
    push(c, body, 0, 0, -12);
}

static void block_in_groove(contact_case *c, bench_random *random)
{
    in_groove(c, sqrt(0.5), sqrt(0.5), 2, random);
}

/* A steep wedge: it jams. */
static void wedge_in_slot(contact_case *c, bench_random *random)
{
    in_groove(c, 0.96, 0.28, 3, random);
    c->problem.contact_count = 10;
}

static void block_in_corner(contact_case *c, bench_random *random)
{
    int body = block(c);
    for (int axis = 0; axis < 3; ++axis)
        for (int i = 0; i < 4; ++i) {
            double point[3], normal[3] = {0, 0, 0};
            point[axis] = -SIDE / 2;
            point[(axis + 1) % 3] = i & 1 ? SIDE / 2 : -SIDE / 2;
            point[(axis + 2) % 3] = i & 2 ? SIDE / 2 : -SIDE / 2;
            normal[axis] = 1;
            contact_case_add(c, body, ABUT_WORLD, contact_usual_friction(random), point, normal);
        }
    push(c, body, -8, -8, -8);
}

static void peg_in_hole(contact_case *c, bench_random *random)
{
    contact_make_peg(c, 16, random);
}

static const struct {
    const char *name;
    int contacts;
    void (*make)(contact_case *c, bench_random *random);
} situations[CONTACT_SITUATIONS] = {
    {"ball on plane", 1, ball_on_plane},      {"ball in groove", 2, ball_in_groove},
    {"ball in corner", 3, ball_in_corner},    {"block on plane", 4, block_on_plane},
    {"face on face", 6, face_on_face},        {"ball in rim", 8, ball_in_rim},
    {"block in groove", 8, block_in_groove},  {"wedge in slot", 10, wedge_in_slot},
    {"block in corner", 12, block_in_corner}, {"peg in hole", 16, peg_in_hole},
};

const char *contact_situation_name(int situation)
{
    return situations[situation - 1].name;
}

int contact_situation_contacts(int situation)
{
    return situations[situation - 1].contacts;
}

void contact_make_single(contact_case *c, int situation, bench_random *random)
{
    situations[situation - 1].make(c, random);
    if (situation != CONTACT_SITUATIONS) contact_random_wrench(c, 0, 10, SIDE / 2, random);
}
