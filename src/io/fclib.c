/* FCLIB's HDF5 files: local problems as they are, global ones reduced to local form.
 *
 *     /fclib_local    W, vectors/q, vectors/mu           u = W r + V l + q,  0 = V' r + R l + s
 *     /fclib_global   M, H, vectors/f, w, mu             M v = H r + G l + f,  u = H' v + w,  0 = G' v + b
 *     spacedim        2 or 3
 *
 * V, R, s and G, b (bilateral constraints) may be absent; they become joint rows. A matrix is stored as m, n,
 * nz, p, i, x: nz >= 0 triplets (i rows, p columns), -1 compressed columns, -2 compressed rows. */
#include "io/contact_file.h"
#include "io/delassus.h"

#include <stdio.h>

#ifdef ABUT_HAVE_HDF5

#include <hdf5.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* The open file and where errors go. */
typedef struct h5 {
    const char *name;
    hid_t file;
    abut_error *error;
} h5;

static bool fail(h5 *f, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int used = snprintf(f->error->text, sizeof f->error->text, "%.120s: ", f->name);
    vsnprintf(f->error->text + used, sizeof f->error->text - (size_t)used, format, arguments);
    va_end(arguments);
    return false;
}

/* ---- data sets ---- */

static bool exists(const h5 *f, const char *path)
{
    /* Each group on the way must be asked for by itself. */
    char part[128];
    for (const char *c = path + 1;; ++c) {
        if (*c != '/' && *c != '\0') continue;
        size_t length = (size_t)(c - path);
        if (length >= sizeof part) return false;
        memcpy(part, path, length);
        part[length] = '\0';
        if (H5Lexists(f->file, part, H5P_DEFAULT) <= 0) return false;
        if (*c == '\0') return true;
    }
}

/* Opens a data set of at most `most` numbers and tells how many there are. */
static bool open_set(h5 *f, const char *path, size_t most, hid_t *set, size_t *count)
{
    if (!exists(f, path)) return fail(f, "%s is missing", path);
    *set = H5Dopen2(f->file, path, H5P_DEFAULT);
    if (*set < 0) return fail(f, "%s: expected a data set", path);
    hid_t space = H5Dget_space(*set), type = H5Dget_type(*set);
    hssize_t points = H5Sget_simple_extent_npoints(space);
    H5T_class_t class = H5Tget_class(type);
    H5Sclose(space);
    H5Tclose(type);
    /* A small file can announce a huge set that it does not store. Even packed sets shrink by less than this factor. */
    const hsize_t packing = 1000;
    bool numeric = class == H5T_INTEGER || class == H5T_FLOAT, fits = points >= 0 && (size_t)points <= most;
    if (numeric && fits && (hsize_t)points <= packing * H5Dget_storage_size(*set)) {
        *count = (size_t)points;
        return true;
    }
    H5Dclose(*set);
    if (!numeric) return fail(f, "%s: expected numbers", path);
    if (!fits) return fail(f, "%s: %lld numbers; expected at most %zu", path, (long long)points, most);
    return fail(f, "%s: %lld numbers are announced, but not stored", path, (long long)points);
}

static bool read_doubles(h5 *f, const char *path, size_t count, double **values)
{
    hid_t set;
    size_t found;
    if (!open_set(f, path, count, &set, &found)) return false;
    bool fine = found == count || fail(f, "%s: %zu numbers; expected %zu", path, found, count);
    *values = fine ? malloc((count > 0 ? count : 1) * sizeof(double)) : NULL;
    if (fine && !*values) fine = fail(f, "out of memory");
    if (fine && H5Dread(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, *values) < 0)
        fine = fail(f, "%s cannot be read", path);
    for (size_t i = 0; fine && i < count; ++i)
        if (!isfinite((*values)[i])) fine = fail(f, "%s[%zu]: expected a finite number", path, i);
    H5Dclose(set);
    return fine;
}

