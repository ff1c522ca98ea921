/* Whether a scene can be recorded. */

#include "record/refuse.h"
#include "record/scene.h"

#include <math.h>
#include <string.h>

double abuti_scene_resolution(const abut_record_scene *scene)
{
    return scene->resolution == 0 ? ABUTI_RESOLUTION_DEFAULT : scene->resolution;
}

static bool fits(const char *text)
{
    return !text || strlen(text) <= ABUT_RECORD_TEXT_MAX;
}

static bool all_finite(const double *values, int count)
{
    for (int i = 0; i < count; ++i)
        if (!isfinite(values[i])) return false;
    return true;
}

static bool all_floats(const float *values, long count)
{
    for (long i = 0; i < count; ++i)
        if (!isfinite(values[i])) return false;
    return true;
}

static bool is_body(const abut_record_scene *scene, int body)
{
    return body >= ABUT_RECORD_WORLD && body < scene->body_count;
}

static bool counted(int count, const void *array)
{
    return count >= 0 && count <= ABUT_COUNT_MAX && (count == 0 || array);
}

static const char *wrong_mesh(const abut_record_shape *s)
{
    if (s->kind == ABUT_RECORD_CONVEX || s->kind == ABUT_RECORD_MESH) {
        if (s->vertex_count < 3 || !counted(s->vertex_count, s->vertices))
            return "vertices: expected three or more";
        if (!counted(s->triangle_count, s->triangles)) return "triangles: expected triangle_count of them";
        if (s->kind == ABUT_RECORD_MESH && s->triangle_count == 0) return "triangles: a mesh has some";
        if (!all_floats(s->vertices, 3L * s->vertex_count)) return "vertices: not finite";
        for (long i = 0; i < 3L * s->triangle_count; ++i)
            if (s->triangles[i] < 0 || s->triangles[i] >= s->vertex_count) return "triangles: no such vertex";
    }
    if (s->kind == ABUT_RECORD_HEIGHTFIELD) {
        if (s->rows < 2 || s->columns < 2 || (long)s->rows * s->columns > ABUT_COUNT_MAX || !s->heights)
            return "heights: expected rows x columns of them, 2 x 2 or more";
        if (!all_floats(s->heights, (long)s->rows * s->columns)) return "heights: not finite";
    }
    return NULL;
}

static const char *wrong_shape(const abut_record_scene *scene, const abut_record_shape *s)
{
    if (!is_body(scene, s->body)) return "body: no such body";
    if ((int)s->kind < 0 || s->kind >= ABUT_RECORD_SHAPE_KINDS) return "kind: no such kind";
    for (int k = 0; k < 3; ++k)
        if (!(s->size[k] >= 0 && s->size[k] <= 1e30)) return "size: expected 0 or more";
    if (!all_finite(s->position, 3) || !all_finite(s->orientation, 4))
        return "position or orientation: not finite";
    for (int k = 0; k < 4; ++k)
        if (!(s->colour[k] >= 0 && s->colour[k] <= 1)) return "colour: expected four numbers from 0 to 1";
    if (!fits(s->name)) return "name: too long";
    return wrong_mesh(s);
}

static const char *wrong_joint(const abut_record_scene *scene, const abut_record_joint *j)
{
    if (!is_body(scene, j->bodies[0]) || !is_body(scene, j->bodies[1])) return "bodies: no such body";
    if ((int)j->kind < 0 || j->kind >= ABUT_RECORD_JOINT_KINDS) return "kind: no such kind";
    if (!all_finite(j->anchor, 3) || !all_finite(j->axis, 3)) return "anchor or axis: not finite";
    return fits(j->name) ? NULL : "name: too long";
}

static bool check_head(const abut_record_scene *scene, abut_error *error)
{
    if (!fits(scene->title) || !fits(scene->caption) || !fits(scene->model) || !fits(scene->solver))
        return abuti_refuse(error, "title, caption, model or solver: more than %d bytes",
                            ABUT_RECORD_TEXT_MAX);
    if (!(scene->step > 0 && scene->step <= 1e9))
        return abuti_refuse(error, "step: %g; expected > 0", scene->step);
    if (!all_finite(scene->gravity, 3)) return abuti_refuse(error, "gravity: not finite");
    double resolution = abuti_scene_resolution(scene);
    if (!(resolution >= 1e-12 && resolution <= 1))
        return abuti_refuse(error, "resolution: %g; expected 1e-12 to 1, or 0", scene->resolution);
    if (!counted(scene->body_count, scene->bodies) || !counted(scene->shape_count, scene->shapes) ||
        !counted(scene->joint_count, scene->joints))
        return abuti_refuse(error, "bodies, shapes or joints: a negative count, or no array");
    return true;
}

bool abuti_scene_check(const abut_record_scene *scene, abut_error *error)
{
    if (!check_head(scene, error)) return false;
    for (int i = 0; i < scene->body_count; ++i) {
        const abut_record_body *b = &scene->bodies[i];
        if (!(b->mass >= 0 && b->mass <= 1e100))
            return abuti_refuse(error, "bodies[%d].mass: expected 0 or more", i);
        if (!fits(b->name)) return abuti_refuse(error, "bodies[%d].name: too long", i);
    }
    for (int i = 0; i < scene->shape_count; ++i) {
        const char *wrong = wrong_shape(scene, &scene->shapes[i]);
        if (wrong) return abuti_refuse(error, "shapes[%d].%s", i, wrong);
    }
    for (int i = 0; i < scene->joint_count; ++i) {
        const char *wrong = wrong_joint(scene, &scene->joints[i]);
        if (wrong) return abuti_refuse(error, "joints[%d].%s", i, wrong);
    }
    return true;
}
