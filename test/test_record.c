/* Recordings: what was written is read back, every truncation and every changed byte leaves what came before, and bad
 * scenes and steps are refused by name. */

#include "alloc_count.h"
#include "check.h"
#include "record_case.h"

#include "record/bytes.h"
#include "record/words.h"

static abut_record_reader *open_bytes(const unsigned char *bytes, size_t size, abut_error *error)
{
    abut_record_reader *reader = NULL;
    abut_status status = abut_record_reader_create(bytes, size, NULL, &reader, error);
    CHECK((status == ABUT_OK) == (reader != NULL));
    return reader;
}

static void check_step(const abut_record_step *got, const abut_record_step *want)
{
    CHECK_NEAR(got->time, want->time, 1e-9);
    CHECK_EQ_INT(got->outcome, want->outcome);
    CHECK((!got->stage) == (!want->stage));
    if (want->stage) CHECK_STR(got->stage, want->stage);
    CHECK_EQ_INT(got->pivots, want->pivots);
    CHECK_EQ_INT(got->islands, want->islands);
    if (isinf(want->residual))
        CHECK(isinf(got->residual));
    else
        CHECK_NEAR(got->residual, want->residual, 1e-3 * want->residual);
    CHECK_NEAR(got->microseconds, want->microseconds, 1e-3 * want->microseconds);
    CHECK_NEAR(got->kinetic, want->kinetic, 1e-6 * fabs(want->kinetic));
    if (isnan(want->potential))
        CHECK(isnan(got->potential));
    else
        CHECK_NEAR(got->potential, want->potential, 1e-6 * fabs(want->potential));
    for (int i = 0; i < CASE_BODIES; ++i) {
        double along = 0;
        for (int k = 0; k < 3; ++k) CHECK_NEAR(got->poses[i].position[k], want->poses[i].position[k], 5e-7);
        for (int k = 0; k < 4; ++k) along += got->poses[i].orientation[k] * want->poses[i].orientation[k];
        CHECK_NEAR(fabs(along), 1, 1e-11);
    }
    for (int i = 0; i < CASE_JOINTS; ++i) {
        abut_record_joint_state zero = {0}, j = want->joints ? want->joints[i] : zero;
        CHECK_NEAR(got->joints[i].position, j.position, 1e-7);
        CHECK_NEAR(got->joints[i].impulse, j.impulse, 1e-5 * j.impulse);
    }
}

static void check_contact(const abut_record_contact *got, const abut_record_contact *want)
{
    CHECK_EQ_INT(got->bodies[0], want->bodies[0]);
    CHECK_EQ_INT(got->bodies[1], want->bodies[1]);
    for (int k = 0; k < 3; ++k) {
        CHECK_NEAR(got->point[k], want->point[k], 5e-7);
        CHECK_NEAR(got->normal[k], want->normal[k], 1e-4);
        CHECK_NEAR(got->tangent[k], want->tangent[k], 2e-4);
        CHECK_NEAR(got->impulse[k], want->impulse[k], 1e-5 * fabs(want->impulse[k]) + 1e-16);
    }
    CHECK_NEAR(got->friction, want->friction, 1e-6);
    CHECK_EQ_INT(got->directions, want->directions);
    CHECK_EQ_INT(got->state, want->state);
    CHECK_NEAR(got->gap, want->gap, 4e-9);
}

