/* What the default solver keeps of every island from step to step. */
#include "check.h"
#include "contact/faces/faces.h"
#include "contact/workspace.h"
#include "contact_families.h"
#include "contact_trial.h"

#include <math.h>
#include <string.h>

enum { ISLANDS = 3, STEPS = 4 };

/* Adds the bodies and contacts of another problem, with keys that tell the two apart. */
static void append(contact_case *to, const contact_case *from, uint64_t tag)
{
    int first = to->problem.body_count;
    for (int i = 0; i < from->problem.body_count; ++i) {
        const abut_body *body = &from->bodies[i];
        int at = contact_case_body(to, body->mass, body->inertia, body->com);
        to->bodies[at] = *body;
    }
    for (int i = 0; i < from->problem.contact_count; ++i) {
        const abut_contact *contact = &from->contacts[i];
        int at = contact_case_add(to, 0, ABUT_WORLD, contact->friction, contact->point, contact->normal);
        to->contacts[at] = *contact;
        for (int side = 0; side < 2; ++side)
            if (contact->bodies[side] >= 0) to->contacts[at].bodies[side] += first;
        to->contacts[at].key = contact->key + (tag << 32);
    }
    to->problem.step = from->problem.step;
    to->problem.model = from->problem.model;
}

/* Boxes that sway, each by itself, at the same place in every step; `step` changes their loads alone. */
static void make(contact_case *c, int step)
{
    const contact_sequence *sway = NULL;
    for (int k = 0; k < contact_sequence_count; ++k)
        if (strcmp(contact_sequences[k].name, "swaying-stack") == 0) sway = &contact_sequences[k];
    contact_case *one = contact_case_create();
    contact_case_clear(c);
    for (int k = 0; k < ISLANDS; ++k) {
        contact_case_clear(one);
        sway->make(one, 1, 0, (uint64_t)(k + 1));
        for (int i = 0; i < 6; ++i) one->bodies[0].force[i] *= 1.0 + 1e-4 * step;
        append(c, one, (uint64_t)(k + 1));
    }
    contact_case_destroy(one);
}

/* What is kept at home h, or NULL. */
static faces_place *place_at(const contact_trial *trial, int h)
{
    return abuti_home_kept(&trial->work->homes.home[h], ABUTI_KEPT_ONE);
}

static void solve(contact_trial *trial, contact_case *c, int step)
{
    make(c, step);
    CHECK(contact_trial_run(trial, &c->problem));
    CHECK_EQ_INT(trial->result.outcome, ABUT_SOLVED);
    CHECK_EQ_INT(trial->result.islands, ISLANDS);
    CHECK(trial->check.residual <= 1e-10);
}

static int kept_places(const contact_trial *trial)
{
    int count = 0;
    for (int h = 0; h < trial->work->homes.count; ++h)
        count += place_at(trial, h) && place_at(trial, h)->kept;
    return count;
}

/* Spoils numbers of all bases that are kept, in the first `slots` of their slots. */
static void spoil(const contact_trial *trial, int slots)
{
    for (int h = 0; h < trial->work->homes.count; ++h)
        for (int k = 0; k < 6 && place_at(trial, h); ++k)
            for (int slot = 0; slot < slots; ++slot) place_at(trial, h)->one.D[k][slot] = NAN;
}

/* With several islands each finds its own basis again, and comes to the bits of one that is made anew. */
static void test_every_island_finds_its_basis(void)
{
    contact_case *c = contact_case_create();
    contact_trial *trial = contact_trial_create(ABUT_SOLVER_FACES, false);
    trial->options.warm = true;
    for (int step = 0; step < STEPS; ++step) solve(trial, c, step);
    CHECK_EQ_INT(kept_places(trial), ISLANDS);
    for (int k = 0; k < ISLANDS; ++k) CHECK_STR(trial->result.island[k].stage, "faces-check");
    double kept[3 * 64], anew[3 * 64];
    for (int way = 0; way < 2; ++way) {
        if (way == 1)
            for (int h = 0; h < trial->work->homes.count; ++h)
                if (place_at(trial, h)) place_at(trial, h)->kept = false;
        solve(trial, c, STEPS);
        for (int i = 0; i < c->problem.contact_count; ++i) {
            double *to = (way == 0 ? kept : anew) + 3 * i;
            to[0] = trial->result.contacts[i].normal;
            to[1] = trial->result.contacts[i].tangent[0];
            to[2] = trial->result.contacts[i].tangent[1];
        }
    }
    CHECK(memcmp(kept, anew, 3 * (size_t)c->problem.contact_count * sizeof(double)) == 0);
    contact_trial_destroy(trial);
    contact_case_destroy(c);
}

/* The kept bases are what the next step works with: numbers that are spoilt there make its check fail, and another
 * stage answers. */
static void test_the_kept_basis_is_used(void)
{
    contact_case *c = contact_case_create();
    contact_trial *trial = contact_trial_create(ABUT_SOLVER_FACES, false);
    trial->options.warm = true;
    for (int step = 0; step < STEPS; ++step) solve(trial, c, step);
    spoil(trial, 8);
    solve(trial, c, STEPS);
    for (int k = 0; k < ISLANDS; ++k) CHECK(strcmp(trial->result.island[k].stage, "faces-check") != 0);
    contact_trial_destroy(trial);
    contact_case_destroy(c);
}

/* Geometry that moves, friction or directions that change: nothing is used again, and every answer is right. */
static void test_what_changes_is_made_anew(void)
{
    contact_case *c = contact_case_create();
    contact_trial *trial = contact_trial_create(ABUT_SOLVER_FACES, false);
    trial->options.warm = true;
    for (int change = 0; change < 3; ++change) {
        for (int step = 0; step < STEPS; ++step) solve(trial, c, step);
        spoil(trial, 1);
        make(c, STEPS);
        for (int i = 0; i < c->problem.contact_count; ++i) {
            abut_contact *contact = &c->contacts[i];
            if (change == 0) contact->point[0] *= 1.0 + 1e-12;
            if (change == 1) contact->friction *= 1.0 + 1e-12;
            if (change == 2) contact->directions = 16;
        }
        CHECK(contact_trial_run(trial, &c->problem) && trial->result.outcome == ABUT_SOLVED);
        CHECK(trial->check.residual <= 1e-10);
        int checked = 0;
        for (int k = 0; k < ISLANDS; ++k)
            checked += strcmp(trial->result.island[k].stage, "faces-check") == 0;
        CHECK(change == 2 || checked == ISLANDS);
    }
    contact_trial_destroy(trial);
    contact_case_destroy(c);
}

int main(void)
{
    RUN(test_every_island_finds_its_basis);
    RUN(test_the_kept_basis_is_used);
    RUN(test_what_changes_is_made_anew);
    return check_report();
}
