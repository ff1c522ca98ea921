/* Included by sparse/core.inl.
 *
 * An interior point over all pairs of the LCP at once. The complementary pairs of a contact are
 *
 *     theta  >= 0,  nu = u_n - lift mu lambda >= 0
 *     phi_j  >= 0,  sigma_j = d_j.u + lambda >= 0        f = sum of phi_j d_j
 *     lambda >= 0,  gamma = mu theta - sum of phi_j >= 0
 *
 * With lift 0 this is Coulomb's law on the polygon. With lift 1 it is the associated problem, which is convex:
 * its matrix is positive semidefinite, and Newton's method on the products of the pairs ends.
 *
 * Newton's method makes the product of each pair equal to a target. phi, lambda, gamma and theta are eliminated contact
 * by contact: with w_j = phi_j / sigma_j, W the sum of w_j, g the sum of w_j d_j, G the sum of w_j d_j d_j' and
 * k = theta / nu,
 *
 *     dlambda = base + pull (mu k du_n - g.du),    pull = lambda / (gamma + lambda (W + lift mu mu k))
 *     dtheta  = r_n - k (du_n - lift mu dlambda)
 *     df      = sum of r_j d_j - G du - g dlambda
 *
 * so a contact becomes a spring (sparse/springs.inl). */

/* What one pass over all pairs finds: the largest -dx / x, and the sum of all dx ds. */
typedef struct pair_scan {
    lanes fastest, product;
} pair_scan;

/* Which contacts rub, and along which directions. */
static void prepare_pairs(sparse *p)
{
    const abuti_system *s = p->system;
    sparse_interior *in = &p->inside;
    in->pairs = 0;
    for (int i = 0; i < p->lanes; ++i) {
        bool live = i < s->n;
        int d = live && p->mu[i] > 0.0 ? s->directions[i] : 0, *most = &in->most[i / 8];
        *most = i % 8 == 0 || d > *most ? d : *most;
        in->count[i] = d;
        in->live[i] = live ? 1.0 : 0.0;
        in->pairs += live ? 1 + d + (d > 0) : 0;
    }
    for (int i = 0; i < p->lanes; ++i) {
        for (int j = 0; j < in->most[i / 8]; ++j) {
            size_t at = (size_t)j * (size_t)p->lanes + (size_t)i;
            const double *direction = j < in->count[i] ? abuti_direction(s->directions[i], j) : NULL;
            in->direction[0][at] = direction ? direction[0] : 0.0;
            in->direction[1][at] = direction ? direction[1] : 0.0;
        }
    }
}

/* The first point: all pairs alike and all products equal. */
static void interior_begin(sparse *p, double start)
{
    sparse_interior *in = &p->inside;
    for (int i = 0; i < p->lanes; ++i) {
        bool live = in->live[i] > 0.0;
        double d = in->count[i];
        in->single[0][i] = live ? start : 0.0;
        in->single[1][i] = in->single[2][i] = start;
        in->single[3][i] = d > 0 ? 0.5 * p->mu[i] * start : start;
        for (int j = 0; j < in->most[i / 8]; ++j) {
            size_t at = (size_t)j * (size_t)p->lanes + (size_t)i;
            in->phi[at] = j < d ? 0.5 * p->mu[i] * start / d : 0.0;
            in->sigma[at] = start;
        }
    }
    for (int j = 0; j < p->system->joints; ++j) in->joint[j] = 0.0;
}

/* Asks that all products be alike, or as they are at the point. */
static void share_alike(sparse *p)
{
    sparse_interior *in = &p->inside;
    for (int i = 0; i < p->lanes; ++i) {
        in->share[0][i] = in->share[1][i] = 1.0;
        for (int j = 0; j < in->most[i / 8]; ++j) {
            size_t at = (size_t)j * (size_t)p->lanes + (size_t)i;
            in->phi_share[at] = j < in->count[i] ? 1.0 : 0.0;
        }
    }
}

static void share_as_is(sparse *p, double tau)
{
    sparse_interior *in = &p->inside;
    for (int i = 0; i < p->lanes; ++i) {
        in->share[0][i] = in->single[0][i] * in->single[1][i] / tau;
        in->share[1][i] = in->single[2][i] * in->single[3][i] / tau;
        for (int j = 0; j < in->most[i / 8]; ++j) {
            size_t at = (size_t)j * (size_t)p->lanes + (size_t)i;
            in->phi_share[at] = in->phi[at] * in->sigma[at] / tau;
        }
    }
}

