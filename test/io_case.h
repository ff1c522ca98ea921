/* Reading from strings in tests of readers: what a text gives, or which message it gets. */
#ifndef ABUT_TEST_IO_CASE_H
#define ABUT_TEST_IO_CASE_H

#include "check.h"
#include "io/text.h"

/* The message must contain `part`, be one line, and leave room in the error. */
static inline void check_message(const abut_error *error, const char *part, const char *input)
{
    CHECK_MSG(strstr(error->text, part), "input <%.80s>\n    message <%s>\n    expected <%s>", input,
              error->text, part);
    CHECK_MSG(!strchr(error->text, '\n'), "message <%s>", error->text);
}

#endif
