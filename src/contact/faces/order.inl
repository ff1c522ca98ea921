/* Included by faces/core.inl.
 *
 * Many bodies: which slot is where. R'C is sparse, since only slots that share a body meet; an order in which
 * neighbours stand close together keeps its factors (faces/band.inl) narrow.
 *
 * Bodies are ranked by a breadth-first walk from the far end of the island; contacts and joints follow the
 * ranks of their bodies, so that those of one pair stand together. Eight slots in a row are a chunk, one
 * vector: a pair begins a new chunk if there is room for that, and usually fills one (no pair has more than
 * six independent rows). Of R'C and its factors only the blocks from a chunk's first neighbour to its last
 * are kept, and of these only those that are not zero are worked on: a stack has one to either side, a wall a
 * few. */

/* ---- order ---- */

/* Bodies in breadth-first order from `from`, in f->queue; returns the last one. */
static int walk(faces *f, int from)
{
    int bodies = f->system->bodies, head = 0, tail = 0;
    for (int b = 0; b <= bodies; ++b) f->rank[b] = FACES_NONE;
    f->rank[from] = 0;
    f->queue[tail++] = from;
    while (head < tail) {
        int body = f->queue[head++];
        for (int i = f->link_first[body]; i < f->link_first[body + 1]; ++i) {
            int next = f->link[i];
            if (f->rank[next] != FACES_NONE) continue;
            f->rank[next] = tail;
            f->queue[tail++] = next;
        }
    }
    return f->queue[tail - 1];
}

/* The bodies that contact or joint i (joints after contacts) couples; `bodies` stands for none. */
static inline void coupled(const abuti_system *s, int i, int *a, int *b)
{
    const int *const *body = i < s->n ? s->body : s->joint_body;
    int at = i < s->n ? i : i - s->n;
    *a = body[0][at];
    *b = s->sides == 2 ? body[1][at] : s->bodies;
}

/* Neighbours of each body: f->link from f->link_first on. */
static void find_links(faces *f)
{
    const abuti_system *s = f->system;
    int all = s->n + s->joints, a, b;
    int *first = f->link_first;
    for (int i = 0; i <= s->bodies + 1; ++i) first[i] = 0;
    for (int i = 0; i < all; ++i) {
        coupled(s, i, &a, &b);
        if (a < s->bodies && b < s->bodies) first[a + 1]++, first[b + 1]++;
    }
    for (int i = 0; i < s->bodies; ++i) first[i + 1] += first[i];
    for (int i = 0; i < s->bodies; ++i) f->queue[i] = first[i];
    for (int i = 0; i < all; ++i) {
        coupled(s, i, &a, &b);
        if (a < s->bodies && b < s->bodies) f->link[f->queue[a]++] = b, f->link[f->queue[b]++] = a;
    }
}

/* from[] into to[] by the larger (or the smaller) rank of their bodies; equal ones keep their order. */
static void sort_by_rank(faces *f, bool larger, const int *from, int *to)
{
    const abuti_system *s = f->system;
    int all = s->n + s->joints, a, b;
    int *place = f->link_first;
    for (int i = 0; i <= s->bodies + 1; ++i) place[i] = 0;
    for (int pass = 0; pass < 2; ++pass) {
        for (int i = 0; i < all; ++i) {
            coupled(s, from[i], &a, &b);
            int ra = f->rank[a], rb = f->rank[b], key = (ra > rb) == larger ? ra : rb;
            if (pass == 0) {
                place[key + 2]++;
            } else {
                to[place[key + 1]++] = from[i];
            }
        }
        for (int i = 0; i <= s->bodies && pass == 0; ++i) place[i + 1] += place[i];
    }
}

/* Whether f->order belongs to these pairs of bodies; they are noted for the next time. */
static bool order_stands(faces *f)
{
    const abuti_system *s = f->system;
    int all = s->n + s->joints, a, b;
    bool same = f->order_n == s->n && f->order_joints == s->joints && f->order_bodies == s->bodies;
    f->order_n = s->n;
    f->order_joints = s->joints;
    f->order_bodies = s->bodies;
    for (int i = 0; i < all; ++i) {
        coupled(s, i, &a, &b);
        same = same && f->order_pair[2 * i] == a && f->order_pair[2 * i + 1] == b;
        f->order_pair[2 * i] = a;
        f->order_pair[2 * i + 1] = b;
    }
    return same;
}

/* f->order: contacts and joints (n + j) by the larger rank of their bodies, then by the smaller. True: it is
 * that of the last call. */
static bool find_order(faces *f)
{
    const abuti_system *s = f->system;
    if (order_stands(f)) return true;
    find_links(f);
    walk(f, walk(f, 0));
    f->rank[s->bodies] = FACES_NONE;
    int all = s->n + s->joints, *other = f->link;
    for (int i = 0; i < all; ++i) f->order[i] = i;
    sort_by_rank(f, false, f->order, other);
    sort_by_rank(f, true, other, f->order);
    return false;
}

/* ---- slots ---- */

/* Bit k for each slot k that a contact or joint in its state wants. */
static int wanted_slots(const faces *f, int i)
{
    if (i >= f->system->n) return 1;
    switch (f->state[i]) {
    case ABUT_OPEN: return 0;
    case ABUT_SLIDE: return f->mask[i] & 1;
    case ABUT_EDGE: return f->mask[i] & 3;
    default: return f->mask[i] & 7;
    }
}

/* The room of the smallest workspace that this system fits, whatever this one has: the places of slots, and
 * with them rounding, are those of the states alone. */
