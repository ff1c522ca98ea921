/* abut record: what is in a recording. */

#include "cmd.h"
#include "options.h"
#include "recording.h"

#include "io/json_write.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char *const endings[] = {"complete", "interrupted", "damaged"};

/* What the steps come to. */
typedef struct totals {
    double begin, end, residual, longest, microseconds, joint_impulse;
    long long contacts, pivots;
    int unsolved;
} totals;

static totals add_up(abut_record_reader *reader)
{
    totals t = {0};
    int joints = abut_record_reader_scene(reader)->joint_count;
    abut_record_step step;
    for (int i = 0; abut_record_reader_next(reader, &step); ++i) {
        if (i == 0) t.begin = step.time;
        t.end = step.time;
        t.residual = fmax(t.residual, step.residual);
        t.longest = fmax(t.longest, step.microseconds);
        t.microseconds += step.microseconds;
        t.contacts += step.contact_count;
        t.pivots += step.pivots;
        t.unsolved += step.outcome != ABUT_SOLVED;
        for (int j = 0; j < joints; ++j) t.joint_impulse = fmax(t.joint_impulse, step.joints[j].impulse);
    }
    return t;
}

static void print_table(const recording *r, const totals *t)
{
    const abut_record_scene *s = abut_record_reader_scene(r->reader);
    const abut_record_extent *e = abut_record_reader_extent(r->reader);
    int steps = e->steps > 0 ? e->steps : 1;
    printf("%s\n%s\n\n", s->title, s->caption);
    printf("version     %d\n", ABUT_RECORD_VERSION);
    printf("size        %zu bytes, %.1f a step\n", r->size, (double)r->size / steps);
    printf("steps       %d of %g s, from %.6g s to %.6g s, %s\n", e->steps, s->step, t->begin, t->end,
           endings[e->ending]);
    printf("bodies      %d, with %d shapes and %d joints\n", s->body_count, s->shape_count, s->joint_count);
    printf("contacts    %.1f a step, at most %d\n", (double)t->contacts / steps, e->contacts);
    if (s->joint_count > 0) printf("joints      carry at most %.4g N s a step\n", t->joint_impulse);
    printf("model       %s, solver %s\n", s->model, s->solver);
    printf("solved      %d of %d steps, residual at most %.1e\n", e->steps - t->unsolved, e->steps,
           t->residual);
    printf("pivots      %.1f a step\n", (double)t->pivots / steps);
    printf("time        %.3g us a step, at most %.3g us\n", t->microseconds / steps, t->longest);
    if (e->ending != ABUT_RECORD_COMPLETE) printf("\n%s. What comes before is whole.\n", e->what.text);
}

static void print_json(const recording *r, const totals *t)
{
    const abut_record_scene *s = abut_record_reader_scene(r->reader);
    const abut_record_extent *e = abut_record_reader_extent(r->reader);
    abuti_json json = abuti_json_on(stdout);
    abuti_json_open(&json, NULL, '{', true);
    abuti_json_integer(&json, "version", ABUT_RECORD_VERSION);
    abuti_json_string(&json, "title", s->title);
    abuti_json_string(&json, "caption", s->caption);
    abuti_json_string(&json, "model", s->model);
    abuti_json_string(&json, "solver", s->solver);
    abuti_json_number(&json, "step", s->step);
    abuti_json_integer(&json, "bytes", (long long)r->size);
    abuti_json_integer(&json, "whole_bytes", (long long)e->bytes);
    abuti_json_string(&json, "ending", endings[e->ending]);
    abuti_json_string(&json, "problem", e->what.text);
    abuti_json_integer(&json, "steps", e->steps);
    abuti_json_number(&json, "begin", t->begin);
    abuti_json_number(&json, "end", t->end);
    abuti_json_integer(&json, "bodies", s->body_count);
    abuti_json_integer(&json, "shapes", s->shape_count);
    abuti_json_integer(&json, "joints", s->joint_count);
    abuti_json_number(&json, "joint_impulse", t->joint_impulse);
    abuti_json_integer(&json, "contacts", t->contacts);
    abuti_json_integer(&json, "most_contacts", e->contacts);
    abuti_json_integer(&json, "unsolved", t->unsolved);
    abuti_json_number(&json, "residual", t->residual);
    abuti_json_integer(&json, "pivots", t->pivots);
    abuti_json_number(&json, "time_us", t->microseconds);
    abuti_json_number(&json, "longest_us", t->longest);
    abuti_json_close(&json, '}');
}

int cmd_record(int argc, char **argv)
{
    const char *action = NULL, *path = NULL;
    bool json = false;
    const option table[] = {
        option_argument("ACTION", "info: what is in it, and how much of it is whole", &action),
        option_argument("FILE", "a recording", &path),
        option_json(&json),
        {0},
    };
    static const usage help = {
        "record",
        "Recordings are what simulations leave (docs/recording.md). Exit status: 0 complete; 1 cut off or "
        "damaged, with\n"
        "what is whole; 2 no recording.",
        "  abut record info peg.abr\n"
        "  abut record info peg.abr --json\n",
    };
    int status;
    if (!options_parse(&help, table, argc, argv, &status)) return status;
    if (strcmp(action, "info") != 0)
        return cmd_error("record", "'%s': expected info ('abut record --help' shows the usage)", action);
    recording r;
    abut_error error;
    if (!recording_open(&r, path, &error)) return cmd_error("record", "%s", error.text);
    totals t = add_up(r.reader);
    if (json)
        print_json(&r, &t);
    else
        print_table(&r, &t);
    status =
        abut_record_reader_extent(r.reader)->ending == ABUT_RECORD_COMPLETE ? EXIT_SOLVED : EXIT_NOT_SOLVED;
    recording_close(&r);
    return status;
}
