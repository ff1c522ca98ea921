/* The writer: a scene, then step after step, each handed to the sink as one whole piece. */

#include "base/arena.h"
#include "record/code.h"
#include "record/refuse.h"
#include "record/scene.h"

#include <string.h>

enum { STAGE_NAME = 64 };

struct abut_record_writer {
    abut_allocator allocator;
    size_t size;
    abut_record_sink sink;
    double resolution;
    int contact_limit;
    bool broken; /* the sink failed */
    bool ended;
    abuti_history history;
    abuti_words now;
    abuti_bytes buffer; /* one piece */
    char (*stages)[STAGE_NAME];
    int stage_count;
};

/* ---- memory ---- */

static void take_longer(size_t *longest, const abuti_bytes *out)
{
    if (out->used > *longest) *longest = out->used;
}

/* The length of the longest piece. Pieces of the scene are measured by writing them without memory; a step is taken
 * to have the longest varint for each word. */
static size_t longest_piece(const abut_record_scene *scene, int contact_limit)
{
    enum { LONGEST_WORD = 8 }; /* of |difference| < 2^49, zigzag; a zero between two others is two bytes */
    abuti_bytes out = {0};
    size_t longest = 64 + LONGEST_WORD * ((size_t)abuti_fixed_count(scene->body_count, scene->joint_count) +
                                          (size_t)contact_limit * (CONTACT_WORDS + 1));
    abuti_put_head(&out, scene);
    take_longer(&longest, &out);
    for (int i = 0; i < scene->body_count; ++i) {
        abuti_put_body(&out, &scene->bodies[i]);
        take_longer(&longest, &out);
    }
    for (int i = 0; i < scene->shape_count; ++i) {
        abuti_put_shape(&out, &scene->shapes[i]);
        take_longer(&longest, &out);
    }
    for (int i = 0; i < scene->joint_count; ++i) {
        abuti_put_joint(&out, &scene->joints[i]);
        take_longer(&longest, &out);
    }
    return longest;
}

static abut_record_writer *layout(abuti_arena *arena, const abut_record_scene *scene, int contact_limit)
{
    abut_record_writer *w = abuti_take(arena, 1, abut_record_writer), plan;
    abut_record_writer *to = w ? w : &plan;
    to->history.previous = abuti_words_take(arena, scene->body_count, scene->joint_count, contact_limit);
    to->now = abuti_words_take(arena, scene->body_count, scene->joint_count, contact_limit);
    to->history.before = abuti_take(arena, abuti_fixed_count(scene->body_count, scene->joint_count), int64_t);
    to->stages = abuti_arena_take(arena, ABUT_RECORD_STAGES_MAX, STAGE_NAME);
    to->buffer.capacity = longest_piece(scene, contact_limit);
    to->buffer.base = abuti_take(arena, to->buffer.capacity, unsigned char);
    return w;
}

/* ---- writing ---- */

static bool send(abut_record_writer *w, const void *bytes, size_t size)
{
    if (!w->broken && !w->sink.write(w->sink.context, bytes, size)) w->broken = true;
    return !w->broken;
}

static bool send_piece(abut_record_writer *w)
{
    return send(w, w->buffer.base, w->buffer.used);
}

static bool send_scene(abut_record_writer *w, const abut_record_scene *scene)
{
    send(w, ABUTI_RECORD_MAGIC, ABUTI_MAGIC_SIZE);
    abuti_put_head(&w->buffer, scene);
    send_piece(w);
    for (int i = 0; i < scene->body_count; ++i) {
        abuti_put_body(&w->buffer, &scene->bodies[i]);
        send_piece(w);
    }
    for (int i = 0; i < scene->shape_count; ++i) {
        abuti_put_shape(&w->buffer, &scene->shapes[i]);
        send_piece(w);
    }
    for (int i = 0; i < scene->joint_count; ++i) {
        abuti_put_joint(&w->buffer, &scene->joints[i]);
        send_piece(w);
    }
    return !w->broken;
}

