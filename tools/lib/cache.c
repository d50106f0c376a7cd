/* cache.c: see cache.h. */
#include "tool.h"
#include "cache.h"

static const char *const policies[] = { "lru", "plru", "random", "srrip" };

/* ---- shapes ---- */
static bool is_power(UINT64 n) { return n && !(n & (n - 1)); }

static const char *parse_size(const char *text, UINT64 *size)
{
    char *end;
    UINT64 n = strtoull(text, &end, 10);
    for (const char *unit = "kmg"; end != text && *unit; unit++)
        if ((*end | 32) == *unit) {
            *size = n << (10 * (unit - "kmg" + 1));
            return end[1] ? "bad size" : NULL;
        }
    *size = n;
    return end == text || *end ? "bad size" : NULL;
}

static const char *parse_field(const char *text, int field, struct cache_shape *s)
{
    UINT64 n = 0;
    const char *wrong = field < 3 ? parse_size(text, &n) : NULL;
    if (wrong)
        return wrong;
    if (field == 0)
        s->size = n;
    else if (field == 1)
        s->ways = (UINT32)n;
    else if (field == 2)
        s->line = (UINT32)n;
    else {
        for (UINT32 i = 0; i < 4; i++)
            if (strcmp(text, policies[i]) == 0) {
                s->policy = (enum cache_policy)i;
                return NULL;
            }
        return "policy is not lru, plru, random or srrip";
    }
    return NULL;
}

const char *cache_parse(const char *text, struct cache_shape *s)
{
    char *copy = strdup(text), *rest = copy, *word;
    const char *wrong = NULL;
    for (int field = 0; !wrong && (word = strsep(&rest, ",")); field++)
        wrong = field > 3 ? "more than SIZE,WAYS,LINE,POLICY" : *word ? parse_field(word, field, s) : NULL;
    free(copy);
    if (wrong)
        return wrong;
    if (!is_power(s->line) || s->line > 1 << 30)
        return "the line size is not a power of two";
    if (!s->ways || s->ways > 4096 || !s->size || s->size % ((UINT64)s->ways * s->line))
        return "the size is not a multiple of ways times line size";
    if (s->policy == CACHE_PLRU && (!is_power(s->ways) || s->ways > 64))
        return "plru needs a power of two of ways, up to 64";
    return NULL;
}

const char *cache_shape_text(const struct cache_shape *s)
{
    static char text[4][80];
    static int next;
    char *t = text[next++ % 4];
    bool is_mega = s->size >= 1 << 20 && s->size % (1 << 20) == 0;
    snprintf(t, sizeof text[0], "%lu %s, %u ways, %u-byte lines, %s", is_mega ? s->size >> 20 : s->size >> 10, is_mega ? "MB" : "KB",
             s->ways, s->line, policies[s->policy]);
    return t;
}

struct cache *cache_new(const struct cache_shape *shape)
{
    struct cache *c = need(sizeof *c);
    c->shape = *shape;
    c->sets = shape->size / ((UINT64)shape->ways * shape->line);
    c->line_bits = (UINT32)__builtin_ctz(shape->line);
    UINT64 ways = c->sets * shape->ways;
    c->set_mask = is_power(c->sets) ? c->sets - 1 : 0;
    c->tag = need(ways * sizeof *c->tag);
    c->rank = need(ways);
    c->tree = need(c->sets * sizeof *c->tree);
    c->last = need(c->sets * sizeof *c->last);
    c->settled = shape->policy == CACHE_LRU ? c->tag : need(c->sets * sizeof *c->settled);
    c->settled_stride = shape->policy == CACHE_LRU ? shape->ways : 1;
    c->seed = 1;
    return c;
}

/* ---- policies ---- */
/* Node 1 is the root; a bit tells which half was used last. */
static VOID tree_touch(struct cache *c, UINT64 set, UINT32 way)
{
    UINT32 node = 1;
    for (UINT32 half = c->shape.ways / 2; half; half /= 2) {
        UINT32 right = (way & half) != 0;
        c->tree[set] = right ? c->tree[set] | 1ul << node : c->tree[set] & ~(1ul << node);
        node = 2 * node + right;
    }
}

static UINT32 tree_victim(const struct cache *c, UINT64 set)
{
    UINT32 node = 1, way = 0;
    for (UINT32 half = c->shape.ways / 2; half; half /= 2) {
        UINT32 right = !(c->tree[set] >> node & 1);
        way += right ? half : 0;
        node = 2 * node + right;
    }
    return way;
}

static UINT32 rank_victim(UINT8 *rank, UINT32 n)
{
    for (;;) {
        for (UINT32 i = 0; i < n; i++)
            if (rank[i] == 3)
                return i;
        for (UINT32 i = 0; i < n; i++)
            rank[i]++;
    }
}

static UINT32 victim(struct cache *c, UINT64 set)
{
    UINT32 n = c->shape.ways;
    for (UINT32 i = 0; i < n; i++)
        if (!cache_ways(c, set)[i])
            return i;
    switch (c->shape.policy) {
    case CACHE_PLRU: return tree_victim(c, set);
    case CACHE_SRRIP: return rank_victim(c->rank + set * n, n);
    default:
        c->seed = c->seed * 6364136223846793005ul + 1442695040888963407ul;
        return (UINT32)((c->seed >> 33) % n);
    }
}

VOID cache_touch(struct cache *c, UINT64 set, UINT32 way, bool is_hit)
{
    c->last[set] = way;
    c->rank[set * c->shape.ways + way] = is_hit ? 0 : 2;
    if (c->shape.policy == CACHE_PLRU)
        tree_touch(c, set, way);
}

/* ---- use ---- */
struct cache_out cache_access(struct cache *c, UINT64 line, bool is_write)
{
    if (c->shape.policy == CACHE_LRU)
        return cache_access_lru(c, line, is_write);
    if (cache_hit(c, line, is_write))
        return (struct cache_out){ .is_hit = true };
    UINT64 set = cache_set(c, line);
    UINT32 way = victim(c, set);
    struct cache_out out = cache_evicted(cache_ways(c, set)[way]);
    cache_ways(c, set)[way] = (cache_key(line) & ~1ul) | is_write;
    cache_touch(c, set, way, false);
    cache_settle(c, set, way, false);
    return out;
}

/* With lru an empty way is the last, so that it is filled before a line leaves. */
bool cache_drop(struct cache *c, UINT64 line)
{
    UINT64 set = cache_set(c, line), *tag = cache_ways(c, set);
    UINT32 way = cache_find(c, set, line);
    if (way == CACHE_NONE)
        return false;
    if (c->shape.policy == CACHE_LRU) {
        for (; way + 1 < c->shape.ways; way++)
            tag[way] = tag[way + 1];
    } else {
        c->settled[set] = 0;
    }
    tag[way] = 0;
    return true;
}

VOID cache_dirty(struct cache *c, UINT64 line)
{
    UINT64 set = cache_set(c, line);
    UINT32 way = cache_find(c, set, line);
    if (way != CACHE_NONE)
        cache_ways(c, set)[way] |= 1;
}
