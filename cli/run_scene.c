#include "run_scene.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void *room(int count, size_t size)
{
    return calloc((size_t)count + 1, size);
}

/* Bodies that forces do not move have no mass in a recording. */
static bool make_bodies(run_scene *s, const abut_scene *scene)
{
    bool *moves = room(scene->body_count, sizeof *moves);
    s->bodies = room(scene->body_count, sizeof *s->bodies);
    if (!moves || !s->bodies) {
        free(moves);
        return false;
    }
    for (int i = 1; i < scene->body_count; ++i) {
        const abut_scene_body *body = &scene->bodies[i];
        moves[i] = body->joint_count > 0 || moves[body->parent];
        s->bodies[i - 1] = (abut_record_body){.name = body->name, .mass = moves[i] ? body->mass : 0};
    }
    free(moves);
    return true;
}

/* ---- shapes ---- */

static float *vertices_of(const abut_scene_mesh *mesh)
{
    float *vertices = room(3 * mesh->vertex_count, sizeof *vertices);
    for (size_t i = 0; vertices && i < 3 * (size_t)mesh->vertex_count; ++i)
        vertices[i] = (float)mesh->vertices[i];
    return vertices;
}

static float *heights_of(const abut_scene_hfield *field)
{
    float *heights = room(field->rows * field->columns, sizeof *heights);
    for (size_t i = 0; heights && i < (size_t)field->rows * (size_t)field->columns; ++i)
        heights[i] = (float)(field->size[2] * field->elevation[i]);
    return heights;
}

static bool fill_mesh(run_scene *s, const abut_scene *scene, int asset, abut_record_shape *shape)
{
    const abut_scene_mesh *mesh = &scene->meshes[asset];
    if (!s->vertices[asset]) s->vertices[asset] = vertices_of(mesh);
    shape->kind = mesh->face_count > 0 ? ABUT_RECORD_MESH : ABUT_RECORD_CONVEX;
    shape->vertex_count = mesh->vertex_count;
    shape->vertices = s->vertices[asset];
    shape->triangle_count = mesh->face_count;
    shape->triangles = mesh->face_count > 0 ? mesh->faces : NULL;
    return shape->vertices;
}

static bool fill_field(run_scene *s, const abut_scene *scene, int asset, abut_record_shape *shape)
{
    const abut_scene_hfield *field = &scene->hfields[asset];
    if (!s->heights[asset]) s->heights[asset] = heights_of(field);
    shape->size[0] = field->size[0];
    shape->size[1] = field->size[1];
    shape->rows = field->rows;
    shape->columns = field->columns;
    shape->heights = s->heights[asset];
    return shape->heights;
}

static bool fill_shape(run_scene *s, const abut_scene *scene, const abut_scene_geom *geom,
                       abut_record_shape *shape)
{
    static const struct {
        abut_record_shape_kind kind;
        int sizes;
    } kinds[] = {[ABUT_SCENE_PLANE] = {ABUT_RECORD_PLANE, 2},
                 [ABUT_SCENE_HFIELD] = {ABUT_RECORD_HEIGHTFIELD, 0},
                 [ABUT_SCENE_SPHERE] = {ABUT_RECORD_SPHERE, 1},
                 [ABUT_SCENE_CAPSULE] = {ABUT_RECORD_CAPSULE, 2},
                 [ABUT_SCENE_ELLIPSOID] = {ABUT_RECORD_ELLIPSOID, 3},
                 [ABUT_SCENE_CYLINDER] = {ABUT_RECORD_CYLINDER, 2},
                 [ABUT_SCENE_BOX] = {ABUT_RECORD_BOX, 3},
                 [ABUT_SCENE_MESH] = {ABUT_RECORD_MESH, 0}};
    *shape = (abut_record_shape){.body = geom->body > 0 ? geom->body - 1 : ABUT_RECORD_WORLD,
                                 .kind = kinds[geom->type].kind,
                                 .name = geom->name};
    for (int k = 0; k < kinds[geom->type].sizes; ++k) shape->size[k] = geom->size[k];
    memcpy(shape->position, geom->pose.pos, sizeof shape->position);
    memcpy(shape->orientation, geom->pose.quat, sizeof shape->orientation);
    for (int k = 0; k < 4; ++k) shape->colour[k] = (float)fmin(fmax(geom->rgba[k], 0), 1);
    if (geom->type == ABUT_SCENE_MESH) return fill_mesh(s, scene, geom->asset, shape);
    if (geom->type == ABUT_SCENE_HFIELD) return fill_field(s, scene, geom->asset, shape);
    return true;
}

