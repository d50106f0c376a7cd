/* words.c: what is known about each word that is counted in: a hash table with open addressing. */
#include "base/heap.h"
#include "engine/jit/promote/promote_int.h"

static struct { struct word *slot; u32 size, used; } words;

static struct word *place_of(struct word *slot, u32 size, u64 at)
{
    u32 i = (u32)((at >> 2) * 0x9e3779b1u) & (size - 1);
    while (slot[i].at && slot[i].at != at)
        i = (i + 1) & (size - 1);
    return &slot[i];
}

static void grow(void)
{
    u32 size = words.size ? words.size * 2 : 1024;
    struct word *slot = heap_alloc(size * sizeof *slot);
    for (u32 i = 0; i < words.size; i++)
        if (words.slot[i].at)
            *place_of(slot, size, words.slot[i].at) = words.slot[i];
    if (words.slot)
        heap_free(words.slot, words.size * sizeof *slot);
    words.slot = slot;
    words.size = size;
}

struct word *word_at(u64 at)
{
    if (words.used * 2 >= words.size)
        grow();
    struct word *w = place_of(words.slot, words.size, at);
    if (!w->at) {
        w->at = at;
        words.used++;
    }
    return w;
}

bool word_is_elsewhere(u64 at)
{
    const struct word *w = word_at(at);
    return w->number || w->is_grouped || w->is_down;
}
