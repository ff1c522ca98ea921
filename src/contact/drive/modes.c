/* All modes of up to 24 contacts in the plane, 8 in space: the oracle behind the algorithm.
 *
 * A contact is open, sticks, or slides; in space it slides at a corner or against a side of its polygon of
 * accel.directions directions. That makes 66 modes a contact with 32 directions, 3.6e14 for eight. They are
 * not tried one by one: a linear program (modes_lp.h) decides whether a partial choice can be completed at
 * all, ignoring the conditions that are not decided yet, and only then one contact's choice is refined:
 *
 *     anything -> open
 *              -> touching -> sticking
 *                          -> sliding within a quarter -> within half of it -> ... -> at a corner
 *                                                                                 -> against a side
 *
 * A choice that the program refuses is dropped with everything below it, by a proof (prices by which no
 * allowed column can be worth what -b is worth). The proof often refuses other choices too, so the last ones
 * are kept and looked at first. The contact to refine is the one that the program's point violates most; a
 * point that violates none is an answer. So the search ends with an answer, or has shown that there is none,
 * or says that its budget was spent.
 *
 * For all answers the search goes on to the end. There the modes are read as strict, so that each motion
 * belongs to one of them: open means a_n > 0, sliding means a_t != 0, and what rests sticks, whatever its
 * forces. */
#include "contact/drive/drive.h"
#include <math.h>
#include <string.h>

/* Proofs that are kept. */
enum { PROOFS = 96 };
/* Pivots of all programs together, times the square of their rows: some seconds. */
#define WORK_MAX 1.7e9
/* A pivot counts as at least this much work, however few its rows. */
#define WORK_LEAST 576.0
/* The first choice among directions is between so many parts. */
enum { QUARTERS = 4 };

typedef enum kind { ANYTHING = 0, OPEN, TOUCHING, STICKING, SLIDING } kind;

/* What is decided of a contact. Pieces of a polygon: corner j is number 2 j, the side after it 2 j + 1; in
 * the plane the ends are 0 and 1. */
typedef struct choice {
    kind kind;
    int first, count; /* pieces, of SLIDING */
} choice;

struct abuti_modes {
    abuti_lp lp;
    choice chosen[ABUTI_LP_CONTACTS];
    abuti_mode mode[ABUTI_LP_CONTACTS];          /* what `chosen` means */
    abuti_mode proof[PROOFS][ABUTI_LP_CONTACTS]; /* columns that a proof leaves open */
    int proofs, next;                            /* how many are kept; where the next one goes */
    bool every;                                  /* all answers are wanted, and modes are read as strict */
    bool undecided;                              /* a program could not decide: nothing is proven */
    bool stopped;                                /* `visit` has seen enough */
    abuti_modes_visit visit;
    void *context;
    double forces[ABUTI_LP_ROWS], sum[ABUTI_LP_ROWS];
};

abuti_modes *abuti_modes_layout(abuti_arena *arena)
{
    abuti_modes *modes = abuti_take(arena, 1, abuti_modes);
    abuti_lp lp = {0};
    abuti_lp_layout(&lp, arena);
    if (!modes) return NULL;
    memset(modes, 0, sizeof *modes); /* too large for the stack of a small machine */
    modes->lp = lp;
    return modes;
}

static bool is_static(const abuti_drive_contact *c)
{
    return c->tangents > 0 && c->friction != ABUTI_FRICTION_DYNAMIC;
}

/* ------------------------------------------------------------------------------------------------
 * The program's numbers */

/* Answers a push so that the joints do not accelerate: adds their columns to `a`, and to f if given. */
static void hold_still(abuti_drive *d, double *a, double *f)
{
    for (int pass = 0; pass < 2 && d->held_count > 0; ++pass) {
        for (int k = 0; k < d->held_count; ++k) d->gathered[k] = -a[d->held[k].at];
        abuti_held_solve(d);
        for (int k = 0; k < d->held_count; ++k) {
            d->kernels->axpy(d->rows, d->solved[k], d->held[k].push, a);
            if (f) f[d->held[k].at] += d->solved[k];
        }
    }
}

/* Rows of the program from rows of A: normals, and tangents with static friction. */
static void gather_rows(const abuti_drive *d, const abuti_lp *lp, const double *from, double *to)
{
    for (int i = 0; i < d->n; ++i)
        for (int t = 0; t <= lp->contact[i].tangents; ++t)
            to[lp->contact[i].at + t] = from[d->contact[i].at + t];
}

