/* Included by faces/core.inl.
 *
 * Cold solves of many bodies: through the inside to the states.
 *
 * Flips and paths go from state to state, and their number grows with the bodies. An interior point sees all
 * contacts at once. The complementary pairs of a contact are those of the LCP behind the states,
 *
 *     theta  >= 0,  nu = u_n >= 0
 *     phi_j  >= 0,  sigma_j = d_j.u + lambda >= 0        f = sum of phi_j d_j
 *     lambda >= 0,  gamma = mu theta - sum of phi_j >= 0
 *
 * Newton's method makes the product of each pair equal to a target, which goes to zero (Mehrotra's predictor
 * and corrector: one factorisation and two solves a round). phi, lambda and gamma are eliminated contact by
 * contact. With w_j = phi_j / sigma_j, W the sum of w_j, g the sum of w_j d_j and G the sum of w_j d_j d_j',
 *
 *     dlambda = (c_gamma + lambda (R - mu dtheta - g.du)) / (gamma + lambda W)
 *     df      = sum of r_j d_j - G du - g dlambda
 *
 * so a contact becomes a spring (faces/springs.inl), symmetric but for the friction that follows the normal
 * impulse. Some ten rounds are enough whatever the number of bodies, degenerate or not. With friction there
 * is no proof that the rounds end (M is not positive definite): they are capped, and the path comes after.
 *
 * What the rounds leave is near an answer, but strictly inside. When the products are small, the larger
 * member of each pair names the contact's state, and faces/settle.inl finds the answer that belongs to those
 * states. */

/* What one pass over all pairs finds: the largest -dx / x, and the sum of all dx ds. */
typedef struct pair_scan {
    lanes fastest, product;
} pair_scan;

/* The first point: all pairs alike and all products equal, at the scale of the problem. */
static void interior_begin(faces *f)
{
    const abuti_system *s = f->system;
    faces_interior *in = &f->interior;
    double start = FACES_INSIDE * f->size;
    in->pairs = 0;
    for (int i = 0; i < f->lanes; ++i) {
        bool live = i < s->n;
        int d = live && f->mu[i] > 0.0 ? s->directions[i] : 0;
        int *most = &in->most[i / 8];
        *most = i % 8 == 0 || d > *most ? d : *most;
        in->count[i] = d;
        in->live[i] = live ? 1.0 : 0.0;
        in->pairs += live ? 1 + d + (d > 0) : 0;
        in->theta[i] = live ? start : 0.0;
        in->nu[i] = in->lambda[i] = start;
        in->gamma[i] = d > 0 ? 0.5 * f->mu[i] * start : start;
        for (int which = 0; which < 4; ++which) in->step[which][i] = 0.0;
    }
    for (int i = 0; i < f->lanes; ++i) {
        for (int j = 0; j < in->most[i / 8]; ++j) {
            size_t at = (size_t)j * (size_t)f->lanes + (size_t)i;
            bool used = j < in->count[i];
            const double *direction = used ? abuti_direction(s->directions[i], j) : NULL;
            in->direction[0][at] = used ? direction[0] : 0.0;
            in->direction[1][at] = used ? direction[1] : 0.0;
            in->phi[at] = used ? 0.5 * f->mu[i] * start / in->count[i] : 0.0;
            in->sigma[at] = start;
            in->dphi[at] = in->dsigma[at] = 0.0;
        }
    }
    for (int j = 0; j < s->joints; ++j) in->joint[j] = 0.0;
}

/* theta and f of the point, in the springs' impulses. */
static void interior_impulses(faces *f)
{
    faces_interior *in = &f->interior;
    double *const *x = f->springs.x;
    for (int g = 0; g < f->lanes; g += 8) {
        lanes fx = lanes_all(0.0), fy = lanes_all(0.0);
        for (int j = 0; j < in->most[g / 8]; ++j) {
            size_t at = (size_t)j * (size_t)f->lanes + (size_t)g;
            fx = lanes_madd(lanes_load(in->phi + at), lanes_load(in->direction[0] + at), fx);
            fy = lanes_madd(lanes_load(in->phi + at), lanes_load(in->direction[1] + at), fy);
        }
        lanes_store(x[0] + g, lanes_load(in->theta + g));
        lanes_store(x[1] + g, fx);
        lanes_store(x[2] + g, fy);
    }
    for (int j = 0; j < f->system->joints; ++j) f->springs.joint_x[j] = in->joint[j];
}

/* One direction of eight contacts at the point. */
typedef struct pair {
    lanes x, y;                 /* the direction */
    lanes phi, inverse, weight; /* inverse = 1 / sigma, weight = phi / sigma */
    lanes rho;                  /* d_j.u + lambda - sigma, what sigma still owes */
    lanes r;                    /* dphi = r - weight (d_j.du + dlambda) */
    lane_mask used;
} pair;

