/* instrument.h: the analysis calls of the trace under construction.
 *
 * After the instructions of a trace are chosen, the tool's callbacks look at them and ask for calls: a routine of the
 * tool, a point of an instruction, an order, arguments. Each request is a `struct call` on the list of its point; emission
 * puts the calls into the code (arch/bridge). Everything here lives until the trace is emitted and is guarded by the
 * cache lock; what emitted code needs later is copied and belongs to the trace (instr_keep). */
#ifndef JIT_INSTRUMENT_H
#define JIT_INSTRUMENT_H
#include "arch/arch.h"
#include "engine/cache/trace.h"

enum point { POINT_BEFORE, POINT_AFTER, POINT_TAKEN, N_POINTS };

/* What an argument is worth when the call is made. */
enum arg_kind {
    ARG_CONST,              /* value */
    ARG_REG,                /* reg */
    ARG_REG_REF,            /* the address of a copy of reg, which is written back */
    ARG_REG_CONST_REF,      /* the same, not written back */
    ARG_ADDRESS,            /* address: what an operand's address works out to */
    ARG_ADDRESS_ON,         /* is the operand not masked off? */
    ARG_STACK,              /* the word at value(stack pointer); 0 when it cannot be read */
    ARG_STACK_REF,          /* its address */
    ARG_THREAD,             /* the thread's number */
    ARG_TAKEN,              /* will this branch be taken? */
    ARG_TARGET,             /* where it leads, taken or not */
    ARG_EXECUTING,          /* is the instruction's predicate true? */
    ARG_FIRST_REP,          /* is it the first iteration of a repeated instruction? */
    ARG_CLOCK,              /* the time-stamp counter */
    ARG_CONTEXT,            /* a context made by hooks.context_fill; value: how (the hook's own code) */
    ARG_SYSCALL_RESULT,     /* behind a system call: its result, -1 when it failed; its error number */
    ARG_SYSCALL_ERROR,
    ARG_HERE,               /* the address of the instruction; a constant as soon as it is known which */
    ARG_HOOK,               /* hooks.argument(value): what only the tool interface can work out */
};

struct arg {
    u8 kind;                                    /* enum arg_kind */
    u8 offset_size;                             /* of a buffer record's field: bytes to store */
    u16 offset;                                 /* where in the record */
    struct reg_id reg;
    union { u64 value; struct arch_address address; };
};

enum {
    CALL_IF = 1,            /* the next call of the list is made only if this one returns something */
    CALL_THEN = 2,
    CALL_PREDICATED = 4,    /* only if the instruction's predicate is true */
    CALL_RETURNS = 8,       /* the result goes to `result` */
    CALL_BUFFER = 16,       /* no routine: append a record to buffer number `buffer` */
    CALL_PRESERVES = 32,    /* the tool's promise: vector and x87 registers are left alone */
    CALL_ANYWHERE = 64,     /* may be moved within its block */
    CALL_COUNT = 128,       /* no routine: add to a word of memory (promote.h) */
};
enum { MAX_CALL_ARGS = 40 };
/* What emitted code does for a CALL_BUFFER call: nothing but calling C; write the record; see that there is room for some. */
enum record_part { RECORD_CALLED, RECORD_HERE, RECORD_ROOM };

struct call {
    struct call *next;
    const void *fn;
    s32 order;
    u8 flags, n_args, buffer, record;           /* record: enum record_part */
    s32 shift;                                  /* of a record: from the thread's place in its buffer (promote.h) */
    bool shares_fp_mode;                        /* runs with the application's rounding and exception mode, and may change it */
    bool is_free;                               /* of a CALL_COUNT: the flags are known to be dead here */
    bool is_each;                               /* ... it counts once for each iteration of a repeated instruction (is_at_once) */
    bool is_case;                               /* no routine: go on in another version if register `result` holds `value` */
    u32 version;
    s32 value;                                  /* of a predicated RECORD_ROOM: it is known to be there */
    u64 guard;                                  /* the address of a budget: while it lasts, this If is not made (countdown.h) */
    struct reg_id result;
    struct arg arg[];
};

/* What a tool asked for at one instruction. */
struct insn_request {
    struct call *call[N_POINTS];
    bool is_deleted;                            /* the instruction itself is left out */
    bool is_at_once;                            /* a repeated one, of which nothing is asked but sums: promote.h */
    bool is_by_budget;                          /* ... but one If that counts down, with its Then: countdown.h */
    bool has_version;                           /* what follows the instruction is of this version */
    u32 version;
    bool is_moved;                              /* operands are elsewhere: arch_emit_moved */
    u8 moved[N_PARTS];
    struct inserted_jump { bool is_on, is_indirect; addr_t to; struct reg_id reg; } jump[2];   /* before, after */
};

/* The trace as the callbacks see it. */
struct view {
    const struct insn *insn;
    u32 n;
    addr_t fall;                                /* where control goes behind the last instruction, if falls */
    bool falls;
    u32 version;                                /* of this trace, and of what follows it unless a request says otherwise */
};

/* Run the tool's callbacks over the trace. False: there is no tool. */
bool instr_run(const struct view *v);
bool instr_is_on(void);
/* The trace is as it will be: put calls that may stand anywhere where they cost least. */
void instr_schedule(const struct view *v);

/* For the callbacks. */
struct call *instr_new_call(u32 n_args);
void instr_add(u32 insn, enum point p, struct call *c);         /* behind those of the same order */
struct insn_request *instr_request(u32 insn);                   /* never NULL while callbacks run */

/* For emission. NULL: nothing was asked for there. */
extern struct insn_request *instr_requests[];
extern u32 instr_count;                                         /* of them; 0 without a tool */
static inline const struct insn_request *instr_of(u32 insn) { return insn < instr_count ? instr_requests[insn] : NULL; }
/* Most instructions have none: the next that has, from one on. */
extern u64 instr_asked[];                                       /* a bit for each */
static inline u32 instr_next(u32 insn, u32 n)
{
    enum { BITS = 64 };
    u64 left;
    n = MIN(n, instr_count);
    if (insn >= n)
        return n;
    for (left = instr_asked[insn / BITS] >> insn % BITS << insn % BITS; !left && (insn | (BITS - 1)) + 1 < n; left = instr_asked[insn / BITS])
        insn = (insn | (BITS - 1)) + 1;
    return left ? MIN(n, insn / BITS * BITS + (u32)__builtin_ctzl(left)) : n;
}
#define FOR_EACH_REQUEST(i, n) for (u32 i = instr_next(0, n); i < MIN(n, instr_count); i = instr_next(i + 1, n))
static inline const struct call *instr_calls(u32 insn, enum point p)
{
    const struct insn_request *r = instr_of(insn);
    return r ? r->call[p] : NULL;
}
static inline const struct inserted_jump *instr_jump(u32 insn, enum point p)
{
    const struct insn_request *r = instr_of(insn);
    return r && p != POINT_TAKEN && r->jump[p].is_on ? &r->jump[p] : NULL;
}
void instr_forget_before(void);                                 /* the first instruction has run its BEFORE calls already */

/* Memory that lives as long as the trace does. */
void *instr_keep(size_t size);
void instr_keep_for(struct trace *t);                           /* all that was kept since instr_run is t's */
void instr_free(struct trace *t);

/* The place of a list of calls. */
struct site {
    const struct insn *list;                    /* the trace: n instructions; the place is at number i */
    u32 i, n;
    enum point point;
    const struct call *calls;
};
#endif
