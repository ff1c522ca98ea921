/* The options of `abut solve`: one table. */

#include "cmd.h"
#include "solve_request.h"

static const char *const rules[] = {"max", "sum", NULL};
static const char *const preferences[] = {"first", "energy", NULL};
static const char *const moments[] = {"implicit", "explicit", NULL};
static const char *const cones[] = {"file", "polygon", "circle", NULL};
static const char *const joint_rows[] = {"permanent", "projected", NULL};
static const char *const reports[] = {"none", "statics", NULL};

static const usage help = {
    "solve",
    "Finds the impulses at all contacts and the velocities after the step, and lets an independent\n"
    "verifier judge them. Exit status: 0 solved, 1 not solved, 2 bad input.",
    "  abut solve peg.json\n"
    "  abut solve pegs.txt --index 3 --solver structural\n"
    "  abut solve box.json --cone circle\n"
    "  abut solve corner.json --union sum\n"
    "  abut solve corner.json --all\n"
    "  abut solve grasp.json --others 5\n"
    "  abut solve ladder.json --model coulomb-accel --report statics\n"
    "  abut solve stack.json --max-seconds 0.01 --max-pivots 500\n"
    "  abut solve stack.json --stage faces-path\n"
    "  abut solve arm.json --joint-rows projected\n"
    "  abut solve crate.json --model coulomb-accel --slide-threshold 1e-3\n"
    "  abut solve crate.json --viscous explicit\n"
    "  abut solve foot.json --model viscous --impulse --impact-seconds 0.01\n"
    "  abut solve step1.json --json > one.json && abut solve step2.json --warm-from one.json\n"
    "  abut solve box.json --directions 16 --json > answer.json && abut check box.json answer.json\n",
};

/* Nothing is asked yet. */
static solve_request nothing_asked(void)
{
    return (solve_request){.model = MODEL_OF_FILE,
                           .tolerance = abut_contact_default_options().tolerance,
                           .rule = NOT_GIVEN,
                           .prefer = NOT_GIVEN,
                           .epsilon = NOT_GIVEN,
                           .accel_directions = NOT_GIVEN,
                           .slide_threshold = NOT_GIVEN,
                           .restitution_threshold = NOT_GIVEN,
                           .joint_rows = NOT_GIVEN,
                           .viscous = NOT_GIVEN,
                           .impact_seconds = NOT_GIVEN};
}

bool solve_request_parse(int argc, char **argv, solve_request *r, int *status)
{
    const char *models[ABUT_MODEL_COUNT + 2] = {"file"}, *solvers[ABUT_SOLVER_COUNT + 1] = {NULL};
    for (int m = 0; m < ABUT_MODEL_COUNT; ++m) models[m + 1] = abut_contact_model_name((abut_contact_model)m);
    for (int s = 0; s < ABUT_SOLVER_COUNT; ++s) solvers[s] = abut_contact_solver_name((abut_contact_solver)s);
    *r = nothing_asked();
    /* clang-format off */
    const option table[] = {
        option_argument("FILE", "capsule .json, contactset .txt, Siconos FC2D/FC3D .dat, FCLIB .hdf5", &r->path),
        option_choice("--model", "M", "what is asked (file: as it says)", models, &r->model),
        option_choice("--solver", "S", "how it is answered", solvers, &r->solver),
        option_flag("--alone", "no other solver may help", &r->alone),
        option_text("--stage", "NAME", "run one stage of a solver and no other; an unknown name shows those there are", &r->stage),
        option_integer("--max-pivots", "N", "budget of the whole call, then outcome limit (default: by the size)", 1, 2147483647, &r->max_pivots),
        option_number("--max-seconds", "S", "time budget of the whole call, then outcome limit (default: none)", 1e-9, 1e9, &r->max_seconds),
        option_text("--warm-from", "ANSWER", "start from the states of this answer (what --json printed), matched by contact key",
             &r->warm_from),
        option_choice("--joint-rows", "HOW", "how joint rows enter the solve, for the same answer", joint_rows, &r->joint_rows),
        option_integer("--directions", "D", "friction directions of every contact, 2 to 64", ABUT_DIRECTIONS_MIN,
                ABUT_DIRECTIONS_MAX, &r->directions),
        option_choice("--cone", "CONE", "friction of every contact: on its polygon, or on the circle itself (file: as it says)",
               cones, &r->cone),
        option_choice("--union", "RULE", "how groups of contacts combine", rules, &r->rule),
        option_number("--epsilon", "E", "size of the cap of --union sum in metres (default: from the motion)", 0, 1e100, &r->epsilon),
        option_choice("--prefer", "WHICH", "which of several answers of a union", preferences, &r->prefer),
        option_integer("--accel-directions", "D", "coulomb-accel: polygon where the published conditions do not suffice (default 32)", 3,
                ABUT_DIRECTIONS_MAX, &r->accel_directions),
        option_restitution_threshold(&r->restitution_threshold),
        option_number("--slide-threshold", "V", "coulomb-accel: tangential speed in m/s above which a contact slides (default 1e-6)", 0, 1e100,
               &r->slide_threshold),
        option_choice("--viscous", "WHEN", "viscous coefficients act at the velocity after the step (implicit), or before it",
               moments, &r->viscous),
        option_number("--impact-seconds", "S", "viscous, with --impulse: how long viscous friction acts in the impact (default 0)", 0, 1e100,
               &r->impact_seconds),
        option_flag("--impulse", "acceleration level: apply an impulse where forces alone cannot answer", &r->impulse),
        option_choice("--report", "WHAT", "acceleration level: statics shows margins, the best attainable, ranges of forces",
               reports, &r->report),
        option_flag("--all", "every answer, for a few contacts: coulomb-accel, and problems with unions", &r->all),
        option_integer("--others", "N", "coulomb: looks for up to N further answers, by other starts, and shows their energies", 0,
                1000, &r->others),
        option_index(&r->index),
        option_tolerance(&r->tolerance),
        option_json(&r->json),
        {0},
    };
    /* clang-format on */
    return options_parse(&help, table, argc, argv, status);
}
