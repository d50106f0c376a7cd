/* cache.h: the code cache: blocks, the directory, links, invalidation, delayed reclaim.
 *
 *  (1) Everything here is guarded by the cache lock (cache_lock_take), which is never held while application code or
 *      a tool runs. Running from trace to trace takes no lock.
 *  (2) A trace that leaves the directory is retired: nothing leads into it any more, its own exits lead to the
 *      dispatcher, its bytes stay as they are until every thread that may be inside has left (cache_reclaim).
 *  (3) Traces of one block are ordered by address, so a cache address finds its trace by bisection. */
#ifndef CACHE_CACHE_H
#define CACHE_CACHE_H
#include "arch/arch.h"
#include "engine/cache/map.h"
#include "engine/cache/trace.h"

void cache_init(void);
void cache_lock_take(void);
void cache_lock_drop(void);
void cache_lock_reset(void);
bool cache_lock_take_over(u32 dead);                       /* true: a killed vfork child had it, and now it is held here */
void cache_recover(void);                                  /* then: what it guards may be half changed; begin with an empty cache */
bool cache_holds(addr_t a);                               /* is it an address of the cache? */

/* ---- directory ---- */
struct trace *cache_find_version(addr_t pc, u32 version);
void cache_expect(addr_t pc);                              /* it will be asked for soon: the memory is a long way off */
static inline struct trace *cache_find(addr_t pc) { return cache_find_version(pc, 0); }

/* ---- making a trace ---- */
/* Room for at least `need` bytes of code and stubs. May flush the cache when it is full: all traces found before are
 * retired then. Fails by ct_fatal only. */
void cache_begin(struct emit *e, u32 need);
/* An object for the trace to be emitted: zero but for these numbers. room: for its map, at the most. */
struct trace *cache_new_trace(u32 n_pages, u32 n_exits, bool has_annex, u32 room);
/* Enters t, emitted into e, into its block, the directory and the page lists; is_once: into its block only, retired. */
void cache_commit(struct emit *e, struct trace *t, bool is_once);

void cache_new_block(void);                                /* traces to come go into a new block */

/* Space for a piece of code outside of any trace, in the current block; NULL: there is none. It lives until released. */
u8 *cache_piece(u32 size);
void cache_piece_release(u8 *code);

/* ---- links ---- */
void cache_link(struct exit *x, struct trace *to);
void cache_unlink(struct trace *t);                        /* both ways */
void cache_unlink_exit(struct exit *x);                    /* an exit that is not among those of its trace */
void cache_forget_link(struct exit *x);                    /* the same in a flush, which takes the target, too */

/* ---- invalidation ---- */
u32 cache_invalidate(addr_t lo, addr_t hi);               /* traces made from [lo, hi); how many there were */
u32 cache_invalidate_at(addr_t pc);                       /* traces that begin there, of any version */
bool cache_page_has_code(addr_t page);                     /* a live trace was made from this page */
void cache_flush_all(void);
/* The trace was made from these bytes, which may change without notice: only the dispatcher leads there, after a check. */
void cache_check_later(struct trace *t, const u8 *bytes);
void cache_check(addr_t pc);                              /* drops the traces of pc if their code has changed so */
void cache_reclaim(void);
u64 cache_epoch(void);

/* ---- from a cache address back to the application; no lock, also from the signal handler ---- */
/* restore, parked: for arch_unspill; entry: number of the map record. */
struct place { struct trace *trace; addr_t pc; u32 restore, parked; bool at_start; u32 entry; };
bool cache_locate(addr_t code, struct place *out);

struct cache_sizes { u64 body, prefixes, stubs, pieces, blocks, reserved, app, traces, exits, links; };
void cache_measure(struct cache_sizes *out);
u64 cache_distinct(void);                                  /* different application instructions that were translated; for --stats */
#endif
