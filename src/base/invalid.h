/* A refusal in words. */
#ifndef ABUTI_BASE_INVALID_H
#define ABUTI_BASE_INVALID_H

#include "abut/base.h"

/* Writes why into `error`, where there is one, and returns ABUT_INVALID_ARGUMENT. */
abut_status abuti_invalid(abut_error *error, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