static bool read_integers(h5 *f, const char *path, size_t most, int **values, size_t *count)
{
    hid_t set;
    if (!open_set(f, path, most, &set, count)) return false;
    *values = malloc((*count > 0 ? *count : 1) * sizeof(int));
    bool fine = *values || fail(f, "out of memory");
    if (fine && H5Dread(set, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, *values) < 0)
        fine = fail(f, "%s cannot be read", path);
    H5Dclose(set);
    return fine;
}

static bool read_integer(h5 *f, const char *group, const char *name, int low, int high, int *value)
{
    char path[128];
    int *numbers = NULL;
    size_t count = 0;
    snprintf(path, sizeof path, "%s/%s", group, name);
    bool fine = read_integers(f, path, 1, &numbers, &count) &&
                (count == 1 || fail(f, "%s: expected one number", path));
    if (fine && (numbers[0] < low || numbers[0] > high))
        fine = fail(f, "%s: %d; expected %d to %d", path, numbers[0], low, high);
    if (fine) *value = numbers[0];
    free(numbers);
    return fine;
}

/* ---- matrices ---- */

typedef struct sparse {
    int m, n, nz;
    size_t entries, pointers;
    int *p, *i;
    double *x;
} sparse;

static void release_sparse(sparse *s)
{
    free(s->p);
    free(s->i);
    free(s->x);
}

static bool scatter(h5 *f, const char *group, const sparse *s, size_t entry, long long row, long long column,
                    double *dense)
{
    if (row < 0 || row >= s->m || column < 0 || column >= s->n)
        return fail(f, "%s: entry %zu is at row %lld, column %lld; the matrix is %d by %d", group, entry, row,
                    column, s->m, s->n);
    dense[(size_t)row * (size_t)s->n + (size_t)column] += s->x[entry];
    return true;
}

static bool scatter_all(h5 *f, const char *group, const sparse *s, double *dense)
{
    if (s->nz >= 0) {
        for (size_t e = 0; e < s->entries; ++e)
            if (!scatter(f, group, s, e, s->i[e], s->p[e], dense)) return false;
        return true;
    }
    bool columns = s->nz == -1;
    size_t lines = (size_t)(columns ? s->n : s->m);
    for (size_t line = 0; line < lines; ++line) {
        if (s->p[line] < 0 || s->p[line + 1] < s->p[line] || (size_t)s->p[line + 1] > s->entries)
            return fail(f, "%s/p[%zu]: expected pointers that rise from 0 to %zu", group, line, s->entries);
        for (size_t e = (size_t)s->p[line]; e < (size_t)s->p[line + 1]; ++e)
            if (!scatter(f, group, s, e, columns ? s->i[e] : (long long)line,
                         columns ? (long long)line : s->i[e], dense))
                return false;
    }
    return true;
}

static bool read_sparse(h5 *f, const char *group, int m, int n, sparse *s)
{
    char path[128];
    size_t most = (size_t)m * (size_t)n + 1, indices = 0;
    if (!read_integer(f, group, "m", m, m, &s->m) || !read_integer(f, group, "n", n, n, &s->n) ||
        !read_integer(f, group, "nz", -2, m * n, &s->nz))
        return false;
    snprintf(path, sizeof path, "%s/p", group);
    if (!read_integers(f, path, most > (size_t)(m + n) ? most : (size_t)(m + n), &s->p, &s->pointers))
        return false;
    s->entries = (size_t)s->nz;
    size_t lines = (size_t)(s->nz == -1 ? n : m);
    if (s->nz < 0) {
        if (s->pointers != lines + 1)
            return fail(f, "%s: %zu numbers; expected %zu", path, s->pointers, lines + 1);
        int last = s->p[lines];
        if (last < 0 || (size_t)last >= most)
            return fail(f, "%s: ends at %d; expected at most %zu", path, last, most - 1);
        s->entries = (size_t)last;
    } else if (s->pointers < s->entries) {
        return fail(f, "%s: %zu numbers; expected %zu", path, s->pointers, s->entries);
    }
    snprintf(path, sizeof path, "%s/i", group);
    if (!read_integers(f, path, most, &s->i, &indices)) return false;
    if (indices < s->entries) return fail(f, "%s: %zu numbers; expected %zu", path, indices, s->entries);
    snprintf(path, sizeof path, "%s/x", group);
    return read_doubles(f, path, indices, &s->x);
}

