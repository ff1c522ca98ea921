/* abut demo: what `make run` shows. */

#include "cmd.h"

#include "abut/base.h"

#include <stdio.h>

int cmd_demo(int argc, char **argv)
{
    if (argc > 1) {
        fprintf(stderr, "abut demo: unexpected argument '%s' (demo takes none)\n", argv[1]);
        return EXIT_BAD_INPUT;
    }
    printf("abut %s\n", abut_version());
    return EXIT_SOLVED;
}
