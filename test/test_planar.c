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

static void test_refusals(void)
{
    abut_contact c[1];
    double flat[3][2] = {{0, 0}, {1, 0}, {2, 0}};
    abut_polygon good = {4, block}, bad = {3, (const double(*)[2])flat};
    abut_planar_options options = {.bodies = {0, ABUT_WORLD}, .reach = 0.1, .first_group = 1};
    int count = 0;
    CHECK_EQ_INT(abut_planar_contacts(&bad, &good, &options, c, 1, &count), ABUT_INVALID_ARGUMENT);
    CHECK_EQ_INT(abut_planar_contacts(&good, &good, &options, c, 1, &count), ABUT_TOO_LARGE);
    CHECK(count > 1);
    options.reach = 0;
    CHECK_EQ_INT(abut_planar_contacts(&good, &good, &options, c, 1, &count), ABUT_INVALID_ARGUMENT);
}

int main(void)
{
    RUN(test_corner);
    RUN(test_single_face);
    RUN(test_refusals);
    return check_report();
}
