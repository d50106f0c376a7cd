/* frames.c: the stack that the tool's code runs on: is it in use, and what lies on it? For faults and the report of a crash. */
#include "arch/signal.h"
#include "engine/cache/cache.h"
#include "engine/thread.h"

bool arch_is_in_hosted_code(const struct arch_thread *t, addr_t sp)
{
    u64 back = 0;
    if (t->hosted)
        return true;
    return t->bridge_sp && sp < t->bridge_sp && mem_copy_safely(&back, (void *)(t->bridge_sp - 8), 8) && cache_holds(back);
}

/* An analysis routine was called by emitted code: above its frame is old matter. */
addr_t arch_frames_end(const struct arch_thread *t, addr_t sp)
{
    enum { MOST = 65536 };
    return !t->hosted && t->bridge_sp && sp < t->bridge_sp ? t->bridge_sp : sp + MOST;
}

/* call rel32, or ff /2 in one of its lengths */
bool arch_is_behind_call(const u8 *p)
{
    if (p[-5] == 0xe8)
        return true;
    for (u32 n = 2; n <= 7; n++)
        if (p[-(s32)n] == 0xff && (p[-(s32)n + 1] & 0x38) == 0x10)
            return true;
    return false;
}

bool arch_call_target(const u8 *p, addr_t *to)
{
    s32 rel;
    memcpy(&rel, p - 4, 4);
    *to = (addr_t)(p + rel);
    return p[-5] == 0xe8;
}

/* jmp or jcc rel32 */
bool arch_jumps_to(const u8 *lo, const u8 *hi, addr_t to)
{
    for (const u8 *p = lo; p + 5 <= hi; p++) {
        bool is_jcc = p[0] == 0x0f && (p[1] & 0xf0) == 0x80 && p + 6 <= hi;
        s32 rel;
        memcpy(&rel, p + 1 + is_jcc, 4);
        if ((p[0] == 0xe9 || is_jcc) && (addr_t)(p + 5 + is_jcc) + (addr_t)(s64)rel == to)
            return true;
    }
    return false;
}
