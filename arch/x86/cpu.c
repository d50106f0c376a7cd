/* cpu.c: see cpu.h. */
#include "arch/arch.h"
#include "arch/x86/cpu.h"
#include "arch/x86/xstate.h"

struct answer { u32 a, b, c, d; };

static struct answer cpuid(u32 leaf, u32 sub)
{
    struct answer r;
    __asm__ volatile("cpuid" : "=a"(r.a), "=b"(r.b), "=c"(r.c), "=d"(r.d) : "a"(leaf), "c"(sub));
    return r;
}

/* An answer that is not known yet. Threads that ask at once find the same. */
enum known { UNKNOWN, NO, YES };
static bool remember(u8 *known, bool is) { return *known = is ? YES : NO, is; }

bool x86_is_amd(void)
{
    static u8 known;
    if (known)
        return known == YES;
    u32 name = cpuid(0, 0).b;
    return remember(&known, name == 0x68747541 || name == 0x6f677948);            /* "Auth", "Hygo" */
}

/* Early AMD CPUs with BMI2 run pext in microcode, hundreds of cycles long. */
static bool has_fast_pext(void)
{
    if (cpuid(0, 0).a < 7 || !(cpuid(7, 0).b >> 8 & 1))
        return false;
    u32 version = cpuid(1, 0).a, family = (version >> 8 & 15) + (version >> 20 & 255);
    return !x86_is_amd() || family >= 0x19;
}

bool x86_fast_pext(void)
{
    static u8 known;
    return known ? known == YES : remember(&known, has_fast_pext());
}

bool x86_has_crc32(void)
{
    enum { SSE4_2 = 1 << 20 };
    return cpuid(1, 0).c & SSE4_2;
}

bool x86_tells_unused(void)
{
    enum { XGETBV_1 = 1 << 2 };
    return cpuid(0xd, 1).a & XGETBV_1;
}

u32 x86_xsave_bytes(u64 *features)
{
    enum { X87_AND_SSE = 3, SMALLEST = 576 };
    u32 lo, hi;
    struct answer r = cpuid(0xd, 0);
    if ((r.a & X87_AND_SSE) != X87_AND_SSE || r.b < SMALLEST)
        return 0;
    __asm__ volatile("xgetbv" : "=a"(lo), "=d"(hi) : "c"(0));
    *features = (u64)hi << 32 | lo;
    return r.b;
}

const struct x86_component *x86_component(u32 number)
{
    static struct x86_component list[X86_COMPONENTS];
    static u8 known[X86_COMPONENTS];
    if (!known[number]) {
        struct answer r = cpuid(0xd, number);
        if ((x86_xfeatures | XF_TILE_DATA) >> number & 1)
            list[number] = (struct x86_component){ r.b, r.a };
        __atomic_store_n(&known[number], YES, __ATOMIC_RELEASE);
    }
    return &list[number];
}
