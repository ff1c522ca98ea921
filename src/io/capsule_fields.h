/* The fields of a capsule that are plain numbers, in tables that serve the reader and the writer alike. */
#ifndef ABUTI_CAPSULE_FIELDS_H
#define ABUTI_CAPSULE_FIELDS_H

#include <stdbool.h>
#include <stddef.h>

/* A field of one or several doubles in one of the structs. */
typedef struct abuti_capsule_field {
    const char *name;
    int count;
    size_t offset;
    int fewer; /* so many numbers are accepted, too; the rest are then 0 */
    bool required;
} abuti_capsule_field;

/* Each list ends with a field that has no name. A contact on blocks has no geometry; in its place the file says what
 * belts contribute. */
extern const abuti_capsule_field abuti_capsule_body_fields[];
extern const abuti_capsule_field abuti_capsule_contact_fields[];
extern const abuti_capsule_field abuti_capsule_row_contact_fields[];
extern const abuti_capsule_field abuti_capsule_joint_fields[];

/* The kinds of bodies, by number. */
enum { ABUTI_CAPSULE_KINDS = 3 };
extern const char *const abuti_capsule_kinds[ABUTI_CAPSULE_KINDS];

#endif
