/* From checked elements to a scene: what the files of this room share. */
#ifndef ABUTI_SCENE_READER_H
#define ABUTI_SCENE_READER_H

#include "scene/element.h"
#include "scene/names.h"

/* Below this a mass, a length or an inertia counts as none. */
#define ABUTI_TINY 1e-15

typedef struct abuti_compiler {
    bool autolimits, degrees, strippath, balance, fit_box;
    int inertia_from_geoms; /* 0 never, 1 always, 2 where the body has no inertial */
    int inertia_groups[2];
    double bound_mass, bound_inertia, total_mass;
    char euler[3]; /* xyz: about the axes as they turn; XYZ: about those of the parent */
    const char *mesh_directory;
} abuti_compiler;

/* A class of defaults: its elements, which stand on those of its parent. */
typedef struct abuti_class {
    const char *name;
    int parent;          /* -1: none */
    abuti_list elements; /* abuti_element * */
} abuti_class;

typedef struct abuti_model abuti_model;

/* Something in the section `asset`, loaded when it is used first. */
typedef struct abuti_asset {
    const abuti_element *element;
    const char *name;
    int index;          /* in the scene, -1: not loaded */
    abuti_model *model; /* of <model> */
} abuti_asset;

/* How a mesh is distributed in space, per unit of density. */
typedef struct abuti_mesh_shape {
    double solid, com[3], inertia[6];            /* volume, and integrals about com */
    double area, shell_com[3], shell_inertia[6]; /* likewise of the surface */
    bool shell;                                  /* the asset says inertia="shell" */
    double low[3], high[3];
} abuti_mesh_shape;

/* One MJCF file with what it includes. */
struct abuti_model {
    const char *directory; /* NULL: names of files are refused */
    abuti_element *root;
    abuti_compiler compiler;
    abuti_list classes; /* abuti_class; the first is main */
    abuti_list assets;  /* abuti_asset */
    int depth;          /* of attachment, the root model has 0 */
};

/* A model in the scene, and what the scene puts before and behind the names of its things. */
typedef struct abuti_instance {
    abuti_model *model;
    const char *prefix, *suffix;
    bool partial;        /* attached in part: elements that refer to things left behind are left out */
    abuti_list suffixes; /* const char *: of its replicates */
} abuti_instance;

typedef struct abuti_reader {
    abuti_source source;
    abuti_pool scratch; /* for what the scene does not need */
    abut_scene *scene;
    abuti_names names;
    abuti_list bodies, joints, geoms, sites, meshes, hfields, pairs, excludes, tendons, equalities, actuators,
        keyframes, customs;
    abuti_list shapes;      /* abuti_mesh_shape, one for each mesh */
    abuti_list instances;   /* abuti_instance * */
    abuti_list springs;     /* abuti_spring */
    abuti_list body_marks;  /* abuti_body_mark */
    abut_scene_pose *poses; /* of bodies in the world, at the reference */
    double *m0;             /* nv: diagonal of the mass matrix there */
    double o_friction[5], o_margin;
    bool override_contacts;
    unsigned disabled_groups; /* of actuators, as bits */
} abuti_reader;

/* What is known of a body besides the scene's: inertia given, inertia of geoms. */
typedef struct abuti_body_mark {
    const abuti_element *element;
    const abuti_compiler *compiler;
    bool given;
} abuti_body_mark;

/* A joint whose spring and damper follow from its inertia. */
typedef struct abuti_spring {
    int joint;
    double time, ratio;
} abuti_spring;

/* Where the reader is in a tree of bodies. */
typedef struct abuti_place {
    abuti_instance *instance;
    int childclass;        /* of the enclosing bodies and frames, -1: none */
    abut_scene_pose frame; /* of enclosing frames, in the frame of the body */
    const char *suffix;    /* of enclosing replicates, behind the instance's */
    int body;
} abuti_place;

/* model.c */
bool abuti_model_open(abuti_reader *reader, abuti_model *model);
bool abuti_model_options(abuti_reader *reader, const abuti_model *model);
const abuti_asset *abuti_asset_find(const abuti_model *model, const char *kind, const char *name);
/* The class that an element takes its defaults from; false: it names one that is not there. */
bool abuti_class_of(abuti_reader *reader, const abuti_model *model, const abuti_element *element,
                    int childclass, int *class);
/* The defaults of a kind of element, from the outermost class inwards, then the element itself; at most `room`. */
int abuti_defaults(const abuti_model *model, int class, const char *kind, const abuti_element *element,
                   const abuti_element **chain, int room);
/* The longest chain of defaults, with the element itself. */
enum { ABUTI_CHAIN_MAX = 256 };

/* pose.c */
typedef struct abuti_orientation {
    int form; /* 0: quat; axisangle, xyaxes, zaxis, euler */
    double numbers[6];
    double quat[4];
} abuti_orientation;
/* Takes over what the element gives of pos and orientation. */
void abuti_orientation_read(const abuti_element *element, abuti_orientation *orientation);
bool abuti_orientation_resolve(abuti_reader *reader, const abuti_compiler *compiler,
                               const abuti_element *element, const abuti_orientation *orientation,
                               double quat[4]);
bool abuti_pose_read(abuti_reader *reader, const abuti_compiler *compiler, const abuti_element *element,
                     abut_scene_pose *pose);