/* A matrix of known size as a new dense one. */
static bool read_matrix(h5 *f, const char *group, int m, int n, double **dense)
{
    sparse s = {0};
    bool fine = read_sparse(f, group, m, n, &s);
    *dense = fine ? calloc((size_t)m * (size_t)n, sizeof(double)) : NULL;
    if (fine && !*dense) fine = fail(f, "out of memory");
    fine = fine && scatter_all(f, group, &s, *dense);
    release_sparse(&s);
    return fine;
}

/* ---- problems ---- */

/* How many contacts and joint rows there are: read from the sizes of mu and of the vector of bilateral
 * constraints. */
static bool read_sizes(h5 *f, const char *group, const char *bilateral, abuti_contact_data *data,
                       int *contacts, int *rows)
{
    char path[128];
    hid_t set;
    size_t count = 0;
    if (!read_integer(f, group, "spacedim", 2, 3, &data->dimension)) return false;
    snprintf(path, sizeof path, "%s/vectors/mu", group);
    if (!open_set(f, path, (size_t)(ABUTI_DENSE_MAX_N / data->dimension), &set, &count)) return false;
    H5Dclose(set);
    if (count == 0) return fail(f, "%s: expected at least one contact", path);
    *contacts = (int)count;
    count = 0;
    snprintf(path, sizeof path, "%s/vectors/%s", group, bilateral);
    if (exists(f, path)) {
        if (!open_set(f, path, ABUTI_DENSE_MAX_N, &set, &count)) return false;
        H5Dclose(set);
    }
    data->joint_count = (int)count;
    *rows = data->dimension * *contacts + data->joint_count;
    return *rows <= ABUTI_DENSE_MAX_N || fail(f, "%d rows; expected at most %d", *rows, ABUTI_DENSE_MAX_N);
}

/* Room for W and q, and joints with target 0: their right-hand sides are part of q. */
static bool make_room(h5 *f, abuti_contact_data *data, int rows)
{
    data->W = calloc((size_t)rows * (size_t)rows, sizeof(double));
    data->q = calloc((size_t)rows, sizeof(double));
    if (data->joint_count > 0) data->joints = calloc((size_t)data->joint_count, sizeof *data->joints);
    if (data->W && data->q && (data->joint_count == 0 || data->joints)) return true;
    return fail(f, "out of memory");
}

static bool read_local(h5 *f, abuti_contact_data *data, int contacts, int rows)
{
    int n = data->dimension * contacts, joints = data->joint_count;
    double *W = NULL, *V = NULL, *R = NULL, *q = NULL, *s = NULL;
    bool fine = make_room(f, data, rows) && read_matrix(f, "/fclib_local/W", n, n, &W) &&
                read_doubles(f, "/fclib_local/vectors/q", (size_t)n, &q);
    if (fine && joints > 0)
        fine = read_matrix(f, "/fclib_local/V", n, joints, &V) &&
               read_matrix(f, "/fclib_local/R", joints, joints, &R) &&
               read_doubles(f, "/fclib_local/vectors/s", (size_t)joints, &s);
    for (int i = 0; fine && i < rows; ++i) {
        data->q[i] = i < n ? q[i] : s[i - n];
        for (int j = 0; j < rows; ++j)
            data->W[(size_t)i * (size_t)rows + (size_t)j] = i < n && j < n
                                                                ? W[(size_t)i * (size_t)n + (size_t)j]
                                                            : i >= n && j >= n ? R[(i - n) * joints + j - n]
                                                            : i < n            ? V[i * joints + j - n]
                                                                               : V[j * joints + i - n];
    }
    free(W);
    free(V);
    free(R);
    free(q);
    free(s);
    return fine;
}

