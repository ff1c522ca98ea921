/* MuJoCo's Newton on a pile: free bodies, and our contacts in place of those that its own collision would find.
 *
 * Its contacts are springs, so that it answers another question than Coulomb's law. The nearest question that it can be
 * asked has the stiffest springs it takes (a time constant of two steps, impedance 0.9999) and elliptic cones. */
#include "peers.h"

#ifdef ABUT_HAVE_MUJOCO

#include "timer.h"

#include <dlfcn.h>
#include <mujoco/mujoco.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double IMPEDANCE = 0.9999;

/* The functions that are used, under their own names without mj_. */
static struct {
    void (*defaultVFS)(mjVFS *);
    int (*makeEmptyFileVFS)(mjVFS *, const char *, int);
    void (*deleteVFS)(mjVFS *);
    mjModel *(*loadXML)(const char *, const mjVFS *, char *, int);
    void (*deleteModel)(mjModel *);
    mjData *(*makeData)(const mjModel *);
    void (*deleteData)(mjData *);
    int (*addContact)(const mjModel *, mjData *, const mjContact *);
    void (*contactForce)(const mjModel *, const mjData *, int, mjtNum *);
    void (*kinematics)(const mjModel *, mjData *), (*comPos)(const mjModel *, mjData *),
        (*crb)(const mjModel *, mjData *), (*factorM)(const mjModel *, mjData *),
        (*makeConstraint)(const mjModel *, mjData *), (*projectConstraint)(const mjModel *, mjData *),
        (*fwdVelocity)(const mjModel *, mjData *), (*fwdActuation)(const mjModel *, mjData *),
        (*fwdAcceleration)(const mjModel *, mjData *), (*fwdConstraint)(const mjModel *, mjData *);
} mj;

static bool load(void)
{
    static const struct {
        const char *name;
        void *function;
    } names[] = {{"mj_defaultVFS", &mj.defaultVFS},
                 {"mj_makeEmptyFileVFS", &mj.makeEmptyFileVFS},
                 {"mj_deleteVFS", &mj.deleteVFS},
                 {"mj_loadXML", &mj.loadXML},
                 {"mj_deleteModel", &mj.deleteModel},
                 {"mj_makeData", &mj.makeData},
                 {"mj_deleteData", &mj.deleteData},
                 {"mj_addContact", &mj.addContact},
                 {"mj_contactForce", &mj.contactForce},
                 {"mj_kinematics", &mj.kinematics},
                 {"mj_comPos", &mj.comPos},
                 {"mj_crb", &mj.crb},
                 {"mj_factorM", &mj.factorM},
                 {"mj_makeConstraint", &mj.makeConstraint},
                 {"mj_projectConstraint", &mj.projectConstraint},
                 {"mj_fwdVelocity", &mj.fwdVelocity},
                 {"mj_fwdActuation", &mj.fwdActuation},
                 {"mj_fwdAcceleration", &mj.fwdAcceleration},
                 {"mj_fwdConstraint", &mj.fwdConstraint}};
    static bool loaded;
    if (loaded) return true;
    void *library = dlopen(ABUT_MUJOCO_FILE, RTLD_NOW | RTLD_LOCAL);
    bool whole = library;
    for (size_t i = 0; whole && i < sizeof names / sizeof *names; ++i)
        whole = (*(void **)names[i].function = dlsym(library, names[i].name));
    return loaded = whole;
}

/* The model as text: geom 0 is the world's, geom i + 1 that of body i; none of them collides. */
static char *write_model(const peer_pile *pile, const peer_limits *limits, size_t *length)
{
    const abut_contact_problem *problem = pile->problem;
    char *text = NULL;
    FILE *out = open_memstream(&text, length);
    if (!out) return NULL;
    fprintf(out,
            "<mujoco><option timestep='%.17g' gravity='0 0 0' cone='elliptic' solver='Newton' "
            "jacobian='sparse' tolerance='%g' iterations='%d'/><size njmax='%d' nconmax='%d' nstack='%d'/>"
            "<default><geom type='sphere' size='0.001' contype='0' conaffinity='0'/></default><worldbody>"
            "<geom pos='0 0 -9'/>",
            problem->step, limits->tolerance, limits->iterations, 3 * problem->contact_count + 10,
            problem->contact_count + 10, 100000000);
    for (int i = 0; i < problem->body_count; ++i) {
        const abut_body *b = &problem->bodies[i];
        fprintf(out,
                "<body pos='%.17g %.17g %.17g'><freejoint/><inertial pos='0 0 0' mass='%.17g' "
                "fullinertia='%.17g %.17g %.17g %.17g %.17g %.17g'/><geom/></body>",
                b->com[0], b->com[1], b->com[2], b->mass, b->inertia[0], b->inertia[1], b->inertia[2],
                b->inertia[3], b->inertia[4], b->inertia[5]);
    }
    fputs("</worldbody></mujoco>", out);
    return fclose(out) == 0 ? text : NULL;
}

