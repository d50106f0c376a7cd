/* cpu.c: see cpu.h. */
#include "arch/arch.h"
#include "arch/x86/cpu.h"
#include "arch/x86/xstate.h"

static struct x86_answer ask(u32 leaf, u32 sub)
{
    struct x86_answer r;
    __asm__ volatile("cpuid" : "=a"(r.a), "=b"(r.b), "=c"(r.c), "=d"(r.d) : "a"(leaf), "c"(sub));
    return r;
}

/* What the caches and the components of the extended state are like does not change, and is asked for again and again: glibc's start
 * asks about Intel's caches 49 times to learn six things. Other leaves may tell of the CPU that answers, or of a register that somebody
 * sets. So do these where there are CPUs of several kinds. */
enum { CACHES = 4, CACHES_MOST = 8, DESCRIPTORS = 2, STATE = 0xd, FIRST_COMPONENT = 2, N_LASTING = 1 + CACHES_MOST + X86_COMPONENTS };
static s32 lasting_index(u32 leaf, u32 sub)
{
    if (leaf == DESCRIPTORS)
        return 0;
    if (leaf == CACHES && sub < CACHES_MOST)
        return (s32)(1 + sub);
    return leaf == STATE && sub >= FIRST_COMPONENT && sub < X86_COMPONENTS ? (s32)(1 + CACHES_MOST + sub) : -1;
}

/* An answer, from the first time on. Threads that ask at once find the same. */
struct kept { struct x86_answer r; u8 is_known; };
static const struct x86_answer *keep(struct kept *k, u32 leaf, u32 sub)
{
    if (!__atomic_load_n(&k->is_known, __ATOMIC_ACQUIRE)) {
        k->r = ask(leaf, sub);
        __atomic_store_n(&k->is_known, true, __ATOMIC_RELEASE);
    }
    return &k->r;
}

static const struct x86_answer *vendor(void)
{
    static struct kept k;
    return keep(&k, 0, 0);
}

/* No features, where the CPU does not know that leaf. */
static struct x86_answer features(void)
{
    enum { LEAF = 7 };
    static struct kept k;
    return vendor()->a < LEAF ? (struct x86_answer){ 0 } : *keep(&k, LEAF, 0);
}

static bool is_hybrid(void) { return features().d >> 15 & 1; }

bool x86_cpuid_may_fault;

struct x86_answer x86_cpuid(u32 leaf, u32 sub)
{
    static struct kept lasting[N_LASTING];
    s32 i = lasting_index(leaf, sub);
    return i < 0 || (leaf != STATE && is_hybrid()) ? ask(leaf, sub) : *keep(&lasting[i], leaf, sub);
}

bool x86_is_amd(void) { return vendor()->b == 0x68747541 || vendor()->b == 0x6f677948; }          /* "Auth", "Hygo" */

/* Early AMD CPUs with BMI2 run pext in microcode, hundreds of cycles long. */
static bool has_fast_pext(void)
{
    if (!(features().b >> 8 & 1))
        return false;
    u32 version = ask(1, 0).a, family = (version >> 8 & 15) + (version >> 20 & 255);
    return !x86_is_amd() || family >= 0x19;
}

bool x86_fast_pext(void)
{
    enum { UNKNOWN, NO, YES };
    static u8 known;
    if (!known)
        known = has_fast_pext() ? YES : NO;
    return known == YES;
}

bool x86_has_crc32(void)
{
    enum { SSE4_2 = 1 << 20 };
    return ask(1, 0).c & SSE4_2;
}

bool x86_has_adx(void)
{
    enum { BMI2 = 1 << 8, ADX = 1 << 19 };
    return !(~features().b & (BMI2 | ADX));
}

bool x86_has_slow_jumps(void) { return !x86_is_amd(); }

bool x86_tells_unused(void)
{
    enum { XGETBV_1 = 1 << 2 };
    return ask(0xd, 1).a & XGETBV_1;
}

u32 x86_xsave_bytes(u64 *features)
{
    enum { X87_AND_SSE = 3, SMALLEST = 576 };
    u32 lo, hi;
    struct x86_answer r = ask(0xd, 0);
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
        struct x86_answer r = x86_cpuid(0xd, number);
        if ((x86_xfeatures | XF_TILE_DATA) >> number & 1)
            list[number] = (struct x86_component){ r.b, r.a };
        __atomic_store_n(&known[number], true, __ATOMIC_RELEASE);
    }
    return &list[number];
}
