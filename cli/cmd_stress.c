/* abut stress: runs the families of one campaign of bench/campaigns.c and counts what came out. */

#include "cmd.h"
#include "options.h"

#include "io/json_write.h"
#include "stress.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* "lcp" names a campaign, "lcp/psd" one family of it. */
static bool matches(const stress_family *family, const char *name)
{
    size_t length = strlen(family->campaign);
    if (strncmp(name, family->campaign, length) != 0) return false;
    return name[length] == '\0' || (name[length] == '/' && strcmp(name + length + 1, family->name) == 0);
}

/* Each campaign with the names of its families. */
static int list_campaigns(void)
{
    enum { WIDTH = 100, MARGIN = 24 };
    int column = 0;
    printf("campaigns and their families ('abut stress NAME --list' describes them):");
    for (const stress_family *f = stress_families; f->campaign; ++f) {
        bool first = f == stress_families || strcmp(f->campaign, f[-1].campaign) != 0;
        bool full = column + (int)strlen(f->name) + 2 > WIDTH;
        if (first)
            printf("\n  %-*s", MARGIN - 2, f->campaign);
        else
            printf("%s%*s", full ? ",\n" : ", ", full ? MARGIN : 0, "");
        if (first || full) column = MARGIN;
        column += 2 + printf("%s", f->name);
    }
    printf("\n");
    return EXIT_SOLVED;
}

static int describe_families(const char *name)
{
    int matched = 0;
    for (const stress_family *f = stress_families; f->campaign; ++f) {
        if (!matches(f, name)) continue;
        printf("  %s/%-*s %s; %d problems\n", f->campaign, 28 - (int)strlen(f->campaign), f->name, f->summary,
               f->usual_count);
        matched++;
    }
    return matched > 0 ? EXIT_SOLVED
                       : cmd_error("stress", "unknown campaign '%s' ('abut stress' lists them)", name);
}

static void print_row(const stress_family *family, const stress_tally *t)
{
    printf("%-20s %9lld %9lld %7lld %10lld %6lld %6lld %9lld %9.1e %8.1f\n", family->name, t->count,
           t->outcomes[ABUT_SOLVED], t->outcomes[ABUT_RAY], t->outcomes[ABUT_INFEASIBLE],
           t->outcomes[ABUT_LIMIT], t->outcomes[ABUT_FAILED], t->rejected, t->worst_residual, t->seconds);
    if (t->first_dump[0] != '\0') printf("    first failure: %s\n", t->first_dump);
}

static void write_row(abuti_json *json, const stress_family *family, const stress_tally *t)
{
    abuti_json_open(json, NULL, '{', false);
    abuti_json_string(json, "family", family->name);
    abuti_json_integer(json, "count", t->count);
    for (int o = ABUT_SOLVED; o <= ABUT_FAILED; ++o)
        abuti_json_integer(json, abut_outcome_name((abut_outcome)o), t->outcomes[o]);
    abuti_json_integer(json, "rejected", t->rejected);
    abuti_json_number(json, "worst_residual", t->worst_residual);
    abuti_json_number(json, "seconds", t->seconds);
    if (t->first_dump[0] != '\0')
        abuti_json_string(json, "first_failure", t->first_dump);
    else
        abuti_json_null(json, "first_failure");
    abuti_json_close(json, '}');
}

static int run_families(const char *name, const stress_options *options, bool as_json)
{
    abuti_json json = abuti_json_on(stdout);
    int matched = 0, status = EXIT_SOLVED;
    for (const stress_family *f = stress_families; f->campaign; ++f) {
        if (!matches(f, name)) continue;
        if (matched++ == 0 && as_json) {
            abuti_json_open(&json, NULL, '{', true);
            abuti_json_string(&json, "name", name);
            abuti_json_integer(&json, "seed", (long long)options->seed);
            abuti_json_open(&json, "rows", '[', true);
        } else if (matched == 1) {
            printf("%s, seed %llu\n\n%-20s %9s %9s %7s %10s %6s %6s %9s %9s %8s\n", name,
                   (unsigned long long)options->seed, "family", "count", "solved", "ray", "infeasible",
                   "limit", "failed", "rejected", "residual", "seconds");
        }
        stress_tally tally;
        if (!stress_run(f, options, &tally))
            status = cmd_error("stress", "%s/%s: out of memory, or a failure could not be written to %s",
                               f->campaign, f->name, options->directory);
        if (tally.rejected > 0 && status == EXIT_SOLVED) status = EXIT_NOT_SOLVED;
        if (as_json)
            write_row(&json, f, &tally);
        else
            print_row(f, &tally);
        fflush(stdout);
    }
    if (matched == 0) return cmd_error("stress", "unknown campaign '%s' ('abut stress' lists them)", name);
    if (as_json) {
        abuti_json_close(&json, ']');
        abuti_json_close(&json, '}');
    }
    return status;
}

int cmd_stress(int argc, char **argv)
{
    const char *name = NULL, *directory = ".";
    bool json = false, list = false;
    long long count = 0, first = 0, seed = 1;
    const option table[] = {
        option_optional_argument("NAME", "campaign, or campaign/family; none: list them", &name),
        option_integer("--count", "N", "problems a family (default: the campaign's own number)", 1, 1e12,
                       &count),
        option_integer("--first", "I", "index of the first problem (default 0)", 0, 1e12, &first),
        option_seed(&seed),
        option_text("--dumps", "DIR", "where failing problems are written (default: here)", &directory),
        option_flag("--list", "describe the families instead of running them", &list),
        option_json(&json),
        {0},
    };
    static const usage help = {
        "stress",
        "Makes random problems, solves them, verifies every answer and counts the outcomes. A problem\n"
        "that abut should have solved is `rejected` and written to a file that `abut lcp` or `abut solve`\n"
        "reads. Problem I of a family depends on the seed and I alone. Exit status 1 when any was rejected.",
        "  abut stress lcp --count 1000\n  abut stress lcp/semidefinite --seed 7 --first 4711 --count 1\n",
    };
    int status;
    if (!options_parse(&help, table, argc, argv, &status)) return status;
    if (!name) return list_campaigns();
    if (list) return describe_families(name);
    stress_options options = {.count = count,
                              .first = first,
                              .seed = (unsigned long long)seed,
                              .directory = directory,
                              .progress = isatty(STDERR_FILENO) != 0};
    return run_families(name, &options, json);
}
