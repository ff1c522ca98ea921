/* Mesh assets: vertices and faces from a file or from the element, then refpos, refquat, scale. */
#include "scene/reader.h"

#include "base/space.h"
#include <string.h>

typedef struct mesh_draft {
    double scale[3], refpos[3], refquat[4];
    int convention; /* convex, legacy, exact, shell */
} mesh_draft;

enum { CONVEX, LEGACY, EXACT, SHELL };

static bool inline_mesh(abuti_reader *reader, const abuti_element *element, abut_scene_mesh *mesh)
{
    abuti_source *source = &reader->source;
    const abuti_attribute *vertices = abuti_given(element, "vertex"), *faces = abuti_given(element, "face");
    if (!vertices)
        return abuti_fail(source, ABUT_INVALID_ARGUMENT, element, NULL, "it has neither a file nor vertices");
    if (vertices->count % 3 != 0 || vertices->count < 12)
        return abuti_fail(source, ABUT_INVALID_ARGUMENT, element, "vertex",
                          "%d numbers; expected three a vertex, and four vertices at least", vertices->count);
    if (faces && faces->count % 3 != 0)
        return abuti_fail(source, ABUT_INVALID_ARGUMENT, element, "face",
                          "%d integers; expected three a face", faces->count);
    mesh->vertex_count = vertices->count / 3;
    mesh->face_count = faces ? faces->count / 3 : 0;
    mesh->vertices = abuti_pool_take(source->pool, (size_t)vertices->count * sizeof *mesh->vertices);
    mesh->faces = abuti_pool_take(source->pool, (size_t)(3 * mesh->face_count + 1) * sizeof *mesh->faces);
    if (!mesh->vertices || !mesh->faces) return abuti_fail_memory(source);
    for (int i = 0; i < vertices->count; ++i) mesh->vertices[i] = (float)vertices->numbers[i];
    for (int i = 0; i < 3 * mesh->face_count; ++i) {
        if (faces->numbers[i] < 0 || faces->numbers[i] >= mesh->vertex_count)
            return abuti_fail(source, ABUT_INVALID_ARGUMENT, element, "face", "vertex %g; expected 0 .. %d",
                              faces->numbers[i], mesh->vertex_count - 1);
        mesh->faces[i] = (int)faces->numbers[i];
    }
    return true;
}

static bool file_mesh(abuti_reader *reader, const abuti_model *model, const abuti_element *element,
                      const char *file, abut_scene_mesh *mesh)
{
    const char *path = abuti_asset_path(reader, model, element, file);
    if (!path) return false;
    if (!abuti_mesh_file(reader, element, path, abuti_text_of(element, "content_type", ""), mesh))
        return false;
    for (int i = 0; i < 3 * mesh->face_count; ++i)
        if (mesh->faces[i] < 0 || mesh->faces[i] >= mesh->vertex_count)
            return abuti_fail(&reader->source, ABUT_INVALID_ARGUMENT, element, "file",
                              "'%.100s': face %d names vertex %d; expected 0 .. %d", file, i / 3,
                              mesh->faces[i], mesh->vertex_count - 1);
    for (int i = 0; i < 3 * mesh->vertex_count; ++i)
        if (!(fabs(mesh->vertices[i]) <= 1e30))
            return abuti_fail(&reader->source, ABUT_INVALID_ARGUMENT, element, "file",
                              "'%.100s': vertex %d is not finite", file, i / 3);
    return true;
}

static void transform(const mesh_draft *draft, abut_scene_mesh *mesh)
{
    double back[4], turn[9];
    abuti_quat_conjugate(back, draft->refquat);
    abuti_quat_normalise(back);
    abuti_m3_from_quat(turn, back);
    for (int i = 0; i < mesh->vertex_count; ++i) {
        double *v = mesh->vertices + 3 * (size_t)i, moved[3];
        abuti_v3_sub(moved, v, draft->refpos);
        abuti_m3_apply(v, turn, moved);
        for (int k = 0; k < 3; ++k) v[k] *= draft->scale[k];
    }
    if (draft->scale[0] * draft->scale[1] * draft->scale[2] >= 0) return;
    for (int i = 0; i < mesh->face_count; ++i) {
        int *face = mesh->faces + 3 * (size_t)i, second = face[1];
        face[1] = face[2];
        face[2] = second;
    }
}

void abuti_mesh_bounds(const abut_scene_mesh *mesh, const abut_scene_pose *axes, double low[3],
                       double high[3])
{
    double back[4], v[3];
    abuti_quat_conjugate(back, axes->quat);
    abuti_v3_set(low, INFINITY, INFINITY, INFINITY);
    abuti_v3_set(high, -INFINITY, -INFINITY, -INFINITY);
    for (int i = 0; i < mesh->vertex_count; ++i) {
        abuti_v3_sub(v, mesh->vertices + 3 * (size_t)i, axes->pos);
        abuti_quat_apply(v, back, v);
        for (int k = 0; k < 3; ++k) low[k] = fmin(low[k], v[k]), high[k] = fmax(high[k], v[k]);
    }
}

bool abuti_mesh_load(abuti_reader *reader, const abuti_model *model, const abuti_element *element,
                     const char *name, int *index)
{
    mesh_draft draft = {.scale = {1, 1, 1}, .refquat = {1, 0, 0, 0}, .convention = LEGACY};
    const abuti_element *chain[ABUTI_CHAIN_MAX];
    int class;
    if (!abuti_class_of(reader, model, element, -1, &class)) return false;
    int count = abuti_defaults(model, class, "mesh", element, chain, ABUTI_CHAIN_MAX);
    for (int i = 0; i < count; ++i) {
        abuti_numbers_of(chain[i], "scale", draft.scale);
        abuti_numbers_of(chain[i], "refpos", draft.refpos);
        abuti_numbers_of(chain[i], "refquat", draft.refquat);
        abuti_word_of(chain[i], "inertia", &draft.convention);
    }
    abut_scene_mesh mesh = {.name = abuti_pool_text(reader->source.pool, name)};
    if (!mesh.name) return abuti_fail_memory(&reader->source);
    const char *file = abuti_text_of(element, "file", NULL);
    if (!(file ? file_mesh(reader, model, element, file, &mesh) : inline_mesh(reader, element, &mesh)))
        return false;
    transform(&draft, &mesh);
    abuti_mesh_shape shape = {.shell = draft.convention == SHELL};
    if (!abuti_mesh_measure(reader, element, &mesh, draft.convention, &shape)) return false;
    abut_scene_mesh *added = abuti_add(reader, &reader->meshes, sizeof *added, element);
    abuti_mesh_shape *measured = abuti_list_add(&reader->scratch, &reader->shapes, sizeof *measured);
    if (!added || !measured) return abuti_fail_memory(&reader->source);
    *added = mesh;
    *measured = shape;
    *index = reader->meshes.count - 1;
    return true;
}
