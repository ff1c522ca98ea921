/* Which of several answers a call takes: rest, where it is one (contact.h, "Several answers"). */
#ifndef ABUTI_CONTACT_CHOICE_H
#define ABUTI_CONTACT_CHOICE_H

#include "contact/call.h"

/* The stage that looks for rest before anything else, or NULL: where the states to start from are those of bodies at
 * rest or nothing has moved, or where the contacts surround a single body. */
const abuti_stage *abuti_rest_first(const abuti_call *c, const abuti_island *island,
                                    const abuti_system *system);
/* The verdict is an answer that the verifier has accepted, and stands in the outputs. If it moves and rest is
 * an answer, too, that takes its place. */
void abuti_rest_instead(abuti_call *c, const abuti_island *island, const abuti_system *system,
                        abuti_verdict *verdict);

#endif
