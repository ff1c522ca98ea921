/* What a whole file says: compiler, option, classes of defaults, the list of assets. */
#include "scene/reader.h"

#include <string.h>

/* ---- compiler ---- */

static bool read_compiler(abuti_reader *reader, const abuti_element *element, abuti_compiler *compiler)
{
    int word;
    double groups[2];
    if (abuti_word_of(element, "autolimits", &word)) compiler->autolimits = word;
    if (abuti_word_of(element, "angle", &word)) compiler->degrees = word;
    if (abuti_word_of(element, "strippath", &word)) compiler->strippath = word;
    if (abuti_word_of(element, "balanceinertia", &word)) compiler->balance = word;
    if (abuti_word_of(element, "fitaabb", &word)) compiler->fit_box = word;
    abuti_word_of(element, "inertiafromgeom", &compiler->inertia_from_geoms);
    if (abuti_numbers_of(element, "inertiagrouprange", groups) > 0)
        for (int i = 0; i < 2; ++i) compiler->inertia_groups[i] = (int)groups[i];
    abuti_numbers_of(element, "boundmass", &compiler->bound_mass);
    abuti_numbers_of(element, "boundinertia", &compiler->bound_inertia);
    abuti_numbers_of(element, "settotalmass", &compiler->total_mass);
    compiler->mesh_directory = abuti_text_of(element, "assetdir", compiler->mesh_directory);
    compiler->mesh_directory = abuti_text_of(element, "meshdir", compiler->mesh_directory);
    const char *sequence = abuti_text_of(element, "eulerseq", NULL);
    if (!sequence) return true;
    if (strlen(sequence) != 3 || strspn(sequence, "xyzXYZ") != 3)
        return abuti_fail(&reader->source, ABUT_INVALID_ARGUMENT, element, "eulerseq",
                          "'%.20s'; expected three of the letters x, y, z, X, Y, Z", sequence);
    memcpy(compiler->euler, sequence, 3);
    return true;
}

/* ---- classes ---- */

static abuti_class *class_at(const abuti_model *model, int index)
{
    return (abuti_class *)model->classes.items + index;
}

static int class_find(const abuti_model *model, const char *name)
{
    for (int i = 0; i < model->classes.count; ++i)
        if (strcmp(class_at(model, i)->name, name) == 0) return i;
    return -1;
}

static bool add_class(abuti_reader *reader, abuti_model *model, const abuti_element *element, int parent)
{
    const char *name = abuti_text_of(element, "class", parent < 0 ? "main" : NULL);
    if (!name || *name == '\0')
        return abuti_fail(&reader->source, ABUT_INVALID_ARGUMENT, element, "class", "expected a name");
    int index = class_find(model, name);
    if (index >= 0 && parent >= 0)
        return abuti_fail(&reader->source, ABUT_INVALID_ARGUMENT, element, "class",
                          "'%.60s' is there already", name);
    if (parent < 0) index = 0; /* the outermost is main, whatever older files call it */
    if (index < 0) {
        index = model->classes.count;
        abuti_class *added = abuti_list_add(&reader->scratch, &model->classes, sizeof *added);
        if (!added) return abuti_fail_memory(&reader->source);
        *added = (abuti_class){.name = name, .parent = parent};
    } else if (strcmp(name, "main") != 0) {
        class_at(model, 0)->name = name;
    }
    const abuti_element **held =
        abuti_list_add(&reader->scratch, &class_at(model, index)->elements, sizeof *held);
    if (!held) return abuti_fail_memory(&reader->source);
    *held = element;
    for (const abuti_element *child = element->first; child; child = child->next)
        if (abuti_is(child, "default") && !add_class(reader, model, child, index)) return false;
    return true;
}

bool abuti_class_of(abuti_reader *reader, const abuti_model *model, const abuti_element *element,
                    int childclass, int *class)
{
    const char *attribute = abuti_is(element, "body") || abuti_is(element, "frame") ||
                                    abuti_is(element, "replicate") || abuti_is(element, "worldbody")
                                ? "childclass"
                                : "class";
    const char *name = abuti_text_of(element, attribute, NULL);
    *class = childclass >= 0 ? childclass : 0;
    if (!name) return true;
    *class = class_find(model, name);
    if (*class < 0 && strcmp(name, "main") == 0) *class = 0;
    if (*class >= 0) return true;
    return abuti_fail(&reader->source, ABUT_INVALID_ARGUMENT, element, attribute, "there is no class '%.60s'",
                      name);
}