static void check_scene(const abut_record_scene *got, const abut_record_scene *want)
{
    CHECK_STR(got->title, want->title);
    CHECK_STR(got->caption, want->caption);
    CHECK_STR(got->model, want->model);
    CHECK_STR(got->solver, want->solver);
    CHECK(got->step == want->step && got->gravity[2] == want->gravity[2]);
    CHECK_EQ_INT(got->body_count, want->body_count);
    CHECK_EQ_INT(got->shape_count, want->shape_count);
    CHECK_EQ_INT(got->joint_count, want->joint_count);
    for (int i = 0; i < want->body_count; ++i) {
        CHECK_STR(got->bodies[i].name, want->bodies[i].name);
        CHECK(got->bodies[i].mass == want->bodies[i].mass);
    }
    for (int i = 0; i < want->shape_count; ++i) {
        const abut_record_shape *g = &got->shapes[i], *w = &want->shapes[i];
        CHECK_STR(g->name, w->name ? w->name : "");
        CHECK(g->body == w->body && g->kind == w->kind);
        CHECK(memcmp(g->size, w->size, sizeof g->size) == 0);
        CHECK(memcmp(g->position, w->position, sizeof g->position) == 0);
        CHECK(memcmp(g->colour, w->colour, sizeof g->colour) == 0);
        CHECK(g->vertex_count == w->vertex_count && g->triangle_count == w->triangle_count);
        for (int k = 0; k < 3 * w->vertex_count; ++k) CHECK(g->vertices[k] == w->vertices[k]);
        for (int k = 0; k < 3 * w->triangle_count; ++k) CHECK(g->triangles[k] == w->triangles[k]);
        CHECK(g->rows == w->rows && g->columns == w->columns);
        for (int k = 0; k < w->rows * w->columns; ++k) CHECK(g->heights[k] == w->heights[k]);
    }
    for (int i = 0; i < want->joint_count; ++i) {
        CHECK(got->joints[i].bodies[0] == want->joints[i].bodies[0] && got->joints[i].bodies[1] == -1);
        CHECK(got->joints[i].kind == want->joints[i].kind);
        CHECK(memcmp(got->joints[i].anchor, want->joints[i].anchor, sizeof want->joints[i].anchor) == 0);
    }
}

static void test_round_trip(void)
{
    record_case c;
    memory m = record_case_write(&c);
    abut_error error;
    abut_record_reader *reader = open_bytes(m.bytes, m.used, &error);
    if (!reader) return;
    check_scene(abut_record_reader_scene(reader), &c.scene);
    const abut_record_extent *extent = abut_record_reader_extent(reader);
    CHECK_EQ_INT(extent->steps, CASE_STEPS);
    CHECK_EQ_INT(extent->ending, ABUT_RECORD_COMPLETE);
    CHECK_EQ_INT(extent->bytes, m.used);
    CHECK_STR(extent->what.text, "");
    CHECK_EQ_INT(extent->contacts, 5);
    for (int pass = 0; pass < 2; pass++, abut_record_reader_rewind(reader)) {
        abut_record_step step;
        for (int k = 0; k < CASE_STEPS; ++k) {
            record_case_step(&c, k);
            if (!abut_record_reader_next(reader, &step)) CHECK_MSG(false, "step %d is missing", k);
            check_step(&step, &c.step);
            CHECK_EQ_INT(step.contact_count, c.step.contact_count);
            for (int i = 0; i < step.contact_count; ++i) check_contact(&step.contacts[i], &c.contacts[i]);
        }
        CHECK(!abut_record_reader_next(reader, &step));
    }
    abut_record_reader_destroy(reader);
    free(m.bytes);
}

/* Bytes are handed over in a block of exactly their size, so that a sanitizer sees a read past the end. */
static int whole_steps(const unsigned char *bytes, size_t size, abut_record_ending *ending)
{
    unsigned char *exact = malloc(size > 0 ? size : 1);
    if (size > 0) memcpy(exact, bytes, size);
    abut_error error = {""};
    abut_record_reader *reader = open_bytes(exact, size, &error);
    int steps = -1;
    if (reader) {
        const abut_record_extent *extent = abut_record_reader_extent(reader);
        abut_record_step step;
        steps = 0;
        while (abut_record_reader_next(reader, &step)) steps++;
        CHECK_EQ_INT(steps, extent->steps);
        *ending = extent->ending;
        CHECK((extent->ending == ABUT_RECORD_COMPLETE) == (extent->what.text[0] == '\0'));
        CHECK(extent->bytes <= size);
    } else {
        CHECK(strncmp(error.text, "byte ", 5) == 0);
    }
    abut_record_reader_destroy(reader);
    free(exact);
    return steps;
}