/* What a Newton step aims at. */
typedef struct aim {
    double target;           /* the products, in units of their shares */
    double pays;             /* the part of the equations' error that it takes away */
    const sparse_step *bent; /* a step whose second-order terms are made up for, or NULL */
} aim;

/* theta and f of the point, in the springs' impulses. */
static void interior_impulses(sparse *p)
{
    sparse_interior *in = &p->inside;
    double *const *x = p->springs.x;
    for (int g = 0; g < p->lanes; g += 8) {
        lanes fx = lanes_all(0.0), fy = lanes_all(0.0);
        for (int j = 0; j < in->most[g / 8]; ++j) {
            size_t at = (size_t)j * (size_t)p->lanes + (size_t)g;
            fx = lanes_madd(lanes_load(in->phi + at), lanes_load(in->direction[0] + at), fx);
            fy = lanes_madd(lanes_load(in->phi + at), lanes_load(in->direction[1] + at), fy);
        }
        lanes_store(x[0] + g, lanes_load(in->single[0] + g));
        lanes_store(x[1] + g, fx);
        lanes_store(x[2] + g, fy);
    }
    for (int j = 0; j < p->system->joints; ++j) p->springs.joint_x[j] = in->joint[j];
}

/* One direction of eight contacts at the point. */
typedef struct pair {
    lanes x, y;                 /* the direction */
    lanes phi, inverse, weight; /* inverse = 1 / sigma, weight = phi / sigma */
    lanes rho;                  /* d_j.u + lambda - sigma, what sigma still owes */
    lanes r;                    /* dphi = r - weight (d_j.du + dlambda) */
    lanes alone;                /* the step of sigma where it is held */
    lane_mask used, held;
} pair;

/* Whether the second member of a pair has vanished beside the first: then the pair is held. Its spring, which is no
 * stiffer than INSIDE_STIFFEST, keeps the velocity as it is, and the second member goes its own way to the wanted
 * product. Stiffer springs would make the factors lose in rounding what is soft beside them. */
HOT lane_mask is_held(lanes first, lanes second)
{
    return lanes_less(lanes_mul(lanes_all(INSIDE_STIFFEST), second), first);
}

HOT pair pair_at(const sparse *p, int g, int j, const aim *to, bool bent)
{
    const sparse_interior *in = &p->inside;
    size_t at = (size_t)j * (size_t)p->lanes + (size_t)g;
    lanes sigma = lanes_load(in->sigma + at), lambda = lanes_load(in->single[2] + g);
    pair q = {.x = lanes_load(in->direction[0] + at),
              .y = lanes_load(in->direction[1] + at),
              .phi = lanes_load(in->phi + at),
              .inverse = lanes_div(lanes_all(1.0), sigma),
              .used = lanes_less(lanes_all(j), lanes_load(in->count + g))};
    lanes zero = lanes_all(0.0);
    q.held = is_held(q.phi, sigma);
    q.weight = lanes_select(q.held, lanes_all(INSIDE_STIFFEST), lanes_mul(q.phi, q.inverse));
    lanes along = lanes_madd(q.x, lanes_load(p->u[1] + g), lanes_sub(lambda, sigma));
    q.rho = lanes_mul(lanes_all(to->pays), lanes_madd(q.y, lanes_load(p->u[2] + g), along));
    lanes wanted = lanes_mul(lanes_all(to->target), lanes_load(in->phi_share + at));
    q.alone = lanes_sub(lanes_div(wanted, q.phi), sigma);
    if (bent) wanted = lanes_msub(lanes_load(to->bent->phi + at), lanes_load(to->bent->sigma + at), wanted);
    q.r = lanes_sub(lanes_mul(wanted, q.inverse), lanes_madd(q.weight, q.rho, q.phi));
    q.r = lanes_select(q.held, zero, q.r);
    return q;
}

/* Finds r of eight contacts, and K. With `bent` the second-order terms of a step are added to r, and K stays as it
 * is. */