static bool is_kind(const abuti_element *element, const char *kind)
{
    static const char *const actuators[] = {"general", "motor",    "position", "velocity", "intvelocity",
                                            "damper",  "cylinder", "muscle",   "adhesion"};
    if (strcmp(kind, "actuator") != 0) return abuti_is(element, kind);
    for (size_t i = 0; i < sizeof actuators / sizeof actuators[0]; ++i)
        if (abuti_is(element, actuators[i])) return true;
    return false;
}

static int class_elements(const abuti_model *model, int class, const char *kind, const abuti_element **chain,
                          int room)
{
    if (class < 0) return 0;
    const abuti_class *row = class_at(model, class);
    int count = class_elements(model, row->parent, kind, chain, room);
    for (int i = 0; i < row->elements.count; ++i) {
        const abuti_element *held = ((const abuti_element *const *)row->elements.items)[i];
        for (const abuti_element *child = held->first; child; child = child->next)
            if (is_kind(child, kind) && count < room) chain[count++] = child;
    }
    return count;
}

int abuti_defaults(const abuti_model *model, int class, const char *kind, const abuti_element *element,
                   const abuti_element **chain, int room)
{
    int count = class_elements(model, class, kind, chain, room - 1);
    if (element) chain[count++] = element;
    return count;
}

/* ---- assets ---- */

/* A file's name without folders and extension. */
static const char *stem(abuti_reader *reader, const char *file)
{
    const char *slash = strrchr(file, '/');
    char *name = abuti_pool_text(&reader->scratch, slash ? slash + 1 : file);
    if (!name) return NULL;
    char *dot = strrchr(name, '.');
    if (dot) *dot = '\0';
    return name;
}

static bool open_submodel(abuti_reader *reader, const abuti_model *model, abuti_asset *asset,
                          const char *file)
{
    enum { DEPTH_MAX = 16 };
    abuti_source *source = &reader->source;
    if (model->depth >= DEPTH_MAX)
        return abuti_fail(source, ABUT_TOO_LARGE, asset->element, "file",
                          "models in models, more than %d deep", DEPTH_MAX);
    if (!model->directory)
        return abuti_fail(source, ABUT_INVALID_ARGUMENT, asset->element, "file",
                          "a scene from memory cannot name files");
    abuti_model *inner = abuti_pool_take(&reader->scratch, sizeof *inner);
    const char *path = abuti_beside(source, model->directory, file);
    if (!inner || !path) return abuti_fail_memory(source);
    inner->directory = abuti_folder(source, path);
    inner->depth = model->depth + 1;
    asset->model = inner;
    if (!inner->directory ||
        !abuti_tree_read(source, asset->element, path, NULL, 0, inner->directory, &inner->root) ||
        !abuti_model_open(reader, inner))
        return false;
    if (!abuti_given(asset->element, "name")) asset->name = abuti_text_of(inner->root, "model", asset->name);
    return true;
}

static bool add_assets(abuti_reader *reader, abuti_model *model, const abuti_element *section)
{
    for (const abuti_element *element = section->first; element; element = element->next) {
        const char *file = abuti_text_of(element, "file", NULL);
        const char *name = abuti_text_of(element, "name", NULL);
        if (!name && file) name = stem(reader, file);
        abuti_asset *asset = abuti_list_add(&reader->scratch, &model->assets, sizeof *asset);
        if (!asset) return abuti_fail_memory(&reader->source);
        *asset = (abuti_asset){.element = element, .name = name ? name : "", .index = -1};
        if (abuti_is(element, "model") && !open_submodel(reader, model, asset, file ? file : ""))
            return false;
    }
    return true;
}

const abuti_asset *abuti_asset_find(const abuti_model *model, const char *kind, const char *name)
{
    const abuti_asset *assets = model->assets.items;
    for (int i = 0; i < model->assets.count; ++i)
        if (abuti_is(assets[i].element, kind) && strcmp(assets[i].name, name) == 0) return &assets[i];
    return NULL;
}

const char *abuti_asset_path(abuti_reader *reader, const abuti_model *model, const abuti_element *element,
                             const char *file)
{
    abuti_source *source = &reader->source;
    if (!model->directory) {
        abuti_fail(source, ABUT_INVALID_ARGUMENT, element, "file", "a scene from memory cannot name files");
        return NULL;
    }
    const char *slash = strrchr(file, '/');
    if (model->compiler.strippath && slash) file = slash + 1;
    if (model->compiler.mesh_directory) {
        file = abuti_beside(source, model->compiler.mesh_directory, file);
        if (!file) return NULL;
    }
    return abuti_beside(source, model->directory, file);
}

