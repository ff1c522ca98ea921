/* The three ways a report is printed: a table for people, JSON for scripts, CSV for figures. */
#include "bench.h"
#include "io/json_write.h"

#include <math.h>
#include <string.h>

const char *bench_machine(void)
{
    static char name[128] = "";
    if (name[0] != '\0') return name;
    snprintf(name, sizeof name, "unknown processor");
    FILE *file = fopen("/proc/cpuinfo", "r");
    char line[256];
    while (file && fgets(line, sizeof line, file)) {
        char *colon = strchr(line, ':');
        if (strncmp(line, "model name", 10) == 0 && colon) {
            line[strcspn(line, "\n")] = '\0';
            snprintf(name, sizeof name, "%.120s", colon + 2);
            break;
        }
    }
    if (file) fclose(file);
    return name;
}

/* The names of all extra columns, in order of first appearance. */
static int extra_names(const bench *b, const char *names[BENCH_EXTRA_MAX])
{
    int count = 0;
    for (int i = 0; i < b->row_count; ++i)
        for (int e = 0; e < b->rows[i].extra_count; ++e) {
            int k = 0;
            while (k < count && strcmp(names[k], b->rows[i].extra[e].name) != 0) k++;
            if (k == count && count < BENCH_EXTRA_MAX) names[count++] = b->rows[i].extra[e].name;
        }
    return count;
}

static double extra_value(const bench_row *row, const char *name)
{
    for (int e = 0; e < row->extra_count; ++e)
        if (strcmp(row->extra[e].name, name) == 0) return row->extra[e].value;
    return NAN;
}

void bench_print_table(const bench *b, FILE *file)
{
    const char *names[BENCH_EXTRA_MAX];
    int extras = extra_names(b, names);
    int width = 6;
    for (int i = 0; i < b->row_count; ++i)
        if ((int)strlen(b->rows[i].family) > width) width = (int)strlen(b->rows[i].family);
    fprintf(file, "%s on %s; yardstick %.1f us; seed %llu\n\n", b->name, bench_machine(), b->yardstick_us,
            (unsigned long long)b->seed);
    fprintf(file, "%-*s %6s  %-16s %7s %7s %9s %8s %11s %11s %10s", width, "family", "size", "solver",
            "count", "solved", "residual", "pivots", "p50 us", "p99 us", "yardsticks");
    for (int e = 0; e < extras; ++e) fprintf(file, " %12s", names[e]);
    fputc('\n', file);
    for (int i = 0; i < b->row_count; ++i) {
        const bench_row *row = &b->rows[i];
        fprintf(file, "%-*s %6d  %-16s %7d %7d %9.1e %8.1f %11.2f %11.2f %10.2f", width, row->family,
                row->size, row->solver, row->count, row->solved, row->worst_residual, row->pivots,
                row->p50_us, row->p99_us, row->p50_us / b->yardstick_us);
        for (int e = 0; e < extras; ++e) {
            double value = extra_value(row, names[e]);
            if (isnan(value))
                fprintf(file, " %12s", "");
            else
                fprintf(file, " %12.4g", value);
        }
        fputc('\n', file);
    }
    if (b->note_count > 0) fputc('\n', file);
    for (int i = 0; i < b->note_count; ++i) fprintf(file, "%s\n", b->notes[i]);
}

void bench_print_json(const bench *b, FILE *file)
{
    abuti_json json = abuti_json_on(file);
    abuti_json_open(&json, NULL, '{', true);
    abuti_json_string(&json, "name", b->name);
    abuti_json_string(&json, "machine", bench_machine());
    abuti_json_number(&json, "yardstick_us", b->yardstick_us);
    abuti_json_integer(&json, "seed", (long long)b->seed);
    abuti_json_open(&json, "rows", '[', true);
    for (int i = 0; i < b->row_count; ++i) {
        const bench_row *row = &b->rows[i];
        abuti_json_open(&json, NULL, '{', false);
        abuti_json_string(&json, "family", row->family);
        abuti_json_integer(&json, "size", row->size);
        abuti_json_string(&json, "solver", row->solver);
        abuti_json_integer(&json, "count", row->count);
        abuti_json_integer(&json, "solved", row->solved);
        abuti_json_number(&json, "worst_residual", row->worst_residual);
        abuti_json_number(&json, "pivots", row->pivots);
        abuti_json_number(&json, "p50_us", row->p50_us);
        abuti_json_number(&json, "p99_us", row->p99_us);
        for (int e = 0; e < row->extra_count; ++e)
            abuti_json_number(&json, row->extra[e].name, row->extra[e].value);
        abuti_json_close(&json, '}');
    }
    abuti_json_close(&json, ']');
    abuti_json_open(&json, "notes", '[', true);
    for (int i = 0; i < b->note_count; ++i) abuti_json_string(&json, NULL, b->notes[i]);
    abuti_json_close(&json, ']');
    abuti_json_close(&json, '}');
}

void bench_print_csv(const bench *b, FILE *file)
{
    const char *names[BENCH_EXTRA_MAX];
    int extras = extra_names(b, names);
    fputs("family,size,solver,count,solved,worst_residual,pivots,p50_us,p99_us,yardstick_us", file);
    for (int e = 0; e < extras; ++e) fprintf(file, ",%s", names[e]);
    fputc('\n', file);
    for (int i = 0; i < b->row_count; ++i) {
        const bench_row *row = &b->rows[i];
        fprintf(file, "%s,%d,%s,%d,%d,%.17g,%.17g,%.17g,%.17g,%.17g", row->family, row->size, row->solver,
                row->count, row->solved, row->worst_residual, row->pivots, row->p50_us, row->p99_us,
                b->yardstick_us);
        for (int e = 0; e < extras; ++e) {
            double value = extra_value(row, names[e]);
            if (isnan(value))
                fputc(',', file);
            else
                fprintf(file, ",%.17g", value);
        }
        fputc('\n', file);
    }
}
