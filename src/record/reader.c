/* The reader. It goes through the scene twice; the first time it counts the memory that the scene needs. Then it goes
 * through all steps once, so that it knows how many are whole before anybody asks for a step. */

#include "base/arena.h"
#include "record/code.h"
#include "record/refuse.h"
#include "record/scene.h"

#include <string.h>

struct abut_record_reader {
    abut_allocator allocator;
    size_t size;
    const unsigned char *data;
    abut_record_scene scene;
    abut_record_extent extent;
    abuti_cursor first, at; /* behind the scene; behind the last step */
    int taken;
    abuti_history history;
    abuti_words now;
    abut_record_pose *poses;
    abut_record_joint_state *joint_states;
    abut_record_contact *contacts;
    const char *stages[ABUT_RECORD_STAGES_MAX];
    int stage_count;
};

/* ---- the scene ---- */

typedef struct scene_parts {
    abut_record_scene scene;
    abut_record_body *bodies;
    abut_record_shape *shapes;
    abut_record_joint *joints;
    int body_count, shape_count, joint_count; /* so far */
} scene_parts;

static bool scene_is_whole(const scene_parts *p)
{
    return p->body_count == p->scene.body_count && p->shape_count == p->scene.shape_count &&
           p->joint_count == p->scene.joint_count;
}

/* Takes one piece after the head; false: it does not belong here. While the arena counts, the piece is read and not
 * kept. */
static bool take_part(scene_parts *p, abuti_arena *arena, unsigned kind, abuti_cursor *payload)
{
    abut_record_body body = {0};
    abut_record_shape shape = {0};
    abut_record_joint joint = {0};
    switch (kind) {
    case ABUTI_PIECE_BODY:
        if (p->body_count == p->scene.body_count || !abuti_get_body(payload, arena, &body)) return false;
        if (p->bodies) p->bodies[p->body_count] = body;
        p->body_count++;
        return true;
    case ABUTI_PIECE_SHAPE:
        if (p->shape_count == p->scene.shape_count ||
            !abuti_get_shape(payload, arena, p->scene.body_count, &shape))
            return false;
        if (p->shapes) p->shapes[p->shape_count] = shape;
        p->shape_count++;
        return true;
    case ABUTI_PIECE_JOINT:
        if (p->joint_count == p->scene.joint_count ||
            !abuti_get_joint(payload, arena, p->scene.body_count, &joint))
            return false;
        if (p->joints) p->joints[p->joint_count] = joint;
        p->joint_count++;
        return true;
    case ABUTI_PIECE_STEP:
    case ABUTI_PIECE_STAGE:
    case ABUTI_PIECE_END:
    case ABUTI_PIECE_HEAD: return false;
    default: return true; /* a later writer's */
    }
}

static abut_status no_scene(abut_error *error, const char *why, size_t byte)
{
    abuti_refuse(error, "byte %zu: %s", byte, why);
    return ABUT_INVALID_ARGUMENT;
}

static abut_status get_first(abuti_cursor *in, abuti_arena *arena, size_t size, scene_parts *p,
                             abut_error *error)
{
    if (size < ABUTI_MAGIC_SIZE || memcmp(in->at, ABUTI_RECORD_MAGIC, ABUTI_MAGIC_SIZE) != 0)
        return no_scene(error, "no recording of abut begins like this", 0);
    in->at += ABUTI_MAGIC_SIZE;
    unsigned kind;
    abuti_cursor payload;
    abuti_piece_verdict verdict = abuti_next_piece(in, &kind, &payload);
    if (verdict == ABUTI_PIECE_CUT)
        return no_scene(error, "the recording ends within its head", ABUTI_MAGIC_SIZE);
    if (verdict == ABUTI_PIECE_CORRUPT)
        return no_scene(error, "the checksum of the head does not match", ABUTI_MAGIC_SIZE);
    int version = 0;
    if (kind == ABUTI_PIECE_HEAD && abuti_get_head(&payload, arena, size, &version, &p->scene))
        return ABUT_OK;
    if (version > ABUT_RECORD_VERSION) {
        abuti_refuse(error, "a recording of version %d; this abut reads up to %d", version,
                     ABUT_RECORD_VERSION);
        return ABUT_UNSUPPORTED;
    }
    return no_scene(error, "expected the head of a recording", ABUTI_MAGIC_SIZE);
}

