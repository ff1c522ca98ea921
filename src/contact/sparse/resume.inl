/* Included by sparse/core.inl.
 *
 * Where walks inside begin when they go on from the last step.
 *
 * The impulses of the last step lie on the walls, where no walk gets far. They are pushed inside by a part of the
 * problem's size, and velocities are those that these impulses give. Only nu, which must be positive, differs from what
 * the normal velocity says; all other equations hold from the start. */

/* The parts of a friction impulse along two neighbouring directions, shortened to `limit` at most. */
typedef struct friction_parts {
    int direction[2];
    double along[2];
} friction_parts;

static friction_parts parts_of(int d, double x, double y, double limit)
{
    int first = 0;
    double most = -INFINITY;
    for (int j = 0; j < d; ++j) {
        const double *at = abuti_direction(d, j);
        double along = at[0] * x + at[1] * y;
        if (along > most) {
            most = along;
            first = j;
        }
    }
    const double *a = abuti_direction(d, first);
    friction_parts parts = {{first, (first + 1) % d}, {most, 0.0}};
    if (a[0] * y - a[1] * x < 0.0) parts.direction[1] = (first + d - 1) % d;
    const double *b = abuti_direction(d, parts.direction[1]);
    double turn = a[0] * b[1] - a[1] * b[0];
    if (d > 2) {
        parts.along[0] = fmax((x * b[1] - y * b[0]) / turn, 0.0);
        parts.along[1] = fmax((a[0] * y - a[1] * x) / turn, 0.0);
    }
    double sum = parts.along[0] + parts.along[1], share = sum > limit ? limit / sum : 1.0;
    for (int k = 0; k < 2; ++k) parts.along[k] *= share;
    return parts;
}

/* Sets the pairs of a contact that rubs: along each direction the friction of the last step and a part of `inside`, and
 * a slip that is faster by `inside` than that of the velocity at hand. */
static void resume_friction(sparse *p, int i, double inside)
{
    sparse_interior *in = &p->inside;
    int d = p->system->directions[i];
    double mu = p->mu[i], theta = in->single[0][i], rest = mu * theta, slip = -INFINITY;
    friction_parts parts =
        parts_of(d, p->springs.x[1][i], p->springs.x[2][i], mu * fmax(theta - inside, 0.0));
    for (int j = 0; j < d; ++j) {
        const double *at = abuti_direction(d, j);
        double *phi = &in->phi[(size_t)j * (size_t)p->lanes + (size_t)i];
        *phi = 0.5 * mu * inside / d;
        for (int k = 0; k < 2; ++k) *phi += parts.direction[k] == j ? parts.along[k] : 0.0;
        rest -= *phi;
        slip = fmax(slip, -(at[0] * p->u[1][i] + at[1] * p->u[2][i]));
    }
    in->single[2][i] = slip + inside;
    in->single[3][i] = fmax(rest, INSIDE_THIN * mu * inside);
    for (int j = 0; j < d; ++j) {
        const double *at = abuti_direction(d, j);
        in->sigma[(size_t)j * (size_t)p->lanes + (size_t)i] =
            at[0] * p->u[1][i] + at[1] * p->u[2][i] + in->single[2][i];
    }
}

/* The impulses from which states are tried: those of the last step, as far as they are known. */
static void take_impulses(sparse *p, const abuti_stage_context *context)
{
    size_t bytes = (size_t)p->lanes * sizeof(double);
    bool known = context->impulse[0];
    for (int axis = 0; axis < 3; ++axis)
        memcpy(p->springs.x[axis], known ? context->impulse[axis] : p->still, bytes);
    for (int j = 0; j < p->system->joints; ++j)
        p->springs.joint_x[j] = known ? context->joint_impulse[j] : 0.0;
}

/* The first point, near the impulses of the last step. */
static void interior_resume(sparse *p, const abuti_stage_context *context)
{
    sparse_interior *in = &p->inside;
    const abuti_system *s = p->system;
    double inside = INSIDE_RESUME * p->size;
    take_impulses(p, context);
    for (int i = 0; i < s->n; ++i) p->springs.x[0][i] = fmax(p->springs.x[0][i], 0.0) + inside;
    velocity_of_impulses(p);
    interior_begin(p, inside);
    for (int j = 0; j < s->joints; ++j) in->joint[j] = p->springs.joint_x[j];
    for (int i = 0; i < s->n; ++i) {
        in->single[0][i] = p->springs.x[0][i];
        in->single[1][i] = fmax(p->u[0][i], inside);
        if (in->count[i] > 0.0) resume_friction(p, i, inside);
    }
}
