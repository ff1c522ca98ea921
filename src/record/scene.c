#include "record/scene.h"

#include <math.h>
#include <string.h>

/* ---- out ---- */

static void put_doubles(abuti_bytes *out, const double *values, int count)
{
    for (int i = 0; i < count; ++i) abuti_put_f64(out, values[i]);
}

static void put_floats(abuti_bytes *out, const float *values, long count)
{
    for (long i = 0; i < count; ++i) abuti_put_f32(out, values[i]);
}

void abuti_put_head(abuti_bytes *out, const abut_record_scene *scene)
{
    abuti_piece_begin(out, ABUTI_PIECE_HEAD);
    abuti_put_varint(out, ABUT_RECORD_VERSION);
    abuti_put_text(out, scene->title);
    abuti_put_text(out, scene->caption);
    abuti_put_text(out, scene->model);
    abuti_put_text(out, scene->solver);
    abuti_put_f64(out, scene->step);
    put_doubles(out, scene->gravity, 3);
    abuti_put_f64(out, abuti_scene_resolution(scene));
    abuti_put_varint(out, (uint64_t)scene->body_count);
    abuti_put_varint(out, (uint64_t)scene->shape_count);
    abuti_put_varint(out, (uint64_t)scene->joint_count);
    abuti_piece_end(out);
}

void abuti_put_body(abuti_bytes *out, const abut_record_body *body)
{
    abuti_piece_begin(out, ABUTI_PIECE_BODY);
    abuti_put_text(out, body->name);
    abuti_put_f64(out, body->mass);
    abuti_piece_end(out);
}

void abuti_put_shape(abuti_bytes *out, const abut_record_shape *shape)
{
    bool mesh = shape->kind == ABUT_RECORD_CONVEX || shape->kind == ABUT_RECORD_MESH;
    abuti_piece_begin(out, ABUTI_PIECE_SHAPE);
    abuti_put_varint(out, (uint64_t)(shape->body + 1));
    abuti_put_varint(out, (uint64_t)shape->kind);
    abuti_put_text(out, shape->name);
    put_doubles(out, shape->size, 3);
    put_doubles(out, shape->position, 3);
    put_doubles(out, shape->orientation, 4);
    put_floats(out, shape->colour, 4);
    if (mesh) {
        abuti_put_varint(out, (uint64_t)shape->vertex_count);
        abuti_put_varint(out, (uint64_t)shape->triangle_count);
        put_floats(out, shape->vertices, 3L * shape->vertex_count);
        for (long i = 0; i < 3L * shape->triangle_count; ++i)
            abuti_put_varint(out, (uint64_t)shape->triangles[i]);
    }
    if (shape->kind == ABUT_RECORD_HEIGHTFIELD) {
        abuti_put_varint(out, (uint64_t)shape->rows);
        abuti_put_varint(out, (uint64_t)shape->columns);
        put_floats(out, shape->heights, (long)shape->rows * shape->columns);
    }
    abuti_piece_end(out);
}

void abuti_put_joint(abuti_bytes *out, const abut_record_joint *joint)
{
    abuti_piece_begin(out, ABUTI_PIECE_JOINT);
    abuti_put_varint(out, (uint64_t)(joint->bodies[0] + 1));
    abuti_put_varint(out, (uint64_t)(joint->bodies[1] + 1));
    abuti_put_varint(out, (uint64_t)joint->kind);
    abuti_put_text(out, joint->name);
    put_doubles(out, joint->anchor, 3);
    put_doubles(out, joint->axis, 3);
    abuti_piece_end(out);
}

/* ---- in ---- */

static void get_doubles(abuti_cursor *in, double *values, int count)
{
    for (int i = 0; i < count; ++i) {
        values[i] = abuti_get_f64(in);
        if (!isfinite(values[i])) in->bad = true;
    }
}

/* An array of floats into the arena; the payload must hold all of them. */
static const float *get_floats(abuti_cursor *in, abuti_arena *arena, uint64_t count)
{
    if (in->bad || (uint64_t)(in->end - in->at) / 4 < count) {
        in->bad = true;
        return NULL;
    }
    float *values = abuti_take(arena, count, float);
    for (uint64_t i = 0; i < count; ++i) {
        float value = abuti_get_f32(in);
        if (!isfinite(value)) in->bad = true;
        if (values) values[i] = value;
    }
    return values;
}

static bool has_zero(const unsigned char *bytes, int count)
{
    for (int i = 0; i < count; ++i)
        if (bytes[i] == 0) return true;
    return false;
}