HOT pair pair_at(const faces *f, int g, int j, double target, bool corrected)
{
    const faces_interior *in = &f->interior;
    size_t at = (size_t)j * (size_t)f->lanes + (size_t)g;
    lanes sigma = lanes_load(in->sigma + at), lambda = lanes_load(in->lambda + g);
    pair p = {.x = lanes_load(in->direction[0] + at),
              .y = lanes_load(in->direction[1] + at),
              .phi = lanes_load(in->phi + at),
              .inverse = lanes_div(lanes_all(1.0), sigma),
              .used = lanes_less(lanes_all(j), lanes_load(in->count + g))};
    p.weight = lanes_mul(p.phi, p.inverse);
    lanes along = lanes_madd(p.x, lanes_load(f->ut[0][0] + g), lanes_sub(lambda, sigma));
    p.rho = lanes_madd(p.y, lanes_load(f->ut[0][1] + g), along);
    lanes r = lanes_sub(lanes_all(0.0), lanes_madd(p.weight, p.rho, p.phi));
    if (corrected) {
        lanes product = lanes_mul(lanes_load(in->dphi + at), lanes_load(in->dsigma + at));
        lanes wanted = lanes_sub(lanes_select(p.used, lanes_all(target), lanes_all(0.0)), product);
        r = lanes_madd(wanted, p.inverse, r);
    }
    p.r = r;
    return p;
}

/* Finds K and r of eight contacts for pair products `target`; with `corrected`, the second-order terms of the last step
 * are included. */
