/* The scene as pieces: HEAD, then a BODY, SHAPE or JOINT for each. */
#ifndef ABUTI_RECORD_SCENE_H
#define ABUTI_RECORD_SCENE_H

#include "base/arena.h"
#include "record/bytes.h"

#include "abut/record.h"

#define ABUTI_RESOLUTION_DEFAULT (1.0 / 1048576)

/* Whether a writer takes it; the reason in `error`. */
bool abuti_scene_check(const abut_record_scene *scene, abut_error *error);
double abuti_scene_resolution(const abut_record_scene *scene);

/* Each is one whole piece at the front of the buffer. */
void abuti_put_head(abuti_bytes *out, const abut_record_scene *scene);
void abuti_put_body(abuti_bytes *out, const abut_record_body *body);
void abuti_put_shape(abuti_bytes *out, const abut_record_shape *shape);
void abuti_put_joint(abuti_bytes *out, const abut_record_joint *joint);

/* The way back, from a payload. Texts and arrays are copied into the arena; while it counts they are only measured,
 * and pointers stay NULL. False: no writer makes this. Counts of the head are bounded by `size`, the whole
 * recording. */
bool abuti_get_head(abuti_cursor *in, abuti_arena *arena, size_t size, int *version,
                    abut_record_scene *scene);
bool abuti_get_body(abuti_cursor *in, abuti_arena *arena, abut_record_body *body);
bool abuti_get_shape(abuti_cursor *in, abuti_arena *arena, int bodies, abut_record_shape *shape);
bool abuti_get_joint(abuti_cursor *in, abuti_arena *arena, int bodies, abut_record_joint *joint);
bool abuti_get_text(abuti_cursor *in, abuti_arena *arena, const char **text);

#endif
