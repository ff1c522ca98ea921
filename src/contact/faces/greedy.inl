/* Included by faces/core.inl.
 *
 * Greedy flips: no cover and no path; the most violated slack changes its contact's state until none is
 * violated.
 *
 * Fewer and cheaper events than the path, and no proof that it ends: it has a cap, and the path comes after
 * it. */

typedef enum flips { FLIPS_DONE, FLIPS_STUCK, FLIPS_LIMIT } flips;

static bool refresh_flips(faces *f)
{
    return f->tableau.length ? tableau_refresh(f) : refresh(f, 1);
}

static flips flip(faces *f, int cap, const abuti_stage_context *context)
{
    for (int count = 0;; ++count) {
        faces_event event;
        worst_slack(f, f->zero, &event);
        if (!event.found) {
            if (f->single || f->since_refresh == 0) return FLIPS_DONE;
            if (!refresh_flips(f)) return FLIPS_STUCK;
            continue;
        }
        if (count >= cap) return FLIPS_STUCK;
        if (spent(f, context)) return FLIPS_LIMIT;
        if (!event_apply(f, &event, 0.0, true)) return FLIPS_STUCK;
        if (!f->regular) return FLIPS_STUCK;
        if ((f->since_refresh >= FACES_REFRESH || f->inverse.shaky) && !refresh_flips(f)) return FLIPS_STUCK;
    }
}
