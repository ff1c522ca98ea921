/* The verbs of the command line: one cmd_<verb>.c each, one row in the table of main.c. */

#ifndef ABUT_CLI_CMD_H
#define ABUT_CLI_CMD_H

/* Exit status of every verb. */
enum {
    EXIT_SOLVED = 0,     /* solved, right, verified */
    EXIT_NOT_SOLVED = 1, /* the mathematics, or the verifier, said no */
    EXIT_BAD_INPUT = 2   /* bad input or usage */
};

/* A verb takes the arguments after its name: argv[0] is the verb itself. */
int cmd_bench(int argc, char **argv);
int cmd_check(int argc, char **argv);
int cmd_convert(int argc, char **argv);
int cmd_demo(int argc, char **argv);
int cmd_lcp(int argc, char **argv);
int cmd_record(int argc, char **argv);
int cmd_run(int argc, char **argv);
int cmd_solve(int argc, char **argv);
int cmd_stress(int argc, char **argv);
int cmd_view(int argc, char **argv);

/* One line on standard error, "abut VERB: ..."; returns EXIT_BAD_INPUT. */
int cmd_error(const char *verb, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
