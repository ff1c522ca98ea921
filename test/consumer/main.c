/* A program outside the project: it knows the installed headers only. */

#include <abut/base.h>

#include <stdio.h>
#include <string.h>

int main(void)
{
    char expected[64];
    snprintf(expected, sizeof expected, "%d.%d.%d", ABUT_VERSION_MAJOR, ABUT_VERSION_MINOR,
             ABUT_VERSION_PATCH);
    if (strcmp(abut_version(), expected) != 0) {
        fprintf(stderr, "headers %s, library %s\n", expected, abut_version());
        return 1;
    }
    printf("abut %s\n", abut_version());
    return 0;
}
