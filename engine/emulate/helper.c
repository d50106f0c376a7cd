/* helper.c: see helper.h. */
#include "engine/emulate/helper.h"
#include "engine/emulate/signal.h"
#include "base/sys.h"
#include "engine/engine.h"

enum { K_WALL = 0x40000000 };

/* The part of the kernel's siginfo that matters for SIGCHLD. */
struct child_info { s32 signo, error, code, unused, pid, rest[27]; };
_Static_assert(sizeof(struct child_info) == 128, "the kernel's siginfo");

/* It was cloned without an exit signal, but the kernel does not trust an image that came by an exec with any other than SIGCHLD.
 * Without a handler that goes unnoticed, unless the signal was blocked before the exec. One that another child caused stays. */
static void forget_its_signal(s32 helper)
{
    struct child_info info;
    u64 set = 1ull << (K_SIGCHLD - 1), at_once[2] = { 0 };
    if (sys4(__NR_rt_sigtimedwait, &set, &info, at_once, 8) == K_SIGCHLD && info.pid != helper)
        sys3(__NR_rt_sigqueueinfo, sys_getpid(), K_SIGCHLD, &info);
}

void helper_reap(void)
{
    s32 helper = engine_handoff->helper;
    if (!helper)
        return;
    while (sys4(__NR_wait4, helper, 0, K_WALL, 0) == -E_INTR)
        ;
    forget_its_signal(helper);
    engine_handoff->helper = 0;
}
