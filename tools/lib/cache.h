/* cache.h: a set-associative cache, or anything that behaves like one. Knows lines by number (address / line size).
 *
 * Policies: lru, the line not used for longest; plru, a binary tree of bits per set (ways: a power of two); random, from a fixed
 * seed; srrip, two bits per line: 2 when it comes, 0 when it is hit; the first with 3 goes, all are counted up until there
 * is one. Empty ways are filled first, lowest first. */
#ifndef TOOLS_CACHE_H
#define TOOLS_CACHE_H

enum cache_policy { CACHE_LRU, CACHE_PLRU, CACHE_RANDOM, CACHE_SRRIP };
struct cache_shape { UINT64 size; UINT32 ways, line; enum cache_policy policy; };       /* line: bytes */

struct cache {
    struct cache_shape shape;
    UINT64 sets, seed;
    UINT64 set_mask;                            /* 0: the number of sets is no power of two */
    UINT32 line_bits;
    /* Of each way of set 0, of set 1, ...: see cache_key; 0: empty. With lru the ways of a set are in the order of their use. */
    UINT64 *tag;
    UINT8 *rank;                                /* srrip */
    /* Of each set. */
    UINT64 *tree;                               /* plru: its bits */
    UINT32 *last;                               /* the way that was used last: the first place to look; not with lru */
    UINT64 *settled;                            /* see cache_settles; 0: none. With lru the first way is just that. */
    UINT64 settled_stride;
};
/* What left when a line came in; line valid only with was_evicted. */
struct cache_out { bool is_hit, was_evicted, was_dirty; UINT64 line; };

/* SIZE[k|m|g],WAYS,LINE[,POLICY]; what is left out stays as it is in *shape. NULL, or what is wrong. */
const char *cache_parse(const char *text, struct cache_shape *shape);
const char *cache_shape_text(const struct cache_shape *shape); /* "32 KB, 8 ways, 64-byte lines, lru" */
struct cache *cache_new(const struct cache_shape *shape);
struct cache_out cache_access(struct cache *c, UINT64 line, bool is_write);
bool cache_drop(struct cache *c, UINT64 line);  /* invalidate; was it there? */
VOID cache_dirty(struct cache *c, UINT64 line); /* mark, when it is there */
VOID cache_touch(struct cache *c, UINT64 set, UINT32 way, bool is_hit); /* for policies other than lru */

/* ---- for speed, in line: no vector register is touched, see access.h ---- */
static inline UINT64 cache_set(const struct cache *c, UINT64 line) { return c->set_mask ? line & c->set_mask : line % c->sets; }
static inline UINT64 *cache_ways(const struct cache *c, UINT64 set) { return c->tag + set * c->shape.ways; }

/* What is kept of a line that was written to; of others, the same but for the lowest bit. */
static inline UINT64 cache_key(UINT64 line) { return 2 * (line + 1) + 1; }

/* The number of its way in the set; CACHE_NONE: it is not there. */
#define CACHE_NONE (~0u)
static inline UINT32 cache_find(const struct cache *c, UINT64 set, UINT64 line)
{
    const UINT64 *tag = cache_ways(c, set), key = cache_key(line);
    if ((tag[c->last[set]] | 1) == key)
        return c->last[set];
    for (UINT32 i = 0; i < c->shape.ways; i++)
        if ((tag[i] | 1) == key)
            return i;
    return CACHE_NONE;
}

/* Most accesses change nothing but counts: those to the line of the set that was used last, when it is as another such access
 * would leave it. */
static inline bool cache_settles(const struct cache *c, UINT64 line, bool is_write)
{
    return (c->settled[cache_set(c, line) * c->settled_stride] | !is_write) == cache_key(line);
}

/* The way has just been used. A line that came under srrip gets its rank from its next use. */
static inline VOID cache_settle(struct cache *c, UINT64 set, UINT32 way, bool is_hit)
{
    c->settled[set] = is_hit || c->shape.policy != CACHE_SRRIP ? cache_ways(c, set)[way] : 0;
}

/* The way comes to the front, those before it move back by one. */
static inline VOID cache_to_front(UINT64 *tag, UINT32 way, bool is_write)
{
    UINT64 moved = tag[way] | is_write;
    for (UINT32 i = 0; i <= way; i++) {
        UINT64 next = tag[i];
        tag[i] = moved;
        moved = next;
    }
}

/* The access, if the line is there; else nothing. */
static inline bool cache_hit(struct cache *c, UINT64 line, bool is_write)
{
    UINT64 set = cache_set(c, line);
    UINT32 way = cache_find(c, set, line);
    if (way == CACHE_NONE)
        return false;
    if (c->shape.policy == CACHE_LRU) {
        cache_to_front(cache_ways(c, set), way, is_write);
    } else {
        cache_ways(c, set)[way] |= is_write;
        cache_touch(c, set, way, true);
        cache_settle(c, set, way, true);
    }
    return true;
}

static inline struct cache_out cache_evicted(UINT64 tag)
{
    return (struct cache_out){ .was_evicted = tag != 0, .was_dirty = tag & 1, .line = (tag >> 1) - 1 };
}

/* In one pass: every way moves back by one until the line is found. What moved out of the last one leaves. */
static inline struct cache_out cache_access_lru(struct cache *c, UINT64 line, bool is_write)
{
    UINT64 *tag = cache_ways(c, cache_set(c, line)), key = cache_key(line), moved = tag[0];
    UINT32 i = 0;
    while ((moved | 1) != key && ++i < c->shape.ways) {
        UINT64 next = tag[i];
        tag[i] = moved;
        moved = next;
    }
    bool is_hit = i < c->shape.ways;
    tag[0] = is_hit ? moved | is_write : (key & ~1ul) | is_write;
    return is_hit ? (struct cache_out){ .is_hit = true } : cache_evicted(moved);
}
#endif
