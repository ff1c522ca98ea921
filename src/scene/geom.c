/* Geoms of bodies. */
#include "scene/reader.h"

#include "base/space.h"
#include <string.h>

typedef struct geom_draft {
    abut_scene_geom geom;
    abuti_orientation orientation;
    bool ends, has_mass, sdf;
    int shell;
    double fromto[6], density, mass, fit;
    const char *material, *mesh, *hfield;
} geom_draft;

static void take(geom_draft *draft, const abuti_element *element)
{
    static const abut_scene_geom_type types[] = {
        ABUT_SCENE_PLANE,    ABUT_SCENE_HFIELD, ABUT_SCENE_SPHERE, ABUT_SCENE_CAPSULE, ABUT_SCENE_ELLIPSOID,
        ABUT_SCENE_CYLINDER, ABUT_SCENE_BOX,    ABUT_SCENE_MESH,   ABUT_SCENE_MESH};
    abut_scene_geom *geom = &draft->geom;
    int word;
    if (abuti_word_of(element, "type", &word)) {
        geom->type = types[word];
        draft->sdf = word == 8;
    }
    abuti_integer_of(element, "contype", &geom->contype);
    abuti_integer_of(element, "conaffinity", &geom->conaffinity);
    abuti_integer_of(element, "condim", &geom->condim);
    abuti_integer_of(element, "group", &geom->group);
    abuti_integer_of(element, "priority", &geom->priority);
    abuti_numbers_of(element, "size", geom->size);
    abuti_numbers_of(element, "friction", geom->friction);
    abuti_numbers_of(element, "margin", &geom->margin);
    abuti_numbers_of(element, "gap", &geom->gap);
    abuti_numbers_of(element, "surfacevel", geom->surface_velocity);
    abuti_numbers_of(element, "rgba", geom->rgba);
    abuti_numbers_of(element, "pos", geom->pose.pos);
    abuti_orientation_read(element, &draft->orientation);
    draft->ends |= abuti_numbers_of(element, "fromto", draft->fromto) > 0;
    draft->has_mass |= abuti_numbers_of(element, "mass", &draft->mass) > 0;
    abuti_numbers_of(element, "density", &draft->density);
    abuti_word_of(element, "shellinertia", &draft->shell);
    abuti_numbers_of(element, "fitscale", &draft->fit);
    draft->material = abuti_text_of(element, "material", draft->material);
    draft->mesh = abuti_text_of(element, "mesh", draft->mesh);
    draft->hfield = abuti_text_of(element, "hfield", draft->hfield);
}

/* ---- its shape ---- */

static bool has_length(abut_scene_geom_type type)
{
    return type == ABUT_SCENE_CAPSULE || type == ABUT_SCENE_CYLINDER || type == ABUT_SCENE_BOX ||
           type == ABUT_SCENE_ELLIPSOID;
}

static bool use_ends(abuti_reader *reader, const abuti_element *element, geom_draft *draft)
{
    abut_scene_geom *geom = &draft->geom;
    double along[3];
    if (!has_length(geom->type))
        return abuti_fail(&reader->source, ABUT_INVALID_ARGUMENT, element, "fromto",
                          "expected a capsule, cylinder, box or ellipsoid");
    abuti_v3_sub(along, draft->fromto, draft->fromto + 3);
    double length = abuti_v3_length(along);
    if (length < ABUTI_TINY)
        return abuti_fail(&reader->source, ABUT_INVALID_ARGUMENT, element, "fromto",
                          "its two points are one");
    if (geom->type == ABUT_SCENE_BOX || geom->type == ABUT_SCENE_ELLIPSOID) {
        geom->size[1] = geom->size[0];
        geom->size[2] = length / 2;
    } else {
        geom->size[1] = length / 2;
    }
    abuti_quat_from_z(geom->pose.quat, along);
    for (int k = 0; k < 3; ++k) geom->pose.pos[k] = (draft->fromto[k] + draft->fromto[3 + k]) / 2;
    return true;
}

