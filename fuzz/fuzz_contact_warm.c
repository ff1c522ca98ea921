/* The reader of the states that `abut solve --warm-from` takes from an answer: two contacts, one with a key. */
#include "io/contact_warm.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    abuti_text text;
    abut_error error;
    abut_contact contacts[2] = {{.key = 7}, {.key = 0}};
    abut_contact_face start[2];
    abut_contact_problem problem = {.contact_count = 2, .contacts = contacts};
    bool fine = abuti_text_open_memory(&text, "f", data, size, &error) &&
                abuti_contact_warm_from(&text, &problem, start);
    bool explained = error.text[0] != '\0' && !strchr(error.text, '\n');
    if (!fine && !explained) abort();
    for (int i = 0; fine && i < 2; ++i)
        if (start[i].state > ABUT_NEW || start[i].frame >= ABUT_DIRECTIONS_MAX || start[i].rows > 7) abort();
    return 0;
}