void abuti_pose_identity(abut_scene_pose *pose);
/* out = outer inner, as frames; may be one of them. */
void abuti_pose_compose(abut_scene_pose *out, const abut_scene_pose *outer, const abut_scene_pose *inner);
void abuti_pose_invert(abut_scene_pose *out, const abut_scene_pose *pose);
/* The rotation that turns z into this direction, the short way. */
void abuti_quat_from_z(double quat[4], const double direction[3]);
/* The rotation whose matrix this is, row by row: its columns are where x, y and z go. */
void abuti_quat_from_columns(double quat[4], const double matrix[9]);
double abuti_angle(const abuti_compiler *compiler, double value);

/* body.c, joint.c, geom.c */
bool abuti_world_read(abuti_reader *reader, abuti_instance *instance);
bool abuti_joint_read(abuti_reader *reader, const abuti_place *place, const abuti_element *element);
bool abuti_geom_read(abuti_reader *reader, const abuti_place *place, const abuti_element *element);
bool abuti_site_read(abuti_reader *reader, const abuti_place *place, const abuti_element *element);
/* limited="auto" and its like: from what was given and the range. */
bool abuti_limited(abuti_reader *reader, const abuti_compiler *compiler, const abuti_element *element,
                   const char *attribute, int limited, bool has_range, const double range[2], int *result);
/* A name in the scene: with prefix and suffixes; "" stays "". NULL: no memory. */
const char *abuti_place_name(abuti_reader *reader, const abuti_place *place, const abuti_element *element);

/* inertia.c */
typedef struct abuti_mass {
    double mass, com[3], inertia[6];
} abuti_mass;
/* Adds a body with this mass, whose frame is `pose`. */
void abuti_mass_add(abuti_mass *sum, const abuti_mass *part, const abut_scene_pose *pose);
/* Symmetric matrix xx, yy, zz, xy, xz, yz: its eigenvalues, and its eigenvectors as columns. */
void abuti_symmetric_eigen(const double matrix[6], double values[3], double vectors[9]);
/* m in the frame that `quat` turns from. */
void abuti_inertia_turn(double out[6], const double inertia[6], const double quat[4]);
/* principal.c: what MuJoCo keeps of a mesh's matrix of inertia when it looks for the principal axes. */
void abuti_inertia_settle(double inertia[6]);
/* Volume (area for shells), and inertia per unit of mass, of a geom; false: nothing that has a mass. */
bool abuti_geom_solid(const abuti_reader *reader, const abut_scene_geom *geom, bool shell, double *volume,
                      double com[3], double inertia[6]);
bool abuti_inertial_read(abuti_reader *reader, const abuti_place *place, const abuti_element *element);
/* Bounds, balance and total mass, when all bodies are there. */
bool abuti_inertia_finish(abuti_reader *reader, const abuti_compiler *root);

/* mesh.c, mesh_file.c, mesh_shape.c, hfield.c */
bool abuti_mesh_load(abuti_reader *reader, const abuti_model *model, const abuti_element *element,
                     const char *name, int *index);
bool abuti_mesh_file(abuti_reader *reader, const abuti_element *element, const char *path, const char *type,
                     abut_scene_mesh *mesh);
bool abuti_mesh_measure(abuti_reader *reader, const abuti_element *element, const abut_scene_mesh *mesh,
                        int convention, abuti_mesh_shape *shape);
/* Triangles of the convex hull of the vertices; for meshes without faces. */
bool abuti_mesh_hull(abuti_reader *reader, const abuti_element *element, const abut_scene_mesh *mesh,
                     int **faces, int *count);
/* The box around a mesh, in other axes. */
void abuti_mesh_bounds(const abut_scene_mesh *mesh, const abut_scene_pose *axes, double low[3],
                       double high[3]);
bool abuti_hfield_load(abuti_reader *reader, const abuti_model *model, const abuti_element *element,
                       const char *name, int *index);
/* The path of an asset's file. NULL: an error was left. */
const char *abuti_asset_path(abuti_reader *reader, const abuti_model *model, const abuti_element *element,
                             const char *file);

/* sections.c and the files of the sections */
typedef enum abuti_found { ABUTI_FOUND, ABUTI_MISSING, ABUTI_FAILED } abuti_found;
typedef struct abuti_section {
    abuti_reader *reader;
    const abuti_instance *instance;
    const char *suffix;  /* of the replicate that is tried */
    const char *missing; /* the name that was not found, and what it should be */
    abuti_name_kind missing_kind;
} abuti_section;
bool abuti_sections_read(abuti_reader *reader);
/* The index of what an attribute names. */
abuti_found abuti_reference(abuti_section *section, const abuti_element *element, const char *attribute,
                            abuti_name_kind kind, int *index);
/* The name of a section's element in the scene. NULL: no memory. */
const char *abuti_section_name(abuti_section *section, const abuti_element *element);
abuti_found abuti_tendon_read(abuti_section *section, const abuti_element *element);
abuti_found abuti_actuator_read(abuti_section *section, const abuti_element *element);
/* ratio.c */
void abuti_actuators_finish(abuti_reader *reader);
abuti_found abuti_equality_read(abuti_section *section, const abuti_element *element);
abuti_found abuti_pair_read(abuti_section *section, const abuti_element *element);
abuti_found abuti_exclude_read(abuti_section *section, const abuti_element *element);
bool abuti_customs_read(abuti_reader *reader, const abuti_model *model);
bool abuti_keyframes_read(abuti_reader *reader, const abuti_model *model);

/* rest.c: the reference configuration; weigh.c: the inertia that joints feel there, and springs that follow from it */
bool abuti_reference_configuration(abuti_reader *reader);
bool abuti_weigh_joints(abuti_reader *reader);

/* A new item at the end of one of the reader's lists; NULL: an error was left. */
void *abuti_add(abuti_reader *reader, abuti_list *list, size_t size, const abuti_element *element);

#endif