HOT void spring_group(sparse *p, int g, const aim *to, bool bent)
{
    sparse_interior *in = &p->inside;
    sparse_springs *k = &p->springs;
    lanes zero = lanes_all(0.0), mu = lanes_load(p->mu + g), lift = lanes_mul(lanes_all(in->lift), mu);
    lanes theta = lanes_load(in->single[0] + g), nu = lanes_load(in->single[1] + g);
    lanes lambda = lanes_load(in->single[2] + g), gamma = lanes_load(in->single[3] + g);
    lanes W = zero, R = zero, gx = zero, gy = zero, xx = zero, xy = zero, yy = zero, rx = zero, ry = zero;
    for (int j = 0; j < in->most[g / 8]; ++j) {
        pair q = pair_at(p, g, j, to, bent);
        lanes wx = lanes_mul(q.weight, q.x), wy = lanes_mul(q.weight, q.y);
        W = lanes_add(W, q.weight);
        R = lanes_add(R, q.r);
        gx = lanes_add(gx, wx);
        gy = lanes_add(gy, wy);
        rx = lanes_madd(q.r, q.x, rx);
        ry = lanes_madd(q.r, q.y, ry);
        xx = lanes_madd(wx, q.x, xx);
        xy = lanes_madd(wx, q.y, xy);
        yy = lanes_madd(wy, q.y, yy);
    }
    lanes wanted_n = lanes_mul(lanes_all(to->target), lanes_load(in->share[0] + g));
    lanes wanted_g = lanes_mul(lanes_all(to->target), lanes_load(in->share[1] + g));
    if (bent) {
        double *const *by = to->bent->single;
        wanted_n = lanes_msub(lanes_load(by[0] + g), lanes_load(by[1] + g), wanted_n);
        wanted_g = lanes_msub(lanes_load(by[2] + g), lanes_load(by[3] + g), wanted_g);
    }
    lanes live = lanes_load(in->live + g),
          rubs = lanes_select(lanes_less(zero, lanes_load(in->count + g)), live, zero);
    lane_mask held = is_held(theta, nu);
    lanes stiff = lanes_select(held, lanes_all(INSIDE_STIFFEST), lanes_div(theta, nu)),
          follow = lanes_mul(mu, stiff);
    lanes divisor = lanes_madd(lambda, lanes_madd(lift, follow, W), gamma);
    lanes rho =
        lanes_mul(lanes_all(to->pays), lanes_sub(lanes_msub(lift, lambda, lanes_load(p->u[0] + g)), nu));
    lanes rn = lanes_sub(lanes_div(wanted_n, nu), lanes_madd(stiff, rho, theta));
    rn = lanes_mul(live, lanes_select(held, zero, rn));
    lanes pull = lanes_mul(rubs, lanes_div(lambda, divisor));
    lanes base = lanes_mul(rubs, lanes_div(lanes_msub(lambda, gamma, wanted_g), divisor));
    base = lanes_madd(pull, lanes_msub(mu, rn, R), base);
    lanes lifted = lanes_mul(lift, stiff); /* dtheta for each dlambda */
    lanes_store(in->gx + g, gx);
    lanes_store(in->gy + g, gy);
    lanes_store(in->pull + g, pull);
    lanes_store(in->base + g, base);
    lanes_store(in->follow + g, follow);
    lanes_store(k->r[0] + g, lanes_madd(lifted, base, rn));
    lanes_store(k->r[1] + g, lanes_msub(gx, base, rx));
    lanes_store(k->r[2] + g, lanes_msub(gy, base, ry));
    if (bent) return;
    lanes px = lanes_mul(pull, gx), py = lanes_mul(pull, gy);
    lanes_store(k->K[K_NN] + g, lanes_msub(lanes_mul(lifted, pull), follow, stiff));
    lanes_store(k->K[K_NX] + g, lanes_mul(lifted, px));
    lanes_store(k->K[K_NY] + g, lanes_mul(lifted, py));
    lanes_store(k->K[K_XN] + g, lanes_mul(px, follow));
    lanes_store(k->K[K_YN] + g, lanes_mul(py, follow));
    lanes_store(k->K[K_XX] + g, lanes_msub(px, gx, xx));
    lanes_store(k->K[K_XY] + g, lanes_msub(px, gy, xy));
    lanes_store(k->K[K_YY] + g, lanes_msub(py, gy, yy));
}