static void test_every_truncation(void)
{
    record_case c;
    memory m = record_case_write(&c);
    abut_record_ending ending = ABUT_RECORD_COMPLETE;
    int last = -1;
    for (size_t size = 0; size < m.used; ++size) {
        int steps = whole_steps(m.bytes, size, &ending);
        CHECK_MSG(steps == last || steps == last + 1, "%zu bytes: %d steps after %d", size, steps, last);
        if (steps >= 0) CHECK_EQ_INT(ending, ABUT_RECORD_INTERRUPTED);
        last = steps;
    }
    CHECK_EQ_INT(last, CASE_STEPS);
    free(m.bytes);
}

/* Any one byte changed is noticed: the recording is never complete, and what comes before the change is whole. */
static void test_every_damage(void)
{
    record_case c;
    memory m = record_case_write(&c);
    static const unsigned char changes[] = {1, 0x80, 0xff};
    for (size_t at = 0; at < m.used; ++at) {
        abut_record_ending ending = ABUT_RECORD_DAMAGED;
        int before = whole_steps(m.bytes, at, &ending);
        for (size_t k = 0; k < sizeof changes; ++k) {
            m.bytes[at] ^= changes[k];
            int steps = whole_steps(m.bytes, m.used, &ending);
            CHECK_MSG(steps == before, "byte %zu: %d steps, expected %d", at, steps, before);
            if (steps >= 0) CHECK(ending != ABUT_RECORD_COMPLETE);
            m.bytes[at] ^= changes[k];
        }
    }
    free(m.bytes);
}

/* A payload changed and its checksum made right again: nothing but the words themselves can refuse it. */
static void test_damage_with_right_checksums(void)
{
    record_case c;
    memory m = record_case_write(&c);
    abuti_cursor in = {.at = m.bytes + ABUTI_MAGIC_SIZE, .end = m.bytes + m.used}, payload;
    unsigned kind;
    for (;;) {
        unsigned char *piece = m.bytes + (in.at - m.bytes);
        if (abuti_next_piece(&in, &kind, &payload) != ABUTI_PIECE_WHOLE) break;
        unsigned char *end = m.bytes + (in.at - m.bytes);
        for (unsigned char *p = piece + ABUTI_PIECE_FRONT; p < end - 4; ++p) {
            unsigned char was = *p, sum[4];
            memcpy(sum, end - 4, 4);
            *p = (unsigned char)(was * 7 + 129);
            uint32_t crc = abuti_crc32(piece, (size_t)(end - 4 - piece));
            for (int k = 0; k < 4; ++k) end[k - 4] = (unsigned char)(crc >> (8 * k));
            abut_record_reader *reader = NULL;
            abut_record_reader_create(m.bytes, m.used, NULL, &reader, NULL);
            abut_record_step step;
            while (abut_record_reader_next(reader, &step)) {
                for (int i = 0; i < step.contact_count; ++i)
                    CHECK(step.contacts[i].bodies[0] < abut_record_reader_scene(reader)->body_count);
            }
            abut_record_reader_destroy(reader);
            *p = was;
            memcpy(end - 4, sum, 4);
        }
    }
    free(m.bytes);
}

static void refuse_scene(void (*spoil)(record_case *c), const char *part)
{
    record_case c;
    memory m = {0};
    abut_record_sink sink = {.write = memory_write, .context = &m};
    abut_record_writer *writer = NULL;
    abut_error error;
    record_case_scene(&c);
    spoil(&c);
    CHECK_EQ_INT(abut_record_writer_create(&c.scene, &sink, 4, NULL, &writer, &error), ABUT_INVALID_ARGUMENT);
    CHECK(!writer && m.used == 0);
    CHECK_MSG(strstr(error.text, part), "message <%s>, expected <%s>", error.text, part);
    free(m.bytes);
}

