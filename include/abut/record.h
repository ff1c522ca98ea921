/* abut/record.h: recordings. A recording is a file that tells, step by step, what a simulation did.
 * It is looked at later.
 *
 *     static bool to_file(void *file, const void *bytes, size_t size) { return fwrite(bytes, 1, size, file) == size; }
 *
 *     abut_record_scene scene = {.title = "A box on a slope", .caption = "It slides, then it stops.",
 *                                .body_count = 1, .bodies = &box, .shape_count = 2, .shapes = shapes};
 *     abut_record_sink sink = {.write = to_file, .context = file};
 *     abut_record_writer *writer = NULL;
 *     if (abut_record_writer_create(&scene, &sink, 64, NULL, &writer, &error) != ABUT_OK) ... error.text
 *     for (each step) abut_record_writer_add(writer, &step, &error);
 *     abut_record_writer_finish(writer);
 *     abut_record_writer_destroy(writer);
 *
 * A recording is written front to back and never changed: if it is cut off anywhere, it is valid up to its last whole
 * step. Every piece carries a checksum. `abut view` makes a page of it, `abut record info` tells what is in it, and
 * docs/recording.md describes it byte by byte.
 *
 * Numbers are rounded so that files stay small: positions to scene.resolution, orientations to one part in a million,
 * impulses to five digits, energies to seven. This is enough to look at, but not to go on simulating from. SI units,
 * right-handed, z up, quaternions (w, x, y, z); all numbers finite unless it says otherwise.
 *
 * Neither side touches files: the writer hands bytes to a sink, the reader looks at bytes in memory. Memory is taken
 * when a writer or reader is made, and not afterwards.
 */
#ifndef ABUT_RECORD_H
#define ABUT_RECORD_H

#include "abut/base.h"
#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The version of the format that is written. A reader refuses later ones by name. */
#define ABUT_RECORD_VERSION 1
/* The most contacts in one step. */
#define ABUT_RECORD_CONTACTS_MAX 65536
/* The most bytes of one text, its end not counted, and the most different stages in one recording. */
#define ABUT_RECORD_TEXT_MAX 4096
#define ABUT_RECORD_STAGES_MAX 64
/* As an index of a body: the fixed world. */
#define ABUT_RECORD_WORLD (-1)

/* ------------------------------------------------------------------------------------------------
 * The scene: what does not change. Texts are UTF-8; NULL stands for "". */

typedef struct abut_record_body {
    /* What people call it. */
    const char *name;
    /* kg; 0 for bodies that forces do not move. */
    double mass;
} abut_record_body;

typedef enum abut_record_shape_kind {
    ABUT_RECORD_SPHERE = 0, /* size: radius */
    ABUT_RECORD_CAPSULE,    /* size: radius, half the length of its straight part; along z */
    ABUT_RECORD_BOX,        /* size: half edges along x, y, z */
    ABUT_RECORD_CYLINDER,   /* size: radius, half length; along z */
    ABUT_RECORD_ELLIPSOID,  /* size: half axes along x, y, z */
    ABUT_RECORD_PLANE, /* size: half edges along x, y of the part that is drawn, 0: unlimited; solid below z = 0 */
    ABUT_RECORD_CONVEX,      /* vertices; triangles may be absent, then the hull of the vertices is meant */
    ABUT_RECORD_MESH,        /* vertices and triangles, counter-clockwise seen from outside */
    ABUT_RECORD_HEIGHTFIELD, /* size: half edges along x, y; heights over a grid */
    ABUT_RECORD_SHAPE_KINDS
} abut_record_shape_kind;

/* "sphere", "capsule", ..., "heightfield". Never NULL. */
ABUT_API const char *abut_record_shape_name(abut_record_shape_kind kind);

typedef struct abut_record_shape {
    /* The body it is fixed to, or ABUT_RECORD_WORLD. */
    int body;
    /* Which of the fields below are read. */
    abut_record_shape_kind kind;
    /* m, by kind as above; >= 0, what the kind does not use is ignored. */
    double size[3];
    /* m, and a unit quaternion (made exact; all zero stands for none): the shape in the frame of its body. */
    double position[3], orientation[4];
    /* Red, green, blue, opacity, each 0 .. 1. All zero: the viewer chooses. */
    float colour[4];
    /* What people call it. */
    const char *name;
    /* CONVEX and MESH: how many vertices and triangles there are. 0 for other kinds. */
    int vertex_count, triangle_count;
    /* vertex_count x 3, in m; NULL for other kinds. */
    const float *vertices;
    /* triangle_count x 3 indices of vertices; NULL for other kinds. */
    const int *triangles;
    /* HEIGHTFIELD: the size of its grid, at least 2 x 2. Rows go along y, columns along x, each from - to +. 0 for
     * other kinds. */
    int rows, columns;
    /* rows x columns, row by row, in m; NULL for other kinds. */
    const float *heights;
} abut_record_shape;

