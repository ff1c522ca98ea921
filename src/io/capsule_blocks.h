/* Blocks in capsules: mass matrices of trees in place of bodies, and rows on them in place of points and normals. */
#ifndef ABUTI_CAPSULE_BLOCKS_H
#define ABUTI_CAPSULE_BLOCKS_H

#include "io/contact_file.h"
#include "io/json_read.h"
#include "io/json_write.h"

#ifdef ABUT_HAVE_JSON
/* Reads "blocks" of a capsule into data->blocks. */
bool abuti_capsule_read_blocks(abuti_text *text, const json_t *list, abuti_contact_data *data);
/* Reads the rows of all contacts and joints, once their blocks are known. */
bool abuti_capsule_read_rows(abuti_text *text, const json_t *root, abuti_contact_data *data);
#endif

/* Writes "blocks" of a problem in generalised coordinates. */
void abuti_capsule_write_blocks(abuti_json *json, const abut_generalised *generalised);
/* The two blocks of a contact or joint row: those of its problem, or the one block of a problem without any. */
void abuti_capsule_pair(const abut_generalised *generalised, const int bodies[2], int pair[2]);
/* How many numbers the rows of a pair of blocks have. */
int abuti_capsule_width(const abut_generalised *generalised, const int pair[2]);

#endif
