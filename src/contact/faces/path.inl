/* Included by faces/core.inl.
 *
 * The parametric path: from a point that is right for a cover t c to t = 0.
 *
 * With u = J v + o + t c and t large, all contacts are open. On the way down the first slack that vanishes
 * changes the state of its contact, and the driving variable of that change says whether t then falls or
 * rises. This is Lemke's path on face states: t is his z0, and many of his pivots happen within one state. At
 * t = 0 the cover is gone.
 *
 *     t so large that all is open, sense down
 *     loop    the first slack to vanish in this sense
 *             none before t = 0, on the way down: done;  none at all, on the way up: a ray
 *             move t there, apply the event
 *             if the basis has become singular: a vertical step
 *             sense = the way in which t goes when the driving variable grows
 *
 * Vertical steps. With offsets a row that depends on the active ones can block at t > 0. Nothing is wrong
 * then: along this edge of the path t is constant. The slots have a null vector z, and the edge is
 *
 *     x + tau z,     v + tau C z,     tau > 0.
 *
 * Its first blocking slack is a second event, and both events together leave a regular basis (or another such
 * edge). If nothing blocks, the edge is a ray. */

typedef enum path_end { PATH_DONE, PATH_RAY, PATH_FAILED, PATH_LIMIT } path_end;

static bool spent(const faces *f, const abuti_stage_context *context)
{
    if (f->counted + f->pivots >= context->pivots_left) return true;
    return f->pivots % 8 == 0 && abuti_clock_passed(context->deadline);
}

/* Whether x and v should be computed afresh before they are trusted. */
static bool refresh_due(const faces *f)
{
    return f->since_refresh >= FACES_REFRESH || f->inverse.shaky;
}

/* Vertical steps from the singular basis that `event` left at t, until a basis is regular again. `event`
 * becomes the last one applied. */
static path_end vertical(faces *f, faces_event *event, double t)
{
    const abuti_system *s = f->system;
    axpy(t, f->x[1], f->x[0], abuti_padded(f->slots.top));
    axpy(t, f->v[1], f->v[0], f->space);
    for (int axis = 0; axis < 3; ++axis) {
        for (int i = 0; i < f->lanes; ++i)
            f->path.moved[axis][i] = abuti_madd(t, f->path.cover[axis][i], s->offset[axis][i]);
    }
    const double *const moved[3] = {f->path.moved[0], f->path.moved[1], f->path.moved[2]};
    const double *const still[3] = {f->still, f->still, f->still};
    set_shift(f, moved, still);
    for (int round = 0; round < FACES_VERTICAL_MAX; ++round) {
        if (f->basis->invert(f, FACES_VERTICAL)) {
            f->regular = true;
            set_shift(f, s->offset, f->path.cover);
            return f->basis->refresh(f, 2) ? PATH_DONE : PATH_FAILED;
        }
        int columns = abuti_padded(f->slots.top);
        copy(f->work.b, f->x[1], columns);
        f->basis->move(f, 1);
        double drive = drive_rate(f, event);
        if (!(fabs(drive) > FACES_STALL)) return PATH_FAILED;
        if (drive < 0.0) {
            for (int c = 0; c < columns; ++c) f->x[1][c] = -f->x[1][c];
            f->basis->move(f, 1);
        }
        faces_event next;
        ratio_test(f, 0.0, 1.0, &next);
        if (!next.found) return PATH_RAY;
        axpy(next.step, f->x[1], f->x[0], columns);
        axpy(next.step, f->v[1], f->v[0], f->space);
        *event = next;
        if (!event_apply(f, event, 0.0, false)) return PATH_FAILED;
        f->regular = false;
    }
    return PATH_FAILED;
}

/* The next event from t on; near t = 0 and every so often the numbers are made fresh first. */
static bool next_event(faces *f, double t, double sense, faces_event *event)
{
    if (refresh_due(f) && !f->basis->refresh(f, 2)) return false;
    ratio_test(f, t, sense, event);
    bool near = event->found && sense < 0.0 && event->at_zero > -FACES_NEAR * f->size;
    if (near && f->since_refresh > f->basis->accurate) {
        if (!f->basis->refresh(f, 2)) return false;
        ratio_test(f, t, sense, event);
    }
    return true;
}

/* Follows the path from t downwards. On a ray the direction lies in part 1. */
static path_end follow(faces *f, double t, const abuti_stage_context *context)
{
    double sense = -1.0;
    int most = 60 * f->system->n + 100;
    for (int events = 0; events < most; ++events) {
        faces_event event;
        if (spent(f, context)) return PATH_LIMIT;
        if (!next_event(f, t, sense, &event)) return PATH_FAILED;
        if (sense < 0.0 && !(event.found && event.step < t)) return PATH_DONE;
        if (!event.found) return PATH_RAY;
        t += sense * event.step;
        /* The event is at t = 0 but for rounding: its row depends on the others where nothing is violated. */
        if (sense < 0.0 && t < FACES_TIE && !violated(f, FACES_ACCEPT * f->size)) return PATH_DONE;
        if (!event_apply(f, &event, t, false)) return PATH_FAILED;
        if (!f->regular) {
            path_end end = vertical(f, &event, t);
            if (end != PATH_DONE) return end;
        }
        double drive = drive_rate(f, &event);
        if (!(fabs(drive) > FACES_STALL)) return PATH_FAILED;
        sense = drive > 0.0 ? 1.0 : -1.0;
    }
    return PATH_FAILED;
}

/* The cover of attempt 0, 1, ...: the table, permuted. Its tangents are so small that c_n > mu |c_t|; then
 * there is no ray unless the problem has one. */
static void choose_cover(faces *f, int attempt)
{
    double mu = largest_of(f->mu, f->lanes);
    if (attempt == 0 && mu <= 1.0 && !f->system->given) {
        for (int axis = 0; axis < 3; ++axis) f->path.cover[axis] = f->path.table[axis];
        return;
    }
    for (int i = 0; i < f->lanes; ++i) {
        int from = (i * (2 * attempt + 1) + attempt) % f->lanes;
        double shrink = is_given(f, i) ? 0.0 : 1.0 / fmax(1.0, f->mu[i]);
        f->path.made[0][i] = f->path.table[0][from];
        f->path.made[1][i] = shrink * f->path.table[attempt % 2 ? 2 : 1][from];
        f->path.made[2][i] = shrink * f->path.table[attempt % 2 ? 1 : 2][from];
    }
    for (int axis = 0; axis < 3; ++axis) f->path.cover[axis] = f->path.made[axis];
}

/* The path from all open: t so large that every u_n >= 0. */
static path_end cold_path(faces *f, const abuti_stage_context *context)
{
    f->basis->spread(f, 2);
    double t = 0.0;
    for (int i = 0; i < f->system->n; ++i) t = fmax(t, -f->un[0][i] / f->un[1][i]);
    if (t <= f->zero) return PATH_DONE;
    return follow(f, t, context);
}
