/* base.h: memory that cannot run out quietly, growing arrays, a map from numbers to numbers, text of numbers. */
#ifndef TOOLS_BASE_H
#define TOOLS_BASE_H

VOID *need(size_t size);                        /* zeroed; ends the process with a message when there is none */
VOID *need_more(VOID *p, size_t size);          /* realloc */
char *need_text(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* struct { T *at; size_t n, room; } v; VEC_ADD(v, x): appends. */
#define VEC(T) struct { T *at; size_t n, room; }
#define VEC_GROW(v) \
    ((v).n < (v).room ? (VOID)0 \
                      : (VOID)((v).room = (v).room ? 2 * (v).room : 16, (v).at = need_more((v).at, (v).room * sizeof *(v).at)))
#define VEC_ADD(v, x) do { VEC_GROW(v); (v).at[(v).n++] = (x); } while (0)

/* From a 64-bit key, not 0, to a 64-bit value, 0 for none. Not locked. */
struct map { struct map_slot { UINT64 key, value; } *slots; size_t n, size; };
UINT64 *map_at(struct map *m, UINT64 key);      /* made when missing; valid until the next one is made */
UINT64 *map_find(const struct map *m, UINT64 key);       /* NULL when missing */
UINT64 map_get(const struct map *m, UINT64 key);
VOID map_clear(struct map *m);
UINT64 hash_bytes(const VOID *p, size_t n, UINT64 seed);        /* never 0 */

/* 1234567 -> 1,234,567. Up to 8 results live at once in a thread. */
const char *commas(UINT64 n);
const char *counted(UINT64 n, const char *one);  /* 1 block, 1,234 blocks. As above. */
double percent(UINT64 part, UINT64 whole);
#endif
