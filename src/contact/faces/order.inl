/* Included by faces/core.inl.
 *
 * Many bodies: which slot is where. R'C is sparse, since only slots that share a body meet. An order in which
 * neighbours stand close together keeps its factors (faces/band.inl) narrow.
 *
 * Bodies are ranked by a breadth-first walk from the far end of the island. Contacts and joints follow the
 * ranks of their bodies, so that those of one pair of bodies stand together. Eight slots in a row are a
 * chunk, one vector. A pair begins a new chunk if there is room for that, and usually fills one: no pair has
 * more than six independent rows. A block is the part of R'C that belongs to two chunks. Only the blocks from
 * a chunk's first neighbour to its last are kept, and of these only those that are not zero are worked on: a
 * stack has one on either side of the diagonal, a wall has a few. */

/* ---- order ---- */

/* Bodies in breadth-first order from `from`, in order.queue; returns the last one. */
static int walk(faces *f, int from)
{
    int bodies = f->system->bodies, head = 0, tail = 0;
    for (int b = 0; b <= bodies; ++b) f->order.rank[b] = FACES_NONE;
    f->order.rank[from] = 0;
    f->order.queue[tail++] = from;
    while (head < tail) {
        int body = f->order.queue[head++];
        for (int i = f->order.link_first[body]; i < f->order.link_first[body + 1]; ++i) {
            int next = f->order.link[i];
            if (f->order.rank[next] != FACES_NONE) continue;
            f->order.rank[next] = tail;
            f->order.queue[tail++] = next;
        }
    }
    return f->order.queue[tail - 1];
}

/* The bodies that contact or joint i couples (joints come after contacts); `bodies` stands for none. */
static inline void coupled(const abuti_system *s, int i, int *a, int *b)
{
    const int *const *body = i < s->n ? s->body : s->joint_body;
    int at = i < s->n ? i : i - s->n;
    *a = body[0][at];
    *b = s->sides == 2 ? body[1][at] : s->bodies;
}

/* Neighbours of each body: order.link from order.link_first on. */
static void find_links(faces *f)
{
    const abuti_system *s = f->system;
    int all = s->n + s->joints, a, b;
    int *first = f->order.link_first;
    for (int i = 0; i <= s->bodies + 1; ++i) first[i] = 0;
    for (int i = 0; i < all; ++i) {
        coupled(s, i, &a, &b);
        if (a < s->bodies && b < s->bodies) first[a + 1]++, first[b + 1]++;
    }
    for (int i = 0; i < s->bodies; ++i) first[i + 1] += first[i];
    for (int i = 0; i < s->bodies; ++i) f->order.queue[i] = first[i];
    for (int i = 0; i < all; ++i) {
        coupled(s, i, &a, &b);
        if (a < s->bodies && b < s->bodies)
            f->order.link[f->order.queue[a]++] = b, f->order.link[f->order.queue[b]++] = a;
    }
}

/* Sorts from[] into to[] by the larger (or the smaller) rank of their bodies; equal ones keep their order. */
static void sort_by_rank(faces *f, bool larger, const int *from, int *to)
{
    const abuti_system *s = f->system;
    int all = s->n + s->joints, a, b;
    int *place = f->order.link_first;
    for (int i = 0; i <= s->bodies + 1; ++i) place[i] = 0;
    for (int pass = 0; pass < 2; ++pass) {
        for (int i = 0; i < all; ++i) {
            coupled(s, from[i], &a, &b);
            int ra = f->order.rank[a], rb = f->order.rank[b], key = (ra > rb) == larger ? ra : rb;
            if (pass == 0) {
                place[key + 2]++;
            } else {
                to[place[key + 1]++] = from[i];
            }
        }
        for (int i = 0; i <= s->bodies && pass == 0; ++i) place[i + 1] += place[i];
    }
}

