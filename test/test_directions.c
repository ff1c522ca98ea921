/* The table of friction directions, recomputed here by fixed operations without libm. `test_directions
 * --table` prints src/contact/system/directions_table.h.
 *
 * Each angle 2 pi j / d is folded exactly, in integers, into the first octant: 8 j = o d + r tells the octant
 * o and what is left of it; cos and sin of an angle of at most pi/4 come from their Taylor series. Unfolding
 * only swaps and negates. */
#include "check.h"
#include "contact/system/system.h"

/* cos and sin of eighths / (4 d) * pi, 0 <= eighths <= d: an angle in [0, pi/4]. */
static void octant(int d, int eighths, double *cosine, double *sine)
{
    if (eighths == d) {
        *cosine = *sine = 0x1.6a09e667f3bcdp-1; /* sqrt(1/2) */
        return;
    }
    if (3 * eighths == 2 * d) { /* pi / 6: the sine is one half */
        *cosine = 0x1.bb67ae8584caap-1;
        *sine = 0.5;
        return;
    }
    double x = 0x1.921fb54442d18p+1 * (double)eighths / (4.0 * (double)d);
    double y = x * x;
    /* Horner from x^18 / 18! and x^19 / 19!: the first terms left out are below 1e-19. */
    double c = 1.0, s = 1.0;
    for (int k = 9; k >= 1; --k) {
        c = 1.0 - y / (double)((2 * k - 1) * (2 * k)) * c;
        s = 1.0 - y / (double)((2 * k) * (2 * k + 1)) * s;
    }
    *cosine = c;
    *sine = x * s;
}

static void direction(int d, int j, double out[2])
{
    static const int swapped[8] = {0, 1, 1, 0, 0, 1, 1, 0};
    static const int sign_x[8] = {1, 1, -1, -1, -1, -1, 1, 1};
    static const int sign_y[8] = {1, 1, 1, 1, -1, -1, -1, -1};
    int whole = (8 * j) / d;      /* octant, 0 .. 7 */
    int rest = 8 * j - whole * d; /* what is left of it, 0 .. d-1 of d */
    double c = 0.0, s = 0.0;
    octant(d, whole % 2 ? d - rest : rest, &c, &s); /* odd octants run backwards from their far axis */
    out[0] = sign_x[whole] * (swapped[whole] ? s : c) + 0.0;
    out[1] = sign_y[whole] * (swapped[whole] ? c : s) + 0.0;
}

static void print_table(void)
{
    printf("/* (cos, sin)(2 pi j / d) for d = 2 .. 64, j = 0 .. d-1; printed by test_directions --table. */\n"
           "/* clang-format off */\n");
    for (int d = ABUT_DIRECTIONS_MIN; d <= ABUT_DIRECTIONS_MAX; ++d) {
        printf("/* d = %d */", d);
        for (int j = 0; j < d; ++j) {
            double at[2];
            direction(d, j, at);
            printf("%s%.17g, %.17g,", j % 4 ? " " : "\n", at[0], at[1]);
        }
        printf("\n");
    }
    printf("/* clang-format on */\n");
}

static void test_bits(void)
{
    for (int d = ABUT_DIRECTIONS_MIN; d <= ABUT_DIRECTIONS_MAX; ++d) {
        for (int j = 0; j < d; ++j) {
            double expected[2];
            direction(d, j, expected);
            const double *at = abuti_direction(d, j);
            CHECK_MSG(memcmp(at, expected, sizeof expected) == 0, "d = %d, j = %d", d, j);
        }
    }
}

static void test_against_libm(void)
{
    for (int d = ABUT_DIRECTIONS_MIN; d <= ABUT_DIRECTIONS_MAX; ++d) {
        for (int j = 0; j < d; ++j) {
            long double angle = 2.0L * 3.14159265358979323846264338327950288L * j / d;
            const double *at = abuti_direction(d, j);
            CHECK_NEAR(at[0], (double)cosl(angle), 2.3e-16);
            CHECK_NEAR(at[1], (double)sinl(angle), 2.3e-16);
        }
    }
}

static void test_symmetry(void)
{
    for (int d = ABUT_DIRECTIONS_MIN; d <= ABUT_DIRECTIONS_MAX; ++d) {
        CHECK(abuti_direction(d, 0)[0] == 1.0 && abuti_direction(d, 0)[1] == 0.0);
        for (int j = 0; j < d; ++j) {
            const double *at = abuti_direction(d, j);
            const double *mirror = abuti_direction(d, j ? d - j : 0);
            CHECK(at[0] == mirror[0] && at[1] == -mirror[1]);
            CHECK(!signbit(at[0]) || at[0] < 0.0);
            CHECK(!signbit(at[1]) || at[1] < 0.0);
            if (d % 2 == 0) {
                const double *opposite = abuti_direction(d, (j + d / 2) % d);
                CHECK(at[0] == -opposite[0] && at[1] == -opposite[1]);
            }
            if (d % 4 == 0) {
                const double *turned = abuti_direction(d, (j + d / 4) % d);
                CHECK(turned[0] == -at[1] && turned[1] == at[0]);
            }
        }
    }
}

int main(int argc, char **argv)
{
    if (argc == 2 && strcmp(argv[1], "--table") == 0) {
        print_table();
        return 0;
    }
    RUN(test_bits);
    RUN(test_against_libm);
    RUN(test_symmetry);
    return check_report();
}