static void set_apart(abuti_lp *lp, int row)
{
    for (int k = 0; k < lp->rows; ++k) lp->A[k * ABUTI_LP_ROWS + row] = lp->A[row * ABUTI_LP_ROWS + k] = 0.0;
    lp->b[row] = 1.0;
}

static void load_program(abuti_drive *d, abuti_lp *lp)
{
    lp->contacts = d->n;
    lp->rows = 0;
    abuti_lp_polygon(lp, d->polygon);
    for (int i = 0; i < d->n; ++i) {
        const abuti_drive_contact *c = &d->contact[i];
        int tangents = is_static(c) ? c->tangents : 0;
        static const int directions[] = {1, ABUT_DIRECTIONS_MIN, 0};
        lp->contact[i] = (abuti_lp_contact){.at = lp->rows,
                                            .tangents = tangents,
                                            .directions = tangents == 2 ? d->polygon : directions[tangents],
                                            .mu = c->mu};
        lp->rows += 1 + tangents;
    }
    memset(lp->A, 0, ABUTI_LP_ROWS * ABUTI_LP_ROWS * sizeof(double));
    for (int i = 0; i < d->n; ++i) {
        const abuti_drive_contact *c = &d->contact[i];
        for (int t = 0; t <= lp->contact[i].tangents; ++t) {
            memcpy(d->da, d->A + (size_t)(c->at + t) * (size_t)d->ld, (size_t)d->rows * sizeof(double));
            for (int k = 0; k < c->tangents && !is_static(c); ++k) /* friction comes along */
                d->kernels->axpy(d->rows, c->mu * c->u[k], d->A + (size_t)(c->at + 1 + k) * (size_t)d->ld,
                                 d->da);
            hold_still(d, d->da, NULL);
            gather_rows(d, lp, d->da, lp->A + (size_t)(lp->contact[i].at + t) * ABUTI_LP_ROWS);
        }
    }
    memcpy(d->da, d->b, (size_t)d->rows * sizeof(double));
    hold_still(d, d->da, NULL);
    gather_rows(d, lp, d->da, lp->b);
    for (int i = 0; i < d->n; ++i) /* they have nothing to do with the others, and stay open */
        if (d->contact[i].parts) set_apart(lp, lp->contact[i].at);
    abuti_lp_start(lp);
}

/* Takes the forces of the program as those of the drive, adds what the joints answer, and finds the accelerations. */
static void take_forces(abuti_drive *d, const abuti_lp *lp, const double *forces)
{
    memset(d->f, 0, (size_t)abuti_padded(d->rows) * sizeof(double));
    for (int i = 0; i < d->n; ++i) {
        const abuti_drive_contact *c = &d->contact[i];
        double *f = d->f + c->at;
        const double *from = forces + lp->contact[i].at;
        f[0] = from[0];
        for (int t = 0; t < c->tangents; ++t)
            f[1 + t] = is_static(c) ? from[1 + t] : c->mu * c->u[t] * from[0];
    }
    abuti_drive_accelerations(d, d->f, d->a);
    hold_still(d, d->a, d->f);
    abuti_drive_accelerations(d, d->f, d->a);
}

/* ------------------------------------------------------------------------------------------------
 * Choices */

static uint64_t bits(int count)
{
    return count >= 64 ? ~(uint64_t)0 : ((uint64_t)1 << count) - 1;
}

static int pieces_of(const abuti_lp_contact *c)
{
    return c->tangents == 0 ? 0 : c->tangents == 1 ? 2 : 2 * c->directions;
}

static abuti_mode mode_of(const abuti_lp_contact *c, const choice *chosen)
{
    uint64_t all = bits(c->directions), slips = c->tangents ? all : 0;
    switch (chosen->kind) {
    case ANYTHING: return (abuti_mode){.forces = all, .slips = slips, .lift = true};
    case OPEN: return (abuti_mode){.slips = slips, .lift = true};
    case TOUCHING: return (abuti_mode){.forces = all, .slips = slips};
    case STICKING: return (abuti_mode){.forces = all};
    case SLIDING: break;
    }
    abuti_mode mode = {0};
    for (int k = 0; k < chosen->count; ++k) {
        int piece = (chosen->first + k) % pieces_of(c), j = piece / 2, d = c->directions;
        if (c->tangents == 1) {
            mode.forces |= (uint64_t)1 << piece;
            mode.slips |= (uint64_t)1 << piece;
        } else if (piece % 2 == 0) { /* a corner, against the sides that meet there */
            mode.forces |= (uint64_t)1 << j;
            mode.slips |= (uint64_t)1 << j | (uint64_t)1 << (j + d - 1) % d;
        } else { /* a side, between its corners */
            mode.forces |= (uint64_t)1 << j | (uint64_t)1 << (j + 1) % d;
            mode.slips |= (uint64_t)1 << j;
        }
    }
    return mode;
}

