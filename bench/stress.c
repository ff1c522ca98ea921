#include "stress.h"
#include "timer.h"

#include <math.h>
#include <string.h>

/* The same family name in two campaigns gets two streams (FNV-1a). */
static uint64_t hash_name(const char *text, uint64_t hash)
{
    for (; *text != '\0'; ++text) hash = (hash ^ (unsigned char)*text) * 0x100000001b3u;
    return hash;
}

/* Dumps at most this many problems of a family: the first ones tell the story. */
enum { DUMPS_MAX = 5 };

static bool dump(const stress_family *family, void *state, const stress_options *options, long long index,
                 stress_tally *tally)
{
    char path[256];
    int length =
        snprintf(path, sizeof path, "%s/stress-%s-%s-seed%llu-%lld%s", options->directory, family->campaign,
                 family->name, (unsigned long long)options->seed, index, family->suffix);
    FILE *file = length < (int)sizeof path ? fopen(path, "w") : NULL;
    if (!file) return false;
    bool written = family->dump(state, file);
    written = fclose(file) == 0 && written;
    if (written && tally->first_dump[0] == '\0') memcpy(tally->first_dump, path, sizeof path);
    return written;
}

static void count_verdict(stress_tally *tally, const stress_verdict *verdict)
{
    tally->count++;
    tally->outcomes[verdict->outcome]++;
    if (!verdict->accepted) tally->rejected++;
    /* A NaN residual must show: it replaces any number. */
    if (verdict->outcome == ABUT_SOLVED && !(verdict->residual <= tally->worst_residual))
        tally->worst_residual = verdict->residual;
}

bool stress_run(const stress_family *family, const stress_options *options, stress_tally *tally)
{
    *tally = (stress_tally){0};
    void *state = family->open_named ? family->open_named(family) : family->open();
    if (!state) return false;
    uint64_t seed = hash_name(family->name, hash_name(family->campaign, 0xcbf29ce484222325u ^ options->seed));
    long long count = options->count > 0 ? options->count : family->usual_count;
    bool dumped = true;
    double start = bench_now_us(), told = start;
    for (long long i = options->first; i < options->first + count; ++i) {
        bench_random random = bench_random_stream(seed, (uint64_t)i);
        stress_verdict verdict = family->one(state, &random);
        count_verdict(tally, &verdict);
        if (!verdict.accepted && tally->rejected <= DUMPS_MAX)
            dumped = dump(family, state, options, i, tally) && dumped;
        double now = bench_now_us();
        if (options->progress && now - told > 2e5) {
            fprintf(stderr, "\r\033[K%s/%s %lld of %lld, %lld failures", family->campaign, family->name,
                    tally->count, count, tally->rejected);
            told = now;
        }
    }
    if (options->progress) fputs("\r\033[K", stderr);
    tally->seconds = (bench_now_us() - start) * 1e-6;
    family->close(state);
    return dumped;
}