bool abuti_get_text(abuti_cursor *in, abuti_arena *arena, const char **text)
{
    int length = abuti_get_count(in, ABUT_RECORD_TEXT_MAX);
    if (in->bad || in->end - in->at < length || has_zero(in->at, length)) {
        in->bad = true;
        return false;
    }
    char *copy = abuti_take(arena, length + 1, char);
    if (copy) {
        memcpy(copy, in->at, (size_t)length);
        copy[length] = '\0';
    }
    *text = copy;
    in->at += length;
    return true;
}

bool abuti_get_head(abuti_cursor *in, abuti_arena *arena, size_t size, int *version, abut_record_scene *scene)
{
    *version = abuti_get_count(in, 1000000);
    if (in->bad || *version != ABUT_RECORD_VERSION) return false;
    abuti_get_text(in, arena, &scene->title);
    abuti_get_text(in, arena, &scene->caption);
    abuti_get_text(in, arena, &scene->model);
    abuti_get_text(in, arena, &scene->solver);
    get_doubles(in, &scene->step, 1);
    get_doubles(in, scene->gravity, 3);
    get_doubles(in, &scene->resolution, 1);
    /* Each body, shape or joint has a piece of its own, so there cannot be more of them than this. */
    uint64_t most = size / ABUTI_PIECE_FRAME;
    if (most > ABUT_COUNT_MAX) most = ABUT_COUNT_MAX;
    scene->body_count = abuti_get_count(in, most);
    scene->shape_count = abuti_get_count(in, most);
    scene->joint_count = abuti_get_count(in, most);
    return !in->bad && scene->step > 0 && scene->resolution >= 1e-12 && scene->resolution <= 1;
}

bool abuti_get_body(abuti_cursor *in, abuti_arena *arena, abut_record_body *body)
{
    abuti_get_text(in, arena, &body->name);
    get_doubles(in, &body->mass, 1);
    return !in->bad && body->mass >= 0;
}

static void get_mesh(abuti_cursor *in, abuti_arena *arena, abut_record_shape *shape)
{
    shape->vertex_count = abuti_get_count(in, ABUT_COUNT_MAX);
    shape->triangle_count = abuti_get_count(in, ABUT_COUNT_MAX);
    shape->vertices = get_floats(in, arena, 3 * (uint64_t)shape->vertex_count);
    uint64_t indices = 3 * (uint64_t)shape->triangle_count;
    if (in->bad || shape->vertex_count < 3 || (uint64_t)(in->end - in->at) < indices) {
        in->bad = true;
        return;
    }
    int *triangles = abuti_take(arena, indices, int);
    for (uint64_t i = 0; i < indices; ++i) {
        int vertex = abuti_get_count(in, (uint64_t)shape->vertex_count - 1);
        if (triangles) triangles[i] = vertex;
    }
    shape->triangles = triangles;
}

bool abuti_get_shape(abuti_cursor *in, abuti_arena *arena, int bodies, abut_record_shape *shape)
{
    shape->body = abuti_get_count(in, (uint64_t)bodies) - 1;
    shape->kind = (abut_record_shape_kind)abuti_get_count(in, ABUT_RECORD_SHAPE_KINDS - 1);
    abuti_get_text(in, arena, &shape->name);
    get_doubles(in, shape->size, 3);
    get_doubles(in, shape->position, 3);
    get_doubles(in, shape->orientation, 4);
    for (int k = 0; k < 4; ++k) {
        shape->colour[k] = abuti_get_f32(in);
        if (!(shape->colour[k] >= 0 && shape->colour[k] <= 1)) in->bad = true;
    }
    if (shape->kind == ABUT_RECORD_CONVEX || shape->kind == ABUT_RECORD_MESH) get_mesh(in, arena, shape);
    if (shape->kind == ABUT_RECORD_HEIGHTFIELD) {
        shape->rows = abuti_get_count(in, ABUT_COUNT_MAX);
        shape->columns = abuti_get_count(in, ABUT_COUNT_MAX);
        if (shape->rows < 2 || shape->columns < 2) in->bad = true;
        shape->heights = get_floats(in, arena, (uint64_t)shape->rows * (uint64_t)shape->columns);
    }
    return !in->bad && shape->size[0] >= 0 && shape->size[1] >= 0 && shape->size[2] >= 0;
}

bool abuti_get_joint(abuti_cursor *in, abuti_arena *arena, int bodies, abut_record_joint *joint)
{
    joint->bodies[0] = abuti_get_count(in, (uint64_t)bodies) - 1;
    joint->bodies[1] = abuti_get_count(in, (uint64_t)bodies) - 1;
    joint->kind = (abut_record_joint_kind)abuti_get_count(in, ABUT_RECORD_JOINT_KINDS - 1);
    abuti_get_text(in, arena, &joint->name);
    get_doubles(in, joint->anchor, 3);
    get_doubles(in, joint->axis, 3);
    return !in->bad;
}
