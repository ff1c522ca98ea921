/* abut: the command line. Finds the verb in the table and hands over. */

#include "cmd.h"

#include "abut/base.h"
#include "io/words.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

typedef struct verb {
    const char *name;
    int (*run)(int argc, char **argv);
    const char *summary;
} verb;

static const verb verbs[] = {
    {"demo", cmd_demo, "a built-in example, solved and explained"},
    {"lcp", cmd_lcp, "solve a linear complementarity problem"},
    {"solve", cmd_solve, "solve a contact problem"},
    {"run", cmd_run, "simulate a scene"},
    {"check", cmd_check, "judge a solution by the verifier alone"},
    {"convert", cmd_convert, "write a problem in another format"},
    {"view", cmd_view, "make a page of a recording that opens in any browser"},
    {"record", cmd_record, "tell what is in a recording"},
    {"bench", cmd_bench, "measure the solvers"},
    {"stress", cmd_stress, "solve many random problems and count"},
};

enum { VERB_COUNT = sizeof verbs / sizeof verbs[0] };

static void print_usage(FILE *out)
{
    fprintf(out,
            "usage: abut VERB [ARGUMENTS]\n"
            "       abut VERB --help\n"
            "       abut --help | --version\n\n"
            "Exact rigid-body contact: complementarity problems solved by pivoting, answers verified.\n\n"
            "verbs:\n");
    for (int i = 0; i < VERB_COUNT; ++i) fprintf(out, "  %-8s %s\n", verbs[i].name, verbs[i].summary);
    fprintf(out, "\nexit status: 0 solved, 1 not solved, 2 bad input or usage\n");
}

static int unknown_verb(const char *word)
{
    enum { OPTIONS = 2 };
    const char *names[VERB_COUNT + OPTIONS] = {"--help", "--version"};
    for (int i = 0; i < VERB_COUNT; ++i) names[OPTIONS + i] = verbs[i].name;
    const char *what = word[0] == '-' ? "option" : "verb";
    const char *closest = abuti_closest_word(word, names, VERB_COUNT + OPTIONS);
    if (closest)
        fprintf(stderr, "abut: unknown %s '%s'; did you mean 'abut %s'? ('abut --help' lists all)\n", what,
                word, closest);
    else
        fprintf(stderr, "abut: unknown %s '%s' ('abut --help' lists all)\n", what, word);
    return EXIT_BAD_INPUT;
}

/* An answer that could not be written wholly, say to a full disk, is no answer. */
static int delivered(int status)
{
    if (fflush(stdout) == 0 && !ferror(stdout)) return status;
    fprintf(stderr, "abut: standard output could not be written\n");
    return EXIT_BAD_INPUT;
}

static int run_verb(int argc, char **argv)
{
    for (int i = 0; i < VERB_COUNT; ++i)
        if (strcmp(argv[0], verbs[i].name) == 0) return delivered(verbs[i].run(argc, argv));
    return unknown_verb(argv[0]);
}

int main(int argc, char **argv)
{
    if (argc < 2) {
        print_usage(stderr);
        return EXIT_BAD_INPUT;
    }
    bool help = strcmp(argv[1], "help") == 0;
    if (help && argc > 2) { /* abut help VERB */
        char *words[] = {argv[2], "--help", NULL};
        return run_verb(2, words);
    }
    if (help || strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0) {
        print_usage(stdout);
        return delivered(EXIT_SOLVED);
    }
    if (strcmp(argv[1], "--version") == 0) {
        printf("abut %s\n", abut_version());
        return delivered(EXIT_SOLVED);
    }
    return run_verb(argc - 1, argv + 1);
}
