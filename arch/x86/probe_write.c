/* probe_write.c: replace bytes that other threads may be about to execute.
 *
 *  (1) No thread is in the middle: the caller saw to that. Threads are before the bytes or elsewhere.
 *  (2) Within an aligned 8-byte word one store does it: instruction fetch sees the old bytes or the new.
 *  (3) Otherwise the first two bytes become a jump to itself, on which whoever comes spins; then the rest is written; then
 *      the first two bytes. membarrier makes every core forget what it has fetched, between the steps. No signal handler
 *      is needed, as it would be with a breakpoint: handlers belong to the application.
 *  (4) Where the first two bytes lie in two words, that is not possible either; the caller stops the threads. */
#include "arch/probe.h"
#include "base/str.h"
#include "base/sys.h"

enum { MEMBARRIER_SYNC_CORE = 1 << 5, MEMBARRIER_REGISTER_SYNC_CORE = 1 << 6, SPIN = 0xfeeb };

static bool can_sync(void)
{
    static int state;                                   /* 0: not asked yet, 1: yes, 2: no */
    if (!state)
        state = sys_failed(sys2(__NR_membarrier, MEMBARRIER_REGISTER_SYNC_CORE, 0)) ? 2 : 1;
    return state == 1;
}

static void sync_cores(void) { sys2(__NR_membarrier, MEMBARRIER_SYNC_CORE, 0); }

static void store_word(addr_t at, const u8 *bytes, u32 n)
{
    u64 *word = (u64 *)ROUND_DOWN(at, 8ul), v = *word;
    memcpy((u8 *)&v + at % 8, bytes, n);
    __atomic_store_n(word, v, __ATOMIC_SEQ_CST);
}

static void copy_bytes(addr_t at, const u8 *bytes, u32 n)
{
    volatile u8 *to = (volatile u8 *)at;
    for (u32 i = 0; i < n; i++)
        to[i] = bytes[i];
}

bool arch_probe_write(addr_t at, const u8 *bytes, u32 n, bool others_run)
{
    if (at % 8 + n <= 8) {
        if (others_run && !can_sync())
            return false;
        store_word(at, bytes, n);
        if (others_run)
            sync_cores();
        return true;
    }
    if (!others_run) {
        copy_bytes(at, bytes, n);
        return true;
    }
    if (at % 8 == 7 || !can_sync())
        return false;
    u16 spin = SPIN;
    store_word(at, (const u8 *)&spin, 2);
    sync_cores();
    copy_bytes(at + 2, bytes + 2, n - 2);
    sync_cores();
    store_word(at, bytes, 2);
    sync_cores();
    return true;
}