HOT void spring_group(faces *f, int g, double target, bool corrected)
{
    faces_interior *in = &f->interior;
    faces_springs *k = &f->springs;
    lanes zero = lanes_all(0.0), mu = lanes_load(f->mu + g);
    lanes theta = lanes_load(in->theta + g), nu = lanes_load(in->nu + g);
    lanes lambda = lanes_load(in->lambda + g), gamma = lanes_load(in->gamma + g);
    lanes W = zero, R = zero, gx = zero, gy = zero, xx = zero, xy = zero, yy = zero, rx = zero, ry = zero;
    for (int j = 0; j < in->most[g / 8]; ++j) {
        pair p = pair_at(f, g, j, target, corrected);
        lanes wx = lanes_mul(p.weight, p.x), wy = lanes_mul(p.weight, p.y);
        W = lanes_add(W, p.weight);
        R = lanes_add(R, p.r);
        gx = lanes_add(gx, wx);
        gy = lanes_add(gy, wy);
        rx = lanes_madd(p.r, p.x, rx);
        ry = lanes_madd(p.r, p.y, ry);
        xx = lanes_madd(wx, p.x, xx);
        xy = lanes_madd(wx, p.y, xy);
        yy = lanes_madd(wy, p.y, yy);
    }
    lanes wanted_n = zero, wanted_g = zero;
    if (corrected) {
        wanted_n = lanes_msub(lanes_load(in->step[0] + g), lanes_load(in->step[1] + g), lanes_all(target));
        wanted_g = lanes_msub(lanes_load(in->step[2] + g), lanes_load(in->step[3] + g), lanes_all(target));
    }
    lanes stiff = lanes_div(theta, nu), divisor = lanes_madd(lambda, W, gamma);
    lanes rho = lanes_sub(lanes_load(f->un[0] + g), nu), live = lanes_load(in->live + g);
    lanes rn = lanes_sub(lanes_div(wanted_n, nu), lanes_madd(stiff, rho, theta));
    rn = lanes_mul(live, rn);
    lanes pull = lanes_div(lambda, divisor);
    lanes base = lanes_madd(pull, R, lanes_div(lanes_msub(lambda, gamma, wanted_g), divisor));
    lanes rest = lanes_msub(lanes_mul(pull, mu), rn, base);
    lanes follow = lanes_mul(lanes_mul(pull, mu), stiff);
    lanes_store(in->gx + g, gx);
    lanes_store(in->gy + g, gy);
    lanes_store(in->pull + g, pull);
    lanes_store(in->base + g, base);
    lanes_store(k->r[0] + g, rn);
    lanes_store(k->r[1] + g, lanes_msub(gx, rest, rx));
    lanes_store(k->r[2] + g, lanes_msub(gy, rest, ry));
    if (corrected) return;
    lanes px = lanes_mul(pull, gx), py = lanes_mul(pull, gy);
    lanes_store(k->K[K_NN] + g, stiff);
    lanes_store(k->K[K_XN] + g, lanes_mul(gx, follow));
    lanes_store(k->K[K_YN] + g, lanes_mul(gy, follow));
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
HOT void step_group(faces *f, int g, double target, bool corrected, pair_scan *scan)
{
    faces_interior *in = &f->interior;
    const faces_springs *k = &f->springs;
    lanes one = lanes_all(1.0), zero = lanes_all(0.0), mu = lanes_load(f->mu + g);
    lanes nu = lanes_load(in->nu + g), theta = lanes_load(in->theta + g);
    lanes ux = lanes_load(f->ut[1][0] + g), uy = lanes_load(f->ut[1][1] + g), un = lanes_load(f->un[1] + g);
    lane_mask live = lanes_less(zero, lanes_load(in->live + g));
    lane_mask rubs = lanes_less(zero, lanes_load(in->count + g));
    lanes dtheta = lanes_msub(lanes_load(k->K[K_NN] + g), un, lanes_load(k->r[0] + g));
    lanes dnu = lanes_add(un, lanes_sub(lanes_load(f->un[0] + g), nu));
    dnu = lanes_select(live, dnu, zero);
    lanes drive = lanes_madd(lanes_load(in->gx + g), ux, lanes_mul(mu, dtheta));
    drive = lanes_madd(lanes_load(in->gy + g), uy, drive);
    lanes dlambda = lanes_msub(lanes_load(in->pull + g), drive, lanes_load(in->base + g));
    dlambda = lanes_select(rubs, dlambda, zero);
    lanes sum = zero;
    for (int j = 0; j < in->most[g / 8]; ++j) {
        size_t at = (size_t)j * (size_t)f->lanes + (size_t)g;
        pair p = pair_at(f, g, j, target, corrected);
        lanes along = lanes_madd(p.x, ux, lanes_madd(p.y, uy, dlambda));
        lanes dsigma = lanes_select(p.used, lanes_add(along, p.rho), zero);
        lanes dphi = lanes_msub(p.weight, along, p.r);
        sum = lanes_add(sum, dphi);
        scan_ratio(scan, p.used, dsigma, p.inverse);
        scan_ratio(scan, p.used, dphi, lanes_div(one, p.phi));
        scan->product = lanes_madd(dphi, dsigma, scan->product);
        lanes_store(in->dphi + at, dphi);
        lanes_store(in->dsigma + at, dsigma);
    }
    lanes dgamma = lanes_select(rubs, lanes_sub(lanes_mul(mu, dtheta), sum), zero);
    scan_ratio(scan, live, dtheta, lanes_div(one, theta));
    scan_ratio(scan, live, dnu, lanes_div(one, nu));
    scan_ratio(scan, rubs, dlambda, lanes_div(one, lanes_load(in->lambda + g)));
    scan_ratio(scan, rubs, dgamma, lanes_div(one, lanes_load(in->gamma + g)));
    scan->product = lanes_madd(dtheta, dnu, lanes_madd(dlambda, dgamma, scan->product));
    lanes_store(in->step[0] + g, dtheta);
    lanes_store(in->step[1] + g, dnu);
    lanes_store(in->step[2] + g, dlambda);
    lanes_store(in->step[3] + g, dgamma);
}

/* A Newton step towards products `target`; the predictor also factors. Returns how far it could go. */
static double newton_step(faces *f, double target, bool corrected, double *product)
{
    faces_springs *k = &f->springs;
    if (corrected) {
        for (int g = 0; g < f->lanes; g += 8) spring_group(f, g, target, true);
    } else {
        for (int g = 0; g < f->lanes; g += 8) spring_group(f, g, target, false);
        for (int j = 0; j < f->system->joints; ++j)
            k->joint_r[j] = -k->joint_stiffness * joint_velocity(f, j, 0);
        springs_factor(f);
    }
    springs_solve(f);
    pair_scan scan = {lanes_all(0.0), lanes_all(0.0)};
    if (corrected) {
        for (int g = 0; g < f->lanes; g += 8) step_group(f, g, target, true, &scan);
    } else {
        for (int g = 0; g < f->lanes; g += 8) step_group(f, g, target, false, &scan);
    }
    for (int j = 0; j < f->system->joints; ++j)
        k->joint_dx[j] = k->joint_r[j] - k->joint_stiffness * joint_velocity(f, j, 1);
    *product = lanes_sum(scan.product);
    return 1.0 / lanes_most(scan.fastest);
}

/* point += length step; returns the mean product of the pairs. */
static double advance(faces *f, double length)
{
    faces_interior *in = &f->interior;
    lanes sum = lanes_all(0.0);
    double *const value[4] = {in->theta, in->nu, in->lambda, in->gamma};
    for (int g = 0; g < f->lanes; g += 8) {
        lanes rubs = lanes_select(lanes_less(lanes_all(0.0), lanes_load(in->count + g)), lanes_all(1.0),
                                  lanes_all(0.0));
        for (int which = 0; which < 4; ++which) axpy(length, in->step[which] + g, value[which] + g, 8);
        for (int axis = 0; axis < 2; ++axis) axpy(length, f->ut[1][axis] + g, f->ut[0][axis] + g, 8);
        axpy(length, f->un[1] + g, f->un[0] + g, 8);
        sum = lanes_madd(lanes_load(in->theta + g), lanes_load(in->nu + g), sum);
        sum = lanes_madd(lanes_mul(rubs, lanes_load(in->lambda + g)), lanes_load(in->gamma + g), sum);
        for (int j = 0; j < in->most[g / 8]; ++j) {
            size_t at = (size_t)j * (size_t)f->lanes + (size_t)g;
            axpy(length, in->dphi + at, in->phi + at, 8);
            axpy(length, in->dsigma + at, in->sigma + at, 8);
            sum = lanes_madd(lanes_load(in->phi + at), lanes_load(in->sigma + at), sum);
        }
    }
    axpy(length, f->v[1], f->v[0], f->space);
    for (int j = 0; j < f->system->joints; ++j) in->joint[j] += length * f->springs.joint_dx[j];
    return lanes_sum(sum) / in->pairs;
}

/* The state that a contact's pairs name. */
static abut_contact_face inside_of(const faces *f, int i)
{
    const faces_interior *in = &f->interior;
    int d = f->system->directions[i];
    const double *phi = in->phi + i, *sigma = in->sigma + i;
    if (!(in->theta[i] > in->nu[i])) return (abut_contact_face){.state = ABUT_OPEN};
    if (in->count[i] == 0.0) return (abut_contact_face){.state = ABUT_SLIDE};
    if (in->gamma[i] > in->lambda[i]) return (abut_contact_face){.state = d == 2 ? ABUT_EDGE : ABUT_STICK};
    int first = 0;
    for (int j = 1; j < d; ++j) first = phi[j * f->lanes] > phi[first * f->lanes] ? j : first;
    int up = (first + 1) % d, down = (first + d - 1) % d;
    int second = phi[up * f->lanes] > phi[down * f->lanes] ? up : down;
    if (d > 2 && phi[second * f->lanes] > sigma[second * f->lanes])
        return (abut_contact_face){.state = ABUT_EDGE, .face = (uint8_t)(second == up ? first : down)};
    return (abut_contact_face){.state = ABUT_SLIDE, .face = (uint8_t)first};
}

/* Takes the impulses of the point and the states that its pairs name. */
static void read_faces(faces *f)
{
    interior_impulses(f);
    for (int i = 0; i < f->system->n; ++i) {
        abut_contact_face face = inside_of(f, i);
        f->state[i] = face.state;
        f->face[i] = face.face;
    }
}

/* Rounds of predictor and corrector; when the products have shrunk enough, the states are tried. Circles go on from the
 * point and its states as they are, and from further away. */
static flips walk_inside(faces *f, const abuti_stage_context *context)
{
    double unit = f->size * f->size, gap, owed = 1.0;
    double next = (context->rough ? FACES_INSIDE_ROUGH : FACES_INSIDE_NEAR) * unit;
    interior_begin(f);
    interior_impulses(f);
    velocity_of_impulses(f);
    f->springs.joint_stiffness = FACES_INSIDE_JOINT;
    gap = advance(f, 0.0);
    for (int round = 0; round < FACES_INSIDE_ROUNDS; ++round) {
        if (gap <= next && owed <= FACES_INSIDE_OWED) {
            read_faces(f);
            if (context->rough) return FLIPS_DONE;
            flips end = settle(f, FACES_SETTLE_ROUNDS, context);
            if (end != FLIPS_STUCK) return end;
            interior_impulses(f);
            velocity_of_impulses(f);
            f->springs.joint_stiffness = FACES_INSIDE_JOINT;
            next = FACES_INSIDE_AGAIN * gap;
        }
        if (budget_spent(f, context)) return FLIPS_LIMIT;
        double product, reach = fmin(1.0, newton_step(f, 0.0, false, &product));
        double predicted = (1.0 - reach) * gap + reach * reach * product / f->interior.pairs;
        double ratio = fmin(fmax(predicted / gap, FACES_INSIDE_LEAST), 1.0);
        double length =
            fmin(1.0, FACES_INSIDE_REACH * newton_step(f, ratio * ratio * ratio * gap, true, &product));
        f->pivots++;
        gap = advance(f, length);
        owed *= 1.0 - length;
        if (!(gap > 0.0 && gap < INFINITY && length > FACES_INSIDE_STALL)) return FLIPS_STUCK;
    }
    return FLIPS_STUCK;
}
