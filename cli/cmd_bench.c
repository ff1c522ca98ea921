/* abut bench: runs one benchmark of the table in bench/benches.c and prints what it measured. */

#include "cmd.h"
#include "options.h"

#include "bench.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

static int unknown_bench(const char *name)
{
    char list[512] = "";
    size_t used = 0;
    for (const bench_entry *entry = bench_entries; entry->name; ++entry) {
        int wrote = snprintf(list + used, sizeof list - used, "%s%s", used > 0 ? ", " : "", entry->name);
        if (wrote > 0 && used + (size_t)wrote < sizeof list) used += (size_t)wrote;
    }
    return cmd_error("bench", "unknown benchmark '%s'; there are: %s", name, list);
}

static int list_benches(void)
{
    printf("benchmarks:\n");
    for (const bench_entry *entry = bench_entries; entry->name; ++entry)
        printf("  %-10s %s\n", entry->name, entry->summary);
    return EXIT_SOLVED;
}

static int write_csv(const bench *b, const char *path)
{
    FILE *file = fopen(path, "w");
    if (!file) return cmd_error("bench", "%s: cannot be written", path);
    bench_print_csv(b, file);
    if (ferror(file) | fclose(file)) return cmd_error("bench", "%s: could not be written wholly", path);
    return EXIT_SOLVED;
}

/* 0 when every problem of every row was solved and verified. */
static int verdict(const bench *b)
{
    if (b->failed) return cmd_error("bench", "out of memory");
    for (int i = 0; i < b->row_count; ++i)
        if (b->rows[i].solved < b->rows[i].count) return EXIT_NOT_SOLVED;
    return EXIT_SOLVED;
}

int cmd_bench(int argc, char **argv)
{
    const char *name = NULL, *csv = NULL;
    bool json = false;
    long long count = 0, seed = 1;
    const option table[] = {
        option_optional_argument("NAME", "which benchmark; none: list them", &name),
        option_json(&json),
        option_text("--csv", "FILE", "also write the rows as CSV", &csv),
        option_integer("--count", "N", "problems a row, in place of the benchmark's own number", 1, 1e6,
                       &count),
        option_seed(&seed),
        {0},
    };
    static const usage help = {
        "bench",
        "Solves families of problems under the clock, verifies every answer, and prints medians. The\n"
        "yardstick is one plain 50 x 50 Gaussian elimination on this machine. Exit status 1 when a\n"
        "problem was not solved.",
        "  abut bench lcp\n  abut bench lcp --count 5 --csv lcp.csv\n",
    };
    int status;
    if (!options_parse(&help, table, argc, argv, &status)) return status;
    if (!name) return list_benches();
    const bench_entry *entry = bench_entries;
    while (entry->name && strcmp(entry->name, name) != 0) entry++;
    if (!entry->name) return unknown_bench(name);

    bench b = {.name = entry->name,
               .seed = (unsigned long long)seed,
               .wanted = (int)count,
               .yardstick_us = bench_yardstick_us(50, 1001),
               .progress = isatty(STDERR_FILENO) != 0};
    entry->run(&b);
    if (b.progress) fputs("\r\033[K", stderr);
    if (json)
        bench_print_json(&b, stdout);
    else
        bench_print_table(&b, stdout);
    status = verdict(&b);
    if (csv && write_csv(&b, csv) != EXIT_SOLVED) status = EXIT_BAD_INPUT;
    bench_free(&b);
    return status;
}