static mjModel *make_model(const peer_pile *pile, const peer_limits *limits)
{
    size_t length = 0;
    char *text = write_model(pile, limits, &length), error[500];
    mjVFS *files = calloc(1, sizeof *files);
    mjModel *model = NULL;
    if (text && files) {
        mj.defaultVFS(files);
        if (mj.makeEmptyFileVFS(files, "pile.xml", (int)length) == 0) {
            memcpy(files->filedata[0], text, length);
            model = mj.loadXML("pile.xml", files, error, sizeof error);
        }
        mj.deleteVFS(files);
    }
    free(files);
    free(text);
    return model;
}

/* Our contact as MuJoCo's: its normal points from geom 1 to geom 2, ours towards A. */
static mjContact contact_of(const peer_pile *pile, int index)
{
    const abut_contact *c = &pile->problem->contacts[index];
    mjContact contact = {.dist = c->gap,
                         .includemargin = c->gap > 0.0 ? 2.0 * c->gap : 1e-9,
                         .friction = {c->friction, c->friction, 1e-5, 1e-5, 1e-5},
                         .solref = {2.0 * pile->problem->step, 1.0},
                         .solimp = {IMPEDANCE, IMPEDANCE, 0.001, 0.5, 2.0},
                         .dim = 3,
                         .geom1 = c->bodies[1] + 1,
                         .geom2 = c->bodies[0] + 1};
    memcpy(contact.pos, c->point, sizeof contact.pos);
    memcpy(contact.frame, pile->frames[index], sizeof contact.frame);
    return contact;
}

static void place_bodies(const abut_contact_problem *problem, mjData *data)
{
    for (int i = 0; i < problem->body_count; ++i) {
        memcpy(data->qvel + 6 * i, problem->bodies[i].velocity, sizeof problem->bodies[i].velocity);
        memcpy(data->xfrc_applied + 6 * (i + 1), problem->bodies[i].force, sizeof problem->bodies[i].force);
    }
}

static bool run(const peer_pile *pile, const mjModel *model, mjData *data, double *impulses, double *us)
{
    const abut_contact_problem *problem = pile->problem;
    place_bodies(problem, data);
    mj.kinematics(model, data);
    mj.comPos(model, data);
    mj.crb(model, data);
    mj.factorM(model, data);
    data->ncon = 0;
    for (int i = 0; i < problem->contact_count; ++i) {
        mjContact contact = contact_of(pile, i);
        if (mj.addContact(model, data, &contact) != 0) return false;
    }
    double start = bench_cpu_us();
    mj.makeConstraint(model, data);
    mj.projectConstraint(model, data);
    mj.fwdVelocity(model, data);
    mj.fwdActuation(model, data);
    mj.fwdAcceleration(model, data);
    mj.fwdConstraint(model, data);
    *us = bench_cpu_us() - start;
    for (int i = 0; i < problem->contact_count; ++i) {
        mjtNum force[6] = {0};
        mj.contactForce(model, data, i, force);
        for (int r = 0; r < 3; ++r) impulses[3 * i + r] = problem->step * force[r];
    }
    return true;
}

static bool solve(const peer_pile *pile, const peer_limits *limits, double *impulses, double *us)
{
    mjModel *model = make_model(pile, limits);
    mjData *data = model ? mj.makeData(model) : NULL;
    bool right = data && run(pile, model, data, impulses, us);
    if (data) mj.deleteData(data);
    if (model) mj.deleteModel(model);
    return right;
}

const peer peer_mujoco = {"mujoco newton", load, solve};

#else

const peer peer_mujoco = {"mujoco newton", peer_absent, peer_refuses};

#endif
