#include "io/capsule_names.h"

const char *const abuti_capsule_names[] = {"abut",   "version", "step",     "model",  "restitution_threshold",
                                           "bodies", "blocks",  "contacts", "joints", "warm",
                                           NULL};
const char *const abuti_capsule_body_names[] = {"mass", "inertia", "com", "velocity", "force", "kind", NULL};
const char *const abuti_capsule_contact_names[] = {
    "bodies",     "point",        "normal",  "tangent",         "friction", "directions",
    "gap",        "restitution",  "viscous", "group",           "drift",    "key",
    "compliance", "second_point", "cone",    "friction_across", NULL};
const char *const abuti_capsule_joint_names[] = {"bodies", "jacobian", "target",     "drift",
                                                 "bounds", "key",      "compliance", NULL};
const char *const abuti_capsule_block_names[] = {"mass_matrix", "velocity", "force", "parents", NULL};
/* A contact on blocks has rows in place of geometry. */
const char *const abuti_capsule_row_contact_names[] = {
    "bodies",      "rows",    "friction",        "directions", "gap",
    "restitution", "viscous", "group",           "drift",      "key",
    "compliance",  "cone",    "friction_across", "surface",    NULL};
const char *const abuti_capsule_row_joint_names[] = {"bodies", "row", "target",     "drift",
                                                     "bounds", "key", "compliance", NULL};
const char *const abuti_capsule_warm_names[] = {"states", "rows", "frames", "seed", NULL};

#ifdef ABUT_HAVE_JSON

#include "io/words.h"

#include <string.h>
#include <strings.h>

/* What other programs and the papers call the things that our names mean. A word means the first name in its rows that
 * the object at hand knows. */
static const struct synonym {
    const char *word, *name;
} synonyms[] = {
    {"mu", "friction"},
    {"friction_coefficient", "friction"},
    {"m", "mass"},
    {"i", "inertia"},
    {"moi", "inertia"},
    {"position", "com"},
    {"position", "point"},
    {"pos", "com"},
    {"pos", "point"},
    {"center", "com"},
    {"centre", "com"},
    {"center_of_mass", "com"},
    {"x", "com"},
    {"x", "point"},
    {"p", "point"},
    {"location", "point"},
    {"n", "normal"},
    {"t", "tangent"},
    {"v", "velocity"},
    {"vel", "velocity"},
    {"twist", "velocity"},
    {"linear_velocity", "velocity"},
    {"angular_velocity", "velocity"},
    {"f", "force"},
    {"wrench", "force"},
    {"torque", "force"},
    {"type", "kind"},
    {"fixed", "kind"},
    {"static", "kind"},
    {"dt", "step"},
    {"h", "step"},
    {"timestep", "step"},
    {"time_step", "step"},
    {"distance", "gap"},
    {"depth", "gap"},
    {"penetration", "gap"},
    {"phi", "gap"},
    {"e", "restitution"},
    {"cor", "restitution"},
    {"bounce", "restitution"},
    {"damping", "viscous"},
    {"viscosity", "viscous"},
    {"union", "group"},
    {"id", "key"},
    {"dirs", "directions"},
    {"a", "bodies"},
    {"b", "bodies"},
    {"body", "bodies"},
    {"links", "bodies"},
    {"constraints", "joints"},
    {"manifold", "contacts"},
    {"j", "jacobian"},
    {"row", "jacobian"},
    {"rhs", "target"},
    {"bias", "target"},
    {"start", "warm"},
};

/* Names without a counterpart, because a capsule says the thing elsewhere. */
static const struct elsewhere {
    const char *word, *instead;
} elsewhere[] = {
    {"gravity", "the weight within each body's \"force\""},
    {"g", "the weight within each body's \"force\""},
    {"solver", "it at the command line: --solver"},
    {"tolerance", "it at the command line: --tolerance"},
    {"rotation", "inertia in world axes; a body has no rotation here"},
    {"orientation", "inertia in world axes; a body has no rotation here"},
    {"quaternion", "inertia in world axes; a body has no rotation here"},
};

static bool is_known(const char *name, const char *const *known)
{
    while (*known && strcmp(name, *known) != 0) known++;
    return *known;
}

static const char *by_meaning(const char *name, const char *const *known)
{
    for (size_t k = 0; k < sizeof synonyms / sizeof *synonyms; ++k)
        if (strcasecmp(name, synonyms[k].word) == 0 && is_known(synonyms[k].name, known))
            return synonyms[k].name;
    return NULL;
}

static const char *by_place(const char *name)
{
    for (size_t k = 0; k < sizeof elsewhere / sizeof *elsewhere; ++k)
        if (strcasecmp(name, elsewhere[k].word) == 0) return elsewhere[k].instead;
    return NULL;
}

static bool refuse(abuti_text *text, const char *prefix, const char *name, const char *const *known)
{
    char list[160] = "", shown[41];
    size_t used = 0;
    int count = 0;
    snprintf(shown, sizeof shown, "%s", name);
    for (char *c = shown; *c != '\0'; ++c)
        if (*c < ' ' || *c > '~') *c = '?';
    while (known[count]) count++;
    const char *meant = by_meaning(name, known);
    if (!meant && by_place(name))
        return abuti_text_fail_whole(text, "%s%s: unknown name; expected %s", prefix, shown, by_place(name));
    if (!meant) meant = abuti_closest_word(name, known, count);
    if (meant)
        return abuti_text_fail_whole(text, "%s%s: unknown name; expected \"%s\"", prefix, shown, meant);
    for (int k = 0; k < count; ++k) {
        int wrote = snprintf(list + used, sizeof list - used, "%s%s", k > 0 ? ", " : "", known[k]);
        if (wrote > 0 && used + (size_t)wrote < sizeof list) used += (size_t)wrote;
    }
    return abuti_text_fail_whole(text, "%s%s: unknown name; expected one of %s", prefix, shown, list);
}

bool abuti_capsule_check_names(abuti_text *text, const char *prefix, json_t *object, const char *const *known)
{
    const char *name;
    json_t *value;
    json_object_foreach(object, name, value)
    {
        if (!is_known(name, known)) return refuse(text, prefix, name, known);
    }
    return true;
}

#endif
