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
    UINT64 sets, clock, seed;
    UINT32 line_bits;
    struct cache_way { UINT64 line, used; UINT8 is_valid, is_dirty, rank; } *way;       /* ways of set 0, of set 1, ... */
    UINT64 *tree;                               /* plru: bits of a set */
};
/* What left when a line came in; line valid only with was_evicted. */
struct cache_out { bool is_hit, was_evicted, was_dirty; UINT64 line; };

/* SIZE[k|m|g],WAYS,LINE[,POLICY]; what is left out stays as it is in *shape. NULL, or what is wrong. */
const char *cache_parse(const char *text, struct cache_shape *shape);
const char *cache_shape_text(const struct cache_shape *shape); /* "32 KB, 8 ways, 64-byte lines, lru" */
struct cache *cache_new(const struct cache_shape *shape);
struct cache_out cache_access(struct cache *c, UINT64 line, bool is_write);
/* The access, if the line is there; else nothing. Touches no vector register: see access.h. */
bool cache_hit(struct cache *c, UINT64 line, bool is_write);
bool cache_drop(struct cache *c, UINT64 line);  /* invalidate; was it there? */
VOID cache_dirty(struct cache *c, UINT64 line); /* mark, when it is there */
#endif
