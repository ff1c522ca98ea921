/* abut convert: reads a problem in one format and writes it in another. The new file appears whole or not at
 * all. */

#include "cmd.h"
#include "options.h"

#include "io/contact_file.h"
#include "io/contact_lcp.h"
#include "io/kind.h"
#include "io/lcp_file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct request {
    const char *from, *to, *q_from, *q_to;
    long long index;
    bool lcp;
} request;

static bool ends_with(const char *path, const char *extension)
{
    const char *dot = strrchr(path, '.');
    return dot != NULL && strcasecmp(dot, extension) == 0;
}

/* A file beside the target, which takes its name when all went well. */
typedef struct draft {
    const char *target;
    char *path;
    FILE *file;
} draft;

static bool draft_open(draft *d, const char *target)
{
    size_t length = strlen(target) + 8;
    *d = (draft){.target = target, .path = malloc(length)};
    if (d->path == NULL) return false;
    snprintf(d->path, length, "%s.XXXXXX", target);
    int handle = mkstemp(d->path);
    /* mkstemp makes files for their owner alone; the finished one is like any other. */
    mode_t mask = umask(0);
    umask(mask);
    if (handle >= 0) fchmod(handle, 0666 & ~mask);
    d->file = handle >= 0 ? fdopen(handle, "w") : NULL;
    if (d->file != NULL) return true;
    if (handle >= 0) close(handle);
    free(d->path);
    d->path = NULL;
    return false;
}

/* Keeps the draft under its target's name, or removes it. */
static bool draft_close(draft *d, bool keep)
{
    if (d->path == NULL) return false;
    bool fine = fclose(d->file) == 0 && keep && rename(d->path, d->target) == 0;
    if (!fine) unlink(d->path);
    free(d->path);
    return fine;
}

static int cannot_write(const char *path)
{
    return cmd_error("convert", "%s: %s", path, errno != 0 ? strerror(errno) : "cannot be written");
}

/* ---- LCPs ---- */

static int write_matrix_market(const request *r, draft *d, const abut_lcp_problem *problem)
{
    draft q;
    if (r->q_to == NULL) {
        draft_close(d, false);
        return cmd_error("convert", "%s: a Matrix Market file holds M alone; say where q goes (--q-out FILE)",
                         r->to);
    }
    bool fine = draft_open(&q, r->q_to);
    bool written = fine && abuti_lcp_write_matrix_market(d->file, q.file, problem);
    fine = fine && draft_close(&q, written) && written;
    fine = draft_close(d, fine) && fine;
    return fine ? EXIT_SOLVED : cannot_write(r->to);
}

static int write_lcp(const request *r, const abut_lcp_problem *problem)
{
    draft d;
    bool json = ends_with(r->to, ".json"), market = ends_with(r->to, ".mtx");
    if (!json && !market && !ends_with(r->to, ".dat"))
        return cmd_error("convert", "%s: an LCP is written as .json, .mtx or .dat", r->to);
    if (!json && problem->free_count > 0)
        return cmd_error("convert", "%s: only .json holds free variables", r->to);
    if (!draft_open(&d, r->to)) return cannot_write(r->to);
    if (market) return write_matrix_market(r, &d, problem);
    bool fine = json ? abuti_lcp_write_json(d.file, problem) : abuti_lcp_write_siconos(d.file, problem);
    return draft_close(&d, fine) ? EXIT_SOLVED : cannot_write(r->to);
}

static int convert_lcp(const request *r)
{
    abuti_lcp_data data;
    abut_error error;
    if (!abuti_lcp_read(r->from, r->q_from, &data, &error)) return cmd_error("convert", "%s", error.text);
    abut_lcp_problem problem = abuti_lcp_data_problem(&data);
    int status = write_lcp(r, &problem);
    abuti_lcp_data_release(&data);
    return status;
}

/* ---- contact problems ---- */

/* The name of a set: the target's, without folders, extension and blanks. */
static void set_name(const char *path, char name[64])
{
    const char *slash = strrchr(path, '/');
    snprintf(name, 64, "%s", slash != NULL ? slash + 1 : path);
    char *dot = strrchr(name, '.');
    if (dot != NULL && dot != name) *dot = '\0';
    for (char *c = name; *c != '\0'; c++)
        if (*c == ' ') *c = '_';
}

static bool write_contact(const request *r, draft *d, abuti_contact_data *data, abut_error *error)
{
    abut_contact_problem problem = abuti_contact_data_problem(data);
    char name[64];
    set_name(r->to, name);
    if (ends_with(r->to, ".json"))
        return abuti_contact_write_capsule(d->file, &problem, data->start, data->seed, error);
    if (ends_with(r->to, ".txt")) return abuti_contact_write_set(d->file, &problem, name, error);
    if (ends_with(r->to, ".dat")) return abuti_contact_write_siconos(d->file, &problem, error);
    return abuti_contact_write_fclib(d->path, &problem, error);
}

