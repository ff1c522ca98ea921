/* Mass, centre and inertia: of simple shapes, their sums, and what the compiler does to them. */
#include "scene/reader.h"

#include "base/angle.h"
#include "base/space.h"
#include <string.h>

enum { XX, YY, ZZ, XY, XZ, YZ };

static void unpack(double m[9], const double s[6])
{
    const double full[9] = {s[XX], s[XY], s[XZ], s[XY], s[YY], s[YZ], s[XZ], s[YZ], s[ZZ]};
    memcpy(m, full, sizeof full);
}

void abuti_inertia_turn(double out[6], const double inertia[6], const double quat[4])
{
    double r[9], m[9], rm[9];
    abuti_m3_from_quat(r, quat);
    unpack(m, inertia);
    abuti_m3_multiply(rm, r, m);
    static const int at[6][2] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {0, 2}, {1, 2}};
    for (int k = 0; k < 6; ++k) out[k] = abuti_v3_dot(rm + 3 * at[k][0], r + 3 * at[k][1]);
}

/* Adds the inertia of a point mass at r. */
static void add_point(double inertia[6], double mass, const double r[3])
{
    double x = r[0], y = r[1], z = r[2];
    inertia[XX] += mass * (y * y + z * z);
    inertia[YY] += mass * (x * x + z * z);
    inertia[ZZ] += mass * (x * x + y * y);
    inertia[XY] -= mass * x * y;
    inertia[XZ] -= mass * x * z;
    inertia[YZ] -= mass * y * z;
}

void abuti_mass_add(abuti_mass *sum, const abuti_mass *part, const abut_scene_pose *pose)
{
    double turned[6], com[3], from_sum[3], from_part[3], total = sum->mass + part->mass;
    if (!(total > 0)) return;
    abuti_inertia_turn(turned, part->inertia, pose->quat);
    abuti_quat_apply(com, pose->quat, part->com);
    abuti_v3_add(com, com, pose->pos);
    double middle[3];
    for (int k = 0; k < 3; ++k) middle[k] = (sum->mass * sum->com[k] + part->mass * com[k]) / total;
    abuti_v3_sub(from_sum, sum->com, middle);
    abuti_v3_sub(from_part, com, middle);
    for (int k = 0; k < 6; ++k) sum->inertia[k] += turned[k];
    add_point(sum->inertia, sum->mass, from_sum);
    add_point(sum->inertia, part->mass, from_part);
    sum->mass = total;
    abuti_v3_copy(sum->com, middle);
}

/* ---- eigenvalues ---- */

/* One rotation of Jacobi's that makes m[p][q] zero. */
static void rotate(double m[9], double vectors[9], int p, int q)
{
    double apq = m[3 * p + q];
    if (apq == 0) return;
    double theta = (m[4 * q] - m[4 * p]) / (2 * apq);
    double t = (theta >= 0 ? 1 : -1) / (fabs(theta) + sqrt(theta * theta + 1));
    double c = 1 / sqrt(t * t + 1), s = t * c;
    for (int k = 0; k < 3; ++k) {
        double a = m[3 * k + p], b = m[3 * k + q];
        m[3 * k + p] = c * a - s * b;
        m[3 * k + q] = s * a + c * b;
    }
    for (int k = 0; k < 3; ++k) {
        double a = m[3 * p + k], b = m[3 * q + k];
        m[3 * p + k] = c * a - s * b;
        m[3 * q + k] = s * a + c * b;
    }
    for (int k = 0; k < 3; ++k) {
        double a = vectors[3 * k + p], b = vectors[3 * k + q];
        vectors[3 * k + p] = c * a - s * b;
        vectors[3 * k + q] = s * a + c * b;
    }
}

