/* expose.c: see expose.h. What cannot be read, the kernel will complain about. */
#include "engine/emulate/expose.h"
#include "base/sys.h"
#include "engine/emulate/smc.h"

enum { MAX_LEN = 1 << 26, MAX_IOV = 1024, MAX_MESSAGES = 1024, MAX_ROBUST = 2048 };

struct iovec { addr_t base; u64 size; };
struct msghdr { addr_t name; u64 name_size; addr_t iov; u64 n_iov; addr_t control; u64 control_size, flags; };
typedef void buffer_fn(addr_t at, size_t n);

static void each_of_iov(addr_t at, u64 n, buffer_fn *f)
{
    struct iovec v;
    for (u64 i = 0; i < MIN(n, (u64)MAX_IOV) && mem_copy_safely(&v, (void *)(at + i * sizeof v), sizeof v); i++)
        f(v.base, v.size);
}

static void each_of_message(addr_t at, buffer_fn *f)
{
    struct msghdr m;
    if (!mem_copy_safely(&m, (void *)at, sizeof m))
        return;
    f(m.name, (u32)m.name_size);
    f(m.control, m.control_size);
    each_of_iov(m.iov, m.n_iov, f);
}

static void each_of_messages(addr_t at, u64 n, buffer_fn *f)
{
    enum { MMSGHDR = sizeof(struct msghdr) + 8 };
    for (u64 i = 0; i < MIN(n, (u64)MAX_MESSAGES); i++) {
        f(at + i * MMSGHDR, MMSGHDR);
        each_of_message(at + i * MMSGHDR, f);
    }
}

/* Whatever an argument may point at, and what vectors of buffers point at. */
static void each_buffer(const struct syscall_args *a, buffer_fn *f)
{
    for (u32 i = 0; i < ARRAY_LEN(a->a); i++) {
        u64 len = i + 1 < ARRAY_LEN(a->a) ? (u64)a->a[i + 1] : 0;
        if ((u64)a->a[i] >= PAGE_SIZE)
            f((addr_t)a->a[i], len && len <= MAX_LEN ? len : 1);
    }
    switch (a->nr) {
    case __NR_readv: case __NR_preadv: case __NR_preadv2: case __NR_process_vm_readv: case __NR_vmsplice:
        each_of_iov((addr_t)a->a[1], (u64)a->a[2], f);
        break;
    case __NR_recvmsg: each_of_message((addr_t)a->a[1], f); break;
    case __NR_recvmmsg: each_of_messages((addr_t)a->a[1], (u32)a->a[2], f); break;
    }
}

static void expose(addr_t at, size_t n) { smc_expose(at, n); }

/* A thread is published as being in a call before it looks for watched pages; whoever watches one has said so before it looks
 * for such threads (smc.c). So one of the two sees the other. */
void expose_begin(struct thread *t, const struct syscall_args *a)
{
    t->writes = *a;
    __atomic_store_n(&t->is_writing, 1, __ATOMIC_SEQ_CST);
    if (!smc_is_watching())
        return;
    if (a->older || (a->nr == __NR_io_uring_enter && a->a[1]))      /* other forms of vectors; anything may be submitted */
        smc_unwatch_all();
    else
        each_buffer(a, expose);
}

void expose_end(struct thread *t) { __atomic_store_n(&t->is_writing, 0, __ATOMIC_RELEASE); }

static addr_t asked;
static bool is_found;

static void compare(addr_t at, size_t n) { is_found |= asked < at + n && at < asked + PAGE_SIZE; }

bool expose_is_lent(addr_t page)
{
    asked = page;
    is_found = false;
    lock_take(thr_lock());
    for (struct thread *t = thr_first(); t && !is_found; t = t->next)
        if (__atomic_load_n(&t->is_writing, __ATOMIC_SEQ_CST))
            each_buffer(&t->writes, compare);
    lock_drop(thr_lock());
    return is_found;
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
