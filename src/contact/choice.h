/* Which of several answers a call takes: it takes rest where rest is an answer (contact.h, "Several answers"). */
#ifndef ABUTI_CONTACT_CHOICE_H
#define ABUTI_CONTACT_CHOICE_H

#include "contact/call.h"

/* The stage that looks for rest before anything else, or NULL. There is one where the states to start from are those of
 * bodies at rest, where nothing has moved, and where the contacts surround a single body. */
const abuti_stage *abuti_rest_first(const abuti_call *c, const abuti_island *island,
                                    const abuti_system *system);
/* The verdict is an answer that the verifier has accepted, and it stands in the outputs. If it moves the bodies
 * although rest is an answer, too, rest takes its place. */
void abuti_rest_instead(abuti_call *c, const abuti_island *island, const abuti_system *system,
                        abuti_verdict *verdict);

#endif
