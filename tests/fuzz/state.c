/* state.c: the state in which a case starts, and the state in which it ends. */
#include "fuzz.h"
#include <cpuid.h>
#include <stdio.h>
#include <string.h>

enum { X_AVX = 2, X_OPMASK = 5, X_ZMM_HI = 6, X_HI16 = 7 };
static u32 offset[8];
static u64 all;

/* Which of the state components that cases have the machine has, and how large their save area is. */
void state_layout(u64 *mask, u64 *size)
{
    u32 a, b, c, d, lo, hi;
    __asm__ volatile("xgetbv" : "=a"(lo), "=d"(hi) : "c"(0));
    all = ((u64)hi << 32 | lo) & 0xe7;
    *size = 576;
    for (u32 i = 2; i < 8; i++)
        if (all >> i & 1) {
            __cpuid_count(13, i, a, b, c, d);
            offset[i] = b;
            *size = b + a > *size ? b + a : *size;
        }
    *mask = all;
}

static u64 corner(struct rng *r)
{
    static const u64 list[] = {0, 1, 2, 0x7f, 0x80, 0xff, 0x7fff, 0x8000, 0xffff, 0x7fffffff, 0x80000000, 0xffffffff,
                               0x100000000,
                               0x7fffffffffffffff, 0x8000000000000000, 0xffffffffffffffff};
    return list[below(r, 16)];
}

/* A general register: often an address in the window, sometimes a corner value or a small number. */
static u64 register_value(struct rng *r, u64 area)
{
    switch (below(r, 8)) {
    case 0: return corner(r);
    case 1: return below(r, 64);
    case 2: case 3: case 4: return area + AT_WINDOW + WINDOW / 4 + (below(r, WINDOW / 2) & (chance(r, 60) ? ~63u :
                                                                                            ~0u));
    default: return rnd(r);
    }
}

static void float_value(struct rng *r, u8 *p, size_t n)
{
    u64 v[2] = {rnd(r), rnd(r)};
    switch (below(r, 8)) {
    case 0: v[0] = v[1] = 0; break;
    case 1: v[0] = v[1] = 0x3ff0000000000000; break;
    case 2: v[0] = 0x7ff0000000000000, v[1] = 0xfff8000000000001; break;
    case 3: v[0] = 0x3f80000040490fdb, v[1] = 0x7f800000ff800001; break;
    case 4: v[0] = rnd(r) >> 12, v[1] = rnd(r) >> 41; break;
    default: break;
    }
    memcpy(p, v, n);
}

static void x87_value(struct rng *r, u8 *p)
{
    static const u16 exponents[] = {0, 0x7fff, 0xffff, 0x3fff, 0xbfff, 0x4000, 0x3ffe, 0x403e, 1, 0x7ffe};
    u64 m = rnd(r) | (chance(r, 90) ? 1ull << 63 : 0);
    u16 e = chance(r, 70) ? (u16)(0x3fff + below(r, 70) - 20) : exponents[below(r, 10)];
    if (chance(r, 10))
        m = chance(r, 50) ? 0 : 1ull << 63;
    memcpy(p, &m, 8);
    memcpy(p + 8, &e, 2);
}

