/* trace.h: traces and their exits, the objects of the code cache.
 *
 * A large program has a hundred thousand traces and three times as many exits. So they name each other by 32-bit references
 * (heap offset / 4) and cache offsets, an exit finds its trace by its place in it, and what only tools and odd programs need
 * is in an annex that most traces do not have. The memory of a trace belongs to its block: page nodes, the trace, its exits,
 * the annex, the map, in this order. */
#ifndef CACHE_TRACE_H
#define CACHE_TRACE_H
#include "base/types.h"
#include "loader/handoff.h"

typedef u32 ref_t;                          /* 0: none; even, since objects are aligned to 8, but for some page nodes */
static inline void *ref_ptr(ref_t r) { return r ? (void *)(PRIV_HEAP + (u64)r * 4) : NULL; }
static inline ref_t ptr_ref(const void *p) { return p ? (ref_t)(((u64)p - PRIV_HEAP) / 4) : 0; }
static inline u8 *cache_ptr(u32 offset) { return (u8 *)(PRIV_CACHE + offset); }
static inline u32 cache_offset(const u8 *p) { return (u32)((u64)p - PRIV_CACHE); }

enum exit_kind {
    EXIT_JUMP,                              /* to a known address; linkable */
    EXIT_CALL,                              /* the same, with a return address pushed by the CPU (see arch) */
    EXIT_SYSCALL,                           /* its target is the address of the system-call instruction */
    EXIT_REPLACE,                           /* likewise, the entry of a routine that the tool replaced */
    EXIT_EMULATE,                           /* likewise, of an instruction that arch_emulate performs */
    EXIT_GUARD,                             /* of an indirect branch, to one of its targets; linkable */
};

/* While the trace is emitted the first two words are what the arch notes: exit_note_site, exit_note_stub. */
struct exit {
    s32 target;                             /* application address - trace pc; of an annexed trace: see there */
    ref_t next_in;                          /* next exit linked to the same trace; | IN_LAST: that trace; 0: not linked */
    u16 site;                               /* of the displacement to patch: cache address - trace code */
    u16 stub;                               /* of its stub: cache address - that of the trace's lowest stub */
    u16 index;                              /* it is exit number so-and-so of its trace */
    u8 kind, insn_len;
};
_Static_assert(sizeof(struct exit) == 16, "exits are many");
enum { IN_LAST = 1 };

/* One that is not among those of its trace. */
enum { LOOSE = 0xffff };                    /* its index */
struct loose_exit {
    struct exit x;
    struct annexed_exit {
        addr_t target;
        u32 version;                        /* of the trace that it leads to */
        ref_t calls;                        /* behind an instruction that the dispatcher performs */
    } annex;
    ref_t from;
    u32 site, stub;
};

static inline void exit_note_site(struct exit *x, u32 offset) { x->target = (s32)offset; }
static inline void exit_note_stub(struct exit *x, u32 offset) { x->next_in = offset; }

/* For a trace of a version, with requests of a tool, or with a target too far away for 32 bits. */
struct annex {
    u32 version;                            /* several traces of one address differ in it (jit/replace.h) */
    u32 binding;                            /* the arch's own: which registers are parked from its beginning to its end */
    ref_t moved;                            /* what leaving the trace in the middle takes (jit/promote.h) */
    ref_t kept;                             /* what its analysis calls need (jit/instrument.h) */
    struct annexed_exit exit[];
};

/* A trace on the list of a page that it was made from. place: page - the trace's first page, and in the lower bits how many nodes
 * on the first one is. The node of the first page, right in front of the trace, has no place: most traces have no other page. It is
 * known by its address, in the second half of eight bytes. */
struct page_node { ref_t next; u32 place; };
enum { FIRST_NODE_SIZE = 4 };