/* Whether the order belongs to these pairs of bodies; they are noted for the next time. */
static bool order_stands(faces *f)
{
    const abuti_system *s = f->system;
    int all = s->n + s->joints, a, b;
    bool same = f->order.n == s->n && f->order.joints == s->joints && f->order.bodies == s->bodies;
    f->order.n = s->n;
    f->order.joints = s->joints;
    f->order.bodies = s->bodies;
    for (int i = 0; i < all; ++i) {
        coupled(s, i, &a, &b);
        same = same && f->order.pair[2 * i] == a && f->order.pair[2 * i + 1] == b;
        f->order.pair[2 * i] = a;
        f->order.pair[2 * i + 1] = b;
    }
    return same;
}

/* Orders contacts and joints (n + j) by the larger rank of their bodies, then by the smaller. True: the order
 * is that of the last call. */
static bool find_order(faces *f)
{
    const abuti_system *s = f->system;
    if (order_stands(f)) return true;
    find_links(f);
    walk(f, walk(f, 0));
    f->order.rank[s->bodies] = FACES_NONE;
    int all = s->n + s->joints, *other = f->order.link;
    for (int i = 0; i < all; ++i) f->order.at[i] = i;
    sort_by_rank(f, false, f->order.at, other);
    sort_by_rank(f, true, other, f->order.at);
    return false;
}

/* ---- slots ---- */

/* Bit k for each slot k that a contact or joint in its state wants. */
static int wanted_slots(const faces *f, int i)
{
    if (i >= f->system->n) return 1;
    switch (f->state[i]) {
    case ABUT_OPEN: return 0;
    case ABUT_SLIDE: return f->band.wanted[i] & 1;
    case ABUT_EDGE: return f->band.wanted[i] & 3;
    default: return f->band.wanted[i] & 7;
    }
}

/* The room of the smallest workspace that this system fits, whatever room this one has. So the places of
 * slots, and with them rounding, depend on the states alone. */
static int slot_room(const faces *f)
{
    int room = abuti_padded(3 * f->system->n + f->system->joints + 2);
    return room < f->room.slots ? room : f->room.slots;
}

/* Numbers for all slots, in order. False: there is no room. */
static bool number_slots(faces *f, bool aligned)
{
    const abuti_system *s = f->system;
    int all = s->n + s->joints, a, b, last_a = FACES_NONE, last_b = FACES_NONE, t = 0, room = slot_room(f);
    for (int place = 0; place < all; ++place) {
        int i = f->order.at[place], wanted = wanted_slots(f, i);
        bool contact = i < s->n;
        for (int kind = 0; kind < FACES_KINDS && contact; ++kind) f->seats.slot[kind][i] = FACES_NONE;
        if (wanted == 0) continue;
        coupled(s, i, &a, &b);
        int begin = aligned && (a != last_a || b != last_b) ? abuti_padded(t) : t;
        last_a = a, last_b = b;
        if (begin + FACES_KINDS > room) return false;
        for (; t < begin; ++t) f->slots.contact[t] = FACES_NONE;
        for (int kind = 0; kind < FACES_KINDS; ++kind) {
            if (!(wanted >> kind & 1)) continue;
            f->slots.contact[t] = contact ? i : -2 - (i - s->n);
            f->slots.kind[t] = kind;
            f->slots.body[0][t] = a;
            f->slots.body[1][t] = b;
            if (contact) f->seats.slot[kind][i] = t;
            t++;
        }
    }
    for (; t % ABUTI_LANES != 0; ++t) f->slots.contact[t] = FACES_NONE;
    f->slots.top = t;
    f->band.chunks = t / ABUTI_LANES;
    return true;
}

