/* Piles: bodies on a lattice that touch their neighbours at four points, with normals and forces off by chance.
 *
 *     tower, wall     family_stacks.c
 *     wide-wall       as wide as it is high
 *     pyramid         layers of (k x k), each body on four below it
 *     heap            a block of bodies three deep, gravity, friction 0.3 to 0.8
 *     bin             the same between four walls
 *     cluster         a cube of bodies, forces from everywhere, friction 0.2 to 1.5
 *     chain, net      joint rows (three for each link) in a line and in a square, lying on the ground */
#include "family_piles.h"

static const double SIZE = 0.1, MASS = 0.5;

/* What the bodies of a lattice have in common. */
typedef struct lattice {
    int count[3];       /* bodies along x, y, z */
    double tilt;        /* how far normals are off */
    double friction[2]; /* from, to */
    double push;        /* forces in units of the weight */
    bool walls;
} lattice;

static int add_body(contact_case *c, double x, double y, double z, double push, bench_random *random)
{
    double inertia[3];
    contact_block_inertia(MASS, SIZE, SIZE, SIZE, inertia);
    int body = contact_case_body(c, MASS, inertia, (double[]){x, y, z});
    c->bodies[body].force[2] = -CONTACT_GRAVITY * MASS;
    contact_random_wrench(c, body, push * CONTACT_GRAVITY * MASS, SIZE / 2, random);
    return body;
}

/* Four points of a face between two bodies; `normal` points towards a. */
static void add_face(contact_case *c, int a, int b, const double middle[3], int axis, double sign,
                     const lattice *l, bench_random *random)
{
    double normal[3], length = 0.0, mu = bench_uniform(random, l->friction[0], l->friction[1]);
    for (int k = 0; k < 3; ++k) {
        normal[k] = (k == axis ? sign : 0.0) + l->tilt * bench_uniform(random, -1.0, 1.0);
        length += normal[k] * normal[k];
    }
    for (int k = 0; k < 3; ++k) normal[k] /= sqrt(length);
    for (int i = 0; i < 4; ++i) {
        double point[3] = {middle[0], middle[1], middle[2]};
        point[(axis + 1) % 3] += (i & 1 ? 0.4 : -0.4) * SIZE;
        point[(axis + 2) % 3] += (i & 2 ? 0.4 : -0.4) * SIZE;
        contact_case_add(c, a, b, mu, point, normal);
    }
}

static int lattice_body(const lattice *l, const int at[3])
{
    return (at[2] * l->count[1] + at[1]) * l->count[0] + at[0];
}

static void make_lattice(contact_case *c, const lattice *l, bench_random *random)
{
    int at[3];
    for (at[2] = 0; at[2] < l->count[2]; ++at[2])
        for (at[1] = 0; at[1] < l->count[1]; ++at[1])
            for (at[0] = 0; at[0] < l->count[0]; ++at[0])
                add_body(c, SIZE * at[0], SIZE * at[1], SIZE * (at[2] + 0.5), l->push, random);
    for (at[2] = 0; at[2] < l->count[2]; ++at[2])
        for (at[1] = 0; at[1] < l->count[1]; ++at[1])
            for (at[0] = 0; at[0] < l->count[0]; ++at[0]) {
                int body = lattice_body(l, at);
                for (int axis = 0; axis < 3; ++axis) {
                    double low[3] = {SIZE * at[0], SIZE * at[1], SIZE * (at[2] + 0.5)}, high[3];
                    for (int k = 0; k < 3; ++k) high[k] = low[k];
                    low[axis] -= SIZE / 2;
                    high[axis] += SIZE / 2;
                    bool first = at[axis] == 0, last = at[axis] + 1 == l->count[axis];
                    if (first && (axis == 2 || l->walls))
                        add_face(c, body, ABUT_WORLD, low, axis, 1.0, l, random);
                    if (last && axis < 2 && l->walls)
                        add_face(c, body, ABUT_WORLD, high, axis, -1.0, l, random);
                    if (last) continue;
                    int next[3] = {at[0], at[1], at[2]};
                    next[axis]++;
                    add_face(c, lattice_body(l, next), body, high, axis, 1.0, l, random);
                }
            }
}

static void make_wide_wall(contact_case *c, int m, bench_random *random)
{
    int width = (int)fmax(2.0, sqrt(m));
    lattice l = {{width, 1, (m + width - 1) / width}, 0.0, {0.3, 0.8}, 0.05, false};
    make_lattice(c, &l, random);
}