static void fill_xsave(struct rng *r, u8 *area)
{
    memset(area, 0, XAREA);
    u16 fcw = (u16)(0x007f | below(r, 16) << 8), fsw = (u16)(below(r, 8) << 11 | (below(r, 16) << 8 & 0x4700));
    if (chance(r, 4))
        fcw &= (u16)~(1u << below(r, 6));
    memcpy(area, &fcw, 2);
    memcpy(area + 2, &fsw, 2);
    area[4] = chance(r, 30) ? 0 : chance(r, 30) ? 0xff : (u8)rnd(r);
    u32 csr = 0x1f80 | below(r, 4) << 13 | (chance(r, 15) ? 0x8000 : 0) | (chance(r, 15) ? 0x40 : 0) |
        (chance(r, 20) ? below(r, 64) : 0);
    if (chance(r, 4))
        csr &= ~(0x80u << below(r, 6)), csr &= ~0x3fu;
    memcpy(area + 24, &csr, 4);
    for (int i = 0; i < 8; i++)
        x87_value(r, area + 32 + 16 * i);
    for (int i = 0; i < 16; i++)
        float_value(r, area + 160 + 16 * i, 16);
    memcpy(area + 512, &all, 8);
    for (int i = 0; all >> X_AVX & 1 && i < 16; i++)
        float_value(r, area + offset[X_AVX] + 16 * i, 16);
    for (int i = 0; all >> X_OPMASK & 1 && i < 8; i++) {
        u64 k = chance(r, 30) ? corner(r) : rnd(r);
        memcpy(area + offset[X_OPMASK] + 8 * i, &k, 8);
    }
    for (int i = 0; all >> X_ZMM_HI & 1 && i < 32; i++)
        float_value(r, area + offset[X_ZMM_HI] + 16 * i, 16);
    for (int i = 0; all >> X_HI16 & 1 && i < 64; i++)
        float_value(r, area + offset[X_HI16] + 16 * i, 16);
}

void state_init(struct harness *h, const struct fuzz_case *c)
{
    struct rng r = {c->seed ^ 0x5eed};
    u64 area = area_of(c->number);
    for (int i = 0; i < 16; i++)
        h->in[i] = register_value(&r, area);
    h->in[RSP] = area + AT_STACK + STACK / 2 - below(&r, 32) * 16 - (chance(&r, 15) ? below(&r, 16) : 0);
    h->in[FLAGS] = 0x202 | (rnd(&r) & 0x8d5) | (chance(&r, 10) ? 0x400 : 0);
    h->use_seg = c->uses_seg;
    h->fs = area + AT_WINDOW + WINDOW / 2;
    h->gs = area + AT_WINDOW + WINDOW / 2 - 1024;
    h->target = code_of(c->number);
    fill_xsave(&r, h->xin);
    memset(h->xout, 0, sizeof h->xout);
}

void state_fill(const struct fuzz_case *c)
{
    struct rng r = {c->seed ^ 0xda7a};
    u64 *w = (u64 *)(area_of(c->number) + AT_WINDOW), *s = (u64 *)(area_of(c->number) + AT_STACK);
    for (int i = 0; i < WINDOW / 8; i++)
        w[i] = rnd(&r);
    for (int i = 0; i < STACK / 8; i++)
        s[i] = rnd(&r);
}

/* Parts that the CPU left out of the area because they have their initial value are filled in. */
void state_from_xsave(struct final *f, const u8 *area)
{
    u64 have;
    memcpy(&have, area + 512, 8);
    f->fcw = 0x37f, f->fsw = f->ftw = f->fop = 0, f->fip = f->fdp = 0;
    memset(f->st, 0, sizeof f->st), memset(f->vec, 0, sizeof f->vec), memset(f->k, 0, sizeof f->k);
    if (have & 1) {
        memcpy(&f->fcw, area, 2), memcpy(&f->fsw, area + 2, 2), memcpy(&f->fop, area + 6, 2);
        f->ftw = area[4];
        memcpy(&f->fip, area + 8, 8), memcpy(&f->fdp, area + 16, 8);
        for (int i = 0; i < 8; i++)
            memcpy(f->st[i], area + 32 + 16 * i, 10);
    }
    memcpy(&f->mxcsr, area + 24, 4);
    for (int i = 0; have & 2 && i < 16; i++)
        memcpy(f->vec[i], area + 160 + 16 * i, 16);
    for (int i = 0; have >> X_AVX & 1 && i < 16; i++)
        memcpy(f->vec[i] + 16, area + offset[X_AVX] + 16 * i, 16);
    if (have >> X_OPMASK & 1)
        memcpy(f->k, area + offset[X_OPMASK], 64);
    for (int i = 0; have >> X_ZMM_HI & 1 && i < 16; i++)
        memcpy(f->vec[i] + 32, area + offset[X_ZMM_HI] + 32 * i, 32);
    for (int i = 0; have >> X_HI16 & 1 && i < 16; i++)
        memcpy(f->vec[16 + i], area + offset[X_HI16] + 64 * i, 64);
}