/* The slots of each body, and the bodies of each chunk: band.panel_body from band.panel_first on. */
static void list_bodies(faces *f)
{
    const abuti_system *s = f->system;
    int *first = f->band.entry_first, panels = 0;
    for (int b = 0; b <= s->bodies + 1; ++b) first[b] = 0;
    for (int t = 0; t < f->slots.top; ++t) {
        int begin = f->band.panel_first[t / ABUTI_LANES];
        if (t % ABUTI_LANES == 0) {
            begin = f->band.panel_first[t / ABUTI_LANES] = panels;
            f->band.count[t / ABUTI_LANES] = 0;
        }
        if (f->slots.contact[t] == FACES_NONE) continue;
        f->band.count[t / ABUTI_LANES] = t % ABUTI_LANES + 1;
        for (int side = 0; side < s->sides; ++side) {
            int body = f->slots.body[side][t], panel = begin;
            if (body == s->bodies) continue;
            first[body + 1]++;
            while (panel < panels && f->band.panel_body[panel] != body) panel++;
            if (panel == panels) f->band.panel_body[panels++] = body;
            f->band.slot_panel[side][t] = panel;
        }
    }
    f->band.panel_first[f->band.chunks] = panels;
    for (int b = 0; b < s->bodies; ++b) first[b + 1] += first[b];
    for (int b = 0; b < s->bodies; ++b) f->order.queue[b] = first[b];
    for (int t = 0; t < f->slots.top; ++t) {
        if (f->slots.contact[t] == FACES_NONE) continue;
        for (int side = 0; side < s->sides; ++side) {
            int body = f->slots.body[side][t];
            if (body < s->bodies) f->band.entry[f->order.queue[body]++] = 2 * t + side;
        }
    }
}

/* ---- blocks ---- */

/* The number of the pair of blocks (g, h) and (h, g), h < g. */
static inline int block_number(const faces *f, int g, int h)
{
    return f->band.first[g] + h - f->band.low[g];
}

static inline bool linked(const faces *f, int g, int h)
{
    return h >= f->band.low[g] && f->band.linked[block_number(f, g, h)];
}

/* Finds the blocks that are not zero: those of two chunks that share a body, and those that elimination fills
 * in (if g and k both meet h < g < k, then k meets g). False: there is no room for so wide a band. */
static bool find_blocks(faces *f)
{
    int blocks = 0, most = (faces_band_room(slot_room(f) / ABUTI_LANES) - f->band.chunks) / 2;
    for (int g = 0; g < f->band.chunks; ++g) {
        f->band.low[g] = f->band.high[g] = g;
        for (int p = f->band.panel_first[g]; p < f->band.panel_first[g + 1]; ++p) {
            int h = f->band.entry[f->band.entry_first[f->band.panel_body[p]]] / (2 * ABUTI_LANES);
            if (h < f->band.low[g]) f->band.low[g] = h;
        }
        f->band.first[g] = blocks;
        if (blocks + g - f->band.low[g] > most) return false;
        for (int h = f->band.low[g]; h < g; ++h) {
            f->band.high[h] = g;
            f->band.linked[blocks++] = 0;
        }
        for (int p = f->band.panel_first[g]; p < f->band.panel_first[g + 1]; ++p) {
            int body = f->band.panel_body[p];
            for (int e = f->band.entry_first[body]; e < f->band.entry_first[body + 1]; ++e) {
                int h = f->band.entry[e] / (2 * ABUTI_LANES);
                if (h >= g) break;
                f->band.linked[block_number(f, g, h)] = 1;
            }
        }
    }
    for (int h = 0; h < f->band.chunks; ++h) {
        for (int g = h + 1; g <= f->band.high[h]; ++g) {
            if (!linked(f, g, h)) continue;
            for (int k = g + 1; k <= f->band.high[h]; ++k) {
                if (linked(f, k, h)) f->band.linked[block_number(f, k, g)] = 1;
            }
        }
    }
    return true;
}

/* Slots, lists and blocks for the states at hand. False: there is no room. */
static bool lay_slots(faces *f)
{
    if (!number_slots(f, true) && !number_slots(f, false)) {
        f->slots.top = 0;
        return false;
    }
    list_bodies(f);
    if (find_blocks(f)) return true;
    f->slots.top = 0;
    return false;
}
