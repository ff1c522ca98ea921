/* Included by faces/core.inl.
 *
 * Finds, from a point nearby, the exact answer that belongs to given states.
 *
 * The rows of a state must be still: u_n, e_k.u, a_k.u = 0 as far as its contact has them. The rows of the
 * four corners on which a body stands depend on each other, and no choice among them is better than another:
 * which impulses share the load is left to the point that is given. Each round replaces the rows by stiff
 * springs that pull from where they are,
 *
 *     dx = -K (u + du),     K = 1 / eps on the rows of the state, 0 elsewhere.
 *
 * This changes x as little as it can, and is repeated with the velocities that are left: the error of every
 * row that can be still shrinks by eps / (eps + its stiffness). Rows that are nearly dependent are slow then.
 * Two steps with much stiffer springs, whose rounding the softer ones mend, take care of them. In the end the
 * equations themselves hold, not springs. A contact whose inequalities fail takes the state that x - u / eps
 * suggests, and the springs are factored anew. */

static bool budget_spent(const faces *f, const abuti_stage_context *context)
{
    return abuti_budget_spent(f->counted + f->pivots, context->pivots_left, context->deadline);
}

/* v and u from the springs' impulses. */
static void velocity_of_impulses(faces *f)
{
    const double *k = f->system->k;
    for (int c = 0; c < f->space; c += 8) lanes_store(f->v[0] + c, lanes_load(k + c));
    push_bodies(f, f->springs.x, f->springs.joint_x, f->v[0]);
    bodies_velocities(f, 0);
}

/* The friction that theta = 1 brings along, of a contact that slides or is on an edge. */
static void face_friction(const faces *f, int i, double *fx, double *fy)
{
    const faces_polygon *p = &f->polygon[f->system->directions[i]];
    int face = f->face[i];
    bool edge = f->state[i] == ABUT_EDGE;
    *fx = f->mu[i] * (edge ? p->kap * p->ax[face] : p->dx[face]);
    *fy = f->mu[i] * (edge ? p->kap * p->ay[face] : p->dy[face]);
}

/* Puts a contact's impulse onto the part of the polygon that its state names. */
static void onto_face(faces *f, int i)
{
    double *const *x = f->springs.x;
    if (f->state[i] == ABUT_STICK) return;
    if (f->state[i] == ABUT_OPEN) {
        x[0][i] = x[1][i] = x[2][i] = 0.0;
        return;
    }
    const faces_polygon *p = &f->polygon[f->system->directions[i]];
    double fx, fy, ax = p->ax[f->face[i]], ay = p->ay[f->face[i]];
    double along = f->state[i] == ABUT_EDGE ? abuti_madd(x[2][i], ax, -x[1][i] * ay) : 0.0;
    face_friction(f, i, &fx, &fy);
    x[1][i] = abuti_madd(fx, x[0][i], -along * ay);
    x[2][i] = abuti_madd(fy, x[0][i], along * ax);
}

/* The springs of a contact's state. */
static void face_springs(faces *f, int i, double softness)
{
    const abuti_system *s = f->system;
    double *const *K = f->springs.K;
    double normal = 1.0 / (softness * s->size[0][i] * s->size[0][i]);
    double tangent = 1.0 / (softness * fmax(s->size[1][i] * s->size[1][i], FACES_NO_SIZE));
    for (int k = 0; k < 6; ++k) K[k][i] = 0.0;
    if (f->state[i] == ABUT_OPEN) return;
    K[K_NN][i] = normal;
    if (f->state[i] == ABUT_STICK) {
        K[K_XX][i] = K[K_YY][i] = tangent;
        return;
    }
    double fx, fy;
    face_friction(f, i, &fx, &fy);
    K[K_XN][i] = fx * normal;
    K[K_YN][i] = fy * normal;
    if (f->state[i] == ABUT_SLIDE) return;
    const faces_polygon *p = &f->polygon[s->directions[i]];
    double ax = p->ax[f->face[i]], ay = p->ay[f->face[i]];
    K[K_XX][i] = ay * ay * tangent;
    K[K_XY][i] = -ax * ay * tangent;
    K[K_YY][i] = ax * ax * tangent;
}

/* out = -K u; with r, out += r - K u */
static void spring_answer(const faces *f, int part, double *const r[3], double *const out[3])
{
    double *const *K = f->springs.K;
    for (int g = 0; g < f->lanes; g += 8) {
        lanes un = lanes_load(f->un[part] + g), ux = lanes_load(f->ut[part][0] + g),
              uy = lanes_load(f->ut[part][1] + g), xy = lanes_load(K[K_XY] + g);
        lanes n = r ? lanes_load(r[0] + g) : lanes_all(0.0), x = r ? lanes_load(r[1] + g) : lanes_all(0.0),
              y = r ? lanes_load(r[2] + g) : lanes_all(0.0);
        n = lanes_msub(lanes_load(K[K_NN] + g), un, n);
        x = lanes_msub(lanes_load(K[K_XN] + g), un,
                       lanes_msub(lanes_load(K[K_XX] + g), ux, lanes_msub(xy, uy, x)));
        y = lanes_msub(lanes_load(K[K_YN] + g), un,
                       lanes_msub(lanes_load(K[K_YY] + g), uy, lanes_msub(xy, ux, y)));
        if (r) {
            n = lanes_add(n, lanes_load(out[0] + g));
            x = lanes_add(x, lanes_load(out[1] + g));
            y = lanes_add(y, lanes_load(out[2] + g));
        }
        lanes_store(out[0] + g, n);
        lanes_store(out[1] + g, x);
        lanes_store(out[2] + g, y);
    }
}

