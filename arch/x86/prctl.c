/* prctl.c: arch_prctl. FS belongs to the tool, so the application's bases are elsewhere. */
#include "arch/arch.h"
#include "arch_syscalls.h"
#include "arch/x86/cpu.h"
#include "arch/x86/xstate.h"
#include "base/lock.h"
#include "base/sys.h"
#include "engine/emulate/smc.h"
#include "engine/thread.h"

enum { SET_GS = 0x1001, SET_FS, GET_FS, GET_GS, SET_CPUID = 0x1012, REQ_XCOMP_PERM = 0x1023, SHSTK_ENABLE = 0x5001, SHSTK_DISABLE, SHSTK_LOCK, SHSTK_UNLOCK, SHSTK_STATUS };

u64 x86_app_fs(void)
{
    u64 v;
    __asm__ volatile("rdgsbase %0" : "=r"(v));
    return v;
}

static bool is_user_address(u64 v) { return v < 0x800000000000ull; }

/* ---- tile data ---- */
/* The kernel refuses it if the alternate stack of some thread has no room for a frame with it; it knows the engine's stacks only. */
static bool stacks_are_large(void)
{
    enum { FRAME = 944 };                        /* without vector state, as the kernel counts it */
    bool are = true;
    lock_take(thr_lock());
    for (struct thread *t = thr_first(); t; t = t->next)
        are &= !t->altstack.size || t->altstack.size >= x86_xsize + FRAME;
    lock_drop(thr_lock());
    return are;
}

static long request_state(u64 component)
{
    if (component == TILE_DATA && !(x86_xfeatures & XF_TILE_DATA) && !stacks_are_large())
        return -E_NOSPC;
    long r = sys2(__NR_arch_prctl, REQ_XCOMP_PERM, component);
    x86_ask_for_tiles();
    return r;
}

long x86_sys_arch_prctl(struct thread *t, struct syscall_args *a)
{
    u64 v = (u64)a->a[1];
    switch ((int)a->a[0]) {
    case SET_FS:
        if (!is_user_address(v))
            return -E_PERM;
        arch_set_app_tls(&t->arch, v);
        return 0;
    case SET_GS:
        if (!is_user_address(v))
            return -E_PERM;
        t->arch.app_gs = v;
        t->arch.gs_selector = 0;
        return 0;
    case GET_FS: {
        u64 fs = x86_app_fs();
        return smc_write((void *)v, &fs, 8) ? 0 : -E_FAULT;
    }
    case GET_GS: return smc_write((void *)v, &t->arch.app_gs, 8) ? 0 : -E_FAULT;
    case SHSTK_ENABLE: case SHSTK_DISABLE: case SHSTK_LOCK: case SHSTK_UNLOCK: case SHSTK_STATUS:
        return -E_OPNOTSUPP;                     /* a shadow stack would have to mirror the cache's calls */
    case SET_CPUID:
        x86_cpuid_may_fault = true;              /* whether it is forbidden or allowed now: from now on the CPU tells */
        return SYS_PASS;
    case REQ_XCOMP_PERM: return request_state(v);
    default: return SYS_PASS;
    }
}
