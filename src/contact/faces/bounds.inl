/* Included by faces/core.inl.
 *
 * Systems with bounded rows (faces/given.inl): how a basis of theirs begins, from states or from nothing. All slots are
 * made first and inverted together, which costs less than adding them one by one. Where some depend on others they are
 * added one by one after all. */

/* ---- slots that are listed, to be inverted later ---- */

static bool list_add(faces *f, int contact, int kind, const double row[3], const double column[3])
{
    faces_terms terms = make_terms(f, contact, kind, row, column, f->door->row);
    return inverse_put(f, contact, kind, &terms);
}

static const faces_basis basis_of_list = {
    .open = inverse_open,
    .clear = inverse_clear,
    .sit = inverse_sit,
    .rise = rise_from_lane,
    .shift = shift_nothing,
    .add = list_add,
    .join = inverse_put,
};

/* ---- bounded rows ---- */

/* The bound at which a row is in given states; FACES_NONE: as far as is known it is held. */
static int bound_in(const faces *f, int lane, const abut_contact_face *start)
{
    if (f->mu[lane] == 0.0) return 0;
    return start && start[lane].state == ABUT_SLIDE ? start[lane].face % 2 : FACES_NONE;
}

/* Sends a seated row to bound j, which is a push along the row. */
static void push_to_bound(faces *f, int lane, int j)
{
    double push = f->mu[lane] * f->system->given[lane] * f->polygon[2].dx[j];
    slot_place at = f->door->place(f, lane);
    set_state(f, lane, ABUT_SLIDE, j);
    f->door->add(f, push, seat_row(f, f->seats.of[lane], 1), at, f->loaded);
}

/* All bounded rows take their seats, before there are slots; those at a bound push. */
static void seat_bounded(faces *f, const abut_contact_face *start)
{
    for (int lane = 0; lane < f->system->n; ++lane) {
        if (!is_given(f, lane)) continue;
        seat_take(f, lane);
        f->value[0][0][f->seats.of[lane]] = f->system->given[lane];
        int bound = bound_in(f, lane, start);
        if (bound != FACES_NONE) push_to_bound(f, lane, bound);
    }
    copy(f->loaded, f->v[0], f->space);
}

/* Holds the other bounded rows. A row that depends on the rest holds by itself and carries nothing; on a path, where
 * nobody looks whether it goes on to hold, it is put at a bound. False: x and v are no longer those of the slots. */
static bool hold_bounded(faces *f, const abut_contact_face *start)
{
    const double e[3] = {0.0, -1.0, 0.0};
    bool right = true;
    for (int lane = 0; lane < f->system->n; ++lane) {
        if (!is_given(f, lane) || bound_in(f, lane, start) != FACES_NONE) continue;
        set_state(f, lane, ABUT_EDGE, 0);
        if (f->basis->add(f, lane, 1, e, e)) continue;
        if (f->parts == 1) {
            set_state(f, lane, ABUT_STICK, 0);
        } else {
            push_to_bound(f, lane, 0);
            right = false;
        }
    }
    return right;
}

/* ---- a basis begins ---- */

static bool enter_all(faces *f, const faces_basis *basis, int parts, const abut_contact_face *start)
{
    f->parts = parts;
    f->memory.ready = FACES_LEFT_NOTHING;
    f->inverse.fresh = false;
    clear(f, basis);
    make_polygons(f);
    seat_bounded(f, start);
    if (!add_joints(f)) return false;
    bool right = hold_bounded(f, start);
    if (start) load_states(f, start);
    return basis == &basis_of_list || right || basis->refresh(f, parts);
}

/* All slots at once. False: some depend on others. */
static bool enter_at_once(faces *f, int parts, const abut_contact_face *start)
{
    bool listed = enter_all(f, &basis_of_list, parts, start);
    f->basis = &basis_of_inverse;
    if (!listed || f->slots.used > f->inverse.most || !f->basis->invert(f, FACES_ASIDE)) return false;
    for (int part = 0; part < parts; ++part) {
        fill(f->x[part], 0.0, abuti_padded(f->slots.top));
        refine(f, part);
    }
    return true;
}

/* A basis with the given states; contacts open, and rows held, without. */
static bool start_bounded(faces *f, int parts, const abut_contact_face *start)
{
    return enter_at_once(f, parts, start) || enter_all(f, &basis_of_inverse, parts, start);
}

/* From nothing: flips the bounded rows alone until they are right. */
static bool settle_bounded(faces *f, int parts, const abuti_stage_context *context)
{
    if (!start_bounded(f, parts, NULL)) return false;
    fill(f->slack.open, 0.0, f->lanes);
    flips end = flip(f, FACES_BOUNDS * f->system->boxed, context);
    for (int lane = 0; lane < f->system->n; ++lane)
        f->slack.open[lane] = f->seats.of[lane] == FACES_NONE ? 1.0 : 0.0;
    return end == FLIPS_DONE && f->basis->refresh(f, parts);
}
