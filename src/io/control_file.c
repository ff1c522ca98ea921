#include "io/control_file.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LINE_MAX_BYTES = 1 << 16 };

static bool fail(abut_error *error, const char *path, long line, const char *what)
{
    snprintf(error->text, sizeof error->text, "%.120s:%ld: %.100s", path, line, what);
    return false;
}

/* Reads the numbers of a line. Returns how many there are, or -1 when the line holds something else. */
static int read_line(const char *line, double *numbers, int room)
{
    int count = 0;
    for (const char *at = line; *at != '\0';) {
        while (isspace((unsigned char)*at) || *at == ',') at++;
        if (*at == '\0') break;
        char *end;
        double value = strtod(at, &end);
        if (end == at || !isfinite(value) || (*end != '\0' && *end != ',' && !isspace((unsigned char)*end)))
            return -1;
        if (count < room) numbers[count] = value;
        count++;
        at = end;
    }
    return count;
}

static bool add_row(abuti_control *control, const double *row)
{
    size_t width = (size_t)control->columns + 1, rows = (size_t)control->rows;
    if ((rows & (rows - 1)) == 0) { /* the room is doubled */
        double *more = realloc(control->numbers, (rows > 0 ? 2 * rows : 1) * width * sizeof *more);
        if (!more) return false;
        control->numbers = more;
    }
    memcpy(control->numbers + rows * width, row, width * sizeof *row);
    control->rows++;
    return true;
}

static bool read_file(abuti_control *control, FILE *file, const char *path, char *line, double *row,
                      abut_error *error)
{
    double before = -INFINITY;
    for (long number = 1; fgets(line, LINE_MAX_BYTES, file); ++number) {
        if (line[0] == '#' || line[strspn(line, " \t\r\n")] == '\0') continue;
        int count = read_line(line, row, control->columns + 1);
        if (count < 0 && control->rows == 0 && number == 1) continue;
        if (count < 0) return fail(error, path, number, "expected finite numbers, separated by commas");
        if (count != control->columns + 1) {
            char what[80];
            snprintf(what, sizeof what, "%d numbers; expected a time and %d inputs", count, control->columns);
            return fail(error, path, number, what);
        }
        if (!(row[0] >= before)) return fail(error, path, number, "expected times that grow");
        before = row[0];
        if (!add_row(control, row)) return fail(error, path, number, "out of memory");
    }
    return control->rows > 0 || fail(error, path, 1, "expected at least one line of numbers");
}

bool abuti_control_read(abuti_control *control, const char *path, int actuators, abut_error *error)
{
    *control = (abuti_control){.columns = actuators};
    FILE *file = fopen(path, "r");
    if (!file) {
        snprintf(error->text, sizeof error->text, "%.120s: %s", path, strerror(errno));
        return false;
    }
    char *line = malloc(LINE_MAX_BYTES);
    double *row = malloc(((size_t)actuators + 1) * sizeof *row);
    bool good = line && row ? read_file(control, file, path, line, row, error)
                            : fail(error, path, 1, "out of memory");
    free(line);
    free(row);
    fclose(file);
    return good;
}

void abuti_control_apply(abuti_control *control, double time, double *ctrl)
{
    size_t width = (size_t)control->columns + 1;
    if (control->rows == 0) return;
    while (control->at + 1 < control->rows && control->numbers[(size_t)(control->at + 1) * width] <= time)
        control->at++;
    const double *row = control->numbers + (size_t)control->at * width;
    if (row[0] <= time) memcpy(ctrl, row + 1, (size_t)control->columns * sizeof *ctrl);
}

void abuti_control_release(abuti_control *control)
{
    free(control->numbers);
    control->numbers = NULL;
}
