/* Options of a verb, in one table that parses the command line and prints the help.
 *
 *     char *file = NULL;
 *     bool json = false;
 *     option table[] = {
 *         option_argument("FILE", "the problem", &file),
 *         option_json(&json),
 *         {0},
 *     };
 *     int status;
 *     if (!options_parse(&usage, table, argc, argv, &status)) return status;
 *
 * Every mistake gets one line and exit status 2; a misspelt option gets a suggestion. */

#ifndef ABUT_CLI_OPTIONS_H
#define ABUT_CLI_OPTIONS_H

#include <stdbool.h>

typedef enum option_kind {
    OPTION_ARGUMENT,          /* positional, required */
    OPTION_OPTIONAL_ARGUMENT, /* positional, may be absent */
    OPTION_FLAG,
    OPTION_TEXT,
    OPTION_REQUIRED_TEXT, /* "-o FILE" of verbs that write */
    OPTION_NUMBER,        /* a finite double in low .. high */
    OPTION_INTEGER,       /* in low .. high */
    OPTION_CHOICE         /* one of `choices`; its position goes to `integer` */
} option_kind;

typedef struct option {
    const char *name;  /* "--method", or "FILE" for an argument; NULL ends the table */
    const char *value; /* what follows it in the help: "M" */
    const char *help;
    option_kind kind;
    double low, high; /* of numbers and integers */
    const char *const *choices;
    /* Where the value goes, by kind. */
    bool *flag;
    const char **text;
    double *number;
    long long *integer;
} option;

/* What `abut VERB --help` says besides the table of options. */
typedef struct usage {
    const char *verb;
    const char *summary;  /* one or more sentences */
    const char *examples; /* lines, each indented by two blanks and ended by a newline */
} usage;

/* What an option holds that was not given, where its own values do not include this. */
enum { NOT_GIVEN = -1 };

/* Rows of the table, by kind; the last argument is where the value goes. */
option option_argument(const char *name, const char *help, const char **to);
option option_optional_argument(const char *name, const char *help, const char **to);
option option_flag(const char *name, const char *help, bool *to);
option option_text(const char *name, const char *value, const char *help, const char **to);
option option_required_text(const char *name, const char *value, const char *help, const char **to);
option option_choice(const char *name, const char *value, const char *help, const char *const *choices,
                     long long *to);
option option_integer(const char *name, const char *value, const char *help, double low, double high,
                      long long *to);
option option_number(const char *name, const char *value, const char *help, double low, double high,
                     double *to);

/* Options that several verbs have, with where their values go. */
option option_json(bool *flag);
option option_q(const char **path);
option option_index(long long *index);
option option_tolerance(double *tolerance);
option option_restitution_threshold(double *speed);
option option_seed(long long *seed);

/* True: go on. False: end with *status (0 after --help, 2 after a mistake). */
bool options_parse(const usage *verb, const option *table, int argc, char **argv, int *status);

#endif