/* W = [H G]' M^-1 [H G], q = [H G]' M^-1 f + (w, b). */
static bool read_global(h5 *f, abuti_contact_data *data, int contacts, int rows)
{
    int n = data->dimension * contacts, joints = data->joint_count, dof = 0;
    double *M = NULL, *H = NULL, *G = NULL, *force = NULL, *w = NULL, *b = NULL, *all = NULL;
    bool fine =
        make_room(f, data, rows) && read_integer(f, "/fclib_global/M", "m", 1, ABUTI_DENSE_MAX_N, &dof) &&
        read_matrix(f, "/fclib_global/M", dof, dof, &M) && read_matrix(f, "/fclib_global/H", dof, n, &H) &&
        read_doubles(f, "/fclib_global/vectors/f", (size_t)dof, &force) &&
        read_doubles(f, "/fclib_global/vectors/w", (size_t)n, &w);
    if (fine && joints > 0)
        fine = read_matrix(f, "/fclib_global/G", dof, joints, &G) &&
               read_doubles(f, "/fclib_global/vectors/b", (size_t)joints, &b);
    if (fine) {
        all = malloc(((size_t)rows * (size_t)dof + (size_t)rows) * sizeof(double));
        fine = all || fail(f, "out of memory");
    }
    if (fine) {
        double *offset = all + (size_t)rows * (size_t)dof;
        for (int i = 0; i < rows; ++i) {
            offset[i] = i < n ? w[i] : b[i - n];
            for (int c = 0; c < dof; ++c)
                all[(size_t)i * (size_t)dof + (size_t)c] =
                    i < n ? H[(size_t)c * (size_t)n + (size_t)i]
                          : G[(size_t)c * (size_t)joints + (size_t)(i - n)];
        }
        fine = abuti_reduce_to_local(dof, M, force, rows, all, offset, data->W, data->q) ||
               fail(f, "/fclib_global/M: expected a symmetric positive definite matrix");
    }
    free(M);
    free(H);
    free(G);
    free(force);
    free(w);
    free(b);
    free(all);
    return fine;
}

static bool read_file(h5 *f, abuti_contact_data *data)
{
    bool local = exists(f, "/fclib_local");
    if (!local && !exists(f, "/fclib_global"))
        return fail(f, "not an FCLIB file; expected a group fclib_local or fclib_global");
    int contacts = 0, rows = 0;
    double *mu = NULL;
    const char *group = local ? "/fclib_local" : "/fclib_global";
    bool fine = read_sizes(f, group, local ? "s" : "b", data, &contacts, &rows) &&
                read_doubles(f, local ? "/fclib_local/vectors/mu" : "/fclib_global/vectors/mu",
                             (size_t)contacts, &mu) &&
                (local ? read_local(f, data, contacts, rows) : read_global(f, data, contacts, rows)) &&
                (abuti_contact_data_local(data, contacts, mu) || fail(f, "out of memory"));
    free(mu);
    return fine;
}

bool abuti_contact_read_fclib(const char *path, abuti_contact_data *data, abut_error *error)
{
    *data = (abuti_contact_data){.step = 1};
    /* HDF5 prints its own stack of errors unless told not to. */
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    h5 f = {.name = path, .error = error};
    f.file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
    if (f.file < 0) return fail(&f, "not an HDF5 file, or a damaged one");
    bool fine = read_file(&f, data);
    H5Fclose(f.file);
    if (!fine) abuti_contact_data_release(data);
    return fine;
}

/* ---- writing ---- */

