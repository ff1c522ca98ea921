/* Contact problems in files: capsules (JSON), contactset text, Siconos FC2D / FC3D .dat, FCLIB .hdf5. */
#ifndef ABUTI_CONTACT_FILE_H
#define ABUTI_CONTACT_FILE_H

#include "abut/contact.h"
#include "io/text.h"

/* Blocks of generalised coordinates, with arrays as in abut_generalised; count 0: none. */
typedef struct abuti_block_data {
    int count, numbers;
    int *sizes, *parents; /* parents: NULL, all are dense */
    double *mass, *velocity, *force, *normals, *tangents, *joints;
} abuti_block_data;

/* A contact problem that owns its arrays: bodies and contacts, blocks and rows on them, or the local form W + q. */
typedef struct abuti_contact_data {
    abut_contact_model model;
    double step;
    int body_count, contact_count, joint_count;
    abut_body *bodies;
    abut_contact *contacts;
    abut_joint *joints;
    int dimension; /* 2 or 3 in local form; 0 with bodies */
    double *W, *q;
    abuti_block_data blocks;
    abut_contact_face *start; /* contact_count states to start from, or NULL */
    uint32_t seed;            /* of the covering vectors */
    bool has_threshold;       /* the file names the restitution threshold, m/s: */
    double restitution_threshold;
    abut_local local; /* these two are filled by abuti_contact_data_problem */
    abut_generalised generalised;
} abuti_contact_data;

void abuti_contact_data_release(abuti_contact_data *data);
/* How many numbers a velocity of the problem has: 6 a body, or nv; 0 in local form. */
int abuti_contact_numbers(const abut_contact_problem *problem);
/* The data as a problem for the solvers. It borrows the arrays (and data->local, data->generalised). */
abut_contact_problem abuti_contact_data_problem(abuti_contact_data *data);
/* The default options, changed to what the file says: where to start, seed, restitution threshold. */
abut_contact_options abuti_contact_data_options(const abuti_contact_data *data);

/* Finishes data in local form: `contacts` contacts with these friction coefficients. False: out of memory. */
bool abuti_contact_data_local(abuti_contact_data *data, int contacts, const double *mu);
/* The frame that a contact means: its normal and its tangent (or the one that contact.h names when it has none), made
 * exactly unit and orthogonal. */
void abuti_contact_frame(const abut_contact *contact, double normal[3], double tangent[3]);

/* Reads a file, by its extension (.json, .txt, .dat, .hdf5) or, without a known one, by its first characters.
 * `index` chooses the problem of a contactset (and must be 0 otherwise). On failure `error` says where and
 * why, and *data is empty. */
bool abuti_contact_read(const char *path, int index, abuti_contact_data *data, abut_error *error);

/* The readers of one format each; they leave *data empty on failure. */
bool abuti_contact_read_capsule(abuti_text *text, abuti_contact_data *data);
bool abuti_contact_read_set(abuti_text *text, int index, abuti_contact_data *data);
bool abuti_contact_read_siconos(abuti_text *text, abuti_contact_data *data);
/* HDF5 reads from a path of its own. */
bool abuti_contact_read_fclib(const char *path, abuti_contact_data *data, abut_error *error);

/* The writers. Contactsets hold bodies, capsules hold bodies or blocks, and Siconos and FCLIB files hold the local
 * form, to which bodies are reduced. `error` names what a format cannot hold. Of `options` (NULL: the defaults) the
 * writers take what is part of the problem: the restitution threshold and, in a capsule, start and seed. */
bool abuti_contact_write_capsule(FILE *file, const abut_contact_problem *problem,
                                 const abut_contact_options *options, abut_error *error);
bool abuti_contact_write_set(FILE *file, const abut_contact_problem *problem, const char *name,
                             abut_error *error);
bool abuti_contact_write_siconos(FILE *file, const abut_contact_problem *problem,
                                 const abut_contact_options *options, abut_error *error);
bool abuti_contact_write_fclib(const char *path, const abut_contact_problem *problem,
                               const abut_contact_options *options, abut_error *error);

/* One claimed answer. */
typedef struct abuti_contact_point {
    double *impulses; /* contact_count x 3, or NULL */
    double *joints;   /* joint_count, or NULL */
    double *velocity; /* abuti_contact_numbers, or NULL */
} abuti_contact_point;

/* What `abut solve --json` printed, as far as `abut check` needs it. */
typedef struct abuti_contact_solution {
    char outcome[16];
    abut_contact_model model;
    int directions; /* --directions of the solve, or 0 */
    bool has_cone;  /* it names --cone of the solve: */
    abut_contact_cone cone;
    abut_union_rule rule;      /* of the solve */
    double epsilon;            /* likewise; 0: from the motion */
    abut_viscous_rule viscous; /* likewise */
    bool has_threshold;        /* it names the restitution threshold of the solve, m/s: */
    double restitution_threshold;
    abuti_contact_point answer;
    abuti_contact_point *list; /* [listed]: those of --all */
    int listed;
    double *witness;        /* contact_count, or NULL */
    double *witness_joints; /* joint_count, or NULL */
    /* Acceleration level. */
    int accel_directions;    /* of the solve, or 0 */
    double slide_threshold;  /* of the solve, or < 0: the default */
    double impact_seconds;   /* likewise; 0 by default */
    int impacts;             /* that came before */
    double *impact;          /* impacts x contact_count x 3, or NULL: there was none */
    double *impact_joints;   /* impacts x joint_count, or NULL */
    double *impact_velocity; /* impacts x 6 * body_count, or NULL */
} abuti_contact_solution;

bool abuti_contact_solution_read(abuti_text *text, const abut_contact_problem *problem,
                                 abuti_contact_solution *solution);
void abuti_contact_solution_release(abuti_contact_solution *solution);

#endif