static bool check_size(abuti_reader *reader, const abuti_element *element, const abut_scene_geom *geom)
{
    static const int needed[] = {
        [ABUT_SCENE_PLANE] = 0,   [ABUT_SCENE_HFIELD] = 0,    [ABUT_SCENE_SPHERE] = 1,
        [ABUT_SCENE_CAPSULE] = 2, [ABUT_SCENE_ELLIPSOID] = 3, [ABUT_SCENE_CYLINDER] = 2,
        [ABUT_SCENE_BOX] = 3,     [ABUT_SCENE_MESH] = 0};
    for (int i = 0; i < needed[geom->type]; ++i)
        if (!(geom->size[i] > 0))
            return abuti_fail(&reader->source, ABUT_INVALID_ARGUMENT, element, "size",
                              "number %d is %g; expected %d numbers > 0 for this type", i + 1, geom->size[i],
                              needed[geom->type]);
    if (geom->type == ABUT_SCENE_PLANE && !(geom->size[0] >= 0 && geom->size[1] >= 0))
        return abuti_fail(&reader->source, ABUT_INVALID_ARGUMENT, element, "size", "expected numbers >= 0");
    return true;
}

/* The index of the mesh or height field that it names; they are loaded when they are used first. */
static bool use_asset(abuti_reader *reader, const abuti_model *model, const abuti_element *element,
                      const char *kind, const char *name, int *index)
{
    abuti_source *source = &reader->source;
    if (!name) return abuti_fail(source, ABUT_INVALID_ARGUMENT, element, kind, "missing; its type needs one");
    abuti_asset *asset = (abuti_asset *)abuti_asset_find(model, kind, name);
    if (!asset)
        return abuti_fail(source, ABUT_INVALID_ARGUMENT, element, kind, "there is no %s '%.60s'", kind, name);
    if (asset->index < 0) {
        bool mesh = strcmp(kind, "mesh") == 0;
        if (!(mesh ? abuti_mesh_load : abuti_hfield_load)(reader, model, asset->element, name, &asset->index))
            return false;
    }
    *index = asset->index;
    return true;
}

/* A simple shape in place of a mesh: of the same inertia, or around its points. */
static void fit(abuti_reader *reader, const abuti_compiler *compiler, geom_draft *draft, int mesh)
{
    abut_scene_geom *geom = &draft->geom;
    const abuti_mesh_shape *shape = (abuti_mesh_shape *)reader->shapes.items + mesh;
    double values[3], vectors[9], b[3], volume = shape->shell ? shape->area : shape->solid;
    const double *inertia = shape->shell ? shape->shell_inertia : shape->inertia;
    abut_scene_pose axes = {.quat = {1, 0, 0, 0}};
    abuti_v3_copy(axes.pos, shape->shell ? shape->shell_com : shape->com);
    abuti_symmetric_eigen(inertia, values, vectors);
    for (int k = 0; k < 3; ++k) {
        double sum = values[(k + 1) % 3] + values[(k + 2) % 3] - values[k];
        b[k] = sqrt(6 * (sum > 0 ? sum : 0) / volume) / 2;
    }
    abuti_quat_from_columns(axes.quat, vectors);
    if (compiler->fit_box) {
        double low[3], high[3], middle[3];
        abuti_mesh_bounds((abut_scene_mesh *)reader->meshes.items + mesh, &axes, low, high);
        for (int k = 0; k < 3; ++k) b[k] = (high[k] - low[k]) / 2, middle[k] = (high[k] + low[k]) / 2;
        abuti_quat_apply(middle, axes.quat, middle);
        abuti_v3_add(axes.pos, axes.pos, middle);
    }
    bool box = compiler->fit_box;
    double across = box ? fmax(b[0], b[1]) : (b[0] + b[1]) / 2;
    switch (geom->type) {
    case ABUT_SCENE_SPHERE: geom->size[0] = box ? fmax(across, b[2]) : (b[0] + b[1] + b[2]) / 3; break;
    case ABUT_SCENE_CAPSULE:
        geom->size[0] = across;
        geom->size[1] = fmax(0, b[2] - (box ? across : across / 2));
        break;
    case ABUT_SCENE_CYLINDER: geom->size[0] = across, geom->size[1] = b[2]; break;
    default: abuti_v3_copy(geom->size, b); break;
    }
    for (int k = 0; k < 3; ++k) geom->size[k] *= draft->fit;
    abuti_pose_compose(&geom->pose, &geom->pose, &axes);
}