/* Parses the scene with everything behind it taken from the arena; `in` ends behind it. */
static abut_status get_scene(abuti_cursor *in, abuti_arena *arena, scene_parts *p, abut_error *error)
{
    const unsigned char *begin = in->at;
    abut_status status = get_first(in, arena, (size_t)(in->end - begin), p, error);
    if (status != ABUT_OK) return status;
    p->bodies = abuti_take(arena, p->scene.body_count, abut_record_body);
    p->shapes = abuti_take(arena, p->scene.shape_count, abut_record_shape);
    p->joints = abuti_take(arena, p->scene.joint_count, abut_record_joint);
    while (!scene_is_whole(p)) {
        unsigned kind;
        abuti_cursor payload;
        size_t byte = (size_t)(in->at - begin);
        switch (abuti_next_piece(in, &kind, &payload)) {
        case ABUTI_PIECE_CUT: return no_scene(error, "the recording ends within its scene", byte);
        case ABUTI_PIECE_CORRUPT: return no_scene(error, "within the scene a checksum does not match", byte);
        case ABUTI_PIECE_WHOLE: break;
        }
        if (!take_part(p, arena, kind, &payload))
            return no_scene(error, "expected a body, a shape or a joint of the scene", byte);
    }
    p->scene.bodies = p->bodies;
    p->scene.shapes = p->shapes;
    p->scene.joints = p->joints;
    return ABUT_OK;
}

/* ---- a first look at the steps: what they need in memory ---- */

static void survey(abuti_cursor in, int *contacts, int *stages, size_t *stage_bytes)
{
    unsigned kind;
    abuti_cursor payload;
    *contacts = *stages = 0;
    *stage_bytes = 0;
    while (abuti_next_piece(&in, &kind, &payload) == ABUTI_PIECE_WHOLE) {
        if (kind == ABUTI_PIECE_STEP) {
            int count = abuti_get_count(&payload, ABUT_RECORD_CONTACTS_MAX);
            if (count > *contacts) *contacts = count;
        } else if (kind == ABUTI_PIECE_STAGE && *stages < ABUT_RECORD_STAGES_MAX) {
            abuti_arena counting = {0};
            const char *text;
            abuti_get_text(&payload, &counting, &text);
            *stage_bytes += counting.used + ABUTI_ALIGNMENT;
            ++*stages;
        }
    }
}

static void layout_steps(abut_record_reader *r, abuti_arena *arena, const abut_record_scene *scene,
                         int contacts)
{
    r->history.previous = abuti_words_take(arena, scene->body_count, scene->joint_count, contacts);
    r->now = abuti_words_take(arena, scene->body_count, scene->joint_count, contacts);
    r->history.before = abuti_take(arena, abuti_fixed_count(scene->body_count, scene->joint_count), int64_t);
    r->poses = abuti_take(arena, scene->body_count, abut_record_pose);
    r->joint_states = abuti_take(arena, scene->joint_count, abut_record_joint_state);
    r->contacts = abuti_take(arena, contacts, abut_record_contact);
}

/* ---- steps ---- */

static bool stop(abut_record_reader *r, abut_record_ending ending, const char *why)
{
    r->extent.ending = ending;
    r->extent.bytes = (size_t)(r->at.at - r->data);
    if (ending == ABUT_RECORD_COMPLETE) return false;
    return abuti_refuse(&r->extent.what, "byte %zu, after %d steps: %s", r->extent.bytes, r->taken, why);
}

static bool decode(abut_record_reader *r, abuti_cursor *payload, abut_record_step *step)
{
    r->now.contacts = abuti_get_count(payload, ABUT_RECORD_CONTACTS_MAX);
    if (payload->bad || !abuti_decode_step(payload, &r->history, &r->now)) return false;
    int64_t stage = r->now.fixed[WORD_STAGE];
    if (stage < 0 || stage > r->stage_count) return false;
    if (!abuti_words_to_step(&r->now, r->scene.resolution, r->poses, r->joint_states, r->contacts, step))
        return false;
    step->stage = stage > 0 ? r->stages[stage - 1] : NULL;
    abuti_history_advance(&r->history, &r->now);
    return true;
}

