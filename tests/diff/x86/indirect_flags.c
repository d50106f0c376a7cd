/* Flags are what they were at each target of an indirect call and behind its return: at targets that are new, known, and share the low
 * bits of their addresses with others; before the program has many targets and afterwards. */
#include "t.h"

enum { FAR = 20, STRIDE = 0x10000, MANY = 1500, APART = 16, ALL = 0x8d5 };      /* OF SF ZF AF PF CF */
static const unsigned char code[] = { 0x9c, 0x58, 0xc3 };                    /* pushf; pop rax; ret */
static long bad;

static void try(unsigned char *target, unsigned long flags)
{
    unsigned long there, behind;
    __asm__ volatile("lea -128(%%rsp), %%rsp; push %3; popf; call *%2; pushf; pop %%rdx; lea 128(%%rsp), %%rsp"
                     : "=&a"(there), "=&d"(behind) : "r"(target), "r"(flags | 0x202) : "cc", "memory");
    bad += ((there ^ flags) & ALL) || ((behind ^ flags) & ALL);
}

static unsigned long flags_of(unsigned n)
{
    return (n & 1) | (n & 2) << 1 | (n & 4) << 2 | (n & 8) << 3 | (n & 16) << 3 | (n & 32) << 6;
}

static void try_all(unsigned char *far)
{
    for (unsigned k = 0; k < FAR; k++)                       /* the first time: with and without OF */
        try(far + k * STRIDE, flags_of(k & 1 ? 63 : 31));
    for (unsigned k = 0; k < FAR; k++)
        for (unsigned n = 0; n < 64; n++)
            try(far + k * STRIDE, flags_of(n));
    for (unsigned n = 0; n < 64; n++)                        /* another one each time */
        for (unsigned k = 0; k < FAR; k++)
            try(far + (k * 7 % FAR) * STRIDE, flags_of(n));
}

static unsigned char *make(unsigned n, unsigned apart)
{
    unsigned char *p = mmap(NULL, n * apart, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    for (unsigned k = 0; k < n; k++)
        memcpy(p + k * apart, code, sizeof code);
    mprotect(p, n * apart, PROT_READ | PROT_EXEC);
    return p;
}

int main(void)
{
    unsigned char *many = make(MANY, APART);
    try_all(make(FAR, STRIDE));
    for (unsigned k = 0; k < MANY; k++)
        try(many + k * APART, flags_of(k));
    try_all(make(FAR, STRIDE));
    for (unsigned k = 0; k < MANY; k++)
        try(many + k * APART, flags_of(k + 32));
    printf("wrong: %ld\n", bad);
    return DONE();
}