static bool is_final(const abuti_lp_contact *c, const choice *chosen)
{
    switch (chosen->kind) {
    case ANYTHING: return false;
    case TOUCHING: return c->tangents == 0;
    case SLIDING: return chosen->count == 1;
    default: return true;
    }
}

static void choose(abuti_modes *m, int i, choice chosen)
{
    m->chosen[i] = chosen;
    m->mode[i] = mode_of(&m->lp.contact[i], &chosen);
}

/* Lists the choices that refine one, and returns their number. */
static int refine(const abuti_lp_contact *c, choice from, choice out[1 + QUARTERS])
{
    int pieces = pieces_of(c), count = 0;
    if (from.kind == ANYTHING) {
        out[count++] = (choice){.kind = TOUCHING};
        out[count++] = (choice){.kind = OPEN};
        return count;
    }
    int first = 0, parts = pieces < QUARTERS ? pieces : QUARTERS, whole = pieces;
    if (from.kind == TOUCHING) {
        out[count++] = (choice){.kind = STICKING};
    } else {
        first = from.first;
        whole = from.count;
        parts = 2;
    }
    for (int k = 0; k < parts; ++k) {
        int start = whole * k / parts, end = whole * (k + 1) / parts;
        out[count++] = (choice){SLIDING, first + start, end - start};
    }
    return count;
}

/* ------------------------------------------------------------------------------------------------
 * Points */

/* How much the polygon's corners are slipped against: max -d_j.a. */
static double slip_of(const abuti_drive *d, const abuti_drive_contact *c, const double a[2])
{
    if (c->tangents == 1) return fabs(a[0]);
    double slip = 0.0;
    for (int k = 0; k < d->polygon; ++k) {
        const double *u = abuti_direction(d->polygon, k);
        slip = fmax(slip, -(u[0] * a[0] + u[1] * a[1]));
    }
    return slip;
}

/* How far contact i is from its conditions. Coulomb's law on the polygon says: of all forces in it, f does
 * the least work on a. */
static double violation(const abuti_drive *d, int i)
{
    const abuti_drive_contact *c = &d->contact[i];
    if (c->parts) return 0.0;
    double normal = fmin(d->f[c->at], d->a[c->at]), wrong = fabs(normal);
    if (!is_static(c) || d->f[c->at] <= d->satisfied) return wrong;
    double f[2] = {d->f[c->at + 1], c->tangents == 2 ? d->f[c->at + 2] : 0.0};
    double a[2] = {d->a[c->at + 1], c->tangents == 2 ? d->a[c->at + 2] : 0.0};
    double cone = c->mu * d->f[c->at], slip = slip_of(d, c, a), larger = fmax(cone, slip);
    double work = cone * slip + f[0] * a[0] + f[1] * a[1];
    return larger > 0.0 ? fmax(wrong, work / larger) : wrong;
}

/* The contact to refine: the most violated one of those whose choice is not final; -1: none of them is violated. At an
 * answer the others hold too, up to the rounding that large forces bring along. */
static int most_violated(const abuti_drive *d, const abuti_modes *m, bool *answer)
{
    double rounding = d->satisfied * fmax(1.0, d->kernels->max_abs(d->rows, d->f)), worst = d->satisfied;
    int at = -1;
    *answer = true;
    for (int i = 0; i < d->n; ++i) {
        double wrong = violation(d, i);
        if (wrong > rounding) *answer = false;
        if (is_final(&m->lp.contact[i], &m->chosen[i]) || !(wrong > worst)) continue;
        worst = wrong;
        at = i;
    }
    *answer = *answer && at < 0;
    return at;
}

/* ------------------------------------------------------------------------------------------------
 * Proofs */

