/* prctl.c: arch_prctl. FS belongs to the tool, so the application's bases are elsewhere. */
#include "arch/arch.h"
#include "arch_syscalls.h"
#include "base/sys.h"
#include "engine/emulate/smc.h"
#include "engine/thread.h"

enum { SET_GS = 0x1001, SET_FS, GET_FS, GET_GS, SHSTK_ENABLE = 0x5001, SHSTK_DISABLE, SHSTK_LOCK, SHSTK_UNLOCK, SHSTK_STATUS };

u64 x86_app_fs(void)
{
    u64 v;
    __asm__ volatile("rdgsbase %0" : "=r"(v));
    return v;
}

static bool is_user_address(u64 v) { return v < 0x800000000000ull; }

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
    default: return SYS_PASS;
    }
}
