/* The table of benchmarks: one row each. */
#include "bench.h"

void bench_run_active_set(bench *b);
void bench_run_cone(bench *b);
void bench_run_faces(bench *b);
void bench_run_baraff(bench *b);
void bench_run_collide(bench *b);
void bench_run_grasp(bench *b);
void bench_run_lcp(bench *b);
void bench_run_lloyd(bench *b);
void bench_run_peers(bench *b);
void bench_run_piles(bench *b);
void bench_run_piles_large(bench *b);
void bench_run_robots(bench *b);
void bench_run_scenes(bench *b);
void bench_run_stepping(bench *b);
void bench_run_union(bench *b);
void bench_run_walk(bench *b);
void bench_run_world(bench *b);

const bench_entry bench_entries[] = {
    {"lcp", "dense LCPs: Lloyd's pegs by lemke, positive definite M by dantzig", bench_run_lcp},
    {"lloyd", "Lloyd 2005, section 5.4: pegs, situations, stacks by lemke, structural, reduced, faces",
     bench_run_lloyd},
    {"faces",
     "the default solver cold and warm: pegs, towers, walls, sequences; building, solving, verifying apart",
     bench_run_faces},
    {"cone", "circles against polygons: cold, warm, how far motions are apart, a block at every angle",
     bench_run_cone},
    {"active-set", "Sharaf's two phases: how often they suffice, against dantzig, lemke and ppm",
     bench_run_active_set},
    {"stepping",
     "closed loops, each answer making the next problem: steps warm and cold, and which stages answer",
     bench_run_stepping},
    {"piles", "one island of 30 to 1,000 bodies: walls, heaps, bins, clusters, chains, nets",
     bench_run_piles},
    {"piles-large", "the same of 3,000 and 10,000 bodies, a minute each at most", bench_run_piles_large},
    {"peers", "piles beside Siconos' fc3d_nsgs and MuJoCo's Newton: time, and the residual that each reaches",
     bench_run_peers},
    {"grasp", "Drumwright's grasp: Coulomb against no-slip, and ppm as contacts grow", bench_run_grasp},
    {"robots", "trees with bounded motors through the second door: a quadruped, a hand, a robot among boxes",
     bench_run_robots},
    {"union", "unions of contacts: the search against the right side chosen by hand", bench_run_union},
    {"baraff", "Baraff's algorithm: against one elimination, with friction, with joints", bench_run_baraff},
    {"collide", "manifolds: nanoseconds a pair of shapes, touching, deep and apart", bench_run_collide},
    {"world",
     "closed loops of bodies, joints and shapes: what rests, what moves, microseconds a step by stage",
     bench_run_world},
    {"walk",
     "Drumwright's section VII-B: a quadruped on uneven ground, one gait under five models of friction",
     bench_run_walk},
    {"scenes",
     "files of scenes/, beside MuJoCo's step where ABUT_MUJOCO names its package: time, overlap, slip, creep",
     bench_run_scenes},
    {0},
};
