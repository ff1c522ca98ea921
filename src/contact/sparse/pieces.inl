/* Included by sparse/core.inl.
 *
 * The path through the pieces of the proximal problem (sparse/proximal.inl), where Newton's method fails.
 *
 * F(v) = v - k - J'P(x_0 - u / eps) is linear as long as no contact changes its state, and continuous. From v_0 the
 * points with F(v) = t F(v_0) form a path of straight pieces. On each, dv = A^-1 F(v_0) dt with A = I + J'K J and the
 * springs K of the states. It ends, where a contact reaches the border of its state, and the next piece begins with the
 * neighbouring state: A changes by a matrix of rank one, J_i'a b'J_i, and where its determinant changes its sign t turns
 * back. At t = 0 is the answer. F grows in all directions, since contacts give way, so the path does not leave without
 * end; from a point near the answer it has some ten pieces, and a few hundred where it turns often. */

/* A change of A since it was factored: A^-1 takes away column (b'J_i y) / pivot from y. */
typedef struct piece_change {
    double *column;
    int contact;
    double b[3], pivot;
} piece_change;

/* Changes between two factorisations, as far as there is room for columns. */
enum { PIECE_CHANGES = 48 };

typedef struct piece_path {
    double softness;
    double t, sense; /* dt along the path is `sense`, -1 or 1 */
    double *start;   /* F(v_0) */
    double *rate;    /* A^-1 F(v_0) */
    piece_change change[PIECE_CHANGES];
    int count, room;
} piece_path;

/* What changes first on a piece: after how much of t, at which contact, to which state. */
typedef struct piece_end {
    double after;
    int contact;
    abut_contact_face next;
} piece_end;

/* A slack that must not become negative, and the state behind the border where it does. */
static void meet(piece_end *end, double slack, double rate, uint8_t state, int face)
{
    if (!(rate < 0.0)) return;
    double after = slack > 0.0 ? slack / -rate : 0.0;
    if (after < end->after)
        *end = (piece_end){.after = after, .next = {.state = state, .face = (uint8_t)face}};
}

/* Borders of a contact that rubs along a line. */
static void meet_planar(const sparse *p, int i, const double z[3], const double dz[3], piece_end *end)
{
    double limit = p->mu[i] * z[0], rate = p->mu[i] * dz[0];
    if (p->state[i] == ABUT_EDGE) {
        meet(end, limit - z[1], rate - dz[1], ABUT_SLIDE, 0);
        meet(end, limit + z[1], rate + dz[1], ABUT_SLIDE, 1);
        return;
    }
    double side = p->face[i] == 0 ? 1.0 : -1.0;
    meet(end, side * z[1] - limit, side * dz[1] - rate, ABUT_EDGE, 0);
}

/* Borders of a contact that sticks, is on an edge, or slides along a corner of its polygon. */
static void meet_polygon(const sparse *p, int i, const double z[3], const double dz[3], piece_end *end)
{
    int d = p->system->directions[i], face = p->face[i], before = face == 0 ? d - 1 : face - 1;
    double limit = p->mu[i] * z[0], rate = p->mu[i] * dz[0];
    for (int k = 0; k < d && p->state[i] == ABUT_STICK; ++k) {
        sparse_edge e = edge_of(p, d, k);
        meet(end, limit * e.kap - e.ax * z[1] - e.ay * z[2], rate * e.kap - e.ax * dz[1] - e.ay * dz[2],
             ABUT_EDGE, k);
    }
    if (p->state[i] == ABUT_STICK) return;
    sparse_edge e = edge_of(p, d, face), b = edge_of(p, d, before);
    double along = z[2] * e.ax - z[1] * e.ay, dalong = dz[2] * e.ax - dz[1] * e.ay;
    if (p->state[i] == ABUT_EDGE) {
        meet(end, e.ax * z[1] + e.ay * z[2] - limit * e.kap, e.ax * dz[1] + e.ay * dz[2] - rate * e.kap,
             ABUT_STICK, 0);
        meet(end, limit * e.h - along, rate * e.h - dalong, ABUT_SLIDE, face + 1 == d ? 0 : face + 1);
        meet(end, limit * e.h + along, rate * e.h + dalong, ABUT_SLIDE, face);
    } else {
        meet(end, -along - limit * e.h, -dalong - rate * e.h, ABUT_EDGE, face);
        meet(end, z[2] * b.ax - z[1] * b.ay - limit * b.h, dz[2] * b.ax - dz[1] * b.ay - rate * b.h,
             ABUT_EDGE, before);
    }
}

/* Where a contact changes its state: z = x_0 - u / eps moves by dz. */
static piece_end meet_contact(const sparse *p, int i, const double z[3], const double dz[3])
{
    piece_end end = {.after = INFINITY};
    bool rubs = p->mu[i] > 0.0;
    int d = p->system->directions[i];
    if (p->state[i] == ABUT_OPEN) {
        meet(&end, -z[0], -dz[0], ABUT_SLIDE, 0);
        if (rubs && end.after < INFINITY) /* at the tip of the cone */
            end.next = projected_face(p, d, NO_SIZE, z[1] + end.after * dz[1], z[2] + end.after * dz[2]);
        return end;
    }
    meet(&end, z[0], dz[0], ABUT_OPEN, 0);
    if (rubs && d == 2) meet_planar(p, i, z, dz, &end);
    if (rubs && d > 2) meet_polygon(p, i, z, dz, &end);
    return end;
}