/* The largest first, as MuJoCo has them; the vectors are a rotation. */
void abuti_symmetric_eigen(const double matrix[6], double values[3], double vectors[9])
{
    enum { SWEEPS = 30 };
    double m[9];
    unpack(m, matrix);
    memcpy(vectors, (double[9]){1, 0, 0, 0, 1, 0, 0, 0, 1}, 9 * sizeof *vectors);
    for (int i = 0; i < SWEEPS; ++i) {
        rotate(m, vectors, 0, 1);
        rotate(m, vectors, 0, 2);
        rotate(m, vectors, 1, 2);
    }
    for (int k = 0; k < 3; ++k) values[k] = m[4 * k];
    for (int pass = 0; pass < 3; ++pass) {
        int p = pass % 2, q = p + 1;
        if (!(values[p] < values[q])) continue;
        double value = values[p];
        values[p] = values[q];
        values[q] = value;
        for (int k = 0; k < 3; ++k) {
            double v = vectors[3 * k + p];
            vectors[3 * k + p] = vectors[3 * k + q];
            vectors[3 * k + q] = -v;
        }
    }
}

/* ---- simple shapes ---- */

/* Volume and second moments per unit of mass: inertia about x (and y), and about z. */
static double round_solid(abut_scene_geom_type type, double r, double h, double *across, double *along)
{
    double cylinder = 2 * ABUTI_PI * r * r * h, ball = 4.0 / 3 * ABUTI_PI * r * r * r;
    if (type == ABUT_SCENE_CYLINDER) ball = 0;
    double total = cylinder + ball;
    *along = (cylinder * r * r / 2 + ball * 2 * r * r / 5) / total;
    *across = (cylinder * (r * r / 4 + h * h / 3) + ball * (2 * r * r / 5 + h * h + 3 * h * r / 4)) / total;
    return total;
}

/* Likewise of its surface. */
static double round_shell(abut_scene_geom_type type, double r, double h, double *across, double *along)
{
    double side = 4 * ABUTI_PI * r * h, caps = (type == ABUT_SCENE_CYLINDER ? 2 : 4) * ABUTI_PI * r * r;
    double total = side + caps, flat = r * r / 2, bulge = h + r / 2;
    *along = (side * r * r + caps * (type == ABUT_SCENE_CYLINDER ? flat : 2 * r * r / 3)) / total;
    double cap_across = type == ABUT_SCENE_CYLINDER ? r * r / 4 + h * h : 5 * r * r / 12 + bulge * bulge;
    *across = (side * (r * r / 2 + h * h / 3) + caps * cap_across) / total;
    return total;
}

static double box_shell(const double s[3], double inertia[6])
{
    double total = 8 * (s[0] * s[1] + s[1] * s[2] + s[2] * s[0]);
    for (int k = 0; k < 3; ++k) {
        int i = (k + 1) % 3, j = (k + 2) % 3;
        double kk = 8 * s[i] * s[j], ii = 8 * s[j] * s[k], jj = 8 * s[k] * s[i];
        double squares = s[i] * s[i] + s[j] * s[j];
        inertia[k] =
            (kk * squares / 3 + ii * (s[i] * s[i] + s[j] * s[j] / 3) + jj * (s[j] * s[j] + s[i] * s[i] / 3)) /
            total;
    }
    return total;
}

/* The skin between an ellipsoid and one whose radii are longer by a little, as MuJoCo takes it; its area by Thomsen's
 * formula. */
static double ellipsoid_shell(const double radii[3], double inertia[6])
{
    static const double little = 1e-6, thomsen = 1.6075;
    double volume[2], squares[2][3], sum = 0;
    for (int i = 0; i < 2; ++i) {
        double r[3];
        for (int k = 0; k < 3; ++k) r[k] = radii[k] + (i == 0 ? 0 : little);
        volume[i] = r[0] * r[1] * r[2];
        for (int k = 0; k < 3; ++k) squares[i][k] = r[k] * r[k] * volume[i] / 5;
    }
    for (int k = 0; k < 3; ++k) {
        int a = (k + 1) % 3, b = (k + 2) % 3;
        inertia[k] =
            (squares[1][a] + squares[1][b] - squares[0][a] - squares[0][b]) / (volume[1] - volume[0]);
        sum += pow(radii[a] * radii[b], thomsen);
    }
    return 4 * ABUTI_PI * pow(sum / 3, 1 / thomsen);
}

