/* abut convert: reads a problem in one format and writes it in another. The new file appears whole or not at
 * all. */

#include "cmd.h"
#include "draft.h"
#include "options.h"

#include "io/contact_file.h"
#include "io/contact_lcp.h"
#include "io/format.h"
#include "io/kind.h"
#include "io/lcp_file.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

typedef struct request {
    const char *from, *to, *q_from, *q_to;
    long long index;
    bool lcp;
} request;

static int cannot_write(const char *path)
{
    return cmd_error("convert", "%s: %s", path, errno != 0 ? strerror(errno) : "cannot be written");
}

static int unknown_format(const char *path, const char *problem, abuti_problem_kind kind)
{
    char all[64];
    abuti_format_list(kind, false, all, sizeof all);
    return cmd_error("convert", "%s: %s is written as %s", path, problem, all);
}

/* ---- LCPs ---- */

/* Writes M, or all of the problem, to d; and q, where the format asks for it, to a file of its own. */
static int write_lcp_draft(const request *r, const abuti_format *format, draft *d,
                           const abut_lcp_problem *problem)
{
    draft q = {0};
    bool fine = !format->takes_q || draft_open(&q, r->q_to);
    fine = fine &&
           format->write_lcp(&(abuti_target){.file = d->file, .path = d->path, .q_file = q.file}, problem);
    if (format->takes_q) fine = draft_close(&q, fine) && fine;
    return draft_close(d, fine) ? EXIT_SOLVED : cannot_write(r->to);
}

static int write_lcp(const request *r, const abut_lcp_problem *problem)
{
    draft d;
    const abuti_format *format = abuti_format_by_name(ABUTI_KIND_LCP, r->to);
    if (!format) return unknown_format(r->to, "an LCP", ABUTI_KIND_LCP);
    if (!format->holds_free && problem->free_count > 0)
        return cmd_error("convert", "%s: only .json holds free variables", r->to);
    if (format->takes_q && !r->q_to)
        return cmd_error("convert", "%s: a %s file holds M alone; say where q goes (--q-out FILE)", r->to,
                         format->name);
    if (!draft_open(&d, r->to)) return cannot_write(r->to);
    return write_lcp_draft(r, format, &d, problem);
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
    snprintf(name, 64, "%s", slash ? slash + 1 : path);
    char *dot = strrchr(name, '.');
    if (dot && dot != name) *dot = '\0';
    for (char *c = name; *c != '\0'; ++c)
        if (*c == ' ') *c = '_';
}

static int write_problem(const request *r, abuti_contact_data *data)
{
    const abuti_format *format = abuti_format_by_name(ABUTI_KIND_CONTACT, r->to);
    if (!format) return unknown_format(r->to, "a contact problem", ABUTI_KIND_CONTACT);
    draft d;
    abut_error error = {""};
    char name[64];
    set_name(r->to, name);
    if (!draft_open(&d, r->to)) return cannot_write(r->to);
    bool fine = format->write_contact(
        &(abuti_target){.file = d.file, .path = d.path, .name = name, .error = &error}, data);
    if (draft_close(&d, fine)) return EXIT_SOLVED;
    return error.text[0] != '\0' ? cmd_error("convert", "%s: %s", r->to, error.text) : cannot_write(r->to);
}

/* The LCP that the problem amounts to. */
static int write_as_lcp(const request *r, abuti_contact_data *data)
{
    abut_contact_problem problem = abuti_contact_data_problem(data);
    abut_contact_options options = abuti_contact_data_options(data);
    abuti_lcp_data lcp;
    abut_error error;
    if (!abuti_contact_lcp(&problem, &options, &lcp, &error))
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

/* Refuses options that would change nothing. */
static int refuse_options(const request *r, bool lcp)
{
    if (lcp && r->index != NOT_GIVEN)
        return cmd_error("convert", "--index: %s is an LCP; expected a contactset", r->from);
    if (lcp && r->lcp)
        return cmd_error("convert", "--lcp: %s is an LCP already; expected a contact problem", r->from);
    if (!lcp && r->q_from)
        return cmd_error("convert", "--q: %s is a contact problem; expected an LCP in Matrix Market form",
                         r->from);
    const abuti_format *to = abuti_format_by_name(ABUTI_KIND_LCP, r->to);
    if (r->q_to && !((lcp || r->lcp) && to && to->takes_q))
        return cmd_error("convert", "--q-out: %s holds all there is; expected an LCP written as .mtx", r->to);
    return EXIT_SOLVED;
}

int cmd_convert(int argc, char **argv)
{
    request r = {.index = NOT_GIVEN};
    const option table[] = {
        option_argument("FILE", "a problem in any format that is read", &r.from),
        option_required_text("-o", "FILE", "where to write; its extension names the format", &r.to),
        option_index(&r.index),
        option_flag("--lcp", "write the LCP that a contact problem amounts to (Lloyd's eq. (8))", &r.lcp),
        option_q(&r.q_from),
        option_text("--q-out", "FILE", "where q goes, when a Matrix Market file is written", &r.q_to),
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
    bool lcp = abuti_kind_of(r.from) == ABUTI_KIND_LCP;
    status = refuse_options(&r, lcp);
    if (status != EXIT_SOLVED) return status;
    errno = 0;
    return lcp ? convert_lcp(&r) : convert_contact(&r);
}
