/* The problem collections in ABUT_EXTERNAL_DATA: contactsets by Lloyd's methods and by faces, FC3D and FCLIB files.
 * Skipped without them. */
#include "io/contact_file.h"
#include "lloyd_case.h"

#include <dirent.h>

static const char *root;

/* Every problem of one contactset. */
static int run_file(contact_trial *trial, const char *name, double *worst)
{
    char path[4096];
    abuti_contact_data data;
    abut_error error;
    int count = 0;
    snprintf(path, sizeof path, "%s/contact/%s", root, name);
    for (; abuti_contact_read(path, count, &data, &error); ++count) {
        abut_contact_problem problem = abuti_contact_data_problem(&data);
        run_problem(trial, &problem, RESIDUAL_PAPER, name, count);
        *worst = fmax(*worst, trial->check.residual);
        abuti_contact_data_release(&data);
    }
    CHECK_MSG(count > 0, "%s", error.text);
    return count;
}

static void run_contactsets(abut_contact_solver solver)
{
    char path[4096];
    int count = 0;
    double worst = 0;
    contact_trial *trial = contact_trial_create(solver, true);
    snprintf(path, sizeof path, "%s/contact", root);
    DIR *directory = opendir(path);
    CHECK_MSG(trial && directory, "%s cannot be opened", path);
    for (struct dirent *entry; trial && directory && (entry = readdir(directory));)
        if (strstr(entry->d_name, ".txt")) count += run_file(trial, entry->d_name, &worst);
    if (directory) closedir(directory);
    contact_trial_destroy(trial);
    printf("       %d external problems, worst residual %.1e\n", count, worst);
    CHECK(count > 0);
}

static void test_faces(void)
{
    run_contactsets(ABUT_SOLVER_FACES);
}

static void test_reduced(void)
{
    run_contactsets(ABUT_SOLVER_REDUCED);
}

static void test_structural(void)
{
    run_contactsets(ABUT_SOLVER_STRUCTURAL);
}

/* FC3D and FCLIB files state the true cone: every one of them is solved on its circles to 1e-10. */
static void test_circles(void)
{
    char path[4096];
    int count = 0;
    double worst = 0;
    contact_trial *trial = contact_trial_create(ABUT_SOLVER_AUTO, false);
    snprintf(path, sizeof path, "%s/fc3d", root);
    DIR *directory = opendir(path);
    CHECK_MSG(trial && directory, "%s cannot be opened", path);
    trial->options.tolerance = 1e-10;
    for (struct dirent *entry; trial && directory && (entry = readdir(directory));) {
        abuti_contact_data data;
        abut_error error = {""};
        snprintf(path, sizeof path, "%s/fc3d/%s", root, entry->d_name);
        if (entry->d_name[0] == '.' || !abuti_contact_read(path, 0, &data, &error)) continue;
        abut_contact_problem problem = abuti_contact_data_problem(&data);
        CHECK(problem.contacts[0].cone == ABUT_CONE_CIRCLE);
        run_problem(trial, &problem, 1e-10, entry->d_name, 0);
        worst = fmax(worst, trial->check.residual);
        abuti_contact_data_release(&data);
        count++;
    }
    if (directory) closedir(directory);
    contact_trial_destroy(trial);
    printf("       %d external problems with circles, worst residual %.1e\n", count, worst);
    CHECK(count > 0);
}

#ifdef ABUT_HAVE_HDF5
/* Local and global files: what was read is a problem. */
static void test_fclib(void)
{
    static const char *const names[] = {"Box_Stacks-i0122-82-5.hdf5", "Capsules-i125-1213.hdf5"};
    for (int i = 0; i < 2; ++i) {
        char path[4096];
        abuti_contact_data data;
        abut_error error = {""};
        snprintf(path, sizeof path, "%s/fc3d/%s", root, names[i]);
        bool fine = abuti_contact_read(path, 0, &data, &error);
        CHECK_MSG(fine, "%s", error.text);
        if (!fine) continue;
        abut_contact_problem problem = abuti_contact_data_problem(&data);
        CHECK_MSG(abut_contact_validate(&problem, &error) == ABUT_OK, "%s", error.text);
        CHECK(data.contact_count > 50);
        abuti_contact_data_release(&data);
    }
}
#endif

int main(void)
{
    root = getenv("ABUT_EXTERNAL_DATA");
    if (!root || !*root) {
        printf("skipped: ABUT_EXTERNAL_DATA names no folder of problems\n");
        return CHECK_SKIPPED;
    }
    RUN(test_faces);
    RUN(test_reduced);
    RUN(test_structural);
    RUN(test_circles);
#ifdef ABUT_HAVE_HDF5
    RUN(test_fclib);
#endif
    return check_report();
}
