/* stack.h: which routines each thread is in. Kept by what the program does: calls, jumps to the first instruction of a routine
 * (tail calls), returns. Frames that were left in another way (longjmp, an exception) are noticed when the stack pointer
 * has passed them; a handler on an alternate signal stack does not disturb those of the interrupted stack. Stubs of
 * procedure linkage tables are not shown: what they lead to is. */
#ifndef TOOLS_STACK_H
#define TOOLS_STACK_H

struct frame {
    ADDRINT sp;                                 /* at the routine's first instruction, and again at its return */
    ADDRINT site;                               /* the call instruction, or the last one before a tail call */
    struct routine *routine;
    UINT64 value[4];                            /* the tool's own */
};
struct stack {
    struct frame *at;
    size_t n, room;
    size_t floor;                               /* frames below it are on another stack */
    struct { size_t n, floor; } saved[8];       /* by alternate signal stacks */
    unsigned n_saved;
    struct thread_record *thread;
};

/* In main(). enter() after the frame is pushed, leave() before it is popped; each on its thread, with no lock. */
VOID stack_begin(VOID (*enter)(struct stack *s, struct frame *f), VOID (*leave)(struct stack *s, struct frame *f));
/* In a TRACE callback of the tool, for each block, after its own calls. */
VOID stack_instrument(BBL bbl);
extern __thread struct stack stack;
#endif
