/* Included by sparse/core.inl.
 *
 * Finds, from a point nearby, the exact answer that belongs to given states.
 *
 * The rows of a state must be still: u_n, e_k.u, a_k.u = 0 as far as its contact has them. The rows of the corners on
 * which a body stands depend on each other, and no choice among them is better than another: which impulses share
 * the load is left to the point that is given. Each step replaces the rows by stiff springs that pull from where they
 * are,
 *
 *     dx = -K (u + du),     K = 1 / eps on the rows of the state, 0 elsewhere.
 *
 * This changes x as little as it can, and is repeated with the velocities that are left. In the end the equations
 * themselves hold, not springs. A contact whose inequalities fail takes the state that x - u / eps suggests. */

/* Edge k of the polygon with d edges. */
static sparse_edge edge_of(const sparse *p, int d, int k)
{
    return p->edges[d * (d - 1) / 2 + k];
}

/* The edge that lies furthest out along (x, y). */
static int outward_edge(const sparse *p, int d, double x, double y)
{
    int best = 0;
    double most = -INFINITY;
    for (int k = 0; k < d; ++k) {
        sparse_edge e = edge_of(p, d, k);
        double out = x * e.ax + y * e.ay;
        if (out > most) {
            most = out;
            best = k;
        }
    }
    return best;
}

/* The state and face of the nearest point to (x, y) on `limit` times the polygon. */
static abut_contact_face projected_face(const sparse *p, int d, double limit, double x, double y)
{
    if (d == 2) {
        if (fabs(x) <= limit) return (abut_contact_face){.state = ABUT_EDGE};
        return (abut_contact_face){.state = ABUT_SLIDE, .face = x > 0.0 ? 0 : 1};
    }
    int k = outward_edge(p, d, x, y);
    sparse_edge e = edge_of(p, d, k);
    if (x * e.ax + y * e.ay <= limit * e.kap) return (abut_contact_face){.state = ABUT_STICK};
    double along = y * e.ax - x * e.ay;
    if (fabs(along) <= limit * e.h) return (abut_contact_face){.state = ABUT_EDGE, .face = (uint8_t)k};
    return (abut_contact_face){.state = ABUT_SLIDE, .face = (uint8_t)(along > 0.0 ? (k + 1) % d : k)};
}

/* The friction that theta = 1 brings along, of a contact that slides or is on an edge. */
static void face_friction(const sparse *p, int i, double *fx, double *fy)
{
    int d = p->system->directions[i];
    if (p->state[i] == ABUT_EDGE) {
        sparse_edge e = edge_of(p, d, p->face[i]);
        *fx = p->mu[i] * e.kap * e.ax;
        *fy = p->mu[i] * e.kap * e.ay;
    } else {
        const double *at = abuti_direction(d, p->face[i]);
        *fx = p->mu[i] * at[0];
        *fy = p->mu[i] * at[1];
    }
}

/* Puts a contact's impulse onto the part of the polygon that its state names. */
static void onto_face(sparse *p, int i)
{
    double *const *x = p->springs.x;
    if (p->state[i] == ABUT_STICK) return;
    if (p->state[i] == ABUT_OPEN) {
        x[0][i] = x[1][i] = x[2][i] = 0.0;
        return;
    }
    double fx, fy, along = 0.0;
    sparse_edge e = edge_of(p, p->system->directions[i], p->face[i]);
    if (p->state[i] == ABUT_EDGE) along = x[2][i] * e.ax - x[1][i] * e.ay;
    face_friction(p, i, &fx, &fy);
    x[1][i] = fx * x[0][i] - along * e.ay;
    x[2][i] = fy * x[0][i] + along * e.ax;
}

/* The springs of a contact's state. */
static void face_springs(sparse *p, int i, double softness)
{
    const abuti_system *s = p->system;
    double *const *K = p->springs.K;
    double normal = 1.0 / (softness * s->size[0][i] * s->size[0][i]);
    double tangent = 1.0 / (softness * fmax(s->size[1][i] * s->size[1][i], NO_SIZE));
    for (int k = 0; k < K_COUNT; ++k) K[k][i] = 0.0;
    if (p->state[i] == ABUT_OPEN) return;
    K[K_NN][i] = normal;
    if (p->state[i] == ABUT_STICK) {
        K[K_XX][i] = K[K_YY][i] = tangent;
        return;
    }
    double fx, fy;
    face_friction(p, i, &fx, &fy);
    K[K_XN][i] = fx * normal;
    K[K_YN][i] = fy * normal;
    if (p->state[i] == ABUT_SLIDE) return;
    sparse_edge e = edge_of(p, s->directions[i], p->face[i]);
    K[K_XX][i] = e.ay * e.ay * tangent;
    K[K_XY][i] = -e.ax * e.ay * tangent;
    K[K_YY][i] = e.ax * e.ax * tangent;
}

/* One step of the springs from where the point is. */
static void settle_step(sparse *p)
{
    sparse_springs *g = &p->springs;
    sparse_step *step = &p->step[0];
    spring_answer(p, p->u, NULL, g->r);
    for (int j = 0; j < p->system->joints; ++j)
        g->joint_r[j] = -g->joint_stiffness * joint_error(p, j, p->springs.joint_x);
    springs_solve(p, step);
    spring_answer(p, step->u, g->r, g->dx);
    for (int axis = 0; axis < 3; ++axis) add_scaled(1.0, g->dx[axis], g->x[axis], p->lanes);
    for (int j = 0; j < p->system->joints; ++j) g->joint_x[j] += step->joint[j];
    for (int i = 0; i < p->system->n; ++i) onto_face(p, i);
    velocity_of_impulses(p);
}