static bool mesh_solid(const abuti_reader *reader, const abut_scene_geom *geom, double *volume, double com[3],
                       double inertia[6])
{
    const abuti_mesh_shape *shape = (abuti_mesh_shape *)reader->shapes.items + geom->asset;
    *volume = shape->shell ? shape->area : shape->solid;
    abuti_v3_copy(com, shape->shell ? shape->shell_com : shape->com);
    for (int k = 0; k < 6; ++k)
        inertia[k] = (shape->shell ? shape->shell_inertia[k] : shape->inertia[k]) / *volume;
    return true;
}

bool abuti_geom_solid(const abuti_reader *reader, const abut_scene_geom *geom, bool shell, double *volume,
                      double com[3], double inertia[6])
{
    const double *s = geom->size;
    double across, along;
    memset(inertia, 0, 6 * sizeof *inertia);
    memset(com, 0, 3 * sizeof *com);
    switch (geom->type) {
    case ABUT_SCENE_SPHERE:
        *volume = shell ? 4 * ABUTI_PI * s[0] * s[0] : 4.0 / 3 * ABUTI_PI * s[0] * s[0] * s[0];
        for (int k = 0; k < 3; ++k) inertia[k] = (shell ? 2.0 / 3 : 2.0 / 5) * s[0] * s[0];
        return true;
    case ABUT_SCENE_CAPSULE:
    case ABUT_SCENE_CYLINDER:
        *volume = (shell ? round_shell : round_solid)(geom->type, s[0], s[1], &across, &along);
        abuti_v3_set(inertia, across, across, along);
        return true;
    case ABUT_SCENE_ELLIPSOID:
        if (shell) {
            *volume = ellipsoid_shell(s, inertia);
            return true;
        }
        *volume = 4.0 / 3 * ABUTI_PI * s[0] * s[1] * s[2];
        for (int k = 0; k < 3; ++k)
            inertia[k] = (s[(k + 1) % 3] * s[(k + 1) % 3] + s[(k + 2) % 3] * s[(k + 2) % 3]) / 5;
        return true;
    case ABUT_SCENE_BOX:
        if (shell) {
            *volume = box_shell(s, inertia);
            return true;
        }
        *volume = 8 * s[0] * s[1] * s[2];
        for (int k = 0; k < 3; ++k)
            inertia[k] = (s[(k + 1) % 3] * s[(k + 1) % 3] + s[(k + 2) % 3] * s[(k + 2) % 3]) / 3;
        return true;
    case ABUT_SCENE_MESH: return mesh_solid(reader, geom, volume, com, inertia);
    default: return false;
    }
}

/* ---- inertia that is given ---- */

bool abuti_inertial_read(abuti_reader *reader, const abuti_place *place, const abuti_element *element)
{
    abuti_source *source = &reader->source;
    const abuti_compiler *compiler = &place->instance->model->compiler;
    abuti_body_mark *mark = (abuti_body_mark *)reader->body_marks.items + place->body;
    abut_scene_body *body = (abut_scene_body *)reader->bodies.items + place->body;
    if (place->body == 0)
        return abuti_fail(source, ABUT_INVALID_ARGUMENT, element, NULL, "the world has no inertia");
    if (mark->given)
        return abuti_fail(source, ABUT_INVALID_ARGUMENT, element, NULL, "a body has one of them");
    mark->given = true;
    if (compiler->inertia_from_geoms == 1) return true;
    abuti_mass part = {0}, sum = {0};
    abut_scene_pose pose;
    if (abuti_numbers_of(element, "mass", &part.mass) == 0 || !(part.mass >= 0))
        return abuti_fail(source, ABUT_INVALID_ARGUMENT, element, "mass", "expected a number >= 0");
    if (!abuti_given(element, "pos"))
        return abuti_fail(source, ABUT_INVALID_ARGUMENT, element, "pos", "missing; expected three numbers");
    abuti_numbers_of(element, "diaginertia", part.inertia);
    if (abuti_numbers_of(element, "fullinertia", part.inertia) > 0 &&
        (abuti_given(element, "diaginertia") || abuti_given(element, "quat") ||
         abuti_given(element, "euler") || abuti_given(element, "axisangle") ||
         abuti_given(element, "xyaxes") || abuti_given(element, "zaxis")))
        return abuti_fail(source, ABUT_INVALID_ARGUMENT, element, "fullinertia",
                          "given together with diaginertia or an orientation");
    if (!abuti_pose_read(reader, compiler, element, &pose)) return false;
    abuti_pose_compose(&pose, &place->frame, &pose);
    /* A mass of zero keeps its place and its inertia. */
    abuti_inertia_turn(sum.inertia, part.inertia, pose.quat);
    body->mass = part.mass;
    abuti_v3_copy(body->com, pose.pos);
    memcpy(body->inertia, sum.inertia, sizeof sum.inertia);
    return true;
}

