/* An impact that came before the forces of an acceleration-level answer. */
#ifndef ABUT_CLI_CHECK_IMPACT_H
#define ABUT_CLI_CHECK_IMPACT_H

#include "io/contact_file.h"

/* Judges impact k as what it is, a problem of the velocity level in which no time passes, and leaves the
 * velocities after it in `data`. False: it cannot be judged (no bodies, a part is missing, memory is short).
 */
bool check_impact(abuti_contact_data *data, const abuti_contact_solution *solution, int k,
                  const abut_contact_options *options, double *scratch, abut_contact_check *check);

#endif
