/* Geoms become colliders. */
#include "scene/hull.h"
#include "scene/simulation.h"

#include <math.h>
#include <string.h>

/* Faces with more corners than a shape may have are cut into fans of smaller ones. */
static bool split_faces(abuti_pool *pool, const abuti_hull *hull, abuti_hull *split)
{
    enum { MOST = ABUT_FACE_MAX };
    size_t faces = 0, corners = 0;
    for (int i = 0; i < hull->face_count; ++i) {
        size_t pieces = ((size_t)hull->face_sizes[i] - 2 + (MOST - 2) - 1) / (MOST - 2);
        faces += pieces;
        corners += (size_t)hull->face_sizes[i] + 2 * (pieces - 1);
    }
    split->face_sizes = abuti_pool_take(pool, (faces + 1) * sizeof *split->face_sizes);
    split->face_vertices = abuti_pool_take(pool, (corners + 1) * sizeof *split->face_vertices);
    if (!split->face_sizes || !split->face_vertices) return false;
    const int *ring = hull->face_vertices;
    int *out = split->face_vertices;
    split->face_count = 0;
    for (int i = 0; i < hull->face_count; ring += hull->face_sizes[i++]) {
        for (int first = 1; first < hull->face_sizes[i] - 1; first += MOST - 2) {
            int last = first + MOST - 2;
            if (last > hull->face_sizes[i] - 1) last = hull->face_sizes[i] - 1;
            *out++ = ring[0];
            for (int k = first; k <= last; ++k) *out++ = ring[k];
            split->face_sizes[split->face_count++] = last - first + 2;
        }
    }
    return true;
}

/* A mesh is its convex hull, made when it is needed first. */
static abut_status make_convex(abut_simulation *simulation, int mesh, abut_error *error)
{
    abuti_simulation *inside = abuti_inside(simulation);
    const abut_scene_mesh *from = &simulation->scene->meshes[mesh];
    if (inside->convexes[mesh]) return ABUT_OK;
    abuti_hull whole, hull;
    if (abuti_hull_left_out())
        return abuti_decline(error, ABUT_UNSUPPORTED, "mesh", from->name, abuti_hull_left_out());
    if (!abuti_hull_make(&inside->pool, from->vertices, from->vertex_count, &whole))
        return abuti_decline(error, ABUT_INVALID_ARGUMENT, "mesh", from->name,
                             "its vertices have no convex hull");
    if (!split_faces(&inside->pool, &whole, &hull))
        return abuti_decline(error, ABUT_OUT_OF_MEMORY, "mesh", from->name, "no memory");
    /* Only the vertices of the hull, numbered anew. */
    int corners = 0, used = 0;
    for (int i = 0; i < hull.face_count; ++i) corners += hull.face_sizes[i];
    int *place = abuti_pool_take(&inside->pool, (size_t)from->vertex_count * sizeof *place);
    double(*vertices)[3] = abuti_pool_take(&inside->pool, (size_t)from->vertex_count * sizeof *vertices);
    if (!place || !vertices) return abuti_decline(error, ABUT_OUT_OF_MEMORY, "mesh", from->name, "no memory");
    for (int i = 0; i < corners; ++i) {
        int *vertex = &hull.face_vertices[i];
        if (place[*vertex] == 0) {
            memcpy(vertices[used], from->vertices + 3 * (size_t)*vertex, sizeof *vertices);
            place[*vertex] = ++used;
        }
        *vertex = place[*vertex] - 1;
    }
    abut_convex_def def = {.vertex_count = used,
                           .vertices = (const double(*)[3])vertices,
                           .face_count = hull.face_count,
                           .face_sizes = hull.face_sizes,
                           .face_vertices = hull.face_vertices};
    abut_error why = {""};
    abut_status status = abut_convex_create(&def, NULL, &inside->convexes[mesh], &why);
    return status == ABUT_OK ? ABUT_OK : abuti_decline(error, status, "mesh", from->name, why.text);
}

static abut_status make_field(abut_simulation *simulation, int index, abut_error *error)
{
    abuti_simulation *inside = abuti_inside(simulation);
    const abut_scene_hfield *from = &simulation->scene->hfields[index];
    abut_heightfield *field = &inside->fields[index];
    if (field->heights) return ABUT_OK;
    size_t count = (size_t)from->rows * (size_t)from->columns;
    double *heights = abuti_pool_take(&inside->pool, count * sizeof *heights);
    if (!heights) return abuti_decline(error, ABUT_OUT_OF_MEMORY, "hfield", from->name, "no memory");
    for (size_t i = 0; i < count; ++i) heights[i] = from->size[2] * from->elevation[i];
    *field = (abut_heightfield){
        .rows = from->rows,
        .columns = from->columns,
        .spacing = {2 * from->size[0] / (from->columns - 1), 2 * from->size[1] / (from->rows - 1)},
        .heights = heights};
    return ABUT_OK;
}