/* ---- when all bodies are there ---- */

static bool judge(abuti_reader *reader, const abuti_body_mark *mark, abut_scene_body *body)
{
    enum { SLACK = 1000 }; /* roundings that a sum of moments may be off by */
    const abuti_compiler *compiler = mark->compiler;
    double values[3], vectors[9], inertia[6] = {0};
    abuti_symmetric_eigen(body->inertia, values, vectors);
    bool changed = false;
    /* Where nothing has a mass, MuJoCo takes the numbers of the body's pos for the centre; boundmass may then give
     * the body a mass. */
    if (!(body->mass > 0) && !mark->given) abuti_numbers_of(mark->element, "pos", body->com);
    if (body->mass < compiler->bound_mass) body->mass = compiler->bound_mass;
    for (int k = 0; k < 3; ++k)
        if (values[k] < compiler->bound_inertia) values[k] = compiler->bound_inertia, changed = true;
    double scale = values[0] + values[1] + values[2];
    if (values[1] + values[2] < values[0] - SLACK * 2.3e-16 * scale) {
        if (!compiler->balance)
            return abuti_fail(&reader->source, ABUT_INVALID_ARGUMENT, mark->element, NULL,
                              "moments of inertia %g, %g, %g: the largest exceeds the sum of the others; see "
                              "balanceinertia",
                              values[0], values[1], values[2]);
        for (int k = 0; k < 3; ++k) values[k] = scale / 3;
        changed = true;
    }
    if (values[2] < -SLACK * 2.3e-16 * scale)
        return abuti_fail(&reader->source, ABUT_INVALID_ARGUMENT, mark->element, NULL,
                          "a negative moment of inertia: %g", values[2]);
    if (!changed) return true;
    double quat[4];
    abuti_quat_from_columns(quat, vectors);
    abuti_v3_copy(inertia, values);
    abuti_inertia_turn(body->inertia, inertia, quat);
    return true;
}

/* A body that moves must have a mass: its own, or that of bodies fixed to it. */
static bool check_moving(abuti_reader *reader)
{
    abut_scene_body *bodies = reader->bodies.items;
    int count = reader->bodies.count;
    double *mass = abuti_pool_take(&reader->scratch, (size_t)count * sizeof *mass);
    if (!mass) return abuti_fail_memory(&reader->source);
    for (int i = count - 1; i > 0; i--) {
        mass[i] += bodies[i].mass;
        if (bodies[i].joint_count == 0) mass[bodies[i].parent] += mass[i];
        if (bodies[i].joint_count > 0 && !(mass[i] >= ABUTI_TINY))
            return abuti_fail(&reader->source, ABUT_INVALID_ARGUMENT,
                              ((abuti_body_mark *)reader->body_marks.items)[i].element, NULL,
                              "it moves and has no mass; expected geoms or an inertial");
    }
    return true;
}

bool abuti_inertia_finish(abuti_reader *reader, const abuti_compiler *root)
{
    abut_scene_body *bodies = reader->bodies.items;
    double total = 0;
    for (int i = 1; i < reader->bodies.count; ++i) {
        if (!judge(reader, (abuti_body_mark *)reader->body_marks.items + i, &bodies[i])) return false;
        total += bodies[i].mass;
    }
    if (root->total_mass > 0 && total > 0) {
        double scale = root->total_mass / total;
        for (int i = 1; i < reader->bodies.count; ++i) {
            bodies[i].mass *= scale;
            for (int k = 0; k < 6; ++k) bodies[i].inertia[k] *= scale;
        }
    }
    return check_moving(reader);
}