static bool write_set(hid_t group, const char *name, hid_t type, hid_t memory, size_t count,
                      const void *values)
{
    hsize_t size = count;
    hid_t space = H5Screate_simple(1, &size, NULL);
    hid_t set = H5Dcreate2(group, name, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    bool fine = set >= 0 && H5Dwrite(set, memory, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0;
    if (set >= 0) H5Dclose(set);
    H5Sclose(space);
    return fine;
}

static bool write_integers(hid_t group, const char *name, size_t count, const int *values)
{
    return write_set(group, name, H5T_STD_I32LE, H5T_NATIVE_INT, count, values);
}

static bool write_doubles(hid_t group, const char *name, size_t count, const double *values)
{
    return write_set(group, name, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, count, values);
}

/* The block of W that begins at (row, column), m by n, as compressed rows. */
static bool write_matrix(hid_t parent, const char *name, const abuti_delassus *local, int row, int column,
                         int m, int n)
{
    size_t most = (size_t)m * (size_t)n;
    int *p = malloc(((size_t)m + 1 + most) * sizeof(int)), *i = p ? p + m + 1 : NULL;
    double *x = malloc(most * sizeof(double));
    hid_t group = H5Gcreate2(parent, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    bool fine = p && x && group >= 0;
    int used = 0;
    for (int r = 0; fine && r < m; ++r) {
        p[r] = used;
        for (int c = 0; c < n; ++c) {
            double value = local->W[(size_t)(row + r) * (size_t)local->n + (size_t)(column + c)];
            if (value == 0) continue;
            i[used] = c;
            x[used++] = value;
        }
        p[r + 1] = used;
    }
    const int compressed_rows = -2;
    fine = fine && write_integers(group, "nzmax", 1, &used) && write_integers(group, "m", 1, &m) &&
           write_integers(group, "n", 1, &n) && write_integers(group, "nz", 1, &compressed_rows) &&
           write_integers(group, "p", (size_t)m + 1, p) && write_integers(group, "i", (size_t)used, i) &&
           write_doubles(group, "x", (size_t)used, x);
    if (group >= 0) H5Gclose(group);
    free(p);
    free(x);
    return fine;
}

static bool write_file(hid_t file, const abut_contact_problem *problem, const abuti_delassus *local)
{
    int contacts = problem->contact_count, n = local->dimension * contacts, joints = problem->joint_count;
    hid_t group = H5Gcreate2(file, "fclib_local", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    hid_t vectors = H5Gcreate2(group, "vectors", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    double *mu = malloc(((size_t)contacts + 1) * sizeof(double));
    for (int i = 0; mu && i < contacts; ++i) mu[i] = problem->contacts[i].friction;
    bool fine = mu && vectors >= 0 && write_integers(group, "spacedim", 1, &local->dimension) &&
                write_matrix(group, "W", local, 0, 0, n, n) &&
                write_doubles(vectors, "q", (size_t)n, local->q) &&
                write_doubles(vectors, "mu", (size_t)contacts, mu);
    if (fine && joints > 0)
        fine = write_matrix(group, "V", local, 0, n, n, joints) &&
               write_matrix(group, "R", local, n, n, joints, joints) &&
               write_doubles(vectors, "s", (size_t)joints, local->q + n);
    free(mu);
    if (vectors >= 0) H5Gclose(vectors);
    if (group >= 0) H5Gclose(group);
    return fine;
}

bool abuti_contact_write_fclib(const char *path, const abut_contact_problem *problem,
                               const abut_contact_options *options, abut_error *error)
{
    abuti_delassus local;
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    if (!abuti_delassus_form(problem, options, &local, error)) return false;
    h5 f = {.name = path, .error = error};
    f.file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    bool fine = f.file >= 0 && write_file(f.file, problem, &local);
    if (f.file >= 0 && H5Fclose(f.file) < 0) fine = false;
    if (!fine) fail(&f, "could not be written");
    abuti_delassus_release(&local);
    return fine;
}

#else

static bool left_out(const char *path, abut_error *error)
{
    snprintf(error->text, sizeof error->text,
             "%.120s: this build of abut has no FCLIB files: its component HDF5 (libhdf5) was left out",
             path);
    return false;
}

bool abuti_contact_read_fclib(const char *path, abuti_contact_data *data, abut_error *error)
{
    *data = (abuti_contact_data){0};
    return left_out(path, error);
}

bool abuti_contact_write_fclib(const char *path, const abut_contact_problem *problem,
                               const abut_contact_options *options, abut_error *error)
{
    (void)problem;
    (void)options;
    return left_out(path, error);
}

#endif