static void make_heap_of(contact_case *c, int m, bool walls, bench_random *random)
{
    int side = (int)fmax(2.0, sqrt(m / 4.0));
    lattice l = {{side, side, (m + side * side - 1) / (side * side)}, 0.3, {0.3, 0.8}, 0.1, walls};
    make_lattice(c, &l, random);
}

static void make_heap(contact_case *c, int m, bench_random *random)
{
    make_heap_of(c, m, false, random);
}

static void make_bin(contact_case *c, int m, bench_random *random)
{
    make_heap_of(c, m, true, random);
}

static void make_cluster(contact_case *c, int m, bench_random *random)
{
    int side = (int)fmax(2.0, cbrt(m));
    double mu = bench_uniform(random, 0.2, 1.5);
    lattice l = {{side, side, (m + side * side - 1) / (side * side)}, 0.5, {mu, mu}, 3.0, false};
    make_lattice(c, &l, random);
}

/* Layer k from the top has (k + 1) x (k + 1) bodies; each stands on the corners of four. */
static void make_pyramid(contact_case *c, int m, bench_random *random)
{
    int layers = 1, first = 0;
    while ((layers + 1) * (layers + 2) * (2 * layers + 3) / 6 <= m) ++layers;
    for (int k = 0; k < layers; ++k) {
        int side = k + 1;
        double z = SIZE * (layers - 1 - k);
        for (int i = 0; i < side * side; ++i) {
            double x = SIZE * (i % side - 0.5 * k), y = SIZE * (i / side - 0.5 * k),
                   mu = bench_uniform(random, 0.3, 0.8);
            int body = add_body(c, x, y, z + SIZE / 2, 0.02, random);
            for (int q = 0; q < 4; ++q) {
                int below = k + 1 == layers ? ABUT_WORLD
                                            : first + side * side + (i / side + (q >> 1)) * (side + 1) +
                                                  i % side + (q & 1);
                double point[3] = {x + (q & 1 ? 0.25 : -0.25) * SIZE, y + (q & 2 ? 0.25 : -0.25) * SIZE, z};
                contact_case_add(c, body, below, mu, point, (double[]){0, 0, 1});
            }
        }
        first += side * side;
    }
}

/* Two bodies held together at a point: three rows. */
static void add_link(contact_case *c, int a, int b, const double point[3])
{
    for (int axis = 0; axis < 3; ++axis) {
        double row[2][6] = {{0}};
        for (int side = 0; side < 2; ++side) {
            const double *com = c->bodies[side ? b : a].com;
            double sign = side ? -1.0 : 1.0, arm[3];
            for (int k = 0; k < 3; ++k) arm[k] = point[k] - com[k];
            row[side][axis] = sign; /* e . (v + w x r) = e.v + (r x e).w */
            row[side][3 + (axis + 1) % 3] = sign * arm[(axis + 2) % 3];
            row[side][3 + (axis + 2) % 3] = -sign * arm[(axis + 1) % 3];
        }
        contact_case_joint(c, a, b, row[0], row[1], 0.0);
    }
}

static void make_links(contact_case *c, int wide, int deep, bench_random *random)
{
    lattice l = {{wide, deep, 1}, 0.0, {0.3, 0.8}, 0.3, false};
    for (int i = 0; i < wide * deep; ++i) {
        double x = 1.2 * SIZE * (i % wide), y = 1.2 * SIZE * (i / wide);
        int body = add_body(c, x, y, SIZE / 2, l.push, random);
        add_face(c, body, ABUT_WORLD, (double[]){x, y, 0.0}, 2, 1.0, &l, random);
        if (i % wide > 0) add_link(c, body, body - 1, (double[]){x - 0.6 * SIZE, y, SIZE / 2});
        if (i >= wide) add_link(c, body, body - wide, (double[]){x, y - 0.6 * SIZE, SIZE / 2});
    }
}

static void make_chain(contact_case *c, int m, bench_random *random)
{
    make_links(c, m, 1, random);
}

static void make_net(contact_case *c, int m, bench_random *random)
{
    int side = (int)fmax(2.0, sqrt(m));
    make_links(c, side, (m + side - 1) / side, random);
}

const pile_family pile_families[] = {
    {"tower", contact_make_stack}, {"wall", contact_make_wall}, {"wide-wall", make_wide_wall},
    {"pyramid", make_pyramid},     {"heap", make_heap},         {"bin", make_bin},
    {"cluster", make_cluster},     {"chain", make_chain},       {"net", make_net}};

const int pile_family_count = sizeof pile_families / sizeof pile_families[0];