/* One round of springs from where the point is. */
static void settle_step(faces *f)
{
    faces_springs *g = &f->springs;
    spring_answer(f, 0, NULL, g->r);
    for (int j = 0; j < f->system->joints; ++j) g->joint_r[j] = -g->joint_stiffness * joint_velocity(f, j, 0);
    springs_solve(f);
    spring_answer(f, 1, g->r, g->x);
    for (int j = 0; j < f->system->joints; ++j)
        g->joint_x[j] += g->joint_r[j] - g->joint_stiffness * joint_velocity(f, j, 1);
    for (int i = 0; i < f->system->n; ++i) onto_face(f, i);
    velocity_of_impulses(f);
}

/* How far a contact is from its state: the largest velocity of its rows, the worst of its inequalities. */
typedef struct settle_error {
    double rows, slack;
} settle_error;

static settle_error face_error(const faces *f, int i)
{
    const faces_springs *g = &f->springs;
    int d = f->system->directions[i], face = f->face[i];
    const faces_polygon *p = &f->polygon[d];
    double un = f->un[0][i], ux = f->ut[0][0][i], uy = f->ut[0][1][i], theta = g->x[0][i], mu = f->mu[i];
    if (f->state[i] == ABUT_OPEN) return (settle_error){0.0, -un};
    settle_error e = {fabs(un), -theta};
    if (mu == 0.0) return e;
    double ax = p->ax[face], ay = p->ay[face];
    if (f->state[i] == ABUT_STICK) {
        stuck at = {.x = g->x[1][i], .y = g->x[2][i], .radius = mu * p->kap * theta};
        lanes least = lanes_all(0.0);
        for (int l = 0; l < p->padded; l += 8)
            least = lanes_max(lanes_sub(lanes_all(0.0), stuck_slack(p, l, at)), least);
        e.rows = fmax(e.rows, fmax(fabs(ux), fabs(uy)));
        e.slack = fmax(e.slack, lanes_most(least));
    } else if (f->state[i] == ABUT_EDGE) {
        double along = abuti_madd(g->x[2][i], ax, -g->x[1][i] * ay);
        e.rows = fmax(e.rows, fabs(abuti_madd(uy, ax, -ux * ay)));
        e.slack = fmax(e.slack, fabs(along) - mu * p->h * theta);
        if (d > 2) e.slack = fmax(e.slack, abuti_madd(ux, ax, uy * ay));
    } else {
        int before = face == 0 ? d - 1 : face - 1;
        e.slack = fmax(e.slack, abuti_madd(ux, ay, -uy * ax));
        if (d > 2) e.slack = fmax(e.slack, abuti_madd(uy, p->ax[before], -ux * p->ay[before]));
    }
    return e;
}

static settle_error worst_error(const faces *f)
{
    settle_error worst = {0.0, 0.0};
    for (int i = 0; i < f->system->n; ++i) {
        settle_error e = face_error(f, i);
        if (!(e.rows <= worst.rows)) worst.rows = e.rows;
        if (!(e.slack <= worst.slack)) worst.slack = e.slack;
    }
    for (int j = 0; j < f->system->joints; ++j) {
        double error = fabs(joint_velocity(f, j, 0));
        if (!(error <= worst.rows)) worst.rows = error;
    }
    return worst;
}

/* Takes the states that the springs suggest. Returns the number of contacts that change. */
static int change_faces(faces *f)
{
    const abuti_system *s = f->system;
    const faces_springs *g = &f->springs;
    int changes = 0;
    for (int i = 0; i < s->n; ++i) {
        double normal = FACES_SPRING * s->size[0][i] * s->size[0][i];
        double tangent = FACES_SPRING * fmax(s->size[1][i] * s->size[1][i], FACES_NO_SIZE);
        double theta = g->x[0][i] - f->un[0][i] / normal;
        abut_contact_face next = {.state = ABUT_OPEN};
        if (theta > 0.0 && f->mu[i] == 0.0) next.state = ABUT_SLIDE;
        if (theta > 0.0 && f->mu[i] > 0.0)
            next =
                projected_face(&f->polygon[s->directions[i]], s->directions[i], f->mu[i] * theta,
                               g->x[1][i] - f->ut[0][0][i] / tangent, g->x[2][i] - f->ut[0][1][i] / tangent);
        changes += next.state != f->state[i] || next.face != f->face[i];
        f->state[i] = next.state;
        f->face[i] = next.face;
    }
    return changes;
}

