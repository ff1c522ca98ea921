/* Names: what people type and read. */
#include "abut/contact.h"
#include "contact/system/models.h"
#include <string.h>

static const char *const solver_names[ABUT_SOLVER_COUNT] = {
    [ABUT_SOLVER_AUTO] = "auto",
    [ABUT_SOLVER_FACES] = "faces",
    [ABUT_SOLVER_REDUCED] = "reduced",
    [ABUT_SOLVER_STRUCTURAL] = "structural",
    [ABUT_SOLVER_LEMKE] = "lemke",
    [ABUT_SOLVER_DRIVE] = "drive",
    [ABUT_SOLVER_PPM] = "ppm",
    [ABUT_SOLVER_DANTZIG] = "dantzig",
    [ABUT_SOLVER_ACTIVE_SET] = "active-set",
    [ABUT_SOLVER_ENUMERATE] = "enumerate",
};

static const char *const state_names[] = {
    [ABUT_OPEN] = "open",   [ABUT_SLIDE] = "slide", [ABUT_EDGE] = "edge",
    [ABUT_STICK] = "stick", [ABUT_NEW] = "new",
};

static const char *const cone_names[ABUT_CONE_COUNT] = {
    [ABUT_CONE_POLYGON] = "polygon", [ABUT_CONE_CIRCLE] = "circle", [ABUT_CONE_ELLIPSE] = "ellipse"};

static const char *name_at(const char *const *names, int count, int index)
{
    return index >= 0 && index < count ? names[index] : "unknown";
}

static int index_of(const char *const *names, int count, const char *name)
{
    for (int i = 0; i < count && name; ++i) {
        if (strcmp(names[i], name) == 0) return i;
    }
    return -1;
}

const char *abut_contact_model_name(abut_contact_model model)
{
    return (unsigned)model < ABUT_MODEL_COUNT ? abuti_model_of(model)->name : "unknown";
}

bool abut_contact_model_from_name(const char *name, abut_contact_model *model)
{
    for (int i = 0; i < ABUT_MODEL_COUNT && name; ++i) {
        if (strcmp(abuti_model_of((abut_contact_model)i)->name, name) != 0) continue;
        *model = (abut_contact_model)i;
        return true;
    }
    return false;
}

const char *abut_contact_solver_name(abut_contact_solver solver)
{
    return name_at(solver_names, ABUT_SOLVER_COUNT, (int)solver);
}

bool abut_contact_solver_from_name(const char *name, abut_contact_solver *solver)
{
    int index = index_of(solver_names, ABUT_SOLVER_COUNT, name);
    if (index >= 0) *solver = (abut_contact_solver)index;
    return index >= 0;
}

const char *abut_contact_state_name(abut_contact_state state)
{
    return name_at(state_names, 5, (int)state);
}

const char *abut_contact_cone_name(abut_contact_cone cone)
{
    return name_at(cone_names, ABUT_CONE_COUNT, (int)cone);
}

bool abut_contact_cone_from_name(const char *name, abut_contact_cone *cone)
{
    int index = index_of(cone_names, ABUT_CONE_COUNT, name);
    if (index >= 0) *cone = (abut_contact_cone)index;
    return index >= 0;
}