static void no_step(record_case *c)
{
    c->scene.step = 0;
}
static void coarse(record_case *c)
{
    c->scene.resolution = 2;
}
static void negative_mass(record_case *c)
{
    c->bodies[1].mass = -1;
}
static void stray_shape(record_case *c)
{
    c->shapes[2].body = CASE_BODIES;
}
static void bright(record_case *c)
{
    c->shapes[3].colour[0] = 2;
}
static void stray_vertex(record_case *c)
{
    static const int triangles[12] = {0, 2, 4};
    c->shapes[ABUT_RECORD_MESH].triangles = triangles;
}
static void flat_field(record_case *c)
{
    c->shapes[ABUT_RECORD_HEIGHTFIELD].rows = 1;
}
static void stray_joint(record_case *c)
{
    c->joints[1].bodies[0] = 7;
}
static void no_bodies(record_case *c)
{
    c->scene.bodies = NULL;
}

static void test_scenes_refused(void)
{
    refuse_scene(no_step, "step: 0");
    refuse_scene(coarse, "resolution: 2");
    refuse_scene(negative_mass, "bodies[1].mass");
    refuse_scene(stray_shape, "shapes[2].body");
    refuse_scene(bright, "shapes[3].colour");
    refuse_scene(stray_vertex, "shapes[7].triangles");
    refuse_scene(flat_field, "shapes[8].heights");
    refuse_scene(stray_joint, "joints[1].bodies");
    refuse_scene(no_bodies, "bodies, shapes or joints");
}

static void refuse_step(abut_record_writer *writer, const abut_record_step *step, abut_status want,
                        const char *part)
{
    abut_error error;
    CHECK_EQ_INT(abut_record_writer_add(writer, step, &error), want);
    CHECK_MSG(strstr(error.text, part), "message <%s>, expected <%s>", error.text, part);
}

/* Refused steps leave no trace: the recording goes on as if they had not been given. */
static void test_steps_refused(void)
{
    record_case c;
    memory m = {0};
    abut_record_sink sink = {.write = memory_write, .context = &m};
    abut_record_writer *writer = NULL;
    record_case_scene(&c);
    CHECK_EQ_INT(abut_record_writer_create(&c.scene, &sink, 4, NULL, &writer, NULL), ABUT_OK);
    for (int k = 0; k < CASE_STEPS; ++k) {
        record_case_step(&c, k);
        c.step.contact_count = 4;
        abut_record_step good = c.step, bad = good;
        bad.contact_count = 5;
        refuse_step(writer, &bad, ABUT_TOO_LARGE, "contacts: 5");
        bad = good, bad.time = -1;
        refuse_step(writer, &bad, ABUT_INVALID_ARGUMENT, "time");
        bad = good, bad.microseconds = NAN;
        refuse_step(writer, &bad, ABUT_INVALID_ARGUMENT, "microseconds");
        bad = good, bad.outcome = (abut_outcome)9;
        refuse_step(writer, &bad, ABUT_INVALID_ARGUMENT, "outcome");
        abut_record_contact was = c.contacts[3];
        c.contacts[3].normal[0] = NAN;
        refuse_step(writer, &good, ABUT_INVALID_ARGUMENT, "contacts[3].normal");
        c.contacts[3] = was, c.contacts[3].friction = -1;
        refuse_step(writer, &good, ABUT_INVALID_ARGUMENT, "contacts[3].friction");
        c.contacts[3] = was;
        double height = c.poses[1].position[2];
        c.poses[1].position[2] = 1e12;
        refuse_step(writer, &good, ABUT_INVALID_ARGUMENT, "poses[1]");
        c.poses[1].position[2] = height;
        CHECK_EQ_INT(abut_record_writer_add(writer, &good, NULL), ABUT_OK);
    }
    CHECK_EQ_INT(abut_record_writer_finish(writer), ABUT_OK);
    refuse_step(writer, &c.step, ABUT_INVALID_ARGUMENT, "finished");
    abut_record_writer_destroy(writer);
    abut_record_ending ending;
    CHECK_EQ_INT(whole_steps(m.bytes, m.used, &ending), CASE_STEPS);
    CHECK_EQ_INT(ending, ABUT_RECORD_COMPLETE);
    free(m.bytes);
}