/* How far a contact is from its state: the largest velocity of its rows, the worst of its inequalities. */
typedef struct settle_error {
    double rows, slack;
    int bad; /* contacts whose inequalities fail */
} settle_error;

static settle_error face_error(const sparse *p, int i)
{
    int d = p->system->directions[i], face = p->face[i];
    double un = p->u[0][i], ux = p->u[1][i], uy = p->u[2][i], mu = p->mu[i];
    double theta = p->springs.x[0][i], x = p->springs.x[1][i], y = p->springs.x[2][i];
    if (p->state[i] == ABUT_OPEN) return (settle_error){0.0, -un, 0};
    settle_error e = {fabs(un), -theta, 0};
    if (mu == 0.0) return e;
    if (p->state[i] == ABUT_STICK) {
        e.rows = fmax(e.rows, fmax(fabs(ux), fabs(uy)));
        double within = SETTLE_WITHIN * mu * theta; /* the radius of a circle that lies within all polygons */
        if (within > 0.0 && x * x + y * y <= within * within) return e;
        sparse_edge out = edge_of(p, d, outward_edge(p, d, x, y));
        e.slack = fmax(e.slack, x * out.ax + y * out.ay - mu * out.kap * theta);
        return e;
    }
    sparse_edge at = edge_of(p, d, face), before = edge_of(p, d, face == 0 ? d - 1 : face - 1);
    if (p->state[i] == ABUT_EDGE) {
        e.rows = fmax(e.rows, fabs(uy * at.ax - ux * at.ay));
        e.slack = fmax(e.slack, fabs(y * at.ax - x * at.ay) - mu * at.h * theta);
        if (d > 2) e.slack = fmax(e.slack, ux * at.ax + uy * at.ay);
    } else {
        e.slack = fmax(e.slack, ux * at.ay - uy * at.ax);
        if (d > 2) e.slack = fmax(e.slack, uy * before.ax - ux * before.ay);
    }
    return e;
}

static settle_error worst_error(const sparse *p)
{
    settle_error worst = {0.0, 0.0, 0};
    for (int i = 0; i < p->system->n; ++i) {
        settle_error e = face_error(p, i);
        if (!(e.rows <= worst.rows)) worst.rows = e.rows;
        if (!(e.slack <= worst.slack)) worst.slack = e.slack;
        worst.bad += !(e.slack <= p->zero);
    }
    for (int j = 0; j < p->system->joints; ++j) {
        double error = fabs(joint_error(p, j, p->springs.joint_x));
        if (!(error <= worst.rows)) worst.rows = error;
    }
    return worst;
}

/* Takes the states that the springs suggest. Returns the number of contacts that change. */
static int change_faces(sparse *p)
{
    const abuti_system *s = p->system;
    const sparse_springs *g = &p->springs;
    int changes = 0;
    for (int i = 0; i < s->n; ++i) {
        double normal = SETTLE_SOFT * s->size[0][i] * s->size[0][i];
        double tangent = SETTLE_SOFT * fmax(s->size[1][i] * s->size[1][i], NO_SIZE);
        double theta = g->x[0][i] - p->u[0][i] / normal;
        abut_contact_face next = {.state = ABUT_OPEN};
        if (theta > 0.0 && p->mu[i] == 0.0) next.state = ABUT_SLIDE;
        if (theta > 0.0 && p->mu[i] > 0.0)
            next = projected_face(p, s->directions[i], p->mu[i] * theta, g->x[1][i] - p->u[1][i] / tangent,
                                  g->x[2][i] - p->u[2][i] / tangent);
        changes += next.state != p->state[i] || next.face != p->face[i];
        p->state[i] = next.state;
        p->face[i] = next.face;
    }
    return changes;
}

/* Takes a few steps with the springs of the states at hand. It stops when all rows are still, when they hardly become
 * so, or when inequalities fail by much. */
static settle_error hold_rows(sparse *p, double softness, int steps)
{
    settle_error before = {INFINITY, 0.0, 0}, worst = before;
    for (int i = 0; i < p->system->n; ++i) {
        onto_face(p, i);
        face_springs(p, i, softness);
    }
    p->springs.joint_stiffness = 1.0 / softness;
    springs_factor(p);
    velocity_of_impulses(p);
    for (int step = 0; step < steps; ++step) {
        settle_step(p);
        worst = worst_error(p);
        bool slow = step > 0 && worst.rows > SETTLE_SLOW * before.rows;
        if (worst.rows <= p->zero || slow || !(worst.slack <= SETTLE_FAR * p->size)) break;
        before = worst;
    }
    return worst;
}

/* How a walk has ended. */
typedef enum walk_end { WALK_DONE, WALK_STUCK, WALK_LIMIT } walk_end;

/* Goes from the impulses and states at hand until everything holds, as long as no more than `most` contacts are
 * wrong. */
static walk_end settle(sparse *p, int rounds, int most, const abuti_stage_context *context)
{
    for (int round = 0; round < rounds; ++round) {
        if (round > 0 && change_faces(p) == 0) return WALK_STUCK;
        p->rounds += round > 0;
        settle_error worst = {INFINITY, 0.0, 0};
        for (int again = 0; again < 3 && worst.rows > p->zero; ++again) {
            if (budget_spent(p, context)) return WALK_LIMIT;
            worst = again == 1 ? hold_rows(p, SETTLE_STIFF, 2) : hold_rows(p, SETTLE_SOFT, SETTLE_STEPS);
            if (!(worst.slack <= SETTLE_FAR * p->size)) break;
        }
        if (!(worst.slack <= SETTLE_FAR * p->size) || worst.bad > most) return WALK_STUCK;
        if (worst.rows <= p->enough && worst.slack <= p->enough) return WALK_DONE;
    }
    return WALK_STUCK;
}
