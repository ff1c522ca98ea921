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

/* Rows of the table. */
static option flag(const char *name, const char *text, bool *to)
{
    return (option){.name = name, .help = text, .kind = OPTION_FLAG, .flag = to};
}

static option text(const char *name, const char *value, const char *text, const char **to)
{
    return (option){.name = name, .value = value, .help = text, .kind = OPTION_TEXT, .text = to};
}

static option choice(const char *name, const char *value, const char *text, const char *const *choices,
                     long long *to)
{
    return (option){
        .name = name, .value = value, .help = text, .kind = OPTION_CHOICE, .choices = choices, .integer = to};
}

static option integer(const char *name, const char *value, const char *text, double low, double high,
                      long long *to)
{
    option row = {.name = name, .value = value, .help = text, .kind = OPTION_INTEGER, .integer = to};
    row.low = low;
    row.high = high;
    return row;
}

static option number(const char *name, const char *value, const char *text, double low, double high,
                     double *to)
{
    option row = {.name = name, .value = value, .help = text, .kind = OPTION_NUMBER, .number = to};
    row.low = low;
    row.high = high;
    return row;
}

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
        {.name = "FILE", .help = "capsule .json, contactset .txt, Siconos FC2D/FC3D .dat, FCLIB .hdf5",
         .kind = OPTION_ARGUMENT, .text = &r->path},
        choice("--model", "M", "what is asked (file: as it says)", models, &r->model),
        choice("--solver", "S", "how it is answered", solvers, &r->solver),
        flag("--alone", "no other solver may help", &r->alone),
        text("--stage", "NAME", "run one stage of a solver and no other; an unknown name shows those there are", &r->stage),
        integer("--max-pivots", "N", "budget of the whole call, then outcome limit; from the size", 1, 2147483647, &r->max_pivots),
        number("--max-seconds", "S", "time budget of the whole call, then outcome limit; none", 1e-9, 1e9, &r->max_seconds),
        text("--warm-from", "ANSWER", "start from the states of this answer (what --json printed), matched by contact key",
             &r->warm_from),
        choice("--joint-rows", "HOW", "how joint rows enter the solve, for the same answer", joint_rows, &r->joint_rows),
        integer("--directions", "D", "friction directions of every contact, 2 to 64", ABUT_DIRECTIONS_MIN,
                ABUT_DIRECTIONS_MAX, &r->directions),
        choice("--cone", "CONE", "friction of every contact: on its polygon, or on the circle itself (file: as it says)",
               cones, &r->cone),
        choice("--union", "RULE", "how groups of contacts combine", rules, &r->rule),
        number("--epsilon", "E", "size of the cap of --union sum in metres; from the motion", 0, 1e100, &r->epsilon),
        choice("--prefer", "WHICH", "which of several answers of a union", preferences, &r->prefer),
        integer("--accel-directions", "D", "coulomb-accel: polygon where the published conditions do not suffice; 32", 3,
                ABUT_DIRECTIONS_MAX, &r->accel_directions),
        option_restitution_threshold(&r->restitution_threshold),
        number("--slide-threshold", "V", "coulomb-accel: tangential speed in m/s above which a contact slides; 1e-6", 0, 1e100,
               &r->slide_threshold),
        choice("--viscous", "WHEN", "viscous coefficients act at the velocity after the step (implicit), or before it",
               moments, &r->viscous),
        number("--impact-seconds", "S", "viscous, with --impulse: how long viscous friction acts in the impact; 0", 0, 1e100,
               &r->impact_seconds),
        flag("--impulse", "acceleration level: apply an impulse where forces alone cannot answer", &r->impulse),
        choice("--report", "WHAT", "acceleration level: statics shows margins, the best attainable, ranges of forces",
               reports, &r->report),
        flag("--all", "every answer, for a few contacts: coulomb-accel, and problems with unions", &r->all),
        integer("--others", "N", "coulomb: looks for up to N further answers, by other starts, and shows their energies", 0,
                1000, &r->others),
        option_index(&r->index),
        option_tolerance(&r->tolerance),
        option_json(&r->json),
        {0},
    };
    /* clang-format on */
    return options_parse(&help, table, argc, argv, status);
}