static bool make_shapes(run_scene *s, const abut_scene *scene)
{
    s->shapes = room(scene->geom_count, sizeof *s->shapes);
    s->vertices = room(scene->mesh_count, sizeof *s->vertices);
    s->heights = room(scene->hfield_count, sizeof *s->heights);
    if (!s->shapes || !s->vertices || !s->heights) return false;
    s->mesh_count = scene->mesh_count;
    s->field_count = scene->hfield_count;
    for (int i = 0; i < scene->geom_count; ++i)
        if (!fill_shape(s, scene, &scene->geoms[i], &s->shapes[i])) return false;
    return true;
}

/* ---- joints ---- */

static bool make_joints(run_scene *s, const abut_scene *scene, int *count)
{
    static const abut_record_joint_kind kinds[] = {[ABUT_SCENE_FREE] = ABUT_RECORD_OTHER,
                                                   [ABUT_SCENE_BALL] = ABUT_RECORD_BALL,
                                                   [ABUT_SCENE_SLIDE] = ABUT_RECORD_SLIDE,
                                                   [ABUT_SCENE_HINGE] = ABUT_RECORD_HINGE};
    s->joints = room(scene->joint_count, sizeof *s->joints);
    s->joint_of = room(scene->joint_count, sizeof *s->joint_of);
    if (!s->joints || !s->joint_of) return false;
    *count = 0;
    for (int i = 0; i < scene->joint_count; ++i) {
        const abut_scene_joint *joint = &scene->joints[i];
        if (joint->type == ABUT_SCENE_FREE) continue;
        abut_record_joint *j = &s->joints[*count];
        s->joint_of[(*count)++] = i;
        *j = (abut_record_joint){.bodies = {joint->body - 1, scene->bodies[joint->body].parent - 1},
                                 .kind = kinds[joint->type],
                                 .name = joint->name};
        memcpy(j->anchor, joint->pos, sizeof j->anchor);
        memcpy(j->axis, joint->axis, sizeof j->axis);
    }
    return true;
}

bool run_scene_make(run_scene *s, const abut_scene *scene, const abut_world_def *def, const char *title)
{
    const abut_scene_custom *see = abut_scene_find_custom(scene, "abut_see");
    int joints;
    *s = (run_scene){0};
    if (!make_bodies(s, scene) || !make_shapes(s, scene) || !make_joints(s, scene, &joints)) return false;
    s->record = (abut_record_scene){.title = title,
                                    .caption = see ? see->text : NULL,
                                    .model = abut_contact_model_name(def->model),
                                    .solver = abut_contact_solver_name(def->contact.solver),
                                    .step = def->step,
                                    .body_count = scene->body_count - 1,
                                    .bodies = s->bodies,
                                    .shape_count = scene->geom_count,
                                    .shapes = s->shapes,
                                    .joint_count = joints,
                                    .joints = s->joints};
    memcpy(s->record.gravity, def->gravity, sizeof s->record.gravity);
    return true;
}

void run_scene_release(run_scene *s)
{
    for (int i = 0; i < s->mesh_count; ++i) free(s->vertices[i]);
    for (int i = 0; i < s->field_count; ++i) free(s->heights[i]);
    free(s->vertices);
    free(s->heights);
    free(s->bodies);
    free(s->shapes);
    free(s->joints);
    free(s->joint_of);
    *s = (run_scene){0};
}