static abut_status make_shape(abut_simulation *simulation, const abut_scene_geom *geom, abut_shape *shape,
                              abut_error *error)
{
    static const abut_shape_kind kinds[] = {[ABUT_SCENE_PLANE] = ABUT_PLANE,
                                            [ABUT_SCENE_HFIELD] = ABUT_HEIGHTFIELD,
                                            [ABUT_SCENE_SPHERE] = ABUT_SPHERE,
                                            [ABUT_SCENE_CAPSULE] = ABUT_CAPSULE,
                                            [ABUT_SCENE_ELLIPSOID] = ABUT_ELLIPSOID,
                                            [ABUT_SCENE_CYLINDER] = ABUT_CYLINDER,
                                            [ABUT_SCENE_BOX] = ABUT_BOX,
                                            [ABUT_SCENE_MESH] = ABUT_CONVEX};
    abuti_simulation *inside = abuti_inside(simulation);
    abut_status status = ABUT_OK;
    *shape = (abut_shape){.kind = kinds[geom->type], .radius = geom->size[0], .half_length = geom->size[1]};
    memcpy(shape->half, geom->size, sizeof shape->half);
    if (geom->type == ABUT_SCENE_MESH) {
        status = make_convex(simulation, geom->asset, error);
        shape->convex = inside->convexes[geom->asset];
    } else if (geom->type == ABUT_SCENE_HFIELD) {
        status = make_field(simulation, geom->asset, error);
        shape->heightfield = &inside->fields[geom->asset];
    }
    return status;
}

static abut_status add_collider(abut_simulation *simulation, int index, abut_collider_def *def,
                                abut_error *error)
{
    const abut_scene_geom *geom = &simulation->scene->geoms[index];
    const abut_scene_custom *restitution = abut_scene_find_custom(simulation->scene, "abut_restitution"),
                            *viscous = abut_scene_find_custom(simulation->scene, "abut_viscous");
    if (def->category == 0 && def->mask == 0 && !abuti_inside(simulation)->paired[index]) return ABUT_OK;
    abut_status status = make_shape(simulation, geom, &def->shape, error);
    if (status != ABUT_OK) return status;
    memcpy(def->position, geom->pose.pos, sizeof def->position);
    memcpy(def->rotation, geom->pose.quat, sizeof def->rotation);
    def->density = 0;
    def->friction = geom->condim == 1 ? 0 : geom->friction[0];
    def->priority = geom->priority;
    def->margin = geom->margin > geom->gap ? geom->margin - geom->gap : 0;
    if (restitution && restitution->count == 1) def->restitution = restitution->numbers[0];
    if (viscous && viscous->count == 1) def->viscous = viscous->numbers[0] / 2; /* of two they add up */
    memcpy(def->surface_velocity, geom->surface_velocity, sizeof def->surface_velocity);
    abut_error why = {""};
    status = abut_world_add_collider(simulation->world, simulation->bodies[geom->body], def,
                                     &simulation->colliders[index], &why);
    return status == ABUT_OK ? ABUT_OK : abuti_decline(error, status, "geom", geom->name, why.text);
}

/* The geoms of a pair touch, whatever other rules say, and with the friction of the pair. */
static abut_status join_pairs(abut_simulation *simulation)
{
    const abut_scene *scene = simulation->scene;
    const abut_collider_id *ids = simulation->colliders;
    for (int i = 0; i < scene->pair_count; ++i) {
        const abut_scene_pair *pair = &scene->pairs[i];
        abut_collider_id a = ids[pair->geoms[0]], b = ids[pair->geoms[1]];
        abut_status status = abut_world_include(simulation->world, a, b);
        if (status == ABUT_OK)
            status = abut_world_set_pair_friction(
                simulation->world, a, b, pair->condim == 1 ? 0 : fmin(pair->friction[0], pair->friction[1]));
        if (status != ABUT_OK) return status;
    }
    return ABUT_OK;
}

