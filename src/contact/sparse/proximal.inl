/* Included by sparse/core.inl.
 *
 * Comes from a point near an answer to the answer, without naming states beforehand.
 *
 * Walks inside stall where rows nearly depend on each other: the states that a point goes to are right or wrong by
 * 1e-9, and to hold their rows exactly asks for impulses far away. The proximal problem has an answer nearby. With x_0
 * the impulses of the point and P the nearest point of the cone,
 *
 *     x = P(x_0 - u / eps),     u = J v + offset,     v = k + J'x:
 *
 * contacts give way by eps (x - x_0), which is nothing once x stays where it is. With x_0 = x of the last answer and eps
 * smaller each time, the points come nearer to an answer of the problem itself. For large eps Newton's method on
 * v - k - J'P = 0, one factorisation a step, ends at once. For small eps it may fail; then the path through the pieces
 * of P leads on (sparse/pieces.inl). */

/* theta and f of a contact go to the nearest point of its cone. Returns the state that it has there. */
static abut_contact_face onto_cone(const sparse *p, int i, double *theta, double *x, double *y)
{
    abut_contact_face open = {.state = ABUT_OPEN}, smooth = {.state = ABUT_SLIDE};
    int d = p->system->directions[i];
    bool acts = *theta > 0.0;
    if (!acts || p->mu[i] == 0.0) {
        *theta = acts ? *theta : 0.0;
        *x = *y = 0.0;
        return acts ? smooth : open;
    }
    double limit = p->mu[i] * *theta;
    abut_contact_face face = projected_face(p, d, limit, *x, *y);
    if (face.state == ABUT_SLIDE) {
        const double *at = abuti_direction(d, face.face);
        *x = limit * at[0];
        *y = limit * at[1];
    } else if (face.state == ABUT_EDGE) {
        sparse_edge e = edge_of(p, d, face.face);
        double along = *y * e.ax - *x * e.ay;
        *x = limit * e.kap * e.ax - along * e.ay;
        *y = limit * e.kap * e.ay + along * e.ax;
    }
    return face;
}

/* 1 / eps of a contact's rows. */
static double stiffness(const sparse *p, int i, int axis, double softness)
{
    double size = p->system->size[axis > 0][i];
    return 1.0 / (softness * fmax(size * size, NO_SIZE));
}

/* x = P(x_0 - u / eps), with its states. */
static void proximal_impulses(sparse *p, double softness)
{
    sparse_springs *g = &p->springs;
    for (int i = 0; i < p->system->n; ++i) {
        double normal = stiffness(p, i, 0, softness), tangent = stiffness(p, i, 1, softness);
        double theta = g->from[0][i] - normal * p->u[0][i];
        double x = g->from[1][i] - tangent * p->u[1][i], y = g->from[2][i] - tangent * p->u[2][i];
        abut_contact_face face = onto_cone(p, i, &theta, &x, &y);
        p->state[i] = face.state;
        p->face[i] = face.face;
        g->x[0][i] = theta;
        g->x[1][i] = x;
        g->x[2][i] = y;
    }
    for (int j = 0; j < p->system->joints; ++j)
        g->joint_x[j] = g->joint_from[j] - joint_error(p, j, g->joint_x) / softness;
}

/* error = k + J'x - v; returns its length. */
static double proximal_error(sparse *p, double *error)
{
    lanes sum = lanes_all(0.0);
    memcpy(error, p->system->k, (size_t)p->space * sizeof(double));
    push(p, p->springs.x, p->springs.joint_x, error);
    for (int c = 0; c < p->space; c += 8) {
        lanes e = lanes_sub(lanes_load(error + c), lanes_load(p->v + c));
        lanes_store(error + c, e);
        sum = lanes_madd(e, e, sum);
    }
    return sqrt(lanes_sum(sum));
}

/* How far the impulses are from an answer: the most that x differs from P(x - u), in velocities of rows of size one.
 * Finds the velocities after the impulses. */
static double natural_map(sparse *p)
{
    const sparse_springs *g = &p->springs;
    double worst = 0.0;
    velocity_of_impulses(p);
    for (int i = 0; i < p->system->n; ++i) {
        double normal = stiffness(p, i, 0, 1.0), tangent = stiffness(p, i, 1, 1.0);
        double theta = g->x[0][i] - normal * p->u[0][i];
        double x = g->x[1][i] - tangent * p->u[1][i], y = g->x[2][i] - tangent * p->u[2][i];
        (void)onto_cone(p, i, &theta, &x, &y);
        x -= g->x[1][i];
        y -= g->x[2][i];
        double away = fmax(fabs(theta - g->x[0][i]) * p->system->size[0][i],
                           sqrt(x * x + y * y) * p->system->size[1][i]);
        if (!(away <= worst)) worst = away;
    }
    for (int j = 0; j < p->system->joints; ++j) {
        double away = fabs(joint_error(p, j, g->joint_x));
        if (!(away <= worst)) worst = away;
    }
    return worst;
}

/* v = first + length step, with the impulses there; returns the error's length. */
static double proximal_try(sparse *p, double softness, double length, const double *step, double *error)
{
    memcpy(p->v, p->first, (size_t)p->space * sizeof(double));
    add_scaled(length, step, p->v, p->space);
    tell_velocities(p, p->v, true, p->u);
    proximal_impulses(p, softness);
    return proximal_error(p, error);
}

/* Factors the springs of the states at hand. */
static void proximal_factor(sparse *p, double softness)
{
    for (int i = 0; i < p->system->n; ++i) face_springs(p, i, softness);
    p->springs.joint_stiffness = 1.0 / softness;
    springs_factor(p);
    p->rounds++;
}

/* Newton's method from the velocities at hand, each step halved until it gains. False: it leads nowhere. `steps` counts
 * its factorisations. */
static bool proximal_newton(sparse *p, double softness, int *steps)
{
    double *error = p->step[1].v, *step = p->step[0].v;
    double enough = p->size * sqrt((double)p->space) * (NEAR_STILL + NEAR_ROUNDING / softness);
    proximal_impulses(p, softness);
    double left = proximal_error(p, error);
    for (int k = 0; k < NEAR_NEWTON && !(left <= enough); ++k, ++*steps) {
        proximal_factor(p, softness);
        memcpy(step, error, (size_t)p->space * sizeof(double));
        solve(&p->at.own->matrix, step);
        memcpy(p->first, p->v, (size_t)p->space * sizeof(double));
        double length = 1.0, now = INFINITY;
        for (int half = 0; half < NEAR_HALVINGS; ++half, length *= 0.5) {
            now = proximal_try(p, softness, length, step, error);
            if (now <= (1.0 - NEAR_GAINS * length) * left) break;
        }
        if (!(now < left)) return false;
        left = now;
    }
    return left <= enough;
}

/* Keeps the point at hand, or (`back`) takes the kept one back. */
static void copy_near(sparse *p, bool back)
{
    size_t count = (size_t)p->system->n;
    for (int axis = 0; axis < 3; ++axis)
        copy_numbers(p->springs.x[axis], p->near.x[axis], (size_t)p->lanes, back);
    if (p->system->joints > 0)
        copy_numbers(p->springs.joint_x, p->near.joint, (size_t)p->system->joints, back);
    memcpy(back ? p->state : p->near.state, back ? p->near.state : p->state, count);
    memcpy(back ? p->face : p->near.face, back ? p->near.face : p->face, count);
}
