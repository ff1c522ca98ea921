/* Tests of readers of contact problems: one table of bad texts with the message each must get. */
#ifndef ABUT_TEST_CONTACT_IO_CASE_H
#define ABUT_TEST_CONTACT_IO_CASE_H

#include "io/contact_file.h"
#include "io_case.h"

typedef struct bad_contact_text {
    const char *input, *message;
} bad_contact_text;

typedef bool (*contact_reader)(abuti_text *text, abuti_contact_data *data);

static inline bool read_contact_string(contact_reader reader, const char *input, abuti_contact_data *data,
                                       abut_error *error)
{
    abuti_text text;
    *data = (abuti_contact_data){0};
    return abuti_text_open_memory(&text, "f", input, strlen(input), error) && reader(&text, data);
}

static inline bool is_empty_data(const abuti_contact_data *data)
{
    return !data->bodies && !data->contacts && !data->joints && !data->W && !data->q && !data->start &&
           data->contact_count == 0;
}

static inline void check_bad_contacts(contact_reader reader, const bad_contact_text *cases, size_t count)
{
    for (size_t i = 0; i < count; ++i) {
        abuti_contact_data data;
        abut_error error;
        CHECK_MSG(!read_contact_string(reader, cases[i].input, &data, &error), "accepted <%s>",
                  cases[i].input);
        check_message(&error, cases[i].message, cases[i].input);
        CHECK_MSG(is_empty_data(&data), "<%s> left something behind", cases[i].input);
        abuti_contact_data_release(&data);
    }
}

/* Every prefix of a good text is either refused with a message or has as many contacts. */
static inline void check_contact_truncations(contact_reader reader, const char *good)
{
    char *cut = strdup(good);
    abuti_contact_data whole, part;
    abut_error error;
    CHECK_MSG(read_contact_string(reader, good, &whole, &error), "%s", error.text);
    for (size_t length = strlen(good); length-- > 0;) {
        cut[length] = '\0';
        if (!read_contact_string(reader, cut, &part, &error)) {
            CHECK_MSG(error.text[0] != '\0', "no message for <%s>", cut);
        } else {
            CHECK_MSG(part.contact_count == whole.contact_count, "<%s>", cut);
            abuti_contact_data_release(&part);
        }
    }
    abuti_contact_data_release(&whole);
    free(cut);
}

/* Bodies, contacts and joints bit by bit (the structs have no padding that readers leave unset: they are
 * calloc'd). */
static inline void check_same_bodies(const abuti_contact_data *a, const abuti_contact_data *b)
{
    CHECK_EQ_INT(a->model, b->model);
    CHECK(a->step == b->step);
    CHECK_EQ_INT(a->body_count, b->body_count);
    CHECK_EQ_INT(a->contact_count, b->contact_count);
    CHECK_EQ_INT(a->joint_count, b->joint_count);
    if (a->body_count != b->body_count || a->contact_count != b->contact_count ||
        a->joint_count != b->joint_count)
        return;
    for (int i = 0; i < a->body_count; ++i)
        CHECK_MSG(memcmp(&a->bodies[i], &b->bodies[i], sizeof a->bodies[i]) == 0, "body %d", i);
    for (int i = 0; i < a->contact_count; ++i)
        CHECK_MSG(memcmp(&a->contacts[i], &b->contacts[i], sizeof a->contacts[i]) == 0, "contact %d", i);
    for (int i = 0; i < a->joint_count; ++i)
        CHECK_MSG(memcmp(&a->joints[i], &b->joints[i], sizeof a->joints[i]) == 0, "joint %d", i);
}

#endif
