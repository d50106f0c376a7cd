/* trace.h: traces and their exits, the objects of the code cache.
 *
 * Both live in the engine's heap and name each other by 32-bit references (heap offset / 16) and cache offsets: a large
 * program has hundreds of thousands of exits. */
#ifndef CACHE_TRACE_H
#define CACHE_TRACE_H
#include "base/types.h"
#include "loader/handoff.h"

typedef u32 ref_t;                          /* 0: none */
static inline void *ref_ptr(ref_t r) { return r ? (void *)(PRIV_HEAP + (u64)r * 16) : NULL; }
static inline ref_t ptr_ref(const void *p) { return p ? (ref_t)(((u64)p - PRIV_HEAP) / 16) : 0; }
static inline u8 *cache_ptr(u32 offset) { return (u8 *)(PRIV_CACHE + offset); }
static inline u32 cache_offset(const u8 *p) { return (u32)((u64)p - PRIV_CACHE); }

enum exit_kind {
    EXIT_JUMP,                              /* to a known address; linkable */
    EXIT_CALL,                              /* the same, with a return address pushed by the CPU (see arch) */
    EXIT_SYSCALL,                           /* `target` is the address of the system-call instruction */
    EXIT_REPLACE,                           /* `target` is the entry of a routine that the tool replaced */
    EXIT_EMULATE,                           /* likewise, of an instruction that arch_emulate performs */
    EXIT_GUARD,                             /* of an indirect branch, to one of its targets; linkable */
};

struct exit {
    addr_t target;
    ref_t from, to;                         /* the trace it belongs to; the trace it is linked to */
    ref_t next_in;                          /* next exit that is linked to the same trace */
    u32 site;                               /* cache offset of the displacement to patch */
    u32 stub;                               /* cache offset of its stub */
    u8 kind, insn_len;
    u16 version;                            /* of the trace that it leads to */
};
_Static_assert(sizeof(struct exit) == 32, "exits are many");

/* One record per application instruction: where its code starts, and what a fault in it has to put back. */
struct map_entry {
    s32 app;                                /* application address - trace pc */
    u16 code;                               /* cache address - trace code */
    u16 restore;                            /* see arch_unspill */
};

struct page_node { addr_t page; ref_t next, trace; };   /* a trace on the list of a page it was made from */

struct trace {
    addr_t pc;
    u32 code, size;                         /* body: cache offset, bytes */
    u32 stub_lo;                            /* cache offset of the lowest stub */
    u32 serial;
    ref_t hash_next;                        /* directory chain */
    ref_t incoming;                         /* exits linked to this trace */
    u16 n_insns, n_exits, n_map, n_pages;
    u32 app_bytes;
    ref_t landings;                         /* the arch's records of it as a target of indirect branches and returns */
    bool is_retired : 1;
    bool is_checked : 1;                    /* see cache_check_later */
    u8 prefix;                              /* bytes of code in front of the body */
    u8 arch_flags;                          /* the arch's own */
    u8 parked;                              /* the arch's own, for arch_unspill */
    ref_t moved;                            /* of these: what leaving it in the middle takes (jit/promote.h) */
    u32 version;                            /* several traces of one address differ in it (jit/replace.h) */
    ref_t kept;                             /* what its analysis calls need (jit/instrument.h) */
    /* followed by: struct exit[n_exits], struct page_node[n_pages], struct map_entry[n_map] */
};
_Static_assert(sizeof(struct trace) % 16 == 0 && sizeof(struct page_node) == 16, "what follows is named by references");

static inline struct exit *trace_exits(struct trace *t) { return (struct exit *)(t + 1); }
static inline struct page_node *trace_pages(struct trace *t) { return (struct page_node *)(trace_exits(t) + t->n_exits); }
static inline struct map_entry *trace_map(struct trace *t) { return (struct map_entry *)(trace_pages(t) + t->n_pages); }
static inline u8 *trace_code(const struct trace *t) { return cache_ptr(t->code); }
static inline size_t trace_alloc_size(u32 exits, u32 pages, u32 maps)
{
    return sizeof(struct trace) + exits * sizeof(struct exit) + pages * sizeof(struct page_node) + maps * sizeof(struct map_entry);
}
#endif
