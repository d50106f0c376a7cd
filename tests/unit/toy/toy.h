/* toy.h: the toy CPU and the world around it, for tests of the generic engine.
 *
 * Application instructions, one to three bytes:
 *   00        nop                      4x lo hi  jmp near (x = 0), call (x = 1); offset from the next instruction
 *   1r        inc r                    50+r lo   jz r, near
 *   2r imm    mov r, imm               6x        jmp *place (x = 0), call *place (x = 1): the place that r0 names
 *   30 ab     add a, b                 70        ret
 *   80 imm    system call: r0 += imm   90        emulated: r1 = ~r1
 *   a0        like nop, but must not be the last of a trace
 *   b0 n      jmp to place n, however far
 * All others are invalid. Emitted code is the same with the transfers replaced by the instructions below. */
#ifndef TOY_H
#define TOY_H
#include "engine/cache/cache_int.h"
#include "engine/engine.h"
#include "engine/jit/instrument.h"
#include "engine/jit/jit.h"

enum toy_op {
    OP_NOP = 0x00, OP_INC = 0x10, OP_MOV = 0x20, OP_ADD = 0x30, OP_JMP = 0x40, OP_CALL = 0x41, OP_JZ = 0x50,
    OP_JMP_IND = 0x60, OP_CALL_IND = 0x61, OP_RET = 0x70, OP_SYS = 0x80, OP_EMU = 0x90, OP_WAIT = 0xa0, OP_FAR = 0xb0,
    OP_BAD = 0xcc,
    /* in the cache only */
    OP_X_JMP = 0xe0,            /* pad, pad, pad, displacement (32 bits, aligned) */
    OP_X_JZ = 0xe1,             /* r, pad, pad, displacement */
    OP_X_PUSH = 0xe2,           /* constant (64 bits): a return address */
    OP_X_FIND = 0xe3,           /* 0: the place in r0, 1: the return address that is popped */
    OP_X_LEAVE = 0xe4,          /* pad, pad, pad, exit (32 bits) */
    OP_X_COUNT = 0xe5,          /* an analysis call; constant (64 bits): the address of a counter */
    OP_X_ADD = 0xe7,            /* constant (64 bits): the address of a counter; amount (64 bits) */
    OP_X_LOOK = 0xe8,           /* an analysis call that looks at counters: toy_look */
    OP_X_SKIP_NZ = 0xe6,        /* r, distance (16 bits): go on there unless r is zero */
    OP_X_FILL = 0xfe,           /* nobody may come here */
};

/* ---- memory: some pages of application code, in regions far from each other ---- */
enum { REGION_PAGES = 8, N_REGIONS = 3, N_PLACES = 256 };
extern const addr_t region_base[N_REGIONS];
extern u8 toy_text[N_REGIONS][REGION_PAGES * PAGE_SIZE];
extern addr_t toy_place[N_PLACES];                 /* what indirect and far jumps name by number */
u8 *toy_at(addr_t pc);                             /* NULL: nothing there */
void toy_unmap(addr_t page, bool gone);            /* the page cannot be executed any more, or can again */

/* ---- the CPU ---- */
extern bool toy_follows_calls;
bool toy_same(const struct arch_regs *a, const struct arch_regs *b);
/* One application instruction by the book. False: it is invalid, or not there. */
bool toy_step(struct arch_regs *r);
/* One cache instruction. The new place in the cache, or NULL: left, t->exit_id says how, or a trap. */
u32 toy_length(const u8 *code);                          /* of an instruction in the cache */
u8 *toy_run(struct arch_thread *t, u8 *code, bool *trapped);
void check_landings(void);                         /* what can be found is live */

/* ---- the heap ---- */
u64 heap_live_objects(void);
bool heap_is_live(const void *p, size_t size);     /* an object of exactly this size */

/* ---- threads ---- */
enum { N_THREADS = 4 };
struct sim {
    struct arch_thread arch;
    struct arch_regs book;      /* the same program by the book */
    u64 epoch;
    u8 *code;                   /* NULL: in the dispatcher */
    bool is_new;                /* no exit led here: the pc was set */
    u64 n_steps;                /* instructions executed by the book */
};
extern struct sim sims[N_THREADS];
extern void (*toy_look)(void);   /* as the routine of a call: not a counter */

/* ---- judging ---- */
#define CHECK(c) ((c) ? (void)0 : toy_failed(__FILE__, __LINE__, #c))
void toy_failed(const char *file, int line, const char *what) NORETURN;
void toy_reset(void);                              /* default options, no traces, no thread inside, empty memory */
u32 toy_random(u32 below);
u8 *toy_put(u8 *p, const u8 *bytes, size_t n);
#define PUT(p, ...) toy_put(p, (const u8[]){ __VA_ARGS__ }, sizeof (const u8[]){ __VA_ARGS__ })
struct trace *toy_get(addr_t pc);                  /* jit_get, which must succeed */
void check_invariants(void);

void test_counts(void);
void test_countdown(void);
void test_formation(void);
void test_cache(void);
void test_calls(void);
void test_maps(void);
void test_random(u32 steps);
#endif