abut_status abut_record_writer_create(const abut_record_scene *scene, const abut_record_sink *sink,
                                      int contact_limit, const abut_allocator *allocator,
                                      abut_record_writer **writer, abut_error *error)
{
    abuti_refuse(error, "%s", "");
    if (writer) *writer = NULL;
    if (!scene || !sink || !sink->write || !writer || !abuti_valid_allocator(allocator)) {
        abuti_refuse(error, "scene, sink, writer or allocator: NULL");
        return ABUT_INVALID_ARGUMENT;
    }
    if (contact_limit < 0 || contact_limit > ABUT_RECORD_CONTACTS_MAX) {
        abuti_refuse(error, "contact_limit: %d; expected 0 to %d", contact_limit, ABUT_RECORD_CONTACTS_MAX);
        return ABUT_INVALID_ARGUMENT;
    }
    if (!abuti_scene_check(scene, error)) return ABUT_INVALID_ARGUMENT;
    abut_allocator from = abuti_allocator_or_default(allocator);
    abuti_arena arena = {0};
    layout(&arena, scene, contact_limit);
    size_t size = arena.used;
    void *block = arena.overflow ? NULL : abuti_allocate(&from, size);
    if (!block) {
        abuti_refuse(error, "out of memory");
        return ABUT_OUT_OF_MEMORY;
    }
    arena = (abuti_arena){.base = block, .capacity = size};
    abut_record_writer *w = layout(&arena, scene, contact_limit);
    w->allocator = from;
    w->size = size;
    w->sink = *sink;
    w->resolution = abuti_scene_resolution(scene);
    w->contact_limit = contact_limit;
    if (!send_scene(w, scene)) {
        abuti_refuse(error, "the scene could not be written");
        abut_record_writer_destroy(w);
        return ABUT_INVALID_ARGUMENT;
    }
    *writer = w;
    return ABUT_OK;
}

/* The place of a stage's name, which is written when it is new; 0 for none, -1 when there is no room. */
static int stage_place(abut_record_writer *w, const char *name)
{
    if (!name || name[0] == '\0') return 0;
    for (int i = 0; i < w->stage_count; ++i)
        if (strcmp(w->stages[i], name) == 0) return i + 1;
    if (w->stage_count == ABUT_RECORD_STAGES_MAX || strlen(name) >= STAGE_NAME) return -1;
    memcpy(w->stages[w->stage_count++], name, strlen(name) + 1);
    abuti_piece_begin(&w->buffer, ABUTI_PIECE_STAGE);
    abuti_put_text(&w->buffer, name);
    abuti_piece_end(&w->buffer);
    send_piece(w);
    return w->stage_count;
}

static bool check_step(const abut_record_writer *w, const abut_record_step *step, abut_error *error)
{
    if (w->ended) return abuti_refuse(error, "the recording is finished");
    if (step->contact_count < 0 || (step->contact_count > 0 && !step->contacts))
        return abuti_refuse(error, "contacts: a negative count, or no array");
    if (w->now.bodies > 0 && !step->poses) return abuti_refuse(error, "poses: NULL");
    return true;
}

abut_status abut_record_writer_add(abut_record_writer *w, const abut_record_step *step, abut_error *error)
{
    abuti_refuse(error, "%s", "");
    if (!w || !step || !check_step(w, step, error)) return ABUT_INVALID_ARGUMENT;
    if (step->contact_count > w->contact_limit) {
        abuti_refuse(error, "contacts: %d; expected at most %d", step->contact_count, w->contact_limit);
        return ABUT_TOO_LARGE;
    }
    if (!abuti_words_from_step(step, w->resolution, &w->history.previous, &w->now, error))
        return ABUT_INVALID_ARGUMENT;
    int stage = stage_place(w, step->stage);
    if (stage < 0) {
        abuti_refuse(error, "stage: expected at most %d names of at most %d bytes", ABUT_RECORD_STAGES_MAX,
                     STAGE_NAME - 1);
        return ABUT_TOO_LARGE;
    }
    w->now.fixed[WORD_STAGE] = stage;
    abuti_piece_begin(&w->buffer, ABUTI_PIECE_STEP);
    abuti_put_varint(&w->buffer, (uint64_t)step->contact_count);
    abuti_encode_step(&w->buffer, &w->history, &w->now);
    abuti_piece_end(&w->buffer);
    if (send_piece(w)) return ABUT_OK;
    abuti_refuse(error, "the step could not be written");
    return ABUT_INVALID_ARGUMENT;
}

abut_status abut_record_writer_finish(abut_record_writer *w)
{
    if (!w) return ABUT_INVALID_ARGUMENT;
    if (!w->ended && !w->broken) {
        abuti_piece_begin(&w->buffer, ABUTI_PIECE_END);
        abuti_put_varint(&w->buffer, (uint64_t)w->history.steps);
        abuti_piece_end(&w->buffer);
        send_piece(w);
    }
    w->ended = true;
    return w->broken ? ABUT_INVALID_ARGUMENT : ABUT_OK;
}

void abut_record_writer_destroy(abut_record_writer *w)
{
    if (!w) return;
    abut_allocator from = w->allocator;
    abuti_release(&from, w, w->size);
}
