/* memory.c: the launcher's malloc.
 *
 * All of it lies within the launcher's own image, so that a user-space exec leaves nothing behind (uexec.c (2)), and a start
 * needs no system call for it. Blocks are powers of two; what is given back is used again for the same size. */
#include <errno.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { ARENA = 1 << 20, HEAD = 16, SMALLEST = 5, CLASSES = 64 };
struct block { uint64_t class; struct block *next; };            /* next: only while it is free */

static char arena[ARENA] __attribute__((aligned(HEAD)));
static size_t used;
static struct block *given_back[CLASSES];

static unsigned class_of(size_t size)
{
    unsigned class = 64u - (unsigned)__builtin_clzl(size + HEAD - 1);
    return class < SMALLEST ? SMALLEST : class;
}

/* More than the arena holds is an argument list of many megabytes. */
static struct block *new_block(unsigned class)
{
    size_t size = (size_t)1 << class;
    if (size <= ARENA - used) {
        used += size;
        return (struct block *)(arena + used - size);
    }
    void *p = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return p == MAP_FAILED ? NULL : p;
}

/* Not malloc by name: the compiler would take malloc and memset for calloc, which is what calls them. */
static void *take(size_t size)
{
    if (size > PTRDIFF_MAX / 2) {
        errno = ENOMEM;
        return NULL;
    }
    unsigned class = class_of(size);
    struct block *b = given_back[class];
    if (b)
        given_back[class] = b->next;
    else if (!(b = new_block(class)))
        return NULL;
    b->class = class;
    return (char *)b + HEAD;
}

void *malloc(size_t size) { return take(size); }

void free(void *p)
{
    if (!p)
        return;
    struct block *b = (struct block *)((char *)p - HEAD);
    b->next = given_back[b->class];
    given_back[b->class] = b;
}

void *calloc(size_t n, size_t size)
{
    size_t all;
    if (__builtin_mul_overflow(n, size, &all)) {
        errno = ENOMEM;
        return NULL;
    }
    void *p = take(all);
    return p ? memset(p, 0, all) : NULL;
}

void *realloc(void *old, size_t size)
{
    if (!old)
        return take(size);
    size_t had = ((size_t)1 << ((struct block *)((char *)old - HEAD))->class) - HEAD;
    if (size <= had)
        return old;
    void *p = take(size);
    if (p) {
        memcpy(p, old, had);
        free(old);
    }
    return p;
}