/* Where the piece ends. */
static piece_end piece_find_end(const sparse *p, const piece_path *path)
{
    const sparse_springs *g = &p->springs;
    double *const *du = p->step[0].u;
    piece_end first = {.after = INFINITY, .contact = -1};
    for (int i = 0; i < p->system->n; ++i) {
        double z[3], dz[3];
        for (int axis = 0; axis < 3; ++axis) {
            double stiff = stiffness(p, i, axis, path->softness);
            z[axis] = g->from[axis][i] - stiff * p->u[axis][i];
            dz[axis] = -stiff * path->sense * du[axis][i];
        }
        piece_end end = meet_contact(p, i, z, dz);
        if (!(end.after < first.after)) continue;
        first = end;
        first.contact = i;
    }
    return first;
}

/* b'J_i y */
static double change_along(const sparse *p, const piece_change *change, const double *y)
{
    double sum = 0.0;
    for (int axis = 0; axis < 3; ++axis) {
        if (change->b[axis] != 0.0) sum += change->b[axis] * row_along(p, change->contact, axis, y);
    }
    return sum;
}

/* y -= column (b'J_i y) / pivot */
static void take_change(const sparse *p, const piece_change *change, double *y)
{
    add_scaled(-change_along(p, change, y) / change->pivot, change->column, y, p->space);
}

/* Factors A of the states at hand. */
static void piece_factor(sparse *p, piece_path *path)
{
    proximal_factor(p, path->softness);
    memcpy(path->rate, path->start, (size_t)p->space * sizeof(double));
    solve(&p->at.own->matrix, path->rate);
    path->count = 0;
}

/* The springs of a contact as a matrix. */
static void spring_matrix(const sparse *p, int i, double K[3][3])
{
    double *const *k = p->springs.K;
    double all[3][3] = {{k[K_NN][i], k[K_NX][i], k[K_NY][i]},
                        {k[K_XN][i], k[K_XX][i], k[K_XY][i]},
                        {k[K_YN][i], k[K_XY][i], k[K_YY][i]}};
    memcpy(K, all, sizeof all);
}

/* A contact takes its next state, and the rate follows. */
static void piece_turn(sparse *p, piece_path *path, const piece_end *end)
{
    int i = end->contact, row = 0, column = 0;
    double before[3][3], K[3][3];
    piece_change *change = &path->change[path->count];
    spring_matrix(p, i, before);
    p->state[i] = end->next.state;
    p->face[i] = end->next.face;
    face_springs(p, i, path->softness);
    spring_matrix(p, i, K);
    for (int a = 0; a < 3; ++a) {
        for (int b = 0; b < 3; ++b) {
            K[a][b] -= before[a][b];
            if (fabs(K[a][b]) > fabs(K[row][column])) row = a, column = b;
        }
    }
    if (K[row][column] == 0.0) return;
    change->contact = i;
    change->column = p->doubt.W + (size_t)path->count * (size_t)p->space;
    memset(change->column, 0, (size_t)p->space * sizeof(double));
    for (int axis = 0; axis < 3; ++axis) {
        change->b[axis] = K[row][axis] / K[row][column];
        take_row(p, i, axis, p->error);
        add_scaled(K[axis][column], p->error, change->column, p->space);
    }
    solve(&p->at.own->matrix, change->column);
    for (int q = 0; q < path->count; ++q) take_change(p, &path->change[q], change->column);
    change->pivot = 1.0 + change_along(p, change, change->column);
    take_change(p, change, path->rate);
    if (change->pivot < 0.0) path->sense = -path->sense;
    if (++path->count == path->room) piece_factor(p, path);
}

/* Follows the path from the velocities at hand, over at most `most` pieces. False: it has not ended. */
static bool follow_pieces(sparse *p, double softness, int most, const abuti_stage_context *context)
{
    size_t fits = (size_t)(9 * MEND_MOST * MEND_MOST) / (size_t)p->space; /* columns stand in the room of W */
    piece_path path = {.softness = softness,
                       .t = 1.0,
                       .sense = -1.0,
                       .start = p->first,
                       .rate = p->step[0].v,
                       .room = fits < PIECE_CHANGES ? (int)fits : PIECE_CHANGES};
    if (path.room == 0) return false;
    proximal_impulses(p, softness);
    (void)proximal_error(p, path.start);
    for (int c = 0; c < p->space; ++c) path.start[c] = -path.start[c];
    piece_factor(p, &path);
    for (int piece = 0; piece < most && path.t < PIECE_FAR; ++piece) {
        if (budget_spent(p, context)) return false;
        tell_velocities(p, path.rate, false, p->step[0].u);
        piece_end end = piece_find_end(p, &path);
        bool there = path.sense < 0.0 && path.t <= end.after;
        double length = path.sense * (there ? path.t : end.after);
        if (!(fabs(length) < INFINITY)) return false;
        add_scaled(length, path.rate, p->v, p->space);
        for (int axis = 0; axis < 3; ++axis) add_scaled(length, p->step[0].u[axis], p->u[axis], p->lanes);
        path.t += length;
        if (there) {
            tell_velocities(p, p->v, true, p->u);
            return true;
        }
        piece_turn(p, &path, &end);
    }
    return false;
}