/* Takes a few steps with the springs of the states at hand. Stops when all rows are still, when they hardly
 * become so, or when inequalities fail by much. */
static settle_error hold_rows(faces *f, double softness, int steps)
{
    settle_error before = {INFINITY, 0.0}, worst = before;
    for (int i = 0; i < f->system->n; ++i) {
        onto_face(f, i);
        face_springs(f, i, softness);
    }
    f->springs.joint_stiffness = 1.0 / softness;
    springs_factor(f);
    velocity_of_impulses(f);
    for (int step = 0; step < steps; ++step) {
        settle_step(f);
        worst = worst_error(f);
        bool slow = step > 0 && worst.rows > FACES_SETTLE_SLOW * before.rows;
        if (worst.rows <= f->zero || slow || !(worst.slack <= FACES_SETTLE_FAR * f->size)) break;
        before = worst;
    }
    return worst;
}

/* Goes from the impulses and states at hand until everything holds. */
static flips settle(faces *f, int rounds, const abuti_stage_context *context)
{
    for (int round = 0; round < rounds; ++round) {
        if (round > 0 && change_faces(f) == 0) return FLIPS_STUCK;
        f->pivots += round > 0;
        settle_error worst = {INFINITY, 0.0};
        for (int again = 0; again < 3 && worst.rows > f->zero; ++again) {
            if (budget_spent(f, context)) return FLIPS_LIMIT;
            worst = again == 1 ? hold_rows(f, FACES_SPRING_STIFF, 2)
                               : hold_rows(f, FACES_SPRING, FACES_SETTLE_STEPS);
            if (!(worst.slack <= FACES_SETTLE_FAR * f->size)) return FLIPS_STUCK;
        }
        if (worst.rows <= f->zero && worst.slack <= f->zero) return FLIPS_DONE;
    }
    return FLIPS_STUCK;
}

/* ---- stages on springs ---- */

/* Whether springs (faces/springs.inl) take this system. */
static bool springs_serve(const abuti_system *s)
{
    return band_serves(s) && s->bodies > 1 && s->sides == 2 && s->stride == ABUTI_LANES;
}

/* The impulses of the springs, in the states at hand. */
static abut_outcome finish_settled(faces *f, flips end, abuti_answer *answer)
{
    const abuti_system *s = f->system;
    tell_pivots(f, answer);
    if (end == FLIPS_STUCK) return ABUT_FAILED;
    for (int i = 0; i < s->n; ++i) {
        bool inside = f->state[i] == ABUT_STICK || (f->state[i] == ABUT_EDGE && s->directions[i] == 2);
        answer->theta[i] = fmax(f->springs.x[0][i], 0.0);
        answer->f[0][i] = f->springs.x[1][i];
        answer->f[1][i] = f->springs.x[2][i];
        answer->face[i] =
            (abut_contact_face){.state = inside ? ABUT_STICK : f->state[i], .face = inside ? 0 : f->face[i]};
    }
    for (int j = 0; j < s->joints; ++j) answer->joint[j] = f->springs.joint_x[j];
    return end == FLIPS_DONE ? ABUT_SOLVED : ABUT_LIMIT;
}

/* Whether given states do not say which rows hold them. The interior point leaves such states, in which all
 * contacts share. */
static bool rows_untold(const faces *f, const abut_contact_face *start)
{
    bool some = false;
    for (int i = 0; i < f->system->n; ++i) {
        if (start[i].rows != 0) return false;
        some = some || start[i].state != ABUT_OPEN;
    }
    return some;
}

/* Whether given states are such states of many bodies, which springs settle on. */
static bool states_share(const faces *f, const abut_contact_face *start)
{
    return start && f->system->bodies >= FACES_FEW && springs_serve(f->system) && rows_untold(f, start);
}

/* Settles on given states from no impulses, within `rounds` changes of states. */
static abut_outcome settle_given(faces *f, int rounds, const abuti_stage_context *context,
                                 abuti_answer *answer)
{
    const abuti_system *s = f->system;
    if (!springs_begin(f)) return ABUT_FAILED;
    for (int i = 0; i < s->n; ++i) {
        bool acts = context->start[i].state != ABUT_OPEN, rubs = f->mu[i] > 0.0;
        bool inside = context->start[i].state == ABUT_STICK && s->directions[i] == 2;
        f->state[i] = acts && !rubs ? ABUT_SLIDE : inside ? ABUT_EDGE : context->start[i].state;
        f->face[i] = rubs ? context->start[i].face : 0;
    }
    for (int axis = 0; axis < 3; ++axis) fill(f->springs.x[axis], 0.0, f->lanes);
    for (int j = 0; j < s->joints; ++j) f->springs.joint_x[j] = 0.0;
    return finish_settled(f, settle(f, rounds, context), answer);
}