struct trace {
    addr_t pc;
    u32 code;                               /* body: cache offset */
    u32 stub_lo;                            /* cache offset of the lowest stub */
    ref_t hash_next;                        /* directory chain */
    ref_t incoming;                         /* exits linked to this trace; as exit.next_in */
    ref_t landings;                         /* the arch's records of it as a target of indirect branches and returns */
    u16 size;                               /* of the body */
    u16 app_bytes, map_size;
    u8 prefix;                              /* bytes of code in front of the body */
    u8 arch_flags;                          /* the arch's own */
    u32 n_insns : 10, n_exits : 10, n_pages : 7, is_retired : 1, has_annex : 1,
        is_checked : 1;                     /* see cache_check_later */
};
_Static_assert(sizeof(struct trace) == 40 && sizeof(struct page_node) == 8, "traces are many");

static inline u8 *trace_code(const struct trace *t) { return cache_ptr(t->code); }
static inline struct page_node *trace_page(const struct trace *t, u32 i)
{
    return i ? (struct page_node *)t - 1 - i : (struct page_node *)((u8 *)t - FIRST_NODE_SIZE);
}
/* What its nodes take in front of it, and where its memory may begin. */
static inline size_t nodes_size(u32 n_pages)
{
    return n_pages > 1 ? n_pages * sizeof(struct page_node) : FIRST_NODE_SIZE;
}
static inline struct exit *trace_exits(const struct trace *t) { return (struct exit *)(t + 1); }
static inline struct annex *trace_annex(const struct trace *t)
{
    return t->has_annex ? (struct annex *)(trace_exits(t) + t->n_exits) : NULL;
}
static inline size_t annex_size(u32 exits) { return sizeof(struct annex) + exits * sizeof(struct annexed_exit); }
static inline u8 *trace_map(const struct trace *t)
{
    return (u8 *)(trace_exits(t) + t->n_exits) + (t->has_annex ? annex_size(t->n_exits) : 0);
}

static inline u32 trace_binding(const struct trace *t) { return t->has_annex ? trace_annex(t)->binding : 0; }
static inline u32 trace_version(const struct trace *t) { return t->has_annex ? trace_annex(t)->version : 0; }

static inline struct loose_exit *exit_loose(const struct exit *x) { return x->index == LOOSE ? (struct loose_exit *)x : NULL; }
static inline struct trace *exit_trace(const struct exit *x)
{
    return exit_loose(x) ? ref_ptr(exit_loose(x)->from) : (struct trace *)(x - x->index) - 1;
}
static inline struct annexed_exit *exit_annex(const struct exit *x)
{
    if (exit_loose(x))
        return &exit_loose(x)->annex;
    struct annex *a = trace_annex(exit_trace(x));
    return a ? &a->exit[x->index] : NULL;
}
static inline addr_t exit_target(const struct exit *x)
{
    struct annexed_exit *a = exit_annex(x);
    return a ? a->target : exit_trace(x)->pc + (addr_t)(s64)x->target;
}
static inline u32 exit_version(const struct exit *x)
{
    struct annexed_exit *a = exit_annex(x);
    return a ? a->version : 0;
}
static inline u32 exit_site(const struct exit *x) { return exit_loose(x) ? exit_loose(x)->site : exit_trace(x)->code + x->site; }
static inline u32 exit_stub(const struct exit *x) { return exit_loose(x) ? exit_loose(x)->stub : exit_trace(x)->stub_lo + x->stub; }
static inline bool exit_is_linked(const struct exit *x) { return x->next_in != 0; }

/* The next exit of an incoming list; NULL: that was the last one. */
static inline struct exit *next_incoming(ref_t r) { return r & IN_LAST ? NULL : ref_ptr(r); }

static inline bool is_first_node(const struct page_node *n) { return (addr_t)n % 8 != 0; }
static inline struct trace *node_trace(const struct page_node *n)
{
    return is_first_node(n) ? (struct trace *)((u8 *)n + FIRST_NODE_SIZE) : (struct trace *)(n + 1 + n->place % PAGE_SIZE);
}
static inline addr_t node_page(const struct page_node *n)
{
    if (is_first_node(n))
        return ROUND_DOWN(node_trace(n)->pc, PAGE_SIZE);
    return ROUND_DOWN(node_trace(n)->pc, PAGE_SIZE) + (addr_t)(s64)(s32)ROUND_DOWN(n->place, (u32)PAGE_SIZE);
}
#endif
