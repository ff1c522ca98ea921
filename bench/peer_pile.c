/* Rows, mobilities and velocities of a pile, written out once for all peers and in the plainest way. */
#include "peers.h"

#include <stdlib.h>
#include <string.h>

static void cross(const double a[3], const double b[3], double out[3])
{
    for (int k = 0; k < 3; ++k) out[k] = a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3];
}

/* The inverse of a symmetric matrix xx, yy, zz, xy, xz, yz by cofactors. */
static void invert(const double a[6], double out[6])
{
    double xx = a[1] * a[2] - a[5] * a[5], yy = a[0] * a[2] - a[4] * a[4], zz = a[0] * a[1] - a[3] * a[3],
           xy = a[4] * a[5] - a[3] * a[2], xz = a[3] * a[5] - a[4] * a[1], yz = a[3] * a[4] - a[0] * a[5];
    double determinant = a[0] * xx + a[3] * xy + a[4] * xz;
    const double cofactors[6] = {xx, yy, zz, xy, xz, yz};
    for (int k = 0; k < 6; ++k) out[k] = cofactors[k] / determinant;
}

void peer_pile_mobility(const peer_pile *pile, int body, const double row[6], double out[6])
{
    const abut_body *b = &pile->problem->bodies[body];
    const double *i = pile->inverse[body];
    bool moves = b->kind == ABUT_DYNAMIC;
    for (int k = 0; k < 3; ++k) out[k] = moves ? row[k] / b->mass : 0.0;
    out[3] = i[0] * row[3] + i[3] * row[4] + i[4] * row[5];
    out[4] = i[3] * row[3] + i[1] * row[4] + i[5] * row[5];
    out[5] = i[4] * row[3] + i[5] * row[4] + i[2] * row[5];
}

static void place_contact(peer_pile *pile, int index)
{
    const abut_contact *c = &pile->problem->contacts[index];
    double(*frame)[3] = pile->frames[index];
    memcpy(frame[0], c->normal, sizeof frame[0]);
    memcpy(frame[1], c->tangent, sizeof frame[1]);
    cross(frame[0], frame[1], frame[2]);
    for (int side = 0; side < 2; ++side) {
        double arm[3], sign = side == 0 ? 1.0 : -1.0;
        if (c->bodies[side] == ABUT_WORLD) continue;
        for (int k = 0; k < 3; ++k) arm[k] = c->point[k] - pile->problem->bodies[c->bodies[side]].com[k];
        for (int r = 0; r < 3; ++r) {
            double *row = pile->rows[index][side][r];
            cross(arm, frame[r], row + 3);
            for (int k = 0; k < 3; ++k) row[k] = frame[r][k];
            for (int k = 0; k < 6; ++k) row[k] *= sign;
        }
    }
}

peer_pile *peer_pile_create(const abut_contact_problem *problem)
{
    size_t bodies = (size_t)problem->body_count + 1, contacts = (size_t)problem->contact_count + 1;
    peer_pile *pile = calloc(1, sizeof *pile);
    if (!pile) return NULL;
    pile->problem = problem;
    pile->frames = calloc(contacts, sizeof *pile->frames);
    pile->rows = calloc(contacts, sizeof *pile->rows);
    pile->inverse = calloc(bodies, sizeof *pile->inverse);
    pile->free_velocity = calloc(6 * bodies, sizeof *pile->free_velocity);
    if (!pile->frames || !pile->rows || !pile->inverse || !pile->free_velocity) {
        peer_pile_destroy(pile);
        return NULL;
    }
    for (int i = 0; i < problem->body_count; ++i) {
        const abut_body *b = &problem->bodies[i];
        double change[6];
        if (b->kind == ABUT_DYNAMIC) invert(b->inertia, pile->inverse[i]);
        peer_pile_mobility(pile, i, b->force, change);
        for (int k = 0; k < 6; ++k)
            pile->free_velocity[6 * i + k] = b->velocity[k] + problem->step * change[k];
    }
    for (int i = 0; i < problem->contact_count; ++i) place_contact(pile, i);
    return pile;
}

void peer_pile_destroy(peer_pile *pile)
{
    if (!pile) return;
    free(pile->frames);
    free(pile->rows);
    free(pile->inverse);
    free(pile->free_velocity);
    free(pile);
}

void peer_pile_velocity(const peer_pile *pile, const double *impulses, double *velocity)
{
    const abut_contact_problem *problem = pile->problem;
    memcpy(velocity, pile->free_velocity, 6 * (size_t)problem->body_count * sizeof *velocity);
    for (int i = 0; i < problem->contact_count; ++i)
        for (int side = 0; side < 2; ++side) {
            int body = problem->contacts[i].bodies[side];
            double impulse[6] = {0}, change[6];
            if (body == ABUT_WORLD) continue;
            for (int r = 0; r < 3; ++r)
                for (int k = 0; k < 6; ++k) impulse[k] += pile->rows[i][side][r][k] * impulses[3 * i + r];
            peer_pile_mobility(pile, body, impulse, change);
            for (int k = 0; k < 6; ++k) velocity[6 * body + k] += change[k];
        }
}

bool peer_absent(void)
{
    return false;
}

bool peer_refuses(const peer_pile *pile, const peer_limits *limits, double *impulses, double *us)
{
    (void)pile, (void)limits, (void)impulses, (void)us;
    return false;
}
