/* From polygons in the plane to contacts and unions. */
#include "abut/planar.h"
#include "check.h"

/* A big block with its corner at the origin, body to the left and below. */
static const double block[4][2] = {{-4, -4}, {0, -4}, {0, 0}, {-4, 0}};

static int contacts_of(double x, double y, double reach, bool convex, abut_contact *out)
{
    double box[4][2] = {{x, y}, {x + 1, y}, {x + 1, y + 1}, {x, y + 1}};
    abut_polygon moving = {4, (const double(*)[2])box}, obstacle = {4, block};
    abut_planar_options options = {
        .bodies = {0, ABUT_WORLD}, .reach = reach, .friction = 0.3, .convex = convex, .first_group = 5};
    int count = -1;
    CHECK_EQ_INT(abut_planar_contacts(&moving, &obstacle, &options, out, 16, &count), ABUT_OK);
    return count;
}

static int sides_of_group(const abut_contact *c, int count, int group)
{
    int sides = 0;
    for (int i = 0; i < count; ++i) sides += c[i].group == group;
    return sides;
}

/* Fig. 8: near the corner both faces are sides of one union, though the far one cannot be touched. */
static void test_corner(void)
{
    abut_contact c[16];
    int count = contacts_of(0.05, 0.06, 0.1, false, c);
    CHECK_EQ_INT(count, 2);
    CHECK_EQ_INT(sides_of_group(c, count, 5), 2);
    for (int i = 0; i < count; ++i) {
        bool right = c[i].normal[0] == 1;
        CHECK_NEAR(c[i].gap, right ? 0.05 : 0.06, 1e-15);
        CHECK_EQ_INT(c[i].directions, 2);
        CHECK_NEAR(c[i].normal[0] * c[i].tangent[0] + c[i].normal[1] * c[i].tangent[1], 0, 1e-15);
    }
    count = contacts_of(0.05, 0.06, 0.1, true, c);
    CHECK_EQ_INT(count, 2);
    CHECK(c[0].group != c[1].group); /* infinite walls */
}

/* Fig. 5: far from corners a vertex meets one face, an edge one corner, and both are ordinary contacts. */
static void test_single_face(void)
{
    abut_contact c[16];
    int count = contacts_of(-2.5, 0.02, 0.1, false, c);
    CHECK_EQ_INT(count, 2); /* two vertices on the top */
    for (int i = 0; i < count; ++i) {
        CHECK_EQ_INT(sides_of_group(c, count, c[i].group), 1);
        CHECK_NEAR(c[i].normal[1], 1, 1e-15);
        CHECK_NEAR(c[i].gap, 0.02, 1e-15);
    }
    count = contacts_of(-0.5, 0.02, 0.1, false, c);
    CHECK_EQ_INT(count, 2); /* the left vertex on the top, the corner before the bottom edge */
    CHECK_EQ_INT(sides_of_group(c, count, c[1].group), 1);
    CHECK_NEAR(c[1].point[0], 0, 1e-15);
    CHECK_NEAR(c[1].normal[1], 1, 1e-15);
    CHECK_EQ_INT(contacts_of(3, 3, 0.1, false, c), 0);
}

/* A box slides over the corner: at every place one ordinary contact supports its front half, first at its
 * vertex, then at the corner, and nothing else is in its way. */
static void test_support_goes_over(void)
{
    abut_contact c[16];
    for (int k = -20; k <= 20; ++k) {
        double x = 0.0137 * k;
        int count = contacts_of(x - 1, 0, 0.1, false, c);
        CHECK_EQ_INT(count, 2);
        for (int i = 0; i < count; ++i) {
            CHECK_EQ_INT(sides_of_group(c, count, c[i].group), 1);
            CHECK_NEAR(c[i].normal[1], 1, 1e-15);
            CHECK_NEAR(c[i].gap, 0, 1e-15);
        }
        double front = c[0].point[0] > c[1].point[0] ? c[0].point[0] : c[1].point[0];
        CHECK_NEAR(front, x < 0 ? x : 0, 1e-12);
    }
}

/* A box comes down beside the block: its lower left vertex may be beside the block or above it; two sides,
 * one of which is the same face met by the corner when the vertex is past it. */
static void test_vertex_at_corner(void)
{
    abut_contact c[16];
    static const double at[4][2] = {{0.03, 0.04}, {-0.03, 0.04}, {0.03, -0.04}, {-0.03, -0.04}};
    for (int k = 0; k < 4; ++k) {
        int count = contacts_of(at[k][0], at[k][1], 0.1, false, c);
        CHECK_EQ_INT(count, 2);
        CHECK_EQ_INT(sides_of_group(c, count, 5), 2);
        for (int i = 0; i < count; ++i) CHECK_NEAR(c[i].gap, at[k][c[i].normal[1] > 0.5], 1e-15);
    }
}