static int write_problem(const request *r, abuti_contact_data *data)
{
    static const char *const extensions[] = {".json", ".txt", ".dat", ".hdf5", ".h5"};
    size_t known = 0;
    while (known < 5 && !ends_with(r->to, extensions[known])) known++;
    if (known == 5)
        return cmd_error("convert", "%s: a contact problem is written as .json, .txt, .dat or .hdf5", r->to);
    draft d;
    abut_error error = {""};
    if (!draft_open(&d, r->to)) return cannot_write(r->to);
    bool fine = write_contact(r, &d, data, &error);
    if (draft_close(&d, fine)) return EXIT_SOLVED;
    return error.text[0] != '\0' ? cmd_error("convert", "%s: %s", r->to, error.text) : cannot_write(r->to);
}

/* The LCP that the problem amounts to. */
static int write_as_lcp(const request *r, abuti_contact_data *data)
{
    abut_contact_problem problem = abuti_contact_data_problem(data);
    abuti_lcp_data lcp;
    abut_error error;
    if (!abuti_contact_lcp(&problem, &lcp, &error))
        return cmd_error("convert", "%s: %s", r->from, error.text);
    abut_lcp_problem plain = abuti_lcp_data_problem(&lcp);
    int status = write_lcp(r, &plain);
    abuti_lcp_data_release(&lcp);
    return status;
}

static int convert_contact(const request *r)
{
    abuti_contact_data data;
    abut_error error;
    if (!abuti_contact_read(r->from, r->index == NOT_GIVEN ? 0 : (int)r->index, &data, &error))
        return cmd_error("convert", "%s", error.text);
    abut_contact_problem problem = abuti_contact_data_problem(&data);
    int status = EXIT_SOLVED;
    if (abut_contact_validate(&problem, &error) != ABUT_OK)
        status = cmd_error("convert", "%s: %s", r->from, error.text);
    else
        status = r->lcp ? write_as_lcp(r, &data) : write_problem(r, &data);
    abuti_contact_data_release(&data);
    return status;
}

/* Options that would change nothing. */
static int refuse_options(const request *r, bool lcp)
{
    if (lcp && r->index != NOT_GIVEN)
        return cmd_error("convert", "--index: %s is an LCP; expected a contactset", r->from);
    if (lcp && r->lcp)
        return cmd_error("convert", "--lcp: %s is an LCP already; expected a contact problem", r->from);
    if (!lcp && r->q_from != NULL)
        return cmd_error("convert", "--q: %s is a contact problem; expected an LCP in Matrix Market form",
                         r->from);
    if (r->q_to != NULL && !((lcp || r->lcp) && ends_with(r->to, ".mtx")))
        return cmd_error("convert", "--q-out: %s holds all there is; expected an LCP written as .mtx", r->to);
    return EXIT_SOLVED;
}

int cmd_convert(int argc, char **argv)
{
    request r = {.index = NOT_GIVEN};
    const option table[] = {
        {.name = "FILE",
         .help = "a problem in any format that is read",
         .kind = OPTION_ARGUMENT,
         .text = &r.from},
        {.name = "-o",
         .value = "FILE",
         .help = "where to write; its extension names the format",
         .kind = OPTION_TEXT,
         .text = &r.to},
        option_index(&r.index),
        {.name = "--lcp",
         .help = "write the LCP that a contact problem amounts to (Lloyd's eq. (8))",
         .kind = OPTION_FLAG,
         .flag = &r.lcp},
        option_q(&r.q_from),
        {.name = "--q-out",
         .value = "FILE",
         .help = "where q goes, when a Matrix Market file is written",
         .kind = OPTION_TEXT,
         .text = &r.q_to},
        {0},
    };
    static const usage help = {
        "convert",
        "Contact problems: capsule .json, contactset .txt, Siconos .dat, FCLIB .hdf5 (bodies are reduced to "
        "the local\n"
        "form W + q for the last two; there is no way back). LCPs: .json, .mtx, Siconos .dat.",
        "  abut convert pegs.txt --index 3 -o peg.json\n"
        "  abut convert peg.json -o peg.hdf5\n"
        "  abut convert peg.json --lcp -o peg-lcp.json && abut lcp peg-lcp.json\n"
        "  abut convert problem.dat -o problem.mtx --q-out q.mtx\n",
    };
    int status;
    if (!options_parse(&help, table, argc, argv, &status)) return status;
    if (r.to == NULL)
        return cmd_error("convert", "-o FILE is missing ('abut convert --help' shows the usage)");
    bool lcp = abuti_kind_of(r.from) == ABUTI_KIND_LCP;
    status = refuse_options(&r, lcp);
    if (status != EXIT_SOLVED) return status;
    errno = 0;
    return lcp ? convert_lcp(&r) : convert_contact(&r);
}