static bool touch(const abut_scene_geom *a, const abut_scene_geom *b)
{
    return (a->contype & b->conaffinity) != 0 || (b->contype & a->conaffinity) != 0;
}

static bool excluded(const abut_scene *scene, int a, int b)
{
    for (int i = 0; i < scene->exclude_count; ++i) {
        const int *bodies = scene->excludes[i].bodies;
        if ((bodies[0] == a && bodies[1] == b) || (bodies[0] == b && bodies[1] == a)) return true;
    }
    return false;
}

/* The body that a body is fixed to, or itself. */
static int fixed_to(const abut_scene *scene, int body)
{
    while (body > 0 && scene->bodies[body].joint_count == 0) body = scene->bodies[body].parent;
    return body;
}

/* Where parents are not filtered, geoms of a body and of its parent touch as others do. */
static abut_status join_parents(abut_simulation *simulation)
{
    const abut_scene *scene = simulation->scene;
    for (int i = 0; i < scene->geom_count; ++i) {
        const abut_scene_geom *geom = &scene->geoms[i];
        int moved = fixed_to(scene, geom->body), above = fixed_to(scene, scene->bodies[moved].parent);
        for (int k = 0; moved > 0 && above > 0 && k < scene->geom_count; ++k) {
            const abut_scene_geom *other = &scene->geoms[k];
            if (fixed_to(scene, other->body) != above || !touch(geom, other) ||
                excluded(scene, geom->body, other->body))
                continue;
            abut_status status =
                abut_world_include(simulation->world, simulation->colliders[i], simulation->colliders[k]);
            if (status != ABUT_OK) return status;
        }
    }
    return ABUT_OK;
}

/* The custom text abut_unions is `all`, or lists names of geoms, separated by blanks. Contacts of these geoms beside
 * outer corners are unions. */
static abut_status choose_unions(const abut_scene *scene, abut_collider_def *defs, abut_error *error)
{
    const abut_scene_custom *custom = abut_scene_find_custom(scene, "abut_unions");
    if (!custom) return ABUT_OK;
    if (!custom->text)
        return abuti_decline(error, ABUT_INVALID_ARGUMENT, "custom", "abut_unions",
                             "expected a text: names of geoms, or all");
    for (const char *word = custom->text + strspn(custom->text, " "); *word != '\0';) {
        size_t length = strcspn(word, " ");
        bool all = length == 3 && strncmp(word, "all", 3) == 0, found = all;
        for (int i = 0; i < scene->geom_count; ++i) {
            const char *name = scene->geoms[i].name;
            bool named = strlen(name) == length && strncmp(name, word, length) == 0;
            found |= named;
            if (all || named) defs[i].unions = true;
        }
        if (!found)
            return abuti_decline(error, ABUT_INVALID_ARGUMENT, "custom", "abut_unions",
                                 "it names a geom that is not there");
        word += length + strspn(word + length, " ");
    }
    return ABUT_OK;
}

abut_status abuti_add_colliders(abut_simulation *simulation, abut_error *error)
{
    const abut_scene *scene = simulation->scene;
    abuti_simulation *inside = abuti_inside(simulation);
    abut_collider_def *defs = abuti_pool_take(&inside->pool, ((size_t)scene->geom_count + 1) * sizeof *defs);
    if (!defs) return abuti_decline(error, ABUT_OUT_OF_MEMORY, "geoms", "", "no memory");
    for (int i = 0; i < scene->geom_count; ++i) {
        defs[i] = abut_collider_default_def();
        defs[i].category = (uint32_t)scene->geoms[i].contype;
        defs[i].mask = (uint32_t)scene->geoms[i].conaffinity;
    }
    abut_status status = choose_unions(scene, defs, error);
    for (int i = 0; i < scene->pair_count; ++i)
        for (int k = 0; k < 2; ++k) inside->paired[scene->pairs[i].geoms[k]] = true;
    for (int i = 0; status == ABUT_OK && i < scene->geom_count; ++i)
        status = add_collider(simulation, i, &defs[i], error);
    if (status == ABUT_OK) status = join_pairs(simulation);
    if (status == ABUT_OK && !scene->filter_parent) status = join_parents(simulation);
    for (int i = 0; status == ABUT_OK && i < scene->exclude_count; ++i) {
        const int *bodies = scene->excludes[i].bodies;
        status = abut_world_exclude(simulation->world, simulation->bodies[bodies[0]],
                                    simulation->bodies[bodies[1]]);
    }
    return status;
}