typedef enum abut_record_joint_kind {
    ABUT_RECORD_FIXED = 0, /* nothing moves */
    ABUT_RECORD_HINGE,     /* turns about its axis */
    ABUT_RECORD_SLIDE,     /* moves along its axis */
    ABUT_RECORD_BALL,      /* turns about its anchor */
    ABUT_RECORD_OTHER,     /* any other constraint */
    ABUT_RECORD_JOINT_KINDS
} abut_record_joint_kind;

/* "fixed", "hinge", "slide", "ball", "other". Never NULL. */
ABUT_API const char *abut_record_joint_name(abut_record_joint_kind kind);

typedef struct abut_record_joint {
    /* Either may be ABUT_RECORD_WORLD. */
    int bodies[2];
    /* How they move against each other. */
    abut_record_joint_kind kind;
    /* m: where it is, and its axis (hinge, slide), in the frame of bodies[0]. */
    double anchor[3], axis[3];
    /* What people call it. */
    const char *name;
} abut_record_joint;

typedef struct abut_record_scene {
    /* One line, and the sentence that says what there is to see. */
    const char *title, *caption;
    /* Names of the contact model and of the solver, as the command line has them. */
    const char *model, *solver;
    /* s, > 0: the nominal step. Impulses are divided by it to be shown as forces. */
    double step;
    /* m/s^2. */
    double gravity[3];
    /* m, 1e-12 .. 1: positions are rounded to multiples of it. 0 stands for 2^-20, about a micrometre. Positions must
     * lie within 2^46 (7e13) multiples of it. */
    double resolution;
    /* 0 .. ABUT_COUNT_MAX each. */
    int body_count, shape_count, joint_count;
    /* body_count. */
    const abut_record_body *bodies;
    /* shape_count. */
    const abut_record_shape *shapes;
    /* joint_count. */
    const abut_record_joint *joints;
} abut_record_scene;

/* ------------------------------------------------------------------------------------------------
 * A step: what changes */

typedef struct abut_record_pose {
    /* m: the origin of the body's frame. */
    double position[3];
    /* Unit quaternion; it is made exact, and its sign may change. */
    double orientation[4];
} abut_record_pose;

/* Where friction lies on its polygon; the numbers of abut_contact_state in contact.h. */
typedef enum abut_record_contact_state {
    ABUT_RECORD_OPEN = 0, /* carries nothing */
    ABUT_RECORD_SLIDING,  /* slides, at a vertex of the polygon */
    ABUT_RECORD_EDGE,     /* slides, on an edge of the polygon */
    ABUT_RECORD_STICKING, /* inside the polygon */
    ABUT_RECORD_CONTACT_STATES
} abut_record_contact_state;

/* "open", "slide", "edge", "stick". Never NULL. */
ABUT_API const char *abut_record_state_name(abut_record_contact_state state);

typedef struct abut_record_contact {
    /* A, which receives the impulse, and B, which receives the opposite; either may be ABUT_RECORD_WORLD. */
    int bodies[2];
    /* m. */
    double point[3];
    /* Unit vectors: n from B towards A, and t across it (what lies along n is taken out; zero: any). */
    double normal[3], tangent[3];
    /* N s: along n, t, n x t. */
    double impulse[3];
    /* Coulomb's coefficient, >= 0. */
    double friction;
    /* Corners of the friction polygon, the first along t; 0: the round cone. At most 64. */
    int directions;
    /* Where the friction lies. */
    abut_record_contact_state state;
    /* m: the distance along the normal, negative where the bodies overlap. */
    double gap;
} abut_record_contact;

typedef struct abut_record_joint_state {
    /* rad (hinge), m (slide); 0 for others. */
    double position;
    /* N s, >= 0: the length of the impulse that goes through it. A motor's and a limit's are part of it, as is what
     * holds the joint together. */
    double impulse;
} abut_record_joint_state;