/* ---- a model ---- */

bool abuti_model_open(abuti_reader *reader, abuti_model *model)
{
    model->compiler = (abuti_compiler){.autolimits = true,
                                       .degrees = true,
                                       .inertia_from_geoms = 2,
                                       .inertia_groups = {0, 5},
                                       .total_mass = -1,
                                       .euler = {'x', 'y', 'z'}};
    abuti_class *main_class = abuti_list_add(&reader->scratch, &model->classes, sizeof *main_class);
    if (!main_class) return abuti_fail_memory(&reader->source);
    *main_class = (abuti_class){.name = "main", .parent = -1};
    for (const abuti_element *section = model->root->first; section; section = section->next) {
        if (abuti_is(section, "compiler") && !read_compiler(reader, section, &model->compiler)) return false;
        if (abuti_is(section, "default") && !add_class(reader, model, section, -1)) return false;
    }
    for (const abuti_element *section = model->root->first; section; section = section->next)
        if (abuti_is(section, "asset") && !add_assets(reader, model, section)) return false;
    return true;
}

/* ---- option ---- */

static void switch_off(const abuti_element *flag, const char *name, int *what)
{
    int word;
    if (abuti_word_of(flag, name, &word)) *what = word;
}

static void read_flags(abuti_reader *reader, const abuti_element *flag)
{
    abut_scene *scene = reader->scene;
    int word;
    switch_off(flag, "contact", &scene->contacts);
    switch_off(flag, "limit", &scene->limits);
    switch_off(flag, "equality", &scene->equalities_on);
    switch_off(flag, "frictionloss", &scene->friction_on);
    switch_off(flag, "spring", &scene->springs);
    switch_off(flag, "damper", &scene->dampers);
    switch_off(flag, "actuation", &scene->actuation);
    switch_off(flag, "clampctrl", &scene->clamp_ctrl);
    switch_off(flag, "filterparent", &scene->filter_parent);
    if (abuti_word_of(flag, "passive", &word) && word == 0) scene->springs = scene->dampers = 0;
    if (abuti_word_of(flag, "constraint", &word) && word == 0)
        scene->contacts = scene->limits = scene->equalities_on = scene->friction_on = 0;
    if (abuti_word_of(flag, "gravity", &word) && word == 0) memset(scene->gravity, 0, sizeof scene->gravity);
    if (abuti_word_of(flag, "override", &word)) reader->override_contacts = word;
}

bool abuti_model_options(abuti_reader *reader, const abuti_model *model)
{
    abut_scene *scene = reader->scene;
    *scene =
        (abut_scene){.model = abuti_pool_text(reader->source.pool, abuti_text_of(model->root, "model", "")),
                     .timestep = 0.002,
                     .gravity = {0, 0, -9.81},
                     .contacts = 1,
                     .limits = 1,
                     .equalities_on = 1,
                     .friction_on = 1,
                     .springs = 1,
                     .dampers = 1,
                     .actuation = 1,
                     .clamp_ctrl = 1,
                     .filter_parent = 1};
    if (!scene->model) return abuti_fail_memory(&reader->source);
    memcpy(reader->o_friction, (double[5]){1, 1, 0.005, 0.0001, 0.0001}, sizeof reader->o_friction);
    for (const abuti_element *section = model->root->first; section; section = section->next) {
        if (!abuti_is(section, "option")) continue;
        abuti_numbers_of(section, "timestep", &scene->timestep);
        abuti_numbers_of(section, "gravity", scene->gravity);
        abuti_numbers_of(section, "density", &scene->density);
        abuti_numbers_of(section, "viscosity", &scene->viscosity);
        abuti_numbers_of(section, "wind", scene->wind);
        abuti_numbers_of(section, "o_margin", &reader->o_margin);
        abuti_numbers_of(section, "o_friction", reader->o_friction);
        const abuti_attribute *groups = abuti_given(section, "actuatorgroupdisable");
        for (int i = 0; groups && i < groups->count; ++i)
            if (groups->numbers[i] >= 0 && groups->numbers[i] < 31)
                reader->disabled_groups |= 1u << (int)groups->numbers[i];
        if (!(scene->timestep > 0))
            return abuti_fail(&reader->source, ABUT_INVALID_ARGUMENT, section, "timestep",
                              "%g; expected a number > 0", scene->timestep);
        for (const abuti_element *flag = section->first; flag; flag = flag->next) read_flags(reader, flag);
    }
    return true;
}
