/* What every reader of contact problems must hold, whatever the bytes: a problem that the library judges
 * without trouble, or one line of error and nothing left behind. */
#ifndef ABUT_FUZZ_CONTACT_H
#define ABUT_FUZZ_CONTACT_H

#include "io/contact_file.h"

#include <stdlib.h>
#include <string.h>

static inline void fuzz_judge(bool fine, const abut_error *error, abuti_contact_data *data)
{
    abut_error reason = {""};
    if (fine) {
        abut_contact_problem problem = abuti_contact_data_problem(data);
        if (abut_contact_validate(&problem, &reason) != ABUT_OK && reason.text[0] == '\0') abort();
    } else if (error->text[0] == '\0' || strchr(error->text, '\n') || data->contacts) {
        abort();
    }
    abuti_contact_data_release(data);
}

/* Runs one reader over the bytes. */
static inline int fuzz_read(const uint8_t *bytes, size_t size,
                            bool (*read)(abuti_text *, abuti_contact_data *))
{
    abuti_text text;
    abut_error error;
    abuti_contact_data data = {0};
    bool fine = abuti_text_open_memory(&text, "f", bytes, size, &error) && read(&text, &data);
    fuzz_judge(fine, &error, &data);
    return 0;
}

#endif
