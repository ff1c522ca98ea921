#include "base/invalid.h"
#include <stdarg.h>
#include <stdio.h> /* vsnprintf */

abut_status abuti_invalid(abut_error *error, const char *format, ...)
{
    if (error) {
        va_list arguments;
        va_start(arguments, format);
        (void)vsnprintf(error->text, sizeof error->text, format, arguments);
        va_end(arguments);
    }
    return ABUT_INVALID_ARGUMENT;
}