static u32 hash(const void *p, size_t n)
{
    const u8 *b = p;
    u64 h = 14695981039346656037ull, w;
    for (; n >= 8; n -= 8, b += 8)
        memcpy(&w, b, 8), h = (h ^ w) * 0x9e3779b97f4a7c15ull, h ^= h >> 29;
    while (n--)
        h = (h ^ *b++) * 1099511628211ull;
    return (u32)(h ^ h >> 32);
}

/* One line: what is left of a case, cut into parts so that a difference tells where to look. The last two words cover
 * the stack below the stack pointer: the red zone, and what lies below that. A star marks a case with calls or returns,
 * after which only strict mode promises that the engine wrote nothing there. */
void state_digest(const struct fuzz_case *c, const struct final *f)
{
    const u8 *w = (const u8 *)(area_of(c->number) + AT_WINDOW), *s = (const u8 *)(area_of(c->number) + AT_STACK);
    u64 top = f->gpr[RSP] - (u64)s;
    top = top > STACK ? STACK : top;
    u64 edge = top < 128 ? 0 : top - 128;
    const char *star = c->has_call ? "*" : "";
    printf("%u sig %u.%d addr %llx rip %lld trap %llu.%llx gpr %08x flags %llx vec %08x k %08x mxcsr %x x87 %08x ptr"
           " %08x mem %08x",
           c->number, f->signo, (int)f->code, (unsigned long long)f->addr,
           f->signo ? (long long)(f->rip - code_of(c->number)) : 0, (unsigned long long)f->trapno,
               (unsigned long long)f->err,
           hash(f->gpr, 16 * 8), (unsigned long long)f->gpr[FLAGS], hash(f->vec, sizeof f->vec),
               hash(f->k, sizeof f->k), f->mxcsr,
           hash(&f->fcw, 6) ^ hash(f->st, sizeof f->st), hash(&f->fip, 16) ^ f->fop, hash(w, WINDOW));
    printf(" stack%s %08x red%s %08x below %08x\n", star, hash(s + top, STACK - top), star, hash(s + edge, top - edge),
           hash(s, edge));
}

void state_print(const char *what, const struct final *f)
{
    static const char *const names[] = {"rax", "rcx", "rdx", "rbx", "rsp", "rbp", "rsi", "rdi", "r8", "r9",
                                        "r10", "r11", "r12", "r13", "r14", "r15", "flags"};
    printf("%s:\n", what);
    for (int i = 0; i < 17; i++)
        printf("  %-5s %016llx\n", names[i], (unsigned long long)f->gpr[i]);
    printf("  fcw %04x fsw %04x ftw %04x fop %04x mxcsr %04x\n  fip %llx fdp %llx\n", f->fcw, f->fsw, f->ftw, f->fop,
           f->mxcsr,
           (unsigned long long)f->fip, (unsigned long long)f->fdp);
    for (int i = 0; i < 8; i++) {
        printf("  st%d   ", i);
        for (int j = 9; j >= 0; j--)
            printf("%02x", f->st[i][j]);
        printf("   k%d %016llx\n", i, (unsigned long long)f->k[i]);
    }
    for (int i = 0; i < 32; i++) {
        printf("  zmm%-2d ", i);
        for (int j = 63; j >= 0; j--)
            printf("%02x%s", f->vec[i][j], j % 16 == 0 ? " " : "");
        printf("\n");
    }
}

/* Only the bytes that the case changed. */
void state_print_memory(const struct fuzz_case *c)
{
    static const char *const names[] = {"window", "stack"};
    struct rng r = {c->seed ^ 0xda7a};
    for (int part = 0; part < 2; part++) {
        const u64 *p = (const u64 *)(area_of(c->number) + (part ? AT_STACK : AT_WINDOW));
        for (int i = 0; i < (part ? STACK : WINDOW) / 8; i++) {
            u64 was = rnd(&r);
            if (p[i] != was)
                printf("  %s+%x: %016llx (was %016llx)\n", names[part], i * 8, (unsigned long long)p[i],
                       (unsigned long long)was);
        }
    }
}
