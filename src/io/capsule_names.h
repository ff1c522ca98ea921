/* The names that the objects of a capsule know, and what the others were probably meant to be. */
#ifndef ABUTI_CAPSULE_NAMES_H
#define ABUTI_CAPSULE_NAMES_H

#include "io/json_read.h"

/* Each list ends with NULL. */
extern const char *const abuti_capsule_names[];
extern const char *const abuti_capsule_body_names[];
extern const char *const abuti_capsule_contact_names[];
extern const char *const abuti_capsule_joint_names[];
extern const char *const abuti_capsule_block_names[];
extern const char *const abuti_capsule_row_contact_names[];
extern const char *const abuti_capsule_row_joint_names[];
extern const char *const abuti_capsule_warm_names[];

#ifdef ABUT_HAVE_JSON
/* Refuses a name that this object does not know, since it would silently mean nothing, and says which one was
 * meant: by its meaning ("mu"), by its spelling ("frictoin"), or by a list of all. `prefix` is the path of
 * the object, with its dot. */
bool abuti_capsule_check_names(abuti_text *text, const char *prefix, json_t *object,
                               const char *const *known);
#endif

#endif