/* What lies behind a thin wall does not feel its far face; what is in it is pushed out. */
static void test_thin_wall(void)
{
    static const double wall[4][2] = {{0, -5}, {0.04, -5}, {0.04, 5}, {0, 5}};
    abut_polygon obstacle = {4, wall};
    abut_planar_options options = {.bodies = {0, ABUT_WORLD}, .reach = 0.1, .first_group = 1};
    for (int k = 0; k < 2; ++k) {
        double x = k ? 0.035 : 0.06, box[4][2] = {{x, 0}, {x + 1, -0.3}, {x + 1, 1.3}, {x, 1}};
        abut_polygon moving = {4, (const double(*)[2])box};
        abut_contact c[16];
        int count = 0;
        CHECK_EQ_INT(abut_planar_contacts(&moving, &obstacle, &options, c, 16, &count), ABUT_OK);
        CHECK_EQ_INT(count, 2);
        for (int i = 0; i < count; ++i) {
            CHECK_NEAR(c[i].normal[0], 1, 1e-15);
            CHECK_NEAR(c[i].gap, x - 0.04, 1e-15);
        }
    }
}

/* The tip of a wedge under a trapezoid (Fig. 6): the wedge's face met by the vertex, and the body's edge met
 * by the tip, which ends it (Fig. 8). */
static void test_tip(void)
{
    static const double wedge[3][2] = {{-0.5, -1}, {0.5, -1}, {0, 0}};
    double body[4][2] = {{-0.93, 0.02}, {-0.03, 0.02}, {0.22, 0.62}, {-1.18, 0.62}};
    abut_polygon obstacle = {3, wedge}, moving = {4, (const double(*)[2])body};
    abut_planar_options options = {.bodies = {0, ABUT_WORLD}, .reach = 0.1, .first_group = 1};
    abut_contact c[16];
    int count = 0;
    CHECK_EQ_INT(abut_planar_contacts(&moving, &obstacle, &options, c, 16, &count), ABUT_OK);
    CHECK_EQ_INT(count, 2);
    CHECK_EQ_INT(sides_of_group(c, count, 1), 2);
    CHECK_NEAR(c[0].normal[0], -2 / sqrt(5), 1e-12);
    CHECK_NEAR(c[0].point[0], -0.03, 1e-15);
    CHECK_NEAR(c[1].normal[1], 1, 1e-15);
    CHECK_NEAR(c[1].point[0], 0, 1e-15);
    CHECK_NEAR(c[1].gap, 0.02, 1e-15);
}

/* Which faces belong to a vertex: those whose normals its edges allow, and 0.1 rad beyond. The corner of the
 * obstacle is at the origin, between a face with normal at angle `first` and one at 60 degrees; the box stands
 * up and to the right of it, so that its vertex allows normals from 0 to 90 degrees. At -0.3 rad the first face
 * is none the vertex can touch, and the box's left edge, met by the corner, is a side; at -0.05 rad the box
 * may turn as far, and the face, over which the vertex is, stands for both. */
static void test_turn(void)
{
    static const double firsts[2] = {-0.3, -0.05};
    const double second = acos(-1) / 3;
    for (int k = 0; k < 2; ++k) {
        double a = firsts[k], height = k ? -0.01 : 0.01;
        double corner[3][2] = {{4 * sin(a), -4 * cos(a)}, {0, 0}, {-4 * sin(second), 4 * cos(second)}};
        double box[4][2] = {{0.02, height}, {1.02, height}, {1.02, 1}, {0.02, 1}};
        abut_polygon obstacle = {3, (const double(*)[2])corner}, moving = {4, (const double(*)[2])box};
        abut_planar_options options = {.bodies = {0, ABUT_WORLD}, .reach = 0.1, .first_group = 1};
        abut_contact c[16];
        int count = 0;
        CHECK_EQ_INT(abut_planar_contacts(&moving, &obstacle, &options, c, 16, &count), ABUT_OK);
        CHECK_EQ_INT(count, 2);
        CHECK_EQ_INT(sides_of_group(c, count, 1), 2);
        for (int i = 0; i < 2; ++i) {
            bool upper = c[i].normal[1] > 0.5;
            double angle = upper ? second : k ? a : 0, x = upper || k ? 0.02 : 0, y = upper || k ? height : 0;
            CHECK_NEAR(atan2(c[i].normal[1], c[i].normal[0]), angle, 1e-12);
            CHECK_NEAR(c[i].point[0], x, 1e-15);
            CHECK_NEAR(c[i].point[1], y, 1e-15);
            /* Of the vertex from a face: n.p; of the corner from the left edge: 0.02. */
            CHECK_NEAR(c[i].gap, upper || k ? cos(angle) * 0.02 + sin(angle) * height : 0.02, 1e-12);
        }
        CHECK((c[0].normal[1] > 0.5) != (c[1].normal[1] > 0.5));
    }
}

