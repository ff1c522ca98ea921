/* abut: the command line. Finds the verb in the table and hands over. */

#include "cmd.h"

#include "abut/base.h"

#include <stdio.h>
#include <string.h>

typedef struct verb {
    const char *name;
    int (*run)(int argc, char **argv);
    const char *summary;
} verb;

static const verb verbs[] = {
    {"demo", cmd_demo, "a built-in example"},
};

static const size_t verb_count = sizeof verbs / sizeof verbs[0];

static void print_usage(FILE *out)
{
    fprintf(out,
            "usage: abut VERB [ARGUMENTS]\n"
            "       abut --help | --version\n\n"
            "Exact rigid-body contact: complementarity problems solved by pivoting, answers verified.\n\n"
            "verbs:\n");
    for (size_t i = 0; i < verb_count; i++) fprintf(out, "  %-8s %s\n", verbs[i].name, verbs[i].summary);
    fprintf(out, "\nexit status: 0 solved, 1 not solved, 2 bad input or usage\n");
}

int main(int argc, char **argv)
{
    if (argc < 2) {
        print_usage(stderr);
        return EXIT_BAD_INPUT;
    }
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0) {
        print_usage(stdout);
        return 0;
    }
    if (strcmp(argv[1], "--version") == 0) {
        printf("abut %s\n", abut_version());
        return 0;
    }
    for (size_t i = 0; i < verb_count; i++)
        if (strcmp(argv[1], verbs[i].name) == 0) return verbs[i].run(argc - 1, argv + 1);
    fprintf(stderr, "abut: unknown verb '%s' (abut --help lists them)\n", argv[1]);
    return EXIT_BAD_INPUT;
}