static void keep_proof(abuti_modes *m)
{
    for (int i = 0; i < m->lp.contacts; ++i) m->proof[m->next][i] = abuti_lp_accused(&m->lp, i);
    m->next = (m->next + 1) % PROOFS;
    if (m->proofs < PROOFS) m->proofs++;
}

/* Whether a kept proof refuses the present choice: it leaves open no column that may be used. */
static bool is_refused(const abuti_modes *m)
{
    for (int p = 0; p < m->proofs; ++p) {
        bool open = false;
        for (int i = 0; i < m->lp.contacts && !open; ++i) {
            const abuti_mode *left = &m->proof[p][i], *may = &m->mode[i];
            open = (left->forces & may->forces) || (left->slips & may->slips) || (left->lift && may->lift);
        }
        if (!open) return true;
    }
    return false;
}

/* ------------------------------------------------------------------------------------------------
 * Strict modes: all answers */

/* Accelerations that differ by less than this part of the largest |b| are the same motion. */
#define SAME_MOTION 1e-7
/* Accelerations that differ by more than this part are surely another motion. */
#define OTHER_MOTION 1e-2

/* Raises what must not be zero in contact i's mode, part by part (a corner has two sides), and adds each point
 * to m->sum. Returns false when such a part cannot be raised above what the program of the other mode takes
 * for zero. The motion then belongs to that other mode, so that no motion falls between the two. */
static bool is_strict(abuti_modes *m, int i, int *points)
{
    const abuti_mode *mode = &m->mode[i];
    const choice *chosen = &m->chosen[i];
    bool corner = chosen->kind == SLIDING && chosen->count == 1 && m->lp.contact[i].tangents == 2;
    if (chosen->kind != OPEN && chosen->kind != SLIDING) return true;
    uint64_t left = chosen->kind == OPEN ? 0 : mode->slips;
    do {
        abuti_mode target = {.lift = chosen->kind == OPEN, .slips = corner ? left & (~left + 1) : left};
        double size = m->lp.size, value = abuti_lp_maximise(&m->lp, m->mode, i, &target, OTHER_MOTION * size);
        if (!(value > ABUTI_LP_ZERO * size)) {
            m->undecided = m->undecided || m->lp.cut_short;
            return false;
        }
        abuti_lp_forces(&m->lp, m->forces);
        for (int r = 0; r < m->lp.rows; ++r) m->sum[r] += m->forces[r];
        ++*points;
        left &= ~target.slips;
    } while (left);
    return true;
}

/* The modes of all contacts are decided and have answers: shows one in their midst. */
static void show_mode(abuti_drive *d, abuti_modes *m)
{
    int points = 0;
    memset(m->sum, 0, sizeof m->sum);
    for (int i = 0; i < d->n; ++i)
        if (!is_strict(m, i, &points)) return;
    if (points == 0) {
        abuti_lp_forces(&m->lp, m->sum);
        points = 1;
    }
    for (int r = 0; r < m->lp.rows; ++r) m->sum[r] /= points;
    take_forces(d, &m->lp, m->sum);
    if (!m->visit(d, m->context)) m->stopped = true;
}

/* ------------------------------------------------------------------------------------------------
 * The search */

static void explore(abuti_drive *d, abuti_modes *m, int changed);

static void explore_choices(abuti_drive *d, abuti_modes *m, int i)
{
    choice from = m->chosen[i], out[1 + QUARTERS];
    int count = refine(&m->lp.contact[i], from, out);
    for (int k = 0; k < count && !m->stopped; ++k) {
        choose(m, i, out[k]);
        explore(d, m, i);
    }
    choose(m, i, from);
}

static bool is_spent(const abuti_modes *m)
{
    return m->lp.pivots >= m->lp.pivots_max || abuti_lp_is_late(&m->lp);
}