/* A disk that is full: the writer says so from then on, and what was written is whole. */
static void test_full_disk(void)
{
    record_case c;
    memory whole = record_case_write(&c);
    for (size_t room = 1; room < whole.used; room += 7) {
        memory m = {.room = room};
        abut_record_sink sink = {.write = memory_write, .context = &m};
        abut_record_writer *writer = NULL;
        abut_error error;
        record_case_scene(&c);
        abut_status status = abut_record_writer_create(&c.scene, &sink, CASE_CONTACTS, NULL, &writer, &error);
        bool failed = status != ABUT_OK;
        for (int k = 0; k < CASE_STEPS && writer; ++k) {
            record_case_step(&c, k);
            status = abut_record_writer_add(writer, &c.step, &error);
            CHECK(!failed || status != ABUT_OK);
            failed = failed || status != ABUT_OK;
        }
        if (writer) failed = abut_record_writer_finish(writer) != ABUT_OK || failed;
        CHECK(failed);
        abut_record_writer_destroy(writer);
        abut_record_ending ending;
        int steps = whole_steps(m.bytes, m.used, &ending);
        if (steps >= 0) CHECK_EQ_INT(ending, ABUT_RECORD_INTERRUPTED);
        free(m.bytes);
    }
    free(whole.bytes);
}

/* Later versions are named; kinds of pieces that nobody knows are stepped over. */
static void test_versions(void)
{
    record_case c;
    memory m = record_case_write(&c);
    abut_error error;
    abut_record_reader *reader = NULL;
    unsigned char *head = m.bytes + ABUTI_MAGIC_SIZE;
    size_t length = head[1] + 256u * head[2];
    head[ABUTI_PIECE_FRONT] = 2;
    uint32_t crc = abuti_crc32(head, ABUTI_PIECE_FRONT + length);
    for (int k = 0; k < 4; ++k)
        head[ABUTI_PIECE_FRONT + length + (size_t)k] = (unsigned char)(crc >> (8 * k));
    CHECK_EQ_INT(abut_record_reader_create(m.bytes, m.used, NULL, &reader, &error), ABUT_UNSUPPORTED);
    CHECK_STR(error.text, "a recording of version 2; this abut reads up to 1");
    free(m.bytes);

    m = record_case_write(&c);
    unsigned char other[64];
    abuti_bytes out = {.base = other, .capacity = sizeof other};
    abuti_piece_begin(&out, 'x');
    abuti_put_text(&out, "from later");
    abuti_piece_end(&out);
    size_t front = ABUTI_MAGIC_SIZE + ABUTI_PIECE_FRAME + length;
    memory longer = {0};
    memory_write(&longer, m.bytes, front);
    memory_write(&longer, other, out.used);
    memory_write(&longer, m.bytes + front, m.used - front);
    abut_record_ending ending;
    CHECK_EQ_INT(whole_steps(longer.bytes, longer.used, &ending), CASE_STEPS);
    CHECK_EQ_INT(ending, ABUT_RECORD_COMPLETE);
    free(longer.bytes);
    free(m.bytes);
}

/* Words of floats keep order and values; tangents come back for every angle. */
static void test_words(void)
{
    const double values[] = {0, 1, -1, 3.14159274101257324, 1e-30, -1e30};
    for (size_t i = 0; i < sizeof values / sizeof values[0]; ++i)
        for (int drop = 0; drop <= ABUTI_DROP_SHORT; drop += 3) {
            double back = abuti_float_of_word(abuti_word_of_float(values[i], drop), drop);
            CHECK_NEAR(back, values[i], fabs(values[i]) * ldexp(1, drop - 24));
        }
    CHECK(abuti_word_of_float(1.0000001, 0) == abuti_word_of_float(1, 0) + 1);
    record_case c;
    memory m = {0};
    abut_record_sink sink = {.write = memory_write, .context = &m};
    abut_record_writer *writer = NULL;
    record_case_scene(&c);
    CHECK_EQ_INT(abut_record_writer_create(&c.scene, &sink, 1, NULL, &writer, NULL), ABUT_OK);
    record_case_step(&c, 0);
    c.step.contact_count = 1;
    memcpy(c.contacts[0].normal, (double[3]){0, 0, 1}, sizeof c.contacts[0].normal);
    enum { ANGLES = 720 };
    for (int k = 0; k < ANGLES; ++k) {
        double a = 2 * 3.14159265358979 * k / ANGLES;
        memcpy(c.contacts[0].tangent, (double[3]){cos(a), sin(a), 0}, sizeof c.contacts[0].tangent);
        CHECK_EQ_INT(abut_record_writer_add(writer, &c.step, NULL), ABUT_OK);
    }
    abut_record_writer_destroy(writer);
    abut_record_reader *reader = open_bytes(m.bytes, m.used, NULL);
    abut_record_step step;
    for (int k = 0; abut_record_reader_next(reader, &step); ++k) {
        double a = 2 * 3.14159265358979 * k / ANGLES;
        CHECK_NEAR(step.contacts[0].tangent[0], cos(a), 5e-5);
        CHECK_NEAR(step.contacts[0].tangent[1], sin(a), 5e-5);
    }
    CHECK_EQ_INT(abut_record_reader_extent(reader)->steps, ANGLES);
    abut_record_reader_destroy(reader);
    free(m.bytes);
}

