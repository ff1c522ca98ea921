/* A call whose islands are shared among several workspaces, so that threads can solve them at the same time (share.c).
 *
 *     part p of n, with its own workspace:   abuti_contact_solve_share(work[p], problem, options, p, n, &result[p])
 *     when all are done:                     abuti_contact_gather(work, result, n, problem)
 *
 * Every island is solved as in a call of its own, so answers do not depend on n. `warm` and apply_impulse are not for
 * such calls. */
#ifndef ABUTI_CONTACT_SHARE_H
#define ABUTI_CONTACT_SHARE_H

#include "abut/contact.h"

#define ABUTI_SHARES_MAX 64

/* contact.c: solves the islands of one part; part 0 also solves what nothing touches. */
abut_status abuti_contact_solve_share(abut_contact_workspace *workspace, const abut_contact_problem *problem,
                                      const abut_contact_options *options, int part, int parts,
                                      abut_contact_result *result);

/* Decides which part solves which island. All parts decide the same, and each gets about the same work. */
void abuti_share_islands(abut_contact_workspace *workspace, int parts);

/* Carries the answers of all parts into work[0] and result[0], which then are as if one call had solved everything. */
void abuti_contact_gather(abut_contact_workspace *const *work, abut_contact_result *result, int parts,
                          const abut_contact_problem *problem);

#endif
