/* The options of `abut solve`: one table. */

#include "cmd.h"
#include "solve_request.h"

bool solve_request_parse(int argc, char **argv, solve_request *r, int *status)
{
    const char *models[ABUT_MODEL_COUNT + 2] = {"file"}, *solvers[ABUT_SOLVER_COUNT + 1] = {NULL};
    static const char *const rules[] = {"max", "sum", NULL}, *const preferences[] = {"first", "energy", NULL};
    for (int m = 0; m < ABUT_MODEL_COUNT; m++) models[m + 1] = abut_contact_model_name((abut_contact_model)m);
    for (int s = 0; s < ABUT_SOLVER_COUNT; s++) solvers[s] = abut_contact_solver_name((abut_contact_solver)s);
    static const char *const viscous[] = {"implicit", "explicit", NULL};
    static const char *const cones[] = {"file", "polygon", "circle", NULL};
    static const char *const joint_rows[] = {"permanent", "projected", NULL};
    static const char *const reports[] = {"none", "statics", NULL};
    *r = (solve_request){.model = MODEL_OF_FILE,
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
    const option table[] = {
        {.name = "FILE",
         .help = "capsule .json, contactset .txt, Siconos FC2D/FC3D .dat, FCLIB .hdf5",
         .kind = OPTION_ARGUMENT,
         .text = &r->path},
        {.name = "--model",
         .value = "M",
         .help = "what is asked (file: as it says)",
         .kind = OPTION_CHOICE,
         .choices = models,
         .integer = &r->model},
        {.name = "--solver",
         .value = "S",
         .help = "how it is answered",
         .kind = OPTION_CHOICE,
         .choices = solvers,
         .integer = &r->solver},
        {.name = "--alone", .help = "no other solver may help", .kind = OPTION_FLAG, .flag = &r->alone},
        {.name = "--stage",
         .value = "NAME",
         .help = "run one stage of a solver and no other; an unknown name shows those there are",
         .kind = OPTION_TEXT,
         .text = &r->stage},
        {.name = "--max-pivots",
         .value = "N",
         .help = "budget of the whole call, then outcome limit; from the size",
         .kind = OPTION_INTEGER,
         .low = 1,
         .high = 2147483647,
         .integer = &r->max_pivots},
        {.name = "--max-seconds",
         .value = "S",
         .help = "time budget of the whole call, then outcome limit; none",
         .kind = OPTION_NUMBER,
         .low = 1e-9,
         .high = 1e9,
         .number = &r->max_seconds},
        {.name = "--warm-from",
         .value = "ANSWER",
         .help = "start from the states of this answer (what --json printed), matched by contact key",
         .kind = OPTION_TEXT,
         .text = &r->warm_from},
        {.name = "--joint-rows",
         .value = "HOW",
         .help = "how joint rows enter the solve, for the same answer",
         .kind = OPTION_CHOICE,
         .choices = joint_rows,
         .integer = &r->joint_rows},
        {.name = "--directions",
         .value = "D",
         .help = "friction directions of every contact, 2 to 64",
         .kind = OPTION_INTEGER,
         .low = ABUT_DIRECTIONS_MIN,
         .high = ABUT_DIRECTIONS_MAX,
         .integer = &r->directions},
        {.name = "--cone",
         .value = "CONE",
         .help = "friction of every contact: on its polygon, or on the circle itself (file: as it says)",
         .kind = OPTION_CHOICE,
         .choices = cones,
         .integer = &r->cone},
        {.name = "--union",
         .value = "RULE",
         .help = "how groups of contacts combine",
         .kind = OPTION_CHOICE,
         .choices = rules,
         .integer = &r->rule},
        {.name = "--epsilon",
         .value = "E",
         .help = "size of the cap of --union sum in metres; from the motion",
         .kind = OPTION_NUMBER,
         .low = 0,
         .high = 1e100,
         .number = &r->epsilon},
        {.name = "--prefer",
         .value = "WHICH",
         .help = "which of several answers of a union",
         .kind = OPTION_CHOICE,
         .choices = preferences,
         .integer = &r->prefer},
        {.name = "--accel-directions",
         .value = "D",
         .help = "coulomb-accel: polygon where the published conditions do not suffice; 32",
         .kind = OPTION_INTEGER,
         .low = 3,
         .high = ABUT_DIRECTIONS_MAX,
         .integer = &r->accel_directions},
        option_restitution_threshold(&r->restitution_threshold),
        {.name = "--slide-threshold",
         .value = "V",
         .help = "coulomb-accel: tangential speed in m/s above which a contact slides; 1e-6",
         .kind = OPTION_NUMBER,
         .low = 0,
         .high = 1e100,
         .number = &r->slide_threshold},
        {.name = "--viscous",
         .value = "WHEN",
         .help = "viscous coefficients act at the velocity after the step (implicit), or before it",
         .kind = OPTION_CHOICE,
         .choices = viscous,
         .integer = &r->viscous},
        {.name = "--impact-seconds",
         .value = "S",
         .help = "viscous, with --impulse: how long viscous friction acts in the impact; 0",
         .kind = OPTION_NUMBER,
         .low = 0,
         .high = 1e100,
         .number = &r->impact_seconds},
        {.name = "--impulse",
         .help = "acceleration level: apply an impulse where forces alone cannot answer",
         .kind = OPTION_FLAG,
         .flag = &r->impulse},
        {.name = "--report",
         .value = "WHAT",
         .help = "acceleration level: statics shows margins, the best attainable, ranges of forces",
         .kind = OPTION_CHOICE,
         .choices = reports,
         .integer = &r->report},
        {.name = "--all",
         .help = "every answer, for a few contacts: coulomb-accel, and problems with unions",
         .kind = OPTION_FLAG,
         .flag = &r->all},
        {.name = "--others",
         .value = "N",
         .help = "coulomb: looks for up to N further answers, by other starts, and shows their energies",
         .kind = OPTION_INTEGER,
         .low = 0,
         .high = 1000,
         .integer = &r->others},
        option_index(&r->index),
        option_tolerance(&r->tolerance),
        option_json(&r->json),
        {0},
    };
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
    return options_parse(&help, table, argc, argv, status);
}