/* What rests costs nothing: 1000 equal steps of all bodies and contacts take some twenty bytes each. */
static void test_rest_is_small(void)
{
    record_case c;
    memory m = {0};
    abut_record_sink sink = {.write = memory_write, .context = &m};
    abut_record_writer *writer = NULL;
    record_case_scene(&c);
    CHECK_EQ_INT(abut_record_writer_create(&c.scene, &sink, CASE_CONTACTS, NULL, &writer, NULL), ABUT_OK);
    record_case_step(&c, 3);
    for (int k = 0; k < 1010; ++k) {
        c.step.time = 0.01 * k;
        CHECK_EQ_INT(abut_record_writer_add(writer, &c.step, NULL), ABUT_OK);
        if (k == 9) m.used = 0;
    }
    CHECK_MSG(m.used <= 20 * 1000, "%zu bytes", m.used);
    abut_record_writer_destroy(writer);
    free(m.bytes);
}

/* One block when it is made, none afterwards; no memory is an answer too. */
static void test_memory(void)
{
    alloc_count count = {0};
    abut_allocator allocator = alloc_counting(&count);
    record_case c;
    memory m = {0};
    abut_record_sink sink = {.write = memory_write, .context = &m};
    abut_record_writer *writer = NULL;
    record_case_scene(&c);
    CHECK_EQ_INT(abut_record_writer_create(&c.scene, &sink, CASE_CONTACTS, &allocator, &writer, NULL),
                 ABUT_OK);
    for (int k = 0; k < CASE_STEPS; ++k) {
        record_case_step(&c, k);
        CHECK_EQ_INT(abut_record_writer_add(writer, &c.step, NULL), ABUT_OK);
    }
    CHECK_EQ_INT(count.allocations, 1);
    abut_record_writer_destroy(writer);
    abut_record_reader *reader = NULL;
    CHECK_EQ_INT(abut_record_reader_create(m.bytes, m.used, &allocator, &reader, NULL), ABUT_OK);
    abut_record_step step;
    while (abut_record_reader_next(reader, &step)) continue;
    CHECK_EQ_INT(count.allocations, 2);
    abut_record_reader_destroy(reader);
    CHECK(alloc_balanced(&count));

    alloc_count none = {.fail_at = 1};
    allocator = alloc_counting(&none);
    CHECK_EQ_INT(abut_record_reader_create(m.bytes, m.used, &allocator, &reader, NULL), ABUT_OUT_OF_MEMORY);
    none.requests = 0;
    CHECK_EQ_INT(abut_record_writer_create(&c.scene, &sink, 1, &allocator, &writer, NULL),
                 ABUT_OUT_OF_MEMORY);
    CHECK(!reader && !writer && alloc_balanced(&none));
    free(m.bytes);
}

int main(void)
{
    RUN(test_round_trip);
    RUN(test_every_truncation);
    RUN(test_every_damage);
    RUN(test_damage_with_right_checksums);
    RUN(test_scenes_refused);
    RUN(test_steps_refused);
    RUN(test_full_disk);
    RUN(test_versions);
    RUN(test_words);
    RUN(test_rest_is_small);
    RUN(test_memory);
    return check_report();
}
