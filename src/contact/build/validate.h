/* What a problem must satisfy: the quick checks. abut_contact_validate asks the same and explains in words. */
#ifndef ABUTI_CONTACT_BUILD_VALIDATE_H
#define ABUTI_CONTACT_BUILD_VALIDATE_H

#include "contact/build/build.h"
#include "contact/system/thresholds.h"
#include <math.h>

/* What one walk over the contacts tells about them all. */
typedef struct abuti_survey {
    int directions; /* the most that a contact has */
    bool cones;     /* some contact has a circle or an ellipse, and the model asks for it */
    int sides;      /* contacts with a group */
    int bounded;    /* joint rows with bounds */
    int compliant;  /* contacts and joint rows with compliance */
    bool viscous;   /* some contact has a viscous coefficient */
    int boxed;      /* joint rows with bounds on both sides */
} abuti_survey;

/* Whether counts, pointers, doors, step, model, indices, kinds and directions are right, which must hold before any
 * array is read. */
bool abuti_valid_shape(const abut_contact_problem *problem, abuti_survey *survey);
/* Whether the numbers of one body, or of one joint row, are right. */
bool abuti_valid_body(const abut_body *body, abuti_factor *factor); /* factors a dynamic one on the way */
bool abuti_valid_joint(const abut_joint *joint);
/* Whether bounds, compliance and right-hand side of a joint row are right, whatever the door. */
bool abuti_valid_right_side(const abut_joint *joint);
/* Whether the answer for a contact depends on its tangent rows. */
bool abuti_needs_tangents(const abut_contact_problem *problem, const abut_contact *contact);
/* Whether the numbers of the other two doors are right. */
bool abuti_valid_generalised(const abut_contact_problem *problem);
bool abuti_valid_local(const abut_contact_problem *problem);

/* Whether the numbers of one contact are right, apart from its frame (normal, tangent). A sum of magnitudes is finite
 * and within bounds only if all of them are. */
static inline bool abuti_valid_contact(const abut_contact *contact)
{
    double sum = fabs(contact->point[0]) + fabs(contact->point[1]) + fabs(contact->point[2]) +
                 contact->friction + fabs(contact->gap) + contact->viscous + fabs(contact->drift[0]) +
                 fabs(contact->drift[1]) + fabs(contact->drift[2]) + contact->compliance +
                 fabs(contact->surface[0]) + fabs(contact->surface[1]) + fabs(contact->surface[2]);
    return (sum <= ABUTI_LARGEST) & (contact->compliance >= 0.0) & (contact->friction >= 0.0) &
           (contact->viscous >= 0.0) & (contact->restitution >= 0.0) & (contact->restitution <= 1.0);
}

/* Whether the cone exists and, if it is an ellipse, has valid coefficients. */
static inline bool abuti_valid_cone(const abut_contact *contact)
{
    if (contact->cone != ABUT_CONE_ELLIPSE) return (unsigned)contact->cone < ABUT_CONE_COUNT;
    double t = contact->friction, b = contact->friction_across;
    return t > 0.0 && b > 0.0 && t <= ABUTI_FLATTEST * b && b <= ABUTI_FLATTEST * t;
}

/* Shared by the quick checks and the explaining ones. */
bool abuti_valid_bounds(double lower, double upper);
/* Sizes and pointers of the generalised and the local door. */
bool abuti_valid_arrays(const abut_contact_problem *problem);
/* How many doors are entered. */
int abuti_doors(const abut_contact_problem *problem);
/* How many things `bodies` of contacts and joints may name; 0: it is not read. */
int abuti_movers(const abut_contact_problem *problem);

/* What has keys of its own. */
typedef enum abuti_keyed { ABUTI_KEYS_OF_CONTACTS, ABUTI_KEYS_OF_JOINTS } abuti_keyed;

/* keys.c: finds the first two contacts, or joint rows, that share a key other than 0; -1 where all keys differ.
 * ABUT_OUT_OF_MEMORY when there is no memory for so many. */
abut_status abuti_find_equal_keys(const abut_contact_problem *problem, abuti_keyed of, int pair[2]);
/* Whether all options lie in their ranges. */
bool abuti_valid_options(const abut_contact_options *options);
/* Whether some union has two sides at the acceleration level, which no stage answers. */
bool abuti_has_accelerated_union(const abut_contact_problem *problem);

#endif
