/* calls_share.c: calls by which others get a way to write the program's code without a fault that tells: another process gets a
 * descriptor of the memory, or a thread of the kernel gets buffers. */
#include "base/sys.h"
#include "engine/emulate/calls.h"
#include "engine/emulate/smc.h"

/* A file in memory is the program's own as long as it came by this call and has not been passed on. */
long sys_memfd_create(struct thread *t, struct syscall_args *a)
{
    long fd = syscall_kernel(t, a);
    if (!sys_failed(fd))
        smc_file_made((int)fd);
    return fd;
}

/* ---- descriptors that are passed on ---- */
struct message { addr_t name; u64 name_len; addr_t parts; u64 n_parts; addr_t control; u64 control_len; u64 flags; };
struct control { u64 len; s32 level, type; };

static bool passes_descriptors(addr_t at)
{
    enum { SOL_SOCKET = 1, SCM_RIGHTS = 1 };
    struct message m;
    struct control c;
    if (!mem_copy_safely(&m, (void *)at, sizeof m))
        return false;
    addr_t end = m.control + m.control_len;
    for (addr_t p = m.control; p + sizeof c <= end && mem_copy_safely(&c, (void *)p, sizeof c); p += ROUND_UP(c.len, 8)) {
        if (c.level == SOL_SOCKET && c.type == SCM_RIGHTS)
            return true;
        if (c.len < sizeof c)
            break;
    }
    return false;
}

long sys_sendmsg(struct thread *t, struct syscall_args *a)
{
    if (passes_descriptors((addr_t)a->a[1]))
        smc_meet_relatives();
    return SYS_PASS;
}

long sys_sendmmsg(struct thread *t, struct syscall_args *a)
{
    enum { MOST = 1024, STEP = sizeof(struct message) + 8 };
    u64 n = MIN((u64)(u32)a->a[2], (u64)MOST);
    for (u64 i = 0; i < n; i++)
        if (passes_descriptors((addr_t)a->a[1] + i * STEP)) {
            smc_meet_relatives();
            break;
        }
    return SYS_PASS;
}

/* ---- io_uring: what is submitted by io_uring_enter is looked at there (expose.c) ---- */
long sys_io_uring_setup(struct thread *t, struct syscall_args *a)
{
    enum { FLAGS_AT = 8, SQPOLL = 2 };
    u32 flags = 0;
    if (mem_copy_safely(&flags, (void *)((addr_t)a->a[1] + FLAGS_AT), sizeof flags) && flags & SQPOLL)
        smc_silent_writers();
    return SYS_PASS;
}

long sys_io_uring_register(struct thread *t, struct syscall_args *a)
{
    enum { BUFFERS = 0, BUFFERS2 = 15, BUFFERS_UPDATE = 16, PBUF_RING = 22, FROM_RING = (int)0x80000000 };
    u32 what = (u32)a->a[1] & ~(u32)FROM_RING;
    if (what == BUFFERS || what == BUFFERS2 || what == BUFFERS_UPDATE || what == PBUF_RING)
        smc_silent_writers();
    return SYS_PASS;
}
