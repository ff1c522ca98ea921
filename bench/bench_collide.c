/* `abut bench collide`: nanoseconds a pair, for manifolds of pairs that touch, that are deep and that are apart. */
#include "bench.h"
#include "random.h"
#include "timer.h"

#include "abut/shape.h"

#include <math.h>

void bench_run_collide(bench *b);

enum { PAIRS = 200, REPEATS = 50 };

typedef struct posed_pair {
    abut_pose a, b;
} posed_pair;

static abut_pose random_pose(bench_random *r)
{
    abut_pose pose = {.rotation = {1, 0, 0, 0}};
    double square = 0;
    do {
        square = 0;
        for (int k = 0; k < 4; ++k) {
            pose.rotation[k] = bench_uniform(r, -1, 1);
            square += pose.rotation[k] * pose.rotation[k];
        }
    } while (square > 1 || square < 0.01);
    return pose;
}

/* B is moved so that the signed distance is as asked for. */
static posed_pair make_pair(bench_random *r, const abut_shape *a, const abut_shape *b, double distance)
{
    posed_pair p = {random_pose(r), random_pose(r)};
    abut_pose direction = random_pose(r);
    for (int k = 0; k < 3; ++k) p.b.position[k] = 3 * direction.rotation[k];
    for (int i = 0; i < 20; ++i) {
        abut_closest c;
        if (abut_shape_distance(a, &p.a, b, &p.b, 100, &c) != ABUT_OK) break;
        for (int k = 0; k < 3; ++k) p.b.position[k] += (c.distance - distance) * c.normal[k];
    }
    return p;
}

/* One series. Each pair is asked many times, and the time of one call counts; `solved` says that the answer is finite
 * and within the margin. */
static void run_series(bench *b, const abut_shape *s, const abut_shape *t, const char *how, double distance)
{
    char family[BENCH_NAME_MAX];
    snprintf(family, sizeof family, "%s-%s", abut_shape_kind_name(s->kind), abut_shape_kind_name(t->kind));
    bench_series series = bench_begin(b, family, 2, how);
    double points_sum = 0;
    int pairs = bench_count(b, PAIRS);
    for (int i = 0; i < pairs; ++i) {
        bench_random r = bench_random_stream(b->seed, (uint64_t)i);
        posed_pair p = make_pair(&r, s, t, distance);
        abut_manifold_point points[ABUT_MANIFOLD_POINTS];
        abut_pair_memory memory = {0};
        int count = 0;
        double start = bench_now_us();
        for (int k = 0; k < REPEATS; ++k)
            abut_shape_manifold(s, &p.a, t, &p.b, 0.02, &memory, points, ABUT_MANIFOLD_POINTS, &count);
        double us = (bench_now_us() - start) / REPEATS;
        double worst = 0;
        for (int k = 0; k < count; ++k) worst = fmax(worst, points[k].gap - 0.02);
        bench_add(&series, us, worst <= 0, worst, count);
        points_sum += count;
    }
    bench_row *row = bench_end(b, &series);
    bench_extra(row, "ns", 1000 * row->p50_us);
    bench_extra(row, "points", points_sum / pairs);
}

void bench_run_collide(bench *b)
{
    static const abut_shape shapes[] = {
        {.kind = ABUT_SPHERE, .radius = 0.5},
        {.kind = ABUT_CAPSULE, .radius = 0.3, .half_length = 0.5},
        {.kind = ABUT_BOX, .half = {0.5, 0.4, 0.3}},
        {.kind = ABUT_CYLINDER, .radius = 0.4, .half_length = 0.5},
        {.kind = ABUT_ELLIPSOID, .half = {0.5, 0.4, 0.3}},
        {.kind = ABUT_PLANE},
    };
    enum { SHAPES = sizeof shapes / sizeof shapes[0] };
    for (int i = 0; i < SHAPES - 1; ++i) {
        for (int j = i; j < SHAPES; ++j) {
            run_series(b, &shapes[i], &shapes[j], "touching", 0);
            run_series(b, &shapes[i], &shapes[j], "deep", -0.1);
            run_series(b, &shapes[i], &shapes[j], "apart", 0.01);
        }
    }
    bench_note(b, "p50_us is of one manifold with margin 0.02; pivots are its points");
}
