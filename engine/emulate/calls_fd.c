/* calls_fd.c: the engine's descriptors are none of the application's. */
#include "base/sys.h"
#include "engine/emulate/calls.h"
#include "loader/rt.h"

enum { CLOSE_RANGE_UNSHARE = 2, CLOSE_RANGE_CLOEXEC = 4 };

long sys_close(struct thread *t, struct syscall_args *a)
{
    return rt_fd_is_private((int)a->a[0]) ? -E_BADF : SYS_PASS;
}

/* In the gaps between private descriptors. */
long sys_close_range(struct thread *t, struct syscall_args *a)
{
    u32 first = (u32)a->a[0], last = (u32)a->a[1], flags = (u32)a->a[2];
    if (first > last)
        return -E_INVAL;
    while (first <= last) {
        int private = first < 0x7fffffffu ? rt_fd_next((int)first) : -1;
        bool hit = private >= 0 && (u32)private <= last;
        u32 to = hit ? (u32)private - 1 : last;
        if (!hit || (u32)private > first) {
            long r = sys3(__NR_close_range, first, to, flags);
            if (r)
                return r;
        }
        if (!hit)
            break;
        first = (u32)private + 1;
    }
    return 0;
}

/* Descriptors of ours do not exist for the program: copying from one fails, and the place of one is not to be had, as
 * if another thread were just opening it. */
long sys_dup2(struct thread *t, struct syscall_args *a)
{
    if (rt_fd_is_private((int)a->a[0]))
        return -E_BADF;
    return rt_fd_is_private((int)a->a[1]) ? -E_BUSY : SYS_PASS;
}