static inline void scan_ratio(pair_scan *scan, lane_mask used, lanes step, lanes inverse)
{
    lanes fall = lanes_sub(lanes_all(0.0), lanes_mul(step, inverse));
    scan->fastest = lanes_max(lanes_select(used, fall, lanes_all(0.0)), scan->fastest);
}

/* The steps of eight contacts, from du in part 1. */
HOT void step_group(sparse *p, int g, const aim *to, bool bent, sparse_step *step, pair_scan *scan)
{
    sparse_interior *in = &p->inside;
    const sparse_springs *k = &p->springs;
    lanes one = lanes_all(1.0), zero = lanes_all(0.0), mu = lanes_load(p->mu + g);
    lanes lift = lanes_mul(lanes_all(in->lift), mu);
    lanes theta = lanes_load(in->single[0] + g), nu = lanes_load(in->single[1] + g);
    lanes lambda = lanes_load(in->single[2] + g);
    lanes un = lanes_load(step->u[0] + g), ux = lanes_load(step->u[1] + g), uy = lanes_load(step->u[2] + g);
    lane_mask live = lanes_less(zero, lanes_load(in->live + g));
    lane_mask rubs = lanes_less(zero, lanes_load(in->count + g));
    lanes drive = lanes_mul(lanes_load(in->follow + g), un);
    drive = lanes_msub(lanes_load(in->gx + g), ux, drive);
    drive = lanes_msub(lanes_load(in->gy + g), uy, drive);
    lanes dlambda = lanes_madd(lanes_load(in->pull + g), drive, lanes_load(in->base + g));
    dlambda = lanes_select(rubs, dlambda, zero);
    lanes rho =
        lanes_mul(lanes_all(to->pays), lanes_sub(lanes_msub(lift, lambda, lanes_load(p->u[0] + g)), nu));
    lanes wanted = lanes_mul(lanes_all(to->target), lanes_load(in->share[0] + g));
    lanes dnu = lanes_select(is_held(theta, nu), lanes_sub(lanes_div(wanted, theta), nu),
                             lanes_add(lanes_msub(lift, dlambda, un), rho));
    dnu = lanes_select(live, dnu, zero);
    lanes dtheta = lanes_msub(lanes_load(k->K[K_NN] + g), un, lanes_load(k->r[0] + g));
    dtheta = lanes_msub(lanes_load(k->K[K_NX] + g), ux, lanes_msub(lanes_load(k->K[K_NY] + g), uy, dtheta));
    lanes sum = zero;
    for (int j = 0; j < in->most[g / 8]; ++j) {
        size_t at = (size_t)j * (size_t)p->lanes + (size_t)g;
        pair q = pair_at(p, g, j, to, bent);
        lanes along = lanes_madd(q.x, ux, lanes_madd(q.y, uy, dlambda));
        lanes dsigma = lanes_select(q.held, q.alone, lanes_add(along, q.rho));
        dsigma = lanes_select(q.used, dsigma, zero);
        lanes dphi = lanes_msub(q.weight, along, q.r);
        sum = lanes_add(sum, dphi);
        scan_ratio(scan, q.used, dsigma, q.inverse);
        scan_ratio(scan, q.used, dphi, lanes_div(one, q.phi));
        scan->product = lanes_madd(dphi, dsigma, scan->product);
        lanes_store(step->phi + at, dphi);
        lanes_store(step->sigma + at, dsigma);
    }
    lanes dgamma = lanes_select(rubs, lanes_sub(lanes_mul(mu, dtheta), sum), zero);
    scan_ratio(scan, live, dtheta, lanes_div(one, theta));
    scan_ratio(scan, live, dnu, lanes_div(one, nu));
    scan_ratio(scan, rubs, dlambda, lanes_div(one, lambda));
    scan_ratio(scan, rubs, dgamma, lanes_div(one, lanes_load(in->single[3] + g)));
    scan->product = lanes_madd(dtheta, dnu, lanes_madd(dlambda, dgamma, scan->product));
    lanes_store(step->single[0] + g, dtheta);
    lanes_store(step->single[1] + g, dnu);
    lanes_store(step->single[2] + g, dlambda);
    lanes_store(step->single[3] + g, dgamma);
}

