/* steps.h: a list of system calls that a few bytes of position-independent code carry out inside the target.
 *
 * The last steps of a start destroy or precede everything a C program needs: they unmap the launcher, rebuild the
 * stack, or run before anything of ours is mapped. Doing them in the target also spares stops of the target. */
#ifndef LAUNCHER_STEPS_H
#define LAUNCHER_STEPS_H
#include <stddef.h>
#include <stdint.h>

#define STEP_ANY   (~0ull)              /* want: whatever the result is, go on */

/* Also known to steps.S. */
struct step {
    uint64_t number;                    /* of the system call, or one of the numbers below */
    uint64_t args[6];
    uint64_t want;                      /* another result ends the process with status 125 */
};
#define STEP_ZERO  (~0ull)              /* address, bytes */
#define STEP_COPY  (~1ull)              /* to, from, bytes */
#define STEP_JUMP  (~2ull)              /* address, stack pointer: the last one */

enum { STEPS_MAX = 48 };

/* What is written to one page of the target: the list, then the code. */
struct steps {
    struct step list[STEPS_MAX];
    unsigned char code[512];
    unsigned char data[256];            /* what a step's arguments point to */
    int n;
};

void steps_add(struct steps *s, uint64_t number, const uint64_t args[6], uint64_t want);
#define STEPS_CALL(s, number, want, ...) steps_add(s, number, (const uint64_t[6]){__VA_ARGS__}, want)
#define STEPS_ZERO(s, at, size) steps_add(s, STEP_ZERO, (const uint64_t[6]){at, size}, 0)
#define STEPS_COPY(s, to, from, size) steps_add(s, STEP_COPY, (const uint64_t[6]){to, from, size}, 0)

/* Ends the list and adds the code. The code wants the address of `list` in rbx; it begins at offsetof(code). */
void steps_finish(struct steps *s, uint64_t address, uint64_t stack);
#endif
