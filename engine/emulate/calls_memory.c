/* calls_memory.c: the mapping calls. The kernel does them; the engine keeps its own range out of reach and forgets the
 * code that went away. */
#include "base/sys.h"
#include "engine/cache/cache.h"
#include "engine/emulate/calls.h"
#include "engine/emulate/memory.h"
#include "engine/emulate/smc.h"
#include "engine/emulate/views.h"
#include "engine/hooks.h"
#include "engine/log.h"

enum { MREMAP_FIXED = 2, SHM_EXEC = 0100000, MADV_DONTNEED = 4, MADV_FREE = 8, MADV_REMOVE = 9, MADV_GUARD_INSTALL = 102 };

static bool has_shared;                           /* writable shared memory was mapped */

static bool touches_private(addr_t at, size_t size) { return mem_is_private(at, at + size) || arch_owns_range(at, at + size); }

/* A fixed mapping of the application's: is the place its own? */
static bool may_take(addr_t at, size_t size)
{
    if (mem_is_private(at, at + size))
        return false;
    cache_lock_take();
    bool ok = arch_yield_range(at, at + size);
    cache_lock_drop();
    return ok;
}

/* The old mapping goes before the new one comes: threads must not find traces of bytes that are no longer there. */
static void gone(addr_t lo, size_t size) { mem_leaving(lo, lo + size); }

static void new_view(addr_t lo, size_t size, bool may_write)
{
    has_shared |= may_write;
    views_change();
    if (may_write)
        smc_new_view(lo, lo + size);
}

static long change(struct thread *t, struct syscall_args *a, addr_t lo, size_t size)
{
    long r = syscall_kernel(t, a);
    views_change_in(lo, lo + size);
    return r;
}

/* Not of a file that was opened for reading: it will never be written here, and if it is executed one day, smc.c asks anew. */
static bool may_be_view(const struct syscall_args *a)
{
    enum { F_GETFL = 3, O_ACCMODE = 3 };
    if (a->a[2] & (K_PROT_WRITE | K_PROT_EXEC) || a->a[3] & K_MAP_ANONYMOUS)
        return true;
    long flags = sys3(__NR_fcntl, a->a[4], F_GETFL, 0);
    return sys_failed(flags) || flags & O_ACCMODE;
}

static void code_mapped(addr_t at, size_t size, int file, u64 offset)
{
    log_code_mapped(at, file, offset);
    hook_mapped(at, size, file, offset);
}

long sys_mmap(struct thread *t, struct syscall_args *a)
{
    addr_t at = (addr_t)a->a[0];
    size_t size = (size_t)a->a[1];
    bool fixed = a->a[3] & (K_MAP_FIXED | K_MAP_FIXED_NOREPLACE);
    if (fixed && !may_take(at, size))
        return a->a[3] & K_MAP_FIXED_NOREPLACE ? -E_EXIST : -E_NOMEM;
    if (!fixed && touches_private(at, size))
        a->a[0] = 0;                              /* a hint only */
    if (a->a[3] & K_MAP_FIXED && !(a->a[3] & K_MAP_FIXED_NOREPLACE))
        gone(at, size);
    long r = fixed ? change(t, a, at, size) : syscall_kernel(t, a);
    bool is_shared = a->a[3] & K_MAP_SHARED;
    if (!sys_failed(r) && r != SYS_INTERRUPTED && a->a[2] & K_PROT_EXEC)
        mem_changed((addr_t)r, (addr_t)r + size, ((u32)a->a[2] & 7) | (is_shared ? MEM_MAYBE_SHARED : 0));
    if (!sys_failed(r) && r != SYS_INTERRUPTED && is_shared && may_be_view(a))
        new_view((addr_t)r, size, a->a[2] & K_PROT_WRITE);
    if (!sys_failed(r) && r != SYS_INTERRUPTED && !is_shared && !(a->a[3] & K_MAP_ANONYMOUS))
        mem_file_mapped((addr_t)r, (addr_t)r + size, (u32)a->a[2] & 7);
    if (!sys_failed(r) && r != SYS_INTERRUPTED && a->a[2] & K_PROT_EXEC && !(a->a[3] & K_MAP_ANONYMOUS))
        code_mapped((addr_t)r, size, (int)a->a[4], (u64)a->a[5]);
    return r;
}