static bool shape(abuti_reader *reader, const abuti_model *model, const abuti_element *element,
                  geom_draft *draft)
{
    abut_scene_geom *geom = &draft->geom;
    if (draft->sdf && !abuti_unsupported(&reader->source, element, "type", "sdf is not supported"))
        return false;
    if (!abuti_orientation_resolve(reader, &model->compiler, element, &draft->orientation, geom->pose.quat))
        return false;
    geom->asset = -1;
    if (geom->type == ABUT_SCENE_HFIELD)
        return use_asset(reader, model, element, "hfield", draft->hfield, &geom->asset);
    if (geom->type == ABUT_SCENE_MESH)
        return use_asset(reader, model, element, "mesh", draft->mesh, &geom->asset);
    if (draft->mesh && *draft->mesh != '\0' && geom->type != ABUT_SCENE_PLANE) {
        int mesh;
        if (!use_asset(reader, model, element, "mesh", draft->mesh, &mesh)) return false;
        fit(reader, &model->compiler, draft, mesh);
    } else if (draft->ends && !use_ends(reader, element, draft)) {
        return false;
    }
    return check_size(reader, element, geom);
}

/* ---- the rest ---- */

static bool colour(abuti_reader *reader, const abuti_model *model, const abuti_element *element,
                   geom_draft *draft)
{
    static const double grey[4] = {0.5, 0.5, 0.5, 1};
    if (!draft->material || *draft->material == '\0') return true;
    const abuti_asset *asset = abuti_asset_find(model, "material", draft->material);
    if (!asset)
        return abuti_fail(&reader->source, ABUT_INVALID_ARGUMENT, element, "material",
                          "there is no material '%.60s'", draft->material);
    if (memcmp(draft->geom.rgba, grey, sizeof grey) != 0) return true;
    const abuti_element *chain[ABUTI_CHAIN_MAX];
    int class;
    if (!abuti_class_of(reader, model, asset->element, -1, &class)) return false;
    int count = abuti_defaults(model, class, "material", asset->element, chain, ABUTI_CHAIN_MAX);
    memcpy(draft->geom.rgba, (double[4]){1, 1, 1, 1}, sizeof draft->geom.rgba);
    for (int i = 0; i < count; ++i) abuti_numbers_of(chain[i], "rgba", draft->geom.rgba);
    return true;
}

static bool check_contact(abuti_reader *reader, const abuti_element *element, const abut_scene_geom *geom)
{
    abuti_source *source = &reader->source;
    int c = geom->condim;
    if (c != 1 && c != 3 && c != 4 && c != 6)
        return abuti_fail(source, ABUT_INVALID_ARGUMENT, element, "condim", "%d; expected 1, 3, 4 or 6", c);
    for (int k = 0; k < 3; ++k)
        if (!(geom->friction[k] >= 0))
            return abuti_fail(source, ABUT_INVALID_ARGUMENT, element, "friction", "%g; expected numbers >= 0",
                              geom->friction[k]);
    if (geom->condim > 3 &&
        !abuti_skip(source, "torsional and rolling friction of condim 4 and 6, which are read as 3"))
        return false;
    if (!(geom->margin >= 0 && geom->gap >= 0))
        return abuti_fail(source, ABUT_INVALID_ARGUMENT, element, "margin", "expected margin and gap >= 0");
    return true;
}

