/* From the last basis to impulses and states. */
#include "contact/lloyd/lloyd.h"

/* The vertex of the polygon that lies most against the slip. */
static int against_slip(const abuti_lloyd *l, int contact)
{
    int d = l->s->directions[contact], best = 0;
    double least = 0;
    for (int j = 0; j < d; ++j) {
        const double *direction = abuti_direction(d, j);
        double along = direction[0] * l->point.u[1][contact] + direction[1] * l->point.u[2][contact];
        if (along < least) {
            least = along;
            best = j;
        }
    }
    return best;
}

/* The table at the head of lloyd/warm.c, backwards. Degenerate bases have other numbers of basic phi: a
 * contact with basic lambda whose phi are not neighbours is an edge at the larger phi, and one with basic gamma always
 * sticks. */
static abut_contact_face face_of(const abuti_lloyd *l, int contact)
{
    abut_contact_face face = {.state = ABUT_OPEN};
    if (!l->basic[contact]) return face;
    int first = l->block[contact], d = l->s->directions[contact];
    if (first < 0) {
        face.state = ABUT_SLIDE;
        face.face = (uint8_t)against_slip(l, contact);
        return face;
    }
    if (!l->basic[abuti_lloyd_cone(l, contact)]) {
        face.state = ABUT_STICK;
        return face;
    }
    int largest = -1, count = 0;
    for (int j = 0; j < d; ++j) {
        if (!l->basic[first + j]) continue;
        count++;
        if (largest < 0 || l->point.pairs[first + j] > l->point.pairs[first + largest]) largest = j;
    }
    if (largest < 0 || count < 2) {
        face.state = ABUT_SLIDE;
        face.face = (uint8_t)(largest < 0 ? 0 : largest);
        return face;
    }
    if (d == 2) {
        face.state = ABUT_STICK;
        return face;
    }
    int before = (largest + d - 1) % d;
    face.state = ABUT_EDGE;
    face.face =
        (uint8_t)(l->basic[first + before] && !l->basic[first + (largest + 1) % d] ? before : largest);
    return face;
}

void abuti_lloyd_answer(abuti_lloyd *l, abuti_answer *answer)
{
    const abuti_system *s = l->s;
    for (int i = 0; i < s->lanes; ++i) {
        answer->theta[i] = l->point.theta[i] > 0 ? l->point.theta[i] : 0;
        answer->f[0][i] = l->point.f[0][i];
        answer->f[1][i] = l->point.f[1][i];
        answer->face[i] = i < s->n ? face_of(l, i) : (abut_contact_face){.state = ABUT_OPEN};
    }
    for (int j = 0; j < s->joints; ++j) answer->joint[j] = 0;
    for (int i = 0; i < l->size; ++i) {
        if (l->unknowns[i].kind == LLOYD_JOINT) answer->joint[l->unknowns[i].index] = l->point.slots[i];
    }
}

void abuti_lloyd_answer_ray(abuti_lloyd *l, abuti_answer *answer)
{
    const abuti_system *s = l->s;
    const double *direction[3] = {l->edge.theta, l->edge.f[0], l->edge.f[1]};
    for (int axis = 0; axis < 3; ++axis) {
        for (int i = 0; i < s->lanes; ++i) answer->ray[axis * s->lanes + i] = direction[axis][i];
    }
}
