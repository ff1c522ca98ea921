#include "record/refuse.h"

#include <stdarg.h>
#include <stdio.h> /* vsnprintf */

bool abuti_refuse(abut_error *error, const char *format, ...)
{
    if (!error) return false;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(error->text, sizeof error->text, format, arguments);
    va_end(arguments);
    return false;
}