static bool weigh(abuti_reader *reader, const abuti_compiler *compiler, const abuti_element *element,
                  geom_draft *draft, abut_scene_body *body)
{
    abut_scene_geom *geom = &draft->geom;
    abuti_body_mark *mark = (abuti_body_mark *)reader->body_marks.items + geom->body;
    double volume;
    abuti_mass part = {0};
    bool solid = abuti_geom_solid(reader, geom, draft->shell, &volume, part.com, part.inertia);
    if (draft->has_mass ? !(draft->mass >= 0) : !(draft->density >= 0))
        return abuti_fail(&reader->source, ABUT_INVALID_ARGUMENT, element,
                          draft->has_mass ? "mass" : "density", "%g; expected a number >= 0",
                          draft->has_mass ? draft->mass : draft->density);
    if (!solid) return true;
    geom->mass = part.mass = draft->has_mass ? draft->mass : draft->density * volume;
    for (int k = 0; k < 6; ++k) part.inertia[k] *= part.mass;
    if (geom->body == 0 || geom->group < compiler->inertia_groups[0] ||
        geom->group > compiler->inertia_groups[1])
        return true;
    if (compiler->inertia_from_geoms == 0 || (compiler->inertia_from_geoms == 2 && mark->given)) return true;
    abuti_mass sum = {.mass = body->mass};
    abuti_v3_copy(sum.com, body->com);
    memcpy(sum.inertia, body->inertia, sizeof sum.inertia);
    abuti_mass_add(&sum, &part, &geom->pose);
    body->mass = sum.mass;
    abuti_v3_copy(body->com, sum.com);
    memcpy(body->inertia, sum.inertia, sizeof sum.inertia);
    return true;
}

static void override(const abuti_reader *reader, abut_scene_geom *geom)
{
    if (!reader->override_contacts) return;
    geom->friction[0] = reader->o_friction[0];
    geom->friction[1] = reader->o_friction[2];
    geom->friction[2] = reader->o_friction[3];
    geom->margin = reader->o_margin;
}

bool abuti_geom_read(abuti_reader *reader, const abuti_place *place, const abuti_element *element)
{
    const abuti_model *model = place->instance->model;
    const abuti_element *chain[ABUTI_CHAIN_MAX];
    int class;
    geom_draft draft = {.geom = {.type = ABUT_SCENE_SPHERE,
                                 .pose = {{0, 0, 0}, {1, 0, 0, 0}},
                                 .contype = 1,
                                 .conaffinity = 1,
                                 .condim = 3,
                                 .friction = {1, 0.005, 0.0001},
                                 .rgba = {0.5, 0.5, 0.5, 1}},
                        .orientation = {.quat = {1, 0, 0, 0}},
                        .density = 1000,
                        .fit = 1};
    if (!abuti_class_of(reader, model, element, place->childclass, &class)) return false;
    int count = abuti_defaults(model, class, "geom", element, chain, ABUTI_CHAIN_MAX);
    for (int i = 0; i < count; ++i) take(&draft, chain[i]);
    draft.geom.name = abuti_place_name(reader, place, element);
    draft.geom.body = place->body;
    if (!draft.geom.name || !shape(reader, model, element, &draft)) return false;
    abuti_pose_compose(&draft.geom.pose, &place->frame, &draft.geom.pose);
    abut_scene_body *body = (abut_scene_body *)reader->bodies.items + place->body;
    override(reader, &draft.geom);
    if (!colour(reader, model, element, &draft) || !check_contact(reader, element, &draft.geom) ||
        !weigh(reader, &model->compiler, element, &draft, body))
        return false;
    abut_scene_geom *geom = abuti_add(reader, &reader->geoms, sizeof *geom, element);
    if (!geom) return false;
    *geom = draft.geom;
    if (*geom->name == '\0') return true;
    int added = abuti_names_add(&reader->scratch, &reader->names, ABUTI_NAME_GEOM, geom->name,
                                reader->geoms.count - 1);
    if (added < 0) return abuti_fail_memory(&reader->source);
    if (added > 0) return true;
    return abuti_fail(&reader->source, ABUT_INVALID_ARGUMENT, element, "name",
                      "there is another geom '%.60s'", geom->name);
}