long sys_munmap(struct thread *t, struct syscall_args *a)
{
    if (touches_private((addr_t)a->a[0], (size_t)a->a[1]))
        return -E_INVAL;
    hook_unmapped((addr_t)a->a[0], (addr_t)a->a[0] + (size_t)a->a[1]);
    gone((addr_t)a->a[0], (size_t)a->a[1]);
    return change(t, a, (addr_t)a->a[0], (size_t)a->a[1]);
}

long sys_mprotect(struct thread *t, struct syscall_args *a)
{
    addr_t at = (addr_t)a->a[0];
    size_t size = (size_t)a->a[1];
    if (touches_private(at, size))
        return -E_NOMEM;
    u32 shared = mem_exec_prot(at) & (MEM_SHARED | MEM_NAMED);
    bool is_file = mem_is_file(at, at + size);
    gone(at, size);
    has_shared = has_shared || (a->a[2] & K_PROT_WRITE && views_are_in(at, at + size));
    long r = change(t, a, at, size);
    /* Is it one of the program's shared mappings? Where there are any, the kernel's list tells when it is executed. */
    if (r == 0)
        mem_changed(at, at + size, ((u32)a->a[2] & 7) | (shared ? shared : has_shared ? MEM_MAYBE_SHARED : 0));
    if (r == 0 && is_file)
        mem_file_mapped(at, at + size, (u32)a->a[2] & 7);
    if (r == 0 && has_shared && a->a[2] & K_PROT_WRITE)
        smc_new_view(at, at + size);
    return r;
}

long sys_mremap(struct thread *t, struct syscall_args *a)
{
    addr_t from = (addr_t)a->a[0], to = (addr_t)a->a[4];
    size_t old_size = (size_t)a->a[1], new_size = (size_t)a->a[2];
    if (touches_private(from, old_size))
        return -E_FAULT;
    if (a->a[3] & MREMAP_FIXED) {
        if (!may_take(to, new_size))
            return -E_NOMEM;
        gone(to, new_size);
    }
    u32 prot = mem_exec_prot(from);
    gone(from, old_size);
    long r = syscall_kernel(t, a);
    if (!sys_failed(r) && r != SYS_INTERRUPTED && prot)
        mem_changed((addr_t)r, (addr_t)r + new_size, prot);
    views_change();
    if (has_shared || !old_size)                  /* moved or grown, or shared memory once more */
        new_view(sys_failed(r) ? from : (addr_t)r, new_size, true);
    return r;
}

long sys_shmat(struct thread *t, struct syscall_args *a)
{
    if (a->a[1] && !may_take((addr_t)a->a[1], PAGE_SIZE))
        return -E_INVAL;
    long r = syscall_kernel(t, a);                /* executable ones are found by asking the kernel */
    if (!sys_failed(r))
        new_view((addr_t)r, PAGE_SIZE, true);     /* all of it is of one file */
    return r;
}

long sys_shmdt(struct thread *t, struct syscall_args *a)
{
    addr_t lo = (addr_t)a->a[0], hi = mem_file_end(lo);
    if (hi)
        gone(lo, hi - lo);
    return change(t, a, lo, hi - lo);
}

long sys_madvise(struct thread *t, struct syscall_args *a)
{
    int advice = (int)a->a[2];
    if (touches_private((addr_t)a->a[0], (size_t)a->a[1]))
        return -E_INVAL;
    if (advice == MADV_DONTNEED || advice == MADV_FREE || advice == MADV_REMOVE || advice == MADV_GUARD_INSTALL)
        mem_contents_lost((addr_t)a->a[0], (addr_t)a->a[0] + (size_t)a->a[1]);
    return SYS_PASS;
}

/* A sealed page cannot be protected any more. What is written there and executed is checked each time instead. */
long sys_mseal(struct thread *t, struct syscall_args *a)
{
    addr_t lo = (addr_t)a->a[0], hi = lo + ROUND_UP((size_t)a->a[1], PAGE_SIZE);
    if (touches_private(lo, hi - lo))
        return -E_NOMEM;
    if (mem_has_writable_code(lo, hi) || (has_shared && views_are_in(lo, hi)))
        smc_silent_writers();
    return SYS_PASS;
}

long sys_remap_file_pages(struct thread *t, struct syscall_args *a)
{
    addr_t lo = (addr_t)a->a[0];
    size_t size = (size_t)a->a[1];
    if (touches_private(lo, size))
        return -E_INVAL;
    gone(lo, size);
    long r = change(t, a, lo, size);
    if (r == 0)
        new_view(lo, size, true);
    return r;
}
