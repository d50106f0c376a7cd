/* base.c: see base.h. */
#include "tool.h"
#include <stdarg.h>

static VOID *checked(VOID *p, size_t size)
{
    if (!p && size) {
        fprintf(stderr, "cotter: the tool is out of memory (%zu bytes more were needed)\n", size);
        PIN_ExitProcess(125);
    }
    return p;
}

VOID *need(size_t size) { return checked(calloc(1, size), size); }
VOID *need_more(VOID *p, size_t size) { return checked(realloc(p, size), size); }

char *need_text(const char *fmt, ...)
{
    char *text = NULL;
    va_list ap;
    va_start(ap, fmt);
    int n = vasprintf(&text, fmt, ap);
    va_end(ap);
    return checked(n < 0 ? NULL : text, 1);
}

/* ---- map: open addressing, at most half full ---- */
static struct map_slot *slot_for(const struct map *m, UINT64 key)
{
    size_t i = (size_t)(key * 0x9E3779B97F4A7C15ull >> 20) & (m->size - 1);
    while (m->slots[i].key && m->slots[i].key != key)
        i = (i + 1) & (m->size - 1);
    return &m->slots[i];
}

static VOID grow(struct map *m)
{
    struct map old = *m;
    m->size = old.size ? 2 * old.size : 64;
    m->slots = need(m->size * sizeof *m->slots);
    for (size_t i = 0; i < old.size; i++)
        if (old.slots[i].key)
            *slot_for(m, old.slots[i].key) = old.slots[i];
    free(old.slots);
}

UINT64 *map_at(struct map *m, UINT64 key)
{
    if (2 * (m->n + 1) > m->size)
        grow(m);
    struct map_slot *s = slot_for(m, key);
    m->n += !s->key;
    s->key = key;
    return &s->value;
}

UINT64 map_get(const struct map *m, UINT64 key) { return m->n ? slot_for(m, key)->value : 0; }

UINT64 *map_find(const struct map *m, UINT64 key)
{
    struct map_slot *s = m->n ? slot_for(m, key) : NULL;
    return s && s->key ? &s->value : NULL;
}

VOID map_clear(struct map *m)
{
    free(m->slots);
    *m = (struct map){ 0 };
}

/* FNV-1a. */
UINT64 hash_bytes(const VOID *p, size_t n, UINT64 seed)
{
    UINT64 h = 0xcbf29ce484222325ull ^ seed;
    for (const UINT8 *b = p; n--; b++)
        h = (h ^ *b) * 0x100000001b3ull;
    return h ? h : 1;
}

const char *commas(UINT64 n)
{
    static __thread char ring[8][32];
    static __thread unsigned turn;
    char *end = ring[turn++ % 8] + 31, *p = end;
    int digits = 0;
    *p = 0;
    do {
        if (digits && digits % 3 == 0)
            *--p = ',';
        *--p = (char)('0' + n % 10);
        digits++;
    } while (n /= 10);
    return p;
}

const char *counted(UINT64 n, const char *one)
{
    static __thread char ring[8][64];
    static __thread unsigned turn;
    char *text = ring[turn++ % 8];
    size_t length = strlen(one);
    bool hisses = length > 1 && (one[length - 1] == 's' || !strcmp(one + length - 2, "ch"));
    snprintf(text, sizeof ring[0], "%s %s%s", commas(n), one, n == 1 ? "" : hisses ? "es" : "s");
    return text;
}

double percent(UINT64 part, UINT64 whole) { return whole ? 100.0 * (double)part / (double)whole : 0; }
