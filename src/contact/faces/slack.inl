/* Included by faces/core.inl.
 *
 * All slacks of all contacts in one pass of straight vector code.
 *
 * Every slack is s0 + t s1.
 *
 *     OPEN           one slack, u_n
 *     SLIDE, EDGE    three: weighted sums of theta, s, u_x and u_y, whose weights were set when the contact
 *                    changed its state
 *     STICK          one for each edge of its polygon
 *
 * The pass keeps, for each of the eight numbers of a vector, the best candidate so far and its number. The
 * last step compares those eight. Ties go to the first found, so the order is fixed whatever the vector
 * width. */

/* ---- slacks of seats ---- */

static inline lanes seat_slack(const faces *f, int q, int part, int g)
{
    lanes sum = lanes_mul(lanes_load(f->slack.weight[q][0] + g), lanes_load(f->value[part][0] + g));
    sum = lanes_madd(lanes_load(f->slack.weight[q][1] + g), lanes_load(f->value[part][1] + g), sum);
    sum = lanes_madd(lanes_load(f->slack.weight[q][2] + g), lanes_load(f->ut[part][0] + g), sum);
    return lanes_madd(lanes_load(f->slack.weight[q][3] + g), lanes_load(f->ut[part][1] + g), sum);
}

/* The friction impulse of a stuck contact, (x, y), and mu kap theta, in one part. */
typedef struct stuck {
    double x, y, radius;
} stuck;

HOT stuck stuck_friction(const faces *f, int contact, int seat, int part)
{
    const faces_polygon *p = &f->polygon[f->system->directions[contact]];
    double ax = p->ax[f->face[contact]], ay = p->ay[f->face[contact]];
    double along = f->value[part][1][seat], out = f->value[part][2][seat];
    return (stuck){abuti_madd(out, ax, -along * ay), abuti_madd(out, ay, along * ax),
                   f->mu[contact] * p->kap * f->value[part][0][seat]};
}

static inline lanes stuck_slack(const faces_polygon *p, int l, stuck s)
{
    lanes slack = lanes_msub(lanes_load(p->ax + l), lanes_all(s.x), lanes_all(s.radius));
    return lanes_msub(lanes_load(p->ay + l), lanes_all(s.y), slack);
}

/* ---- candidates ---- */

/* The event that belongs to a candidate's number: first u_n of all lanes, then three slacks of all seats,
 * then 64 edges for each active contact. */
HOT void event_from(const faces *f, int number, faces_event *event)
{
    event->found = true;
    if (number < f->lanes) {
        event->change = FACES_CLOSE;
        event->contact = number;
        event->face = 0;
        return;
    }
    number -= f->lanes;
    if (number < 3 * f->seats.count) {
        int q = 0;
        for (; number >= f->seats.count; ++q) number -= f->seats.count;
        event->contact = f->seats.contact[number];
        bool slides = f->state[event->contact] == ABUT_SLIDE;
        event->change = (faces_change)((slides ? FACES_LIFT : FACES_VERTEX_UP) + q);
        return;
    }
    number -= 3 * f->seats.count;
    event->contact = f->seats.active[number / ABUT_DIRECTIONS_MAX];
    event->change = FACES_LOOSEN;
    event->face = number % ABUT_DIRECTIONS_MAX % f->system->directions[event->contact];
}

/* The ratio test: the first slack to vanish from t on in direction `sense`. */
typedef struct ratio {
    lanes t, sense, floor; /* floor: slacks whose value at t = 0 is above it cannot block on the way down */
    lanes numerator, denominator, number, at_zero;
} ratio;

static inline void ratio_offer(ratio *best, lanes s0, lanes s1, lanes number)
{
    lanes rate = lanes_mul(best->sense, s1);
    lanes value = lanes_max(lanes_madd(best->t, s1, s0), lanes_all(0.0));
    lanes fall = lanes_sub(lanes_all(0.0), rate);
    lane_mask falls = lanes_and(lanes_less(rate, lanes_all(-FACES_RATE)), lanes_less(s0, best->floor));
    lane_mask sooner = lanes_less(lanes_mul(value, best->denominator), lanes_mul(best->numerator, fall));
    lane_mask better = lanes_and(falls, sooner);
    best->numerator = lanes_select(better, value, best->numerator);
    best->denominator = lanes_select(better, fall, best->denominator);
    best->number = lanes_select(better, number, best->number);
    best->at_zero = lanes_select(better, s0, best->at_zero);
}

HOT void ratio_winner(const faces *f, const ratio *best, faces_event *event)
{
    _Alignas(64) double step[8], number[8], at_zero[8];
    lanes steps = lanes_div(best->numerator, best->denominator);
    lanes_store(step, steps);
    lanes_store(number, best->number);
    lanes_store(at_zero, best->at_zero);
    int winner = lanes_argmin(steps);
    event->found = false;
    if (!(step[winner] < INFINITY)) return;
    event_from(f, (int)number[winner], event);
    event->step = step[winner];
    event->at_zero = at_zero[winner];
}

