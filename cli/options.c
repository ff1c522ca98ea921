#include "options.h"

#include "cmd.h"

#include "io/words.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- rows of the table ---- */

option option_argument(const char *name, const char *help, const char **to)
{
    return (option){.name = name, .help = help, .kind = OPTION_ARGUMENT, .text = to};
}

option option_optional_argument(const char *name, const char *help, const char **to)
{
    return (option){.name = name, .help = help, .kind = OPTION_OPTIONAL_ARGUMENT, .text = to};
}

option option_flag(const char *name, const char *help, bool *to)
{
    return (option){.name = name, .help = help, .kind = OPTION_FLAG, .flag = to};
}

option option_text(const char *name, const char *value, const char *help, const char **to)
{
    return (option){.name = name, .value = value, .help = help, .kind = OPTION_TEXT, .text = to};
}

option option_required_text(const char *name, const char *value, const char *help, const char **to)
{
    return (option){.name = name, .value = value, .help = help, .kind = OPTION_REQUIRED_TEXT, .text = to};
}

option option_choice(const char *name, const char *value, const char *help, const char *const *choices,
                     long long *to)
{
    option row = {.name = name, .value = value, .help = help, .kind = OPTION_CHOICE, .integer = to};
    row.choices = choices;
    return row;
}

option option_integer(const char *name, const char *value, const char *help, double low, double high,
                      long long *to)
{
    option row = {.name = name, .value = value, .help = help, .kind = OPTION_INTEGER, .integer = to};
    row.low = low;
    row.high = high;
    return row;
}

option option_number(const char *name, const char *value, const char *help, double low, double high,
                     double *to)
{
    option row = {.name = name, .value = value, .help = help, .kind = OPTION_NUMBER, .number = to};
    row.low = low;
    row.high = high;
    return row;
}

/* ---- what several verbs share ---- */

option option_json(bool *flag)
{
    return option_flag("--json", "one JSON object on standard output", flag);
}

option option_q(const char **path)
{
    return option_text("--q", "FILE", "q, when the problem is a Matrix Market file", path);
}

option option_index(long long *index)
{
    return option_integer("--index", "K", "which problem of a contactset (default 0)", 0, 1e9, index);
}

option option_tolerance(double *tolerance)
{
    return option_number("--tolerance", "T", "residual that still counts as solved (default 1e-9)", 1e-15,
                         1e-3, tolerance);
}

option option_restitution_threshold(double *speed)
{
    return option_number("--restitution-threshold", "V",
                         "m/s: contacts that approach no faster land and do not bounce (default 0.01)", 0,
                         1e100, speed);
}

option option_seed(long long *seed)
{
    return option_integer("--seed", "S", "of the random problems (default 1)", 0, 9e15, seed);
}

int cmd_error(const char *verb, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fprintf(stderr, "abut %s: ", verb);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
    return EXIT_BAD_INPUT;
}

static bool is_argument(const option *o)
{
    return o->kind == OPTION_ARGUMENT || o->kind == OPTION_OPTIONAL_ARGUMENT;
}

/* ---- help ---- */

/* Where help texts begin, and where lines end. */
enum { TEXT_AT = 23, WIDTH = 100 };

/* Prints a text word by word, so that no line grows beyond WIDTH; returns the column it ends at. */
static int print_wrapped(const char *text, int column)
{
    while (*text != '\0') {
        int length = (int)strcspn(text, " ");
        bool first = column == TEXT_AT;
        if (!first && column + 1 + length > WIDTH) {
            printf("\n%*s", TEXT_AT, "");
            column = TEXT_AT;
            first = true;
        }
        column += printf("%s%.*s", first ? "" : " ", length, text);
        text += length + (text[length] == ' ');
    }
    return column;
}

static void print_option(const option *o)
{
    char left[64];
    snprintf(left, sizeof left, "%s%s%s", o->name, o->value ? " " : "", o->value ? o->value : "");
    int used = printf("  %s", left);
    if (used >= TEXT_AT) printf("\n");
    printf("%*s", used >= TEXT_AT ? TEXT_AT : TEXT_AT - used, "");
    int column = print_wrapped(o->help, TEXT_AT);
    for (int i = 0; o->choices && o->choices[i]; ++i) {
        column += printf(i > 0 ? "," : ":");
        column = print_wrapped(o->choices[i], column);
    }
    printf("\n");
}

static bool is_required(const option *o)
{
    return o->kind == OPTION_ARGUMENT || o->kind == OPTION_REQUIRED_TEXT;
}

static void print_help(const usage *verb, const option *table)
{
    int margin = printf("usage: abut %s", verb->verb), column = margin;
    for (const option *o = table; o->name; ++o) {
        char part[96];
        bool optional = !is_required(o);
        int length = snprintf(part, sizeof part, " %s%s%s%s%s", optional ? "[" : "", o->name,
                              o->value ? " " : "", o->value ? o->value : "", optional ? "]" : "");
        if (column + length > WIDTH) {
            printf("\n%*s", margin, "");
            column = margin;
        }
        column += printf("%s", part);
    }
    printf("\n\n%s\n\n", verb->summary);
    for (const option *o = table; o->name; ++o) print_option(o);
    printf("  %-20s %s\n\nexamples:\n%s", "--help", "this text", verb->examples);
}

/* ---- suggestions ---- */

