/* One line into an error, where the caller gave one. */
#ifndef ABUTI_RECORD_REFUSE_H
#define ABUTI_RECORD_REFUSE_H

#include "abut/base.h"

#include <stdbool.h>

/* Always false, so that a refusal is one statement. */
bool abuti_refuse(abut_error *error, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