typedef struct abut_record_step {
    /* s since the beginning; never less than in the step before. */
    double time;
    /* What the mathematics said. */
    abut_outcome outcome;
    /* The stage that said so, "faces-path"; NULL: none. */
    const char *stage;
    /* How many pivots and islands it took, >= 0. */
    int pivots, islands;
    /* The verifier's residual; it may be infinite, and NaN is taken as infinite. */
    double residual;
    /* The time that the step took, >= 0. */
    double microseconds;
    /* J; NaN where they are not known. */
    double kinetic, potential;
    /* body_count of the scene. */
    const abut_record_pose *poses;
    /* 0 .. the writer's contact_limit. */
    int contact_count;
    /* contact_count. */
    const abut_record_contact *contacts;
    /* joint_count of the scene; NULL: all zero. */
    const abut_record_joint_state *joints;
} abut_record_step;

/* ------------------------------------------------------------------------------------------------
 * Writing */

/* Where the bytes go. */
typedef struct abut_record_sink {
    /* Takes the next `size` bytes, in order. False: they could not be written. */
    bool (*write)(void *context, const void *bytes, size_t size);
    /* Handed to `write`. */
    void *context;
} abut_record_sink;

typedef struct abut_record_writer abut_record_writer;

/* Writes the scene, which is not needed afterwards. `contact_limit` is the most contacts that a step may have, 0 ..
 * ABUT_RECORD_CONTACTS_MAX. `error` (may be NULL) names the field that was refused, or says that the sink failed. */
ABUT_API abut_status abut_record_writer_create(const abut_record_scene *scene, const abut_record_sink *sink,
                                               int contact_limit, const abut_allocator *allocator,
                                               abut_record_writer **writer, abut_error *error);

/* Appends one step. A step that is refused (ABUT_INVALID_ARGUMENT, ABUT_TOO_LARGE) leaves the recording as it was. When
 * the sink fails once, every further call says so. */
ABUT_API abut_status abut_record_writer_add(abut_record_writer *writer, const abut_record_step *step,
                                            abut_error *error);

/* Marks the recording as finished. Without it readers say that the run was interrupted. */
ABUT_API abut_status abut_record_writer_finish(abut_record_writer *writer);

ABUT_API void abut_record_writer_destroy(abut_record_writer *writer);

/* ------------------------------------------------------------------------------------------------
 * Reading */

typedef enum abut_record_ending {
    ABUT_RECORD_COMPLETE = 0, /* finished by its writer */
    ABUT_RECORD_INTERRUPTED,  /* cut off; what came before is whole */
    ABUT_RECORD_DAMAGED, /* something else stands where the next piece was expected; what came before is whole */
} abut_record_ending;

/* How much of a recording is whole. */
typedef struct abut_record_extent {
    /* Steps that can be read. */
    int steps;
    /* The bytes up to the end of the last whole piece. */
    size_t bytes;
    /* How it ends. */
    abut_record_ending ending;
    /* What is wrong and where, "byte 2048, after 17 steps: the checksum does not match"; "" when complete. */
    abut_error what;
    /* The most contacts that one of the steps has. */
    int contacts;
} abut_record_extent;

typedef struct abut_record_reader abut_record_reader;

/* Looks through all of `data` (borrowed while the reader lives) and stands before the first step. It returns
 * ABUT_INVALID_ARGUMENT, with the reason in `error` (may be NULL), only where not even the scene is whole, and
 * ABUT_UNSUPPORTED for a later version of the format. */
ABUT_API abut_status abut_record_reader_create(const void *data, size_t size, const abut_allocator *allocator,
                                               abut_record_reader **reader, abut_error *error);
ABUT_API const abut_record_scene *abut_record_reader_scene(const abut_record_reader *reader);
ABUT_API const abut_record_extent *abut_record_reader_extent(const abut_record_reader *reader);

/* The next step, valid until the next call; false after the last whole one. */
ABUT_API bool abut_record_reader_next(abut_record_reader *reader, abut_record_step *step);
ABUT_API void abut_record_reader_rewind(abut_record_reader *reader);
ABUT_API void abut_record_reader_destroy(abut_record_reader *reader);

#ifdef __cplusplus
}
#endif

#endif
