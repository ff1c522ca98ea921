#include "scene/names.h"

#include <stdint.h>
#include <string.h>

static uint64_t hash(abuti_name_kind kind, const char *name)
{
    uint64_t h = 14695981039346656037u ^ (uint64_t)kind;
    for (; *name != '\0'; ++name) h = (h ^ (unsigned char)*name) * 1099511628211u;
    return h;
}

/* The slot of a name, or the free one where it would stand. */
static abuti_name *slot_of(const abuti_names *names, abuti_name_kind kind, const char *name)
{
    uint64_t mask = (uint64_t)names->capacity - 1;
    for (uint64_t at = hash(kind, name) & mask;; at = (at + 1) & mask) {
        abuti_name *slot = &names->slots[at];
        if (!slot->name || (slot->kind == kind && strcmp(slot->name, name) == 0)) return slot;
    }
}

static int grow(abuti_pool *pool, abuti_names *names)
{
    abuti_names larger = {.capacity = names->capacity > 0 ? 4 * names->capacity : 256};
    larger.slots = abuti_pool_take(pool, (size_t)larger.capacity * sizeof *larger.slots);
    if (!larger.slots) return -1;
    for (int i = 0; i < names->capacity; ++i)
        if (names->slots[i].name)
            *slot_of(&larger, names->slots[i].kind, names->slots[i].name) = names->slots[i];
    larger.count = names->count;
    *names = larger;
    return 1;
}

int abuti_names_add(abuti_pool *pool, abuti_names *names, abuti_name_kind kind, const char *name, int index)
{
    if (2 * names->count >= names->capacity && grow(pool, names) < 0) return -1;
    abuti_name *slot = slot_of(names, kind, name);
    if (slot->name) return 0;
    *slot = (abuti_name){name, kind, index};
    names->count++;
    return 1;
}

int abuti_names_find(const abuti_names *names, abuti_name_kind kind, const char *name)
{
    if (names->capacity == 0) return -1;
    const abuti_name *slot = slot_of(names, kind, name);
    return slot->name ? slot->index : -1;
}

const char *abuti_name_kind_text(abuti_name_kind kind)
{
    static const char *const texts[] = {"body", "joint", "geom", "site", "tendon", "actuator", "equality"};
    return texts[kind];
}