/* A Newton step; `anew` also factors. Returns how far it could go; `product` is the sum of all dx ds. */
static double newton_step(sparse *p, const aim *to, bool anew, sparse_step *step, double *product)
{
    sparse_springs *k = &p->springs;
    for (int g = 0; g < p->lanes; g += 8) {
        if (to->bent) {
            spring_group(p, g, to, true);
        } else {
            spring_group(p, g, to, false);
        }
    }
    for (int j = 0; j < p->system->joints; ++j)
        k->joint_r[j] = -to->pays * k->joint_stiffness * joint_error(p, j, p->inside.joint);
    if (anew) springs_factor(p);
    springs_solve(p, step);
    pair_scan scan = {lanes_all(0.0), lanes_all(0.0)};
    for (int g = 0; g < p->lanes; g += 8) {
        if (to->bent) {
            step_group(p, g, to, true, step, &scan);
        } else {
            step_group(p, g, to, false, step, &scan);
        }
    }
    *product = lanes_sum(scan.product);
    return 1.0 / lanes_most(scan.fastest);
}

/* point += length step */
static void advance(sparse *p, double length, const sparse_step *step)
{
    sparse_interior *in = &p->inside;
    for (int k = 0; k < 4; ++k) add_scaled(length, step->single[k], in->single[k], p->lanes);
    for (int axis = 0; axis < 3; ++axis) add_scaled(length, step->u[axis], p->u[axis], p->lanes);
    for (int g = 0; g < p->lanes; g += 8) {
        for (int j = 0; j < in->most[g / 8]; ++j) {
            size_t at = (size_t)j * (size_t)p->lanes + (size_t)g;
            add_scaled(length, step->phi + at, in->phi + at, 8);
            add_scaled(length, step->sigma + at, in->sigma + at, 8);
        }
    }
    add_scaled(length, step->v, p->v, p->space);
    for (int j = 0; j < p->system->joints; ++j) in->joint[j] += length * step->joint[j];
}

static double mean_product(const sparse *p)
{
    const sparse_interior *in = &p->inside;
    lanes sum = lanes_all(0.0);
    for (int g = 0; g < p->lanes; g += 8) {
        lanes rubs = lanes_select(lanes_less(lanes_all(0.0), lanes_load(in->count + g)), lanes_all(1.0),
                                  lanes_all(0.0));
        sum = lanes_madd(lanes_load(in->single[0] + g), lanes_load(in->single[1] + g), sum);
        sum = lanes_madd(lanes_mul(rubs, lanes_load(in->single[2] + g)), lanes_load(in->single[3] + g), sum);
        for (int j = 0; j < in->most[g / 8]; ++j) {
            size_t at = (size_t)j * (size_t)p->lanes + (size_t)g;
            sum = lanes_madd(lanes_load(in->phi + at), lanes_load(in->sigma + at), sum);
        }
    }
    return lanes_sum(sum) / in->pairs;
}

/* The state that a contact's pairs name. */
static abut_contact_face inside_of(const sparse *p, int i)
{
    const sparse_interior *in = &p->inside;
    int d = p->system->directions[i];
    const double *phi = in->phi + i, *sigma = in->sigma + i;
    if (!(in->single[0][i] > in->single[1][i])) return (abut_contact_face){.state = ABUT_OPEN};
    if (in->count[i] == 0.0) return (abut_contact_face){.state = ABUT_SLIDE};
    if (in->single[3][i] > in->single[2][i])
        return (abut_contact_face){.state = d == 2 ? ABUT_EDGE : ABUT_STICK};
    int first = 0;
    for (int j = 1; j < d; ++j) first = phi[j * p->lanes] > phi[first * p->lanes] ? j : first;
    int up = (first + 1) % d, down = (first + d - 1) % d;
    int second = phi[up * p->lanes] > phi[down * p->lanes] ? up : down;
    if (d > 2 && phi[second * p->lanes] > sigma[second * p->lanes])
        return (abut_contact_face){.state = ABUT_EDGE, .face = (uint8_t)(second == up ? first : down)};
    return (abut_contact_face){.state = ABUT_SLIDE, .face = (uint8_t)first};
}

/* Takes the impulses of the point and the states that its pairs name. */
static void read_faces(sparse *p)
{
    interior_impulses(p);
    for (int i = 0; i < p->system->n; ++i) {
        abut_contact_face face = inside_of(p, i);
        p->state[i] = face.state;
        p->face[i] = face.face;
    }
}
