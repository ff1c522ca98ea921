/* Included by faces/core.inl.
 *
 * Greedy flips, without a cover and without a path: the most violated slack changes the state of its contact,
 * until no slack is violated.
 *
 * There are fewer and cheaper events than on the path, but there is no proof that they end. So they have a
 * cap, and the path comes after them. */

typedef enum flips { FLIPS_DONE, FLIPS_STUCK, FLIPS_LIMIT } flips;

/* Whether an event takes back what the last one did: flips would go in circles. */
static bool undoes(const faces_event *event, const faces_event *last)
{
    if (event->contact != last->contact) return false;
    switch (last->change) {
    case FACES_TURN_UP: return event->change == FACES_VERTEX_DOWN;
    case FACES_TURN_DOWN: return event->change == FACES_VERTEX_UP;
    case FACES_VERTEX_UP: return event->change == FACES_TURN_DOWN;
    case FACES_VERTEX_DOWN: return event->change == FACES_TURN_UP;
    default: return false;
    }
}

static flips flip(faces *f, int cap, const abuti_stage_context *context)
{
    faces_event last = {.contact = FACES_NONE};
    for (int count = 0;; ++count) {
        faces_event event;
        worst_slack(f, f->zero, &event);
        if (!event.found) {
            if (f->since_refresh <= f->basis->accurate) return FLIPS_DONE;
            if (!f->basis->refresh(f, 1)) return FLIPS_STUCK;
            continue;
        }
        if (count >= cap || (f->system->given && undoes(&event, &last))) return FLIPS_STUCK;
        last = event;
        if (spent(f, context)) return FLIPS_LIMIT;
        if (!event_apply(f, &event, 0.0, true)) return FLIPS_STUCK;
        if (!f->regular && !(f->system->given && vertical(f, &event, 0.0) == PATH_DONE)) return FLIPS_STUCK;
        if (refresh_due(f) && !f->basis->refresh(f, 1)) return FLIPS_STUCK;
    }
}
