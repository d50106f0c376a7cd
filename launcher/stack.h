/* stack.h: the stack a new program finds, laid out as the kernel lays it out. */
#ifndef LAUNCHER_STACK_H
#define LAUNCHER_STACK_H
#include <elf.h>
#include <stddef.h>
#include <stdint.h>

enum { AUXV_MAX = 64 };

struct stack_plan {
    uint64_t top;                       /* first address above the stack */
    uint64_t gap;                       /* bytes left out between strings and vectors, as the kernel does at random */
    const char *execfn, *platform;
    char **argv, **envp;
    Elf64_auxv_t auxv[AUXV_MAX];        /* AT_NULL ends it; AT_EXECFN, AT_PLATFORM and AT_RANDOM are filled in */
};

struct stack_image {
    unsigned char *bytes;               /* what belongs at [sp, top) */
    size_t size;
    uint64_t sp, arg_start, arg_end, env_start, env_end, auxv, auxv_size;
};

/* Bytes that a stack needs at the most; false: out of memory. */
size_t stack_room(const struct stack_plan *p);
int stack_build(const struct stack_plan *p, struct stack_image *s);

uint64_t auxv_get(const Elf64_auxv_t *v, uint64_t tag);
void auxv_set(Elf64_auxv_t *v, uint64_t tag, uint64_t value);       /* replaces or appends */
#endif