static int unknown_option(const usage *verb, const option *table, const char *word)
{
    const char *names[32];
    int count = 0;
    for (const option *o = table; o->name && count < 32; ++o)
        if (!is_argument(o)) names[count++] = o->name;
    const char *closest = abuti_closest_word(word, names, count);
    if (closest)
        return cmd_error(verb->verb, "unknown option '%s'; did you mean %s? ('abut %s --help' lists all)",
                         word, closest, verb->verb);
    return cmd_error(verb->verb, "unknown option '%s' ('abut %s --help' lists all)", word, verb->verb);
}

/* ---- values ---- */

static int set_number(const usage *verb, const option *o, const char *value)
{
    char *end = NULL;
    errno = 0;
    double number = strtod(value, &end);
    if (end == value || *end != '\0' || !isfinite(number) || number < o->low || number > o->high)
        return cmd_error(verb->verb, "%s '%s': expected a number from %g to %g", o->name, value, o->low,
                         o->high);
    *o->number = number;
    return EXIT_SOLVED;
}

static int set_integer(const usage *verb, const option *o, const char *value)
{
    char *end = NULL;
    errno = 0;
    long long number = strtoll(value, &end, 10);
    if (end == value || *end != '\0' || errno == ERANGE || (double)number < o->low ||
        (double)number > o->high)
        return cmd_error(verb->verb, "%s '%s': expected a whole number from %.0f to %.0f", o->name, value,
                         o->low, o->high);
    *o->integer = number;
    return EXIT_SOLVED;
}

static int set_choice(const usage *verb, const option *o, const char *value)
{
    char list[256] = "";
    size_t used = 0;
    int count = 0;
    for (int i = 0; o->choices[i]; ++i, ++count) {
        if (strcmp(o->choices[i], value) == 0) {
            *o->integer = i;
            return EXIT_SOLVED;
        }
        int wrote = snprintf(list + used, sizeof list - used, "%s%s", i > 0 ? ", " : "", o->choices[i]);
        if (wrote > 0 && used + (size_t)wrote < sizeof list) used += (size_t)wrote;
    }
    const char *closest = abuti_closest_word(value, o->choices, count);
    if (closest)
        return cmd_error(verb->verb, "%s '%s': did you mean %s? expected one of %s", o->name, value, closest,
                         list);
    return cmd_error(verb->verb, "%s '%s': expected one of %s", o->name, value, list);
}

static int set_value(const usage *verb, const option *o, const char *value)
{
    switch (o->kind) {
    case OPTION_NUMBER: return set_number(verb, o, value);
    case OPTION_INTEGER: return set_integer(verb, o, value);
    case OPTION_CHOICE: return set_choice(verb, o, value);
    default: *o->text = value; return EXIT_SOLVED;
    }
}

/* ---- the walk over the command line ---- */

/* The option `word` names, "--name" or "--name=value" (then *value points into it), or NULL. */
static const option *find_option(const option *table, const char *word, const char **value)
{
    size_t length = strcspn(word, "=");
    *value = word[length] == '=' ? word + length + 1 : NULL;
    for (const option *o = table; o->name; ++o)
        if (!is_argument(o) && strlen(o->name) == length && strncmp(o->name, word, length) == 0) return o;
    return NULL;
}

static int take_option(const usage *verb, const option *table, int argc, char **argv, int *i)
{
    const char *value = NULL;
    const option *o = find_option(table, argv[*i], &value);
    if (!o) return unknown_option(verb, table, argv[*i]);
    if (o->kind == OPTION_FLAG) {
        if (value) return cmd_error(verb->verb, "%s takes no value", o->name);
        *o->flag = true;
        return EXIT_SOLVED;
    }
    if (!value) {
        if (*i + 1 >= argc)
            return cmd_error(verb->verb, "%s needs a value: %s %s", o->name, o->name, o->value);
        value = argv[++*i];
    }
    return set_value(verb, o, value);
}

/* The first positional that has no value yet, or NULL. */
static const option *next_argument(const option *table, int taken)
{
    for (const option *o = table; o->name; ++o)
        if (is_argument(o) && taken-- == 0) return o;
    return NULL;
}

/* What must be given and was not. */
static int refuse_missing(const usage *verb, const option *table)
{
    for (const option *o = table; o->name; ++o) {
        if (!is_required(o) || *o->text) continue;
        return cmd_error(verb->verb, "%s%s%s is missing ('abut %s --help' shows the usage)", o->name,
                         o->value ? " " : "", o->value ? o->value : "", verb->verb);
    }
    return EXIT_SOLVED;
}

bool options_parse(const usage *verb, const option *table, int argc, char **argv, int *status)
{
    int taken = 0;
    bool only_arguments = false;
    *status = EXIT_SOLVED;
    for (int i = 1; i < argc; ++i)
        if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0) {
            print_help(verb, table);
            return false;
        }
    for (int i = 1; i < argc && *status == EXIT_SOLVED; ++i) {
        if (!only_arguments && strcmp(argv[i], "--") == 0) {
            only_arguments = true;
        } else if (!only_arguments && argv[i][0] == '-' && argv[i][1] != '\0') {
            *status = take_option(verb, table, argc, argv, &i);
        } else {
            const option *o = next_argument(table, taken++);
            if (!o)
                *status = cmd_error(verb->verb, "unexpected argument '%s' ('abut %s --help' shows the usage)",
                                    argv[i], verb->verb);
            else
                *o->text = argv[i];
        }
    }
    if (*status == EXIT_SOLVED) *status = refuse_missing(verb, table);
    return *status == EXIT_SOLVED;
}