/* Keys name contacts, each its own, also where both ends of a short edge meet one corner. */
static void test_keys(void)
{
    static const double sizes[3] = {1, 0.15, 0.04};
    abut_body body = {.mass = 1, .inertia = {1, 1, 1}};
    for (int k = 0; k < 3; ++k) {
        double s = sizes[k];
        for (int i = -6; i <= 6; ++i) {
            double x = 0.02 * i, y = 0.01,
                   box[4][2] = {{x, y}, {x + s, y + 0.3 * s}, {x + s, y + s}, {x, y + s}};
            abut_polygon moving = {4, (const double(*)[2])box}, obstacle = {4, block};
            abut_planar_options options = {.bodies = {0, ABUT_WORLD}, .reach = 0.1, .first_group = 1};
            abut_contact c[64];
            abut_contact_problem problem = {.step = 0.01, .body_count = 1, .bodies = &body, .contacts = c};
            abut_error error;
            CHECK_EQ_INT(abut_planar_contacts(&moving, &obstacle, &options, c, 64, &problem.contact_count),
                         ABUT_OK);
            CHECK_MSG(abut_contact_validate(&problem, &error) == ABUT_OK, "%s", error.text);
        }
    }
}

static void test_refusals(void)
{
    abut_contact c[1];
    double flat[3][2] = {{0, 0}, {1, 0}, {2, 0}};
    abut_polygon good = {4, block}, bad = {3, (const double(*)[2])flat};
    abut_planar_options options = {.bodies = {0, ABUT_WORLD}, .reach = 0.1, .first_group = 1};
    int count = 0;
    CHECK_EQ_INT(abut_planar_contacts(&bad, &good, &options, c, 1, &count), ABUT_INVALID_ARGUMENT);
    double box[4][2] = {{-2.5, 0.02}, {-1.5, 0.02}, {-1.5, 1}, {-2.5, 1}};
    abut_polygon upon = {4, (const double(*)[2])box};
    CHECK_EQ_INT(abut_planar_contacts(&upon, &good, &options, c, 1, &count), ABUT_TOO_LARGE);
    CHECK_EQ_INT(count, 2);
    /* The obstacle may have corners that turn inwards, what moves may not; nor may it go round twice. */
    static const double ell[6][2] = {{0, 0}, {2, 0}, {2, 1}, {1, 1}, {1, 2}, {0, 2}};
    double star[5][2], pi = acos(-1);
    for (int i = 0; i < 5; ++i) {
        star[i][0] = cos(0.8 * pi * i);
        star[i][1] = sin(0.8 * pi * i);
    }
    abut_polygon angled = {6, ell}, twice = {5, (const double(*)[2])star};
    CHECK_EQ_INT(abut_planar_contacts(&good, &angled, &options, c, 1, &count), ABUT_TOO_LARGE);
    count = -7;
    CHECK_EQ_INT(abut_planar_contacts(&angled, &good, &options, c, 1, &count), ABUT_INVALID_ARGUMENT);
    CHECK_EQ_INT(abut_planar_contacts(&twice, &good, &options, c, 1, &count), ABUT_INVALID_ARGUMENT);
    static const double frictions[] = {-0.1, NAN, INFINITY}, reaches[] = {0, -1, NAN, INFINITY};
    for (int k = 0; k < 3; ++k) {
        options.friction = frictions[k];
        CHECK_EQ_INT(abut_planar_contacts(&upon, &good, &options, c, 1, &count), ABUT_INVALID_ARGUMENT);
    }
    options.friction = 0;
    for (int k = 0; k < 4; ++k) {
        options.reach = reaches[k];
        CHECK_EQ_INT(abut_planar_contacts(&upon, &good, &options, c, 1, &count), ABUT_INVALID_ARGUMENT);
    }
    CHECK_EQ_INT(count, -7); /* nothing was written */
}

int main(void)
{
    RUN(test_corner);
    RUN(test_single_face);
    RUN(test_support_goes_over);
    RUN(test_vertex_at_corner);
    RUN(test_thin_wall);
    RUN(test_tip);
    RUN(test_turn);
    RUN(test_keys);
    RUN(test_refusals);
    return check_report();
}
