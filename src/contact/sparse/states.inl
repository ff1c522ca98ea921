/* Included by sparse/core.inl.
 *
 * From a point inside to the states of an answer.
 *
 * As all products go to zero, one member of each pair goes to zero and the other stays. How they fall tells which one,
 * not how large they are: impulses are of the size of the load, while velocities may be those of gaps that are a
 * millionth of it. (These are Tapia's indicators.) Where both fall, the state is open: there the answer is degenerate,
 * or the point is not near enough. */

/* How the members of a pair fade as all products go to zero, told by the first step of the last round: the share of the
 * pair's fall that is its first member's. Near an answer it is 1 where the first member vanishes and 0 where the second
 * does, whatever the units of both, and however small the other member is. */
static double fades(double first, double step, double second, double other)
{
    double a = step / first, b = other / second;
    return a / (a + b);
}

static double theta_fades(const sparse *p, int i)
{
    double *const *at = p->inside.single, *const *by = p->step[0].single;
    return fades(at[0][i], by[0][i], at[1][i], by[1][i]);
}

static double lambda_fades(const sparse *p, int i)
{
    double *const *at = p->inside.single, *const *by = p->step[0].single;
    return fades(at[2][i], by[2][i], at[3][i], by[3][i]);
}

static double phi_fades(const sparse *p, int i, int j)
{
    const sparse_interior *in = &p->inside;
    size_t at = (size_t)(j * p->lanes + i);
    return fades(in->phi[at], p->step[0].phi[at], in->sigma[at], p->step[0].sigma[at]);
}

static bool is_open(double share)
{
    return !(share < MEND_OPEN || share > 1.0 - MEND_OPEN);
}

/* The state that a contact's pairs go to, and whether it is open. */
static abut_contact_face goes_to(const sparse *p, int i, bool *open)
{
    const sparse_interior *in = &p->inside;
    int d = p->system->directions[i];
    double share = theta_fades(p, i);
    *open = is_open(share);
    if (!(share < 0.5)) return (abut_contact_face){.state = ABUT_OPEN};
    if (in->count[i] == 0.0) return (abut_contact_face){.state = ABUT_SLIDE};
    share = lambda_fades(p, i);
    *open = *open || is_open(share);
    if (!(share < 0.5)) return (abut_contact_face){.state = d == 2 ? ABUT_EDGE : ABUT_STICK};
    const double *phi = in->phi + i;
    int first = 0;
    for (int j = 0; j < d; ++j) {
        *open = *open || is_open(phi_fades(p, i, j));
        first = phi[j * p->lanes] > phi[first * p->lanes] ? j : first;
    }
    int up = (first + 1) % d, down = (first + d - 1) % d;
    int second = phi[up * p->lanes] > phi[down * p->lanes] ? up : down;
    if (d > 2 && phi_fades(p, i, second) < 0.5)
        return (abut_contact_face){.state = ABUT_EDGE, .face = (uint8_t)(second == up ? first : down)};
    return (abut_contact_face){.state = ABUT_SLIDE, .face = (uint8_t)first};
}

/* Notes the states that the point goes to, and, as far as there is room for doubts, the contacts whose states are
 * open. */
static int note_faces(sparse *p)
{
    sparse_doubt *d = &p->doubt;
    int count = 0;
    forget_doubts(p);
    for (int i = 0; i < p->system->n; ++i) {
        bool open;
        abut_contact_face face = goes_to(p, i, &open);
        p->at.own->held_state[i] = face.state;
        p->at.own->held_face[i] = face.face;
        d->in[i] = open;
        if (open && count < MEND_MOST) d->contact[count] = i;
        count += open;
    }
    return count;
}

/* Hands the point over with the states that were noted. */
static void take_noted(sparse *p)
{
    interior_impulses(p);
    memcpy(p->state, p->at.own->held_state, (size_t)p->system->n);
    memcpy(p->face, p->at.own->held_face, (size_t)p->system->n);
}

/* Looks for the answer that belongs to the states which the larger members of pairs name. */
static walk_end try_larger(sparse *p, const abuti_stage_context *context)
{
    read_faces(p);
    copy_impulses(p, false);
    return settle(p, SETTLE_ROUNDS, p->system->n, context);
}

/* Looks for the answer that belongs to the noted states, which the point goes to, except for the `open` ones and up to
 * `more` others that turn out to be wrong. */
static walk_end try_noted(sparse *p, int open, int more, const abuti_stage_context *context)
{
    take_noted(p);
    copy_impulses(p, false);
    p->doubt.count = open;
    return mend(p, open + more < MEND_MOST ? open + more : MEND_MOST, context);
}

/* Tries the states that the larger members name, then, if not too many are open, the noted ones. */
static walk_end try_states(sparse *p, const abuti_stage_context *context)
{
    int few = few_doubts(p->system), open = note_faces(p);
    walk_end end = try_larger(p, context);
    if (end != WALK_STUCK || open > few + MEND_VAGUE) return end;
    return try_noted(p, open, few, context);
}
