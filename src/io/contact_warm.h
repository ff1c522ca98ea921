/* States to start from, in JSON: `warm` of a capsule, and of what `abut solve --json` printed.
 *
 *     {"states": ["stick", "slide:3", "new"], "rows": [7, 1, 0], "frames": [0, 0, 0], "keys": [11, 12, 13]}
 *
 * Each list has one entry for each contact, as in abut_contact_face; a state may name its face after a colon. Only
 * answers have `keys`, so that the next problem can find its contacts there. */
#ifndef ABUTI_CONTACT_WARM_H
#define ABUTI_CONTACT_WARM_H

#include "abut/contact.h"
#include "io/json_read.h"
#include "io/json_write.h"

#ifdef ABUT_HAVE_JSON
/* Reads `states`, `rows` and `frames` of an object; `prefix` is its path, with its dot. Rows and frames may be
 * absent. */
bool abuti_contact_warm_states(abuti_text *text, const char *prefix, const json_t *object, int count,
                               abut_contact_face *start);
#endif

/* Reads the states that an answer ended with, for the contacts of a problem. Contacts are matched by key where both
 * have keys (a contact whose key the answer does not know is ABUT_NEW), else by index. Of an answer without `warm` its
 * `states` and `faces` are read. */
bool abuti_contact_warm_from(abuti_text *text, const abut_contact_problem *problem, abut_contact_face *start);

/* Writes the members states, rows and frames into an object that is open. */
void abuti_contact_warm_write(abuti_json *json, int count, const abut_contact_face *start);

#endif
