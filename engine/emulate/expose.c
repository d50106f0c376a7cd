/* expose.c: see expose.h. What cannot be read, the kernel will complain about. */
#include "engine/emulate/expose.h"
#include "base/sys.h"
#include "engine/emulate/smc.h"

enum { MAX_IOV = 1024, MAX_MESSAGES = 1024, MAX_ROBUST = 2048 };

struct iovec { addr_t base; u64 size; };
struct msghdr { addr_t name; u64 name_size; addr_t iov; u64 n_iov; addr_t control; u64 control_size, flags; };

static void expose_iov(addr_t at, u64 n)
{
    struct iovec v;
    for (u64 i = 0; i < MIN(n, (u64)MAX_IOV) && mem_copy_safely(&v, (void *)(at + i * sizeof v), sizeof v); i++)
        smc_expose(v.base, v.size);
}

static void expose_message(addr_t at)
{
    struct msghdr m;
    if (!mem_copy_safely(&m, (void *)at, sizeof m))
        return;
    smc_expose(m.name, (u32)m.name_size);
    smc_expose(m.control, m.control_size);
    expose_iov(m.iov, m.n_iov);
}

static void expose_messages(addr_t at, u64 n)
{
    enum { MMSGHDR = sizeof(struct msghdr) + 8 };
    for (u64 i = 0; i < MIN(n, (u64)MAX_MESSAGES); i++) {
        smc_expose(at + i * MMSGHDR, MMSGHDR);
        expose_message(at + i * MMSGHDR);
    }
}

void expose_vectors(const struct syscall_args *a)
{
    if (!smc_is_watching())
        return;
    switch (a->nr) {
    case __NR_readv: case __NR_preadv: case __NR_preadv2: case __NR_process_vm_readv: case __NR_vmsplice:
        expose_iov((addr_t)a->a[1], (u64)a->a[2]);
        break;
    case __NR_io_uring_enter:
        if (a->a[1])                            /* what is submitted may be read into any page */
            smc_unwatch_all();
        break;
    case __NR_recvmsg: expose_message((addr_t)a->a[1]); break;
    case __NR_recvmmsg: expose_messages((addr_t)a->a[1], (u32)a->a[2]); break;
    }
}

/* The kernel says nothing if it cannot write: whoever waits for the mutex would wait for ever. */
void expose_robust_list(void)
{
    struct { addr_t next; s64 futex_offset; addr_t pending; } head;
    addr_t at = 0;
    u64 size;
    if (!smc_is_watching() || sys3(__NR_get_robust_list, 0, &at, &size) || !at || !mem_copy_safely(&head, (void *)at, sizeof head))
        return;
    smc_expose((head.pending & ~1ull) + (u64)head.futex_offset, 4);
    addr_t entry = head.next & ~1ull;
    for (u32 i = 0; i < MAX_ROBUST && entry != at; i++, entry &= ~1ull) {
        smc_expose(entry + (u64)head.futex_offset, 4);
        if (!mem_copy_safely(&entry, (void *)entry, 8))
            return;
    }
}
