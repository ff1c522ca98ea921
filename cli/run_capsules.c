#include "run_capsules.h"

#include "draft.h"

#include "io/contact_file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

bool run_capsules_open(run_capsules *c, const char *folder, const char *name, abut_error *error)
{
    struct stat kind;
    *c = (run_capsules){.folder = folder, .name = name};
    bool there = mkdir(folder, 0777) == 0 || errno == EEXIST;
    if (there && stat(folder, &kind) == 0 && !S_ISDIR(kind.st_mode)) {
        there = false;
        errno = ENOTDIR;
    }
    if (there && access(folder, W_OK | X_OK) == 0) return true;
    snprintf(error->text, sizeof error->text, "%.150s: %s", folder, strerror(errno));
    return false;
}

/* What the problem has that a capsule does not hold, or NULL. */
static const char *beyond_capsules(const abut_contact_problem *problem)
{
    if (!problem) return "nothing moves";
    for (int i = 0; i < problem->joint_count; ++i)
        if (problem->joints[i].bounded && problem->joints[i].compliance > 0)
            return "a row with bounds gives way, by itself or by the safe step";
    return NULL;
}

/* Writes the problem as it was before the safe step. In a scene only rows with bounds are compliant, and those are left
 * out above. So the safe step added all compliance that is there, and it is taken out again. */
static bool write_rigid(FILE *file, const abut_contact_problem *problem, const abut_contact_options *options,
                        abut_error *error)
{
    size_t contacts = (size_t)problem->contact_count, joints = (size_t)problem->joint_count;
    abut_contact_problem rigid = *problem;
    abut_contact *c = malloc((contacts + 1) * sizeof *c);
    abut_joint *j = malloc((joints + 1) * sizeof *j);
    bool fine = c && j;
    if (fine) {
        for (size_t i = 0; i < contacts; ++i) {
            c[i] = problem->contacts[i];
            c[i].compliance = 0;
        }
        for (size_t i = 0; i < joints; ++i) {
            j[i] = problem->joints[i];
            j[i].compliance = 0;
        }
        rigid.contacts = c;
        rigid.joints = j;
        fine = abuti_contact_write_capsule(file, &rigid, options, error);
    } else {
        snprintf(error->text, sizeof error->text, "out of memory");
    }
    free(c);
    free(j);
    return fine;
}

bool run_capsules_add(run_capsules *c, const abut_world *world, const abut_contact_options *options,
                      long step, abut_error *error)
{
    const abut_contact_problem *problem = abut_world_last_problem(world);
    const char *beyond = beyond_capsules(problem);
    c->steps++;
    if (beyond) {
        if (c->left_out++ == 0) snprintf(c->why.text, sizeof c->why.text, "step %ld: %s", step, beyond);
        return true;
    }
    if (c->written == RUN_CAPSULES_MAX) return true;
    char path[4096];
    draft d;
    abut_error why = {""};
    int length = snprintf(path, sizeof path, "%s/%s-%06ld.json", c->folder, c->name, step);
    errno = length >= (int)sizeof path ? ENAMETOOLONG : 0;
    if (errno == 0 && draft_open(&d, path)) {
        bool fine = write_rigid(d.file, problem, options, &why);
        if (draft_close(&d, fine)) {
            c->written++;
            return true;
        }
    }
    snprintf(error->text, sizeof error->text, "%.120s: %.120s", path,
             why.text[0] != '\0' ? why.text
             : errno != 0        ? strerror(errno)
                                 : "cannot be written");
    return false;
}