/* The next step, or the reason why there is none in `extent`. Names of stages go into the arena, the first time. */
static bool advance(abut_record_reader *r, abuti_arena *arena, abut_record_step *step)
{
    for (;;) {
        unsigned kind;
        abuti_cursor payload, ahead = r->at;
        if (ahead.at == ahead.end)
            return stop(r, ABUT_RECORD_INTERRUPTED, "the recording ends without its end mark");
        switch (abuti_next_piece(&ahead, &kind, &payload)) {
        case ABUTI_PIECE_CUT: return stop(r, ABUT_RECORD_INTERRUPTED, "the recording is cut off");
        case ABUTI_PIECE_CORRUPT: return stop(r, ABUT_RECORD_DAMAGED, "the checksum does not match");
        case ABUTI_PIECE_WHOLE: break;
        }
        if (kind == ABUTI_PIECE_STAGE && arena) {
            if (r->stage_count == ABUT_RECORD_STAGES_MAX ||
                !abuti_get_text(&payload, arena, &r->stages[r->stage_count]))
                return stop(r, ABUT_RECORD_DAMAGED, "expected the name of a stage");
            r->stage_count++;
        } else if (kind == ABUTI_PIECE_STEP) {
            if (!decode(r, &payload, step)) return stop(r, ABUT_RECORD_DAMAGED, "expected a step");
            r->at = ahead;
            r->taken++;
            return true;
        } else if (kind == ABUTI_PIECE_END) {
            bool right = abuti_get_varint(&payload) == (uint64_t)r->taken;
            if (!right) return stop(r, ABUT_RECORD_DAMAGED, "the end mark counts other steps");
            r->at = ahead;
            if (ahead.at != ahead.end) return stop(r, ABUT_RECORD_DAMAGED, "more follows after the end mark");
            return stop(r, ABUT_RECORD_COMPLETE, "");
        }
        r->at = ahead;
    }
}

void abut_record_reader_rewind(abut_record_reader *r)
{
    if (!r) return;
    size_t fixed = (size_t)abuti_fixed_count(r->scene.body_count, r->scene.joint_count);
    r->at = r->first;
    r->taken = 0;
    r->history.steps = 0;
    r->history.previous.contacts = 0;
    memset(r->history.previous.fixed, 0, fixed * sizeof(int64_t));
    memset(r->history.before, 0, fixed * sizeof(int64_t));
}

bool abut_record_reader_next(abut_record_reader *r, abut_record_step *step)
{
    if (!r || !step || r->taken >= r->extent.steps) return false;
    return advance(r, NULL, step);
}

/* ---- making and ending one ---- */

/* Everything a reader has, from one arena: the scene once more, the memory of steps, the names of stages. */
static abut_record_reader *assemble(abuti_arena *arena, abuti_cursor in, int contacts)
{
    abut_record_reader *r = abuti_take(arena, 1, abut_record_reader);
    scene_parts parts = {0};
    r->data = in.at;
    get_scene(&in, arena, &parts, NULL);
    r->scene = parts.scene;
    r->first = in;
    layout_steps(r, arena, &r->scene, contacts);
    abut_record_step step;
    abut_record_reader_rewind(r);
    while (advance(r, arena, &step)) {
        r->extent.steps = r->taken;
        if (step.contact_count > r->extent.contacts) r->extent.contacts = step.contact_count;
    }
    abut_record_reader_rewind(r);
    return r;
}

abut_status abut_record_reader_create(const void *data, size_t size, const abut_allocator *allocator,
                                      abut_record_reader **reader, abut_error *error)
{
    abuti_refuse(error, "%s", "");
    if (reader) *reader = NULL;
    if ((!data && size > 0) || !reader || !abuti_valid_allocator(allocator)) return ABUT_INVALID_ARGUMENT;
    static const unsigned char nothing[1] = {0};
    const unsigned char *bytes = data ? data : nothing;
    abuti_cursor all = {.at = bytes, .end = bytes + size}, in = all;

    abuti_arena arena = {0};
    abuti_take(&arena, 1, abut_record_reader);
    scene_parts parts = {0};
    abut_status status = get_scene(&in, &arena, &parts, error);
    if (status != ABUT_OK) return status;
    int contacts, stages;
    size_t stage_bytes;
    survey(in, &contacts, &stages, &stage_bytes);
    abut_record_reader counting;
    layout_steps(&counting, &arena, &parts.scene, contacts);

    abut_allocator from = abuti_allocator_or_default(allocator);
    size_t need = arena.used + stage_bytes;
    void *block = arena.overflow ? NULL : abuti_allocate(&from, need);
    if (!block) {
        abuti_refuse(error, "out of memory");
        return ABUT_OUT_OF_MEMORY;
    }
    arena = (abuti_arena){.base = block, .capacity = need};
    abut_record_reader *r = assemble(&arena, all, contacts);
    r->allocator = from;
    r->size = need;
    *reader = r;
    return ABUT_OK;
}

const abut_record_scene *abut_record_reader_scene(const abut_record_reader *r)
{
    return r ? &r->scene : NULL;
}

const abut_record_extent *abut_record_reader_extent(const abut_record_reader *r)
{
    return r ? &r->extent : NULL;
}

void abut_record_reader_destroy(abut_record_reader *r)
{
    if (!r) return;
    abut_allocator from = r->allocator;
    abuti_release(&from, r, r->size);
}