/* Explores everything that the present choices leave open; contact `changed` was refined last. */
static void explore(abuti_drive *d, abuti_modes *m, int changed)
{
    if (is_refused(m)) return;
    abuti_lp_verdict verdict = is_spent(m) ? ABUTI_LP_UNDECIDED : abuti_lp_find(&m->lp, m->mode);
    if (verdict == ABUTI_LP_INFEASIBLE) {
        keep_proof(m);
        return;
    }
    if (verdict == ABUTI_LP_UNDECIDED) {
        m->undecided = true;
        return;
    }
    int points = 0;
    if (m->every && changed >= 0 && !is_strict(m, changed, &points)) return;
    abuti_lp_forces(&m->lp, m->forces);
    take_forces(d, &m->lp, m->forces);
    bool answer;
    int i = most_violated(d, m, &answer);
    if (answer && !m->every) {
        m->stopped = !m->visit(d, m->context);
        return;
    }
    for (int k = 0; k < d->n && i < 0; ++k)
        if (!is_final(&m->lp.contact[k], &m->chosen[k])) i = k;
    if (i >= 0) {
        explore_choices(d, m, i);
    } else if (answer && m->every) {
        show_mode(d, m);
    } else {
        m->undecided = true; /* a mode's own point breaks its conditions: rounding */
    }
}

static bool is_too_large(const abuti_drive *d)
{
    int spatial = 0;
    for (int i = 0; i < d->n; ++i) spatial += d->contact[i].tangents == 2 && is_static(&d->contact[i]);
    return d->n > ABUT_ACCEL_CONTACTS_MAX || spatial > ABUT_ACCEL_SPATIAL_MAX;
}

abuti_modes_end abuti_drive_walk_modes(abuti_drive *d, bool every, const abuti_stage_context *context,
                                       abuti_modes_visit visit, void *visit_context)
{
    abuti_modes *m = d->modes;
    if (is_too_large(d)) return ABUTI_MODES_TOO_MANY;
    for (int j = 0; j < d->joints; ++j) (void)abuti_hold_joint(d, j);
    load_program(d, &m->lp);
    m->lp.pivots_max = (int)fmin(context->pivots_left, WORK_MAX / fmax(m->lp.rows * m->lp.rows, WORK_LEAST));
    m->lp.deadline = context->deadline;
    m->every = every;
    m->undecided = m->stopped = false;
    m->proofs = m->next = 0;
    m->visit = visit;
    m->context = visit_context;
    for (int i = 0; i < d->n; ++i) choose(m, i, (choice){.kind = ANYTHING});
    explore(d, m, -1);
    d->steps += m->lp.pivots;
    return m->undecided ? ABUTI_MODES_UNDECIDED : ABUTI_MODES_COMPLETE;
}

bool abuti_drive_is_new_motion(const abuti_drive *d, int count)
{
    double allowed = SAME_MOTION * fmax(1.0, d->kernels->max_abs(d->rows, d->b));
    for (int k = 0; k < count; ++k) {
        const double *kept = d->motions + (size_t)k * (size_t)d->ld;
        double most = 0.0;
        for (int i = 0; i < d->rows; ++i) most = fmax(most, fabs(d->a[i] - kept[i]));
        if (most <= allowed) return false;
    }
    return true;
}

void abuti_drive_keep_motion(abuti_drive *d, int place)
{
    memcpy(d->motions + (size_t)place * (size_t)d->ld, d->a, (size_t)d->rows * sizeof(double));
}

/* ------------------------------------------------------------------------------------------------
 * The stage: the first answer is enough */

typedef struct first_answer {
    const abuti_system *system;
    abuti_answer *answer;
    bool found;
} first_answer;

static bool keep_first(abuti_drive *d, void *context)
{
    first_answer *first = context;
    abuti_drive_answer(d, first->system, first->answer);
    first->found = true;
    return false;
}

static abut_outcome run(const abuti_system *system, void *scratch, const abuti_stage_context *context,
                        abuti_answer *answer)
{
    abuti_drive *d = scratch;
    answer->too_large = !abuti_drive_load(d, system, context);
    if (answer->too_large) return ABUT_FAILED;
    first_answer first = {.system = system, .answer = answer};
    abuti_modes_end end = abuti_drive_walk_modes(d, false, context, keep_first, &first);
    answer->pivots += d->steps;
    if (first.found) return ABUT_SOLVED;
    answer->exhausted = end == ABUTI_MODES_COMPLETE;
    if (!answer->exhausted || !context->continued || !d->has_ray) return ABUT_FAILED;
    abuti_drive_ray(d, system, d->ray, answer); /* what driving has met */
    return ABUT_RAY;
}

const abuti_stage abuti_stage_drive_modes = {
    .name = "drive-modes",
    .family = &abuti_drive_family,
    .answers = ABUTI_ON_FORCES(ABUT_LAW_COULOMB),
    .rows = true,
    .local = true,
    .run = run,
};