static int slot_room(const faces *f)
{
    int room = round_up8(3 * f->system->n + f->system->joints + 2);
    return room < f->slot_capacity ? room : f->slot_capacity;
}

/* Numbers for all slots, in order. False: there is no room. */
static bool number_slots(faces *f, bool aligned)
{
    const abuti_system *s = f->system;
    int all = s->n + s->joints, a, b, last_a = FACES_NONE, last_b = FACES_NONE, t = 0, room = slot_room(f);
    for (int place = 0; place < all; ++place) {
        int i = f->order[place], wanted = wanted_slots(f, i);
        bool contact = i < s->n;
        for (int kind = 0; kind < FACES_KINDS && contact; ++kind) f->slot[kind][i] = FACES_NONE;
        if (wanted == 0) continue;
        coupled(s, i, &a, &b);
        int begin = aligned && (a != last_a || b != last_b) ? round_up8(t) : t;
        last_a = a, last_b = b;
        if (begin + FACES_KINDS > room) return false;
        for (; t < begin; ++t) f->slot_contact[t] = FACES_NONE;
        for (int kind = 0; kind < FACES_KINDS; ++kind) {
            if (!(wanted >> kind & 1)) continue;
            f->slot_contact[t] = contact ? i : -2 - (i - s->n);
            f->slot_kind[t] = kind;
            f->slot_body[0][t] = a;
            f->slot_body[1][t] = b;
            if (contact) f->slot[kind][i] = t;
            t++;
        }
    }
    for (; t % ABUTI_LANES != 0; ++t) f->slot_contact[t] = FACES_NONE;
    f->top = t;
    f->chunks = t / ABUTI_LANES;
    return true;
}

/* The slots of each body, and the bodies of each chunk: f->panel_body from f->panel_first on. */
static void list_bodies(faces *f)
{
    const abuti_system *s = f->system;
    int *first = f->entry_first, panels = 0;
    for (int b = 0; b <= s->bodies + 1; ++b) first[b] = 0;
    for (int t = 0; t < f->top; ++t) {
        int begin = f->panel_first[t / ABUTI_LANES];
        if (t % ABUTI_LANES == 0) {
            begin = f->panel_first[t / ABUTI_LANES] = panels;
            f->count[t / ABUTI_LANES] = 0;
        }
        if (f->slot_contact[t] == FACES_NONE) continue;
        f->count[t / ABUTI_LANES] = t % ABUTI_LANES + 1;
        for (int side = 0; side < s->sides; ++side) {
            int body = f->slot_body[side][t], panel = begin;
            if (body == s->bodies) continue;
            first[body + 1]++;
            while (panel < panels && f->panel_body[panel] != body) panel++;
            if (panel == panels) f->panel_body[panels++] = body;
            f->slot_panel[side][t] = panel;
        }
    }
    f->panel_first[f->chunks] = panels;
    for (int b = 0; b < s->bodies; ++b) first[b + 1] += first[b];
    for (int b = 0; b < s->bodies; ++b) f->queue[b] = first[b];
    for (int t = 0; t < f->top; ++t) {
        if (f->slot_contact[t] == FACES_NONE) continue;
        for (int side = 0; side < s->sides; ++side) {
            int body = f->slot_body[side][t];
            if (body < s->bodies) f->entry[f->queue[body]++] = 2 * t + side;
        }
    }
}

/* ---- blocks ---- */

/* The number of the pair of blocks (g, h) and (h, g), h < g. */
static inline int block_number(const faces *f, int g, int h)
{
    return f->first[g] + h - f->low[g];
}

static inline bool linked(const faces *f, int g, int h)
{
    return h >= f->low[g] && f->link_used[block_number(f, g, h)];
}

/* Which blocks are not zero: where two chunks share a body, and what elimination fills in (if g and k both
 * meet h < g < k, then k meets g). */
static void find_blocks(faces *f)
{
    int blocks = 0;
    for (int g = 0; g < f->chunks; ++g) {
        f->low[g] = f->high[g] = g;
        for (int p = f->panel_first[g]; p < f->panel_first[g + 1]; ++p) {
            int h = f->entry[f->entry_first[f->panel_body[p]]] / (2 * ABUTI_LANES);
            if (h < f->low[g]) f->low[g] = h;
        }
        f->first[g] = blocks;
        for (int h = f->low[g]; h < g; ++h) {
            f->high[h] = g;
            f->link_used[blocks++] = 0;
        }
        for (int p = f->panel_first[g]; p < f->panel_first[g + 1]; ++p) {
            int body = f->panel_body[p];
            for (int e = f->entry_first[body]; e < f->entry_first[body + 1]; ++e) {
                int h = f->entry[e] / (2 * ABUTI_LANES);
                if (h >= g) break;
                f->link_used[block_number(f, g, h)] = 1;
            }
        }
    }
    for (int h = 0; h < f->chunks; ++h) {
        for (int g = h + 1; g <= f->high[h]; ++g) {
            if (!linked(f, g, h)) continue;
            for (int k = g + 1; k <= f->high[h]; ++k) {
                if (linked(f, k, h)) f->link_used[block_number(f, k, g)] = 1;
            }
        }
    }
}

/* Slots, lists and blocks for the states at hand. False: there is no room. */
static bool lay_slots(faces *f)
{
    if (!number_slots(f, true) && !number_slots(f, false)) {
        f->top = 0;
        return false;
    }
    list_bodies(f);
    find_blocks(f);
    return true;
}
