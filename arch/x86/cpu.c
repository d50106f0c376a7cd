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
 * asks about Intel's caches 49 times to learn six things, about AMD's 26 times, half of which are which leaves there are. Other leaves may
 * tell of the CPU that answers, or of a register that somebody sets. So do these where there are CPUs of several kinds. */
enum { VENDOR = 0, DESCRIPTORS = 2, CACHES = 4, CACHES_MOST = 8, STATE = 0xd, FIRST_COMPONENT = 2 };
enum { EXTENDED = 0x80000000, CACHES_L1 = EXTENDED + 5, CACHES_L2 = EXTENDED + 6, SIZES = EXTENDED + 8, KINDS = EXTENDED + 0x26 };
enum { AT_CACHES = 6, AT_STATE = AT_CACHES + CACHES_MOST, N_LASTING = AT_STATE + X86_COMPONENTS };
static s32 lasting_index(u32 leaf, u32 sub)
{
    switch (leaf) {
    case VENDOR: return 0;
    case DESCRIPTORS: return 1;
    case EXTENDED: return 2;
    case CACHES_L1: return 3;
    case CACHES_L2: return 4;
    case SIZES: return 5;
    case CACHES: return sub < CACHES_MOST ? (s32)(AT_CACHES + sub) : -1;
    case STATE: return sub >= FIRST_COMPONENT && sub < X86_COMPONENTS ? (s32)(AT_STATE + sub) : -1;
    default: return -1;
    }
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

static struct kept lasting[N_LASTING];
static const struct x86_answer *lasting_answer(u32 leaf) { return keep(&lasting[lasting_index(leaf, 0)], leaf, 0); }
static const struct x86_answer *vendor(void) { return lasting_answer(VENDOR); }

/* No features, where the CPU does not know that leaf. */
static struct x86_answer features(void)
{
    enum { LEAF = 7 };
    static struct kept k;
    return vendor()->a < LEAF ? (struct x86_answer){ 0 } : *keep(&k, LEAF, 0);
}

static bool is_amd_mixed(void)
{
    static struct kept kinds;
    return lasting_answer(EXTENDED)->a >= KINDS && keep(&kinds, KINDS, 0)->a >> 30 & 1;
}
/* Are there CPUs of several kinds? */
static bool is_mixed(void) { return x86_is_amd() ? is_amd_mixed() : features().d >> 15 & 1; }

bool x86_cpuid_may_fault;

struct x86_answer x86_cpuid(u32 leaf, u32 sub)
{
    s32 i = lasting_index(leaf, sub);
    bool is_one_for_all = leaf == VENDOR || leaf == EXTENDED || leaf == STATE;
    return i < 0 || (!is_one_for_all && is_mixed()) ? ask(leaf, sub) : *keep(&lasting[i], leaf, sub);
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
