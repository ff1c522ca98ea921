/* Included by faces/core.inl.
 *
 * Greedy flips, without a cover and without a path: the most violated slack changes the state of its contact,
 * until no slack is violated.
 *
 * There are fewer and cheaper events than on the path, but there is no proof that they end. So they have a
 * cap, and the path comes after them. */

typedef enum flips { FLIPS_DONE, FLIPS_STUCK, FLIPS_LIMIT } flips;

static flips flip(faces *f, int cap, const abuti_stage_context *context)
{
    for (int count = 0;; ++count) {
        faces_event event;
        worst_slack(f, f->zero, &event);
        if (!event.found) {
            if (f->since_refresh <= f->basis->accurate) return FLIPS_DONE;
            if (!f->basis->refresh(f, 1)) return FLIPS_STUCK;
            continue;
        }
        if (count >= cap) return FLIPS_STUCK;
        if (spent(f, context)) return FLIPS_LIMIT;
        if (!event_apply(f, &event, 0.0, true)) return FLIPS_STUCK;
        if (!f->regular) return FLIPS_STUCK;
        if (refresh_due(f) && !f->basis->refresh(f, 1)) return FLIPS_STUCK;
    }
}