static void ratio_test(faces *f, double t, double sense, faces_event *event)
{
    f->basis->spread(f, 2);
    ratio best = {.t = lanes_all(t),
                  .sense = lanes_all(sense),
                  .floor = lanes_all(sense < 0.0 ? -f->zero : INFINITY),
                  .numerator = lanes_all(1.0),
                  .denominator = lanes_all(0.0),
                  .number = lanes_all(0.0),
                  .at_zero = lanes_all(0.0)};
    lanes eight = lanes_all(8.0), number = lanes_count_from(0.0);
    for (int g = 0; g < f->lanes; g += 8, number = lanes_add(number, eight)) {
        lanes open = lanes_load(f->slack.open + g);
        ratio_offer(&best, lanes_load(f->un[0] + g), lanes_mul(open, lanes_load(f->un[1] + g)), number);
    }
    for (int q = 0; q < 3; ++q) {
        for (int g = 0; g < f->seats.count; g += 8, number = lanes_add(number, eight))
            ratio_offer(&best, seat_slack(f, q, 0, g), seat_slack(f, q, 1, g), number);
    }
    for (int i = 0; i < f->seats.active_count; ++i) {
        int contact = f->seats.active[i], seat = f->seats.of[contact];
        if (f->state[contact] != ABUT_STICK) continue;
        const faces_polygon *p = &f->polygon[f->system->directions[contact]];
        stuck s0 = stuck_friction(f, contact, seat, 0), s1 = stuck_friction(f, contact, seat, 1);
        lanes edge = lanes_count_from((double)(f->lanes + 3 * f->seats.count + ABUT_DIRECTIONS_MAX * i));
        for (int l = 0; l < p->padded; l += 8, edge = lanes_add(edge, eight))
            ratio_offer(&best, stuck_slack(p, l, s0), stuck_slack(p, l, s1), edge);
    }
    ratio_winner(f, &best, event);
}

/* The most violated slack at t = 0, if one is violated by more than `allowed`. */
typedef struct lowest {
    lanes value, number;
} lowest;

static inline void lowest_offer(lowest *best, lanes value, lanes number)
{
    lane_mask lower = lanes_less(value, best->value);
    best->value = lanes_select(lower, value, best->value);
    best->number = lanes_select(lower, number, best->number);
}

/* The rows that a stuck contact has no slot for: they must hold by themselves. */
static void worst_missing_row(const faces *f, int contact, faces_event *event)
{
    int seat = f->seats.of[contact];
    if (f->seats.slot[1][seat] != FACES_NONE && f->seats.slot[2][seat] != FACES_NONE) return;
    const faces_polygon *p = &f->polygon[f->system->directions[contact]];
    double ax = p->ax[f->face[contact]], ay = p->ay[f->face[contact]];
    double ux = f->ut[0][0][seat], uy = f->ut[0][1][seat];
    double along = -fabs(abuti_madd(uy, ax, -ux * ay)), out = -fabs(abuti_madd(ux, ax, uy * ay));
    if (f->seats.slot[1][seat] == FACES_NONE && along < event->step)
        *event = (faces_event){.found = true, .change = FACES_HOLD_E, .contact = contact, .step = along};
    if (f->seats.slot[2][seat] == FACES_NONE && out < event->step)
        *event = (faces_event){.found = true, .change = FACES_HOLD_A, .contact = contact, .step = out};
}

static void worst_slack(faces *f, double allowed, faces_event *event)
{
    f->basis->spread(f, 1);
    /* Open contacts and seats are compared apart, so that neither waits for the other. */
    lowest best = {.value = lanes_all(-allowed), .number = lanes_all(-1.0)}, seated = best;
    lanes eight = lanes_all(8.0), number = lanes_count_from(0.0);
    for (int g = 0; g < f->lanes; g += 8, number = lanes_add(number, eight))
        lowest_offer(&best, lanes_mul(lanes_load(f->slack.open + g), lanes_load(f->un[0] + g)), number);
    for (int q = 0; q < 3; ++q) {
        for (int g = 0; g < f->seats.count; g += 8, number = lanes_add(number, eight))
            lowest_offer(&seated, seat_slack(f, q, 0, g), number);
    }
    lowest_offer(&best, seated.value, seated.number);
    for (int i = 0; i < f->seats.active_count; ++i) {
        int contact = f->seats.active[i];
        if (f->state[contact] != ABUT_STICK) continue;
        const faces_polygon *p = &f->polygon[f->system->directions[contact]];
        stuck s0 = stuck_friction(f, contact, f->seats.of[contact], 0);
        lanes edge = lanes_count_from((double)(f->lanes + 3 * f->seats.count + ABUT_DIRECTIONS_MAX * i));
        for (int l = 0; l < p->padded; l += 8, edge = lanes_add(edge, eight))
            lowest_offer(&best, stuck_slack(p, l, s0), edge);
    }
    _Alignas(64) double value[8], which[8];
    lanes_store(value, best.value);
    lanes_store(which, best.number);
    int winner = lanes_argmin(best.value);
    event->found = false;
    event->step = -allowed;
    if (which[winner] >= 0.0) {
        event_from(f, (int)which[winner], event);
        event->step = value[winner];
    }
    for (int i = 0; i < f->seats.active_count; ++i) {
        if (f->state[f->seats.active[i]] == ABUT_STICK) worst_missing_row(f, f->seats.active[i], event);
    }
}

static bool violated(faces *f, double allowed)
{
    faces_event event;
    worst_slack(f, allowed, &event);
    return event.found;
}
