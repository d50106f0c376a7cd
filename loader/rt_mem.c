/* rt_mem.c: the memory calls of the tool's libc, in the place of libc's own.
 *
 * The application must find its brk and its first mmaps where they are natively, so the tool's libc gets a brk area and
 * a mapping area of its own. The definitions below replace the members brk.o, sbrk.o, mmap64.o, munmap.o and mremap.o
 * of libc.a; they run before TLS exists. */
#include "rt_int.h"
#include "base/reserve.h"
#include <errno.h>
#include <stdarg.h>
#include <sys/mman.h>

enum { BRK_STEP = 1 << 20 };

/* Not NULL: the early TLS allocation then calls __sbrk below instead of making its own system calls. */
PUBLIC void *__curbrk = (void *)1;
static addr_t brk_now = PRIV_BRK, brk_mapped = PRIV_BRK;

static bool has_tls(void)
{
    uintptr_t fs;
    __asm__ volatile("rdfsbase %0" : "=r"(fs));
    return fs != 0;
}

long rt_result(long raw)
{
    if (!sys_failed(raw))
        return raw;
    if (has_tls())
        errno = (int)-raw;
    return -1;
}

static bool brk_grow(addr_t to)
{
    addr_t end = ROUND_UP(to, (addr_t)BRK_STEP);
    if (end <= brk_mapped)
        return true;
    if (end > PRIV_BRK_END || sys_failed(reserve_map(brk_mapped, end - brk_mapped, PROT_READ | PROT_WRITE)))
        return false;
    brk_mapped = end;
    return true;
}

/* Pages given back must read as zero when they return: malloc relies on it. */
static void brk_shrink(addr_t to)
{
    addr_t lo = ROUND_UP(to, PAGE_SIZE), hi = ROUND_UP(brk_now, PAGE_SIZE);
    if (hi > lo)
        sys3(__NR_madvise, lo, hi - lo, MADV_DONTNEED);
}

/* Callers are serialised: by libc's start-up, later by malloc's main arena lock. */
PUBLIC int __brk(void *to)
{
    addr_t end = (addr_t)to;
    if (end < PRIV_BRK || !brk_grow(end))
        return (int)rt_result(-ENOMEM);
    if (end < brk_now)
        brk_shrink(end);
    brk_now = end;
    __curbrk = to;
    return 0;
}
ALIAS(brk, __brk);

PUBLIC void *__sbrk(intptr_t change)
{
    addr_t old = brk_now;
    if (change && __brk((void *)(old + change)))
        return (void *)-1;
    __curbrk = (void *)brk_now;
    return (void *)old;
}
ALIAS(sbrk, __sbrk);

static void give(addr_t at, size_t size)
{
    lock_take_early(&rt_space_lock);
    space_give(at, size);
    lock_drop_early(&rt_space_lock);
}

static void claim(addr_t at, size_t size)
{
    lock_take_early(&rt_space_lock);
    space_claim(at, size);
    lock_drop_early(&rt_space_lock);
}

static addr_t take_any(size_t size)
{
    lock_take_early(&rt_space_lock);
    addr_t at = space_take_any(size);
    lock_drop_early(&rt_space_lock);
    return at;
}

static bool take_at(addr_t at, size_t size)
{
    lock_take_early(&rt_space_lock);
    bool taken = space_take_at(at, size);
    lock_drop_early(&rt_space_lock);
    return taken;
}

/* A hint is honoured when the place is free; malloc wants its heaps side by side. */
static addr_t choose(addr_t hint, size_t size)
{
    if (hint >= PRIV_MMAP && hint < PRIV_HI && take_at(ROUND_DOWN(hint, PAGE_SIZE), size))
        return ROUND_DOWN(hint, PAGE_SIZE);
    return take_any(size);
}

/* A place that turns out to be occupied stays taken: whoever mapped it did not ask, and the next try goes elsewhere. */
static long map_anywhere(addr_t hint, size_t size, int prot, int flags, int fd, off_t offset)
{
    size_t room = ROUND_UP(size, PAGE_SIZE);
    if (!room)
        return -EINVAL;
    for (;;) {
        addr_t at = choose(hint, room);
        if (!at)
            return -ENOMEM;
        long raw = sys6(__NR_mmap, at, size, prot, flags | MAP_FIXED_NOREPLACE, fd, offset);
        if (!sys_failed(raw))
            return raw;
        if (raw == -EEXIST)
            continue;
        bool is_plain = fd == -1 && (flags & (MAP_PRIVATE | MAP_ANONYMOUS)) == (MAP_PRIVATE | MAP_ANONYMOUS);
        if (raw == -ENOMEM && is_plain && reserve_move(at, room, prot))
            return (long)at;
        give(at, room);
        if (raw != -ENOMEM || !reserve_give_way(room))
            return raw;
    }
}

/* A tool that names a place outside the private range (shadow memory) means it: try that first. */
static long map_at_hint(addr_t hint, size_t size, int prot, int flags, int fd, off_t offset)
{
    if (hint == 0 || (hint >= PRIV_LO && hint < PRIV_HI))
        return -EEXIST;
    return sys6(__NR_mmap, ROUND_DOWN(hint, PAGE_SIZE), size, prot, flags | MAP_FIXED_NOREPLACE, fd, offset);
}

PUBLIC void *__mmap64(void *addr, size_t size, int prot, int flags, int fd, off_t offset)
{
    long raw;
    if (flags & (MAP_FIXED | MAP_FIXED_NOREPLACE | MAP_32BIT)) {
        raw = sys6(__NR_mmap, addr, size, prot, flags, fd, offset);
        if (!sys_failed(raw))
            claim((addr_t)raw, ROUND_UP(size, PAGE_SIZE));
    } else {
        raw = map_at_hint((addr_t)addr, size, prot, flags, fd, offset);
        if (sys_failed(raw))
            raw = map_anywhere((addr_t)addr, size, prot, flags, fd, offset);
    }
    return (void *)rt_result(raw);
}
ALIAS(__mmap, __mmap64);
ALIAS(mmap, __mmap64);
ALIAS(mmap64, __mmap64);

PUBLIC int __munmap(void *addr, size_t size)
{
    long raw = sys2(__NR_munmap, addr, size);
    if (!sys_failed(raw))
        give((addr_t)addr, ROUND_UP(size, PAGE_SIZE));
    return (int)rt_result(raw);
}
ALIAS(munmap, __munmap);

static long remap_grow(addr_t old, size_t old_size, size_t new_size, int flags)
{
    size_t more = new_size - old_size;
    if (take_at(old + old_size, more)) {
        long raw = sys4(__NR_mremap, old, old_size, new_size, 0);
        if (!sys_failed(raw))
            return raw;
        give(old + old_size, more);
    }
    addr_t at = flags & MREMAP_MAYMOVE ? take_any(new_size) : 0;
    if (!at)
        return -ENOMEM;
    long raw = sys5(__NR_mremap, old, old_size, new_size, flags | MREMAP_FIXED, at);
    if (sys_failed(raw))
        give(at, new_size);
    else
        give(old, old_size);
    return raw;
}

PUBLIC void *__mremap(void *addr, size_t old_size, size_t new_size, int flags, ...)
{
    va_list ap;
    va_start(ap, flags);
    void *wanted = flags & MREMAP_FIXED ? va_arg(ap, void *) : NULL;
    va_end(ap);
    addr_t old = (addr_t)addr;
    size_t o = ROUND_UP(old_size, PAGE_SIZE), n = ROUND_UP(new_size, PAGE_SIZE);
    if (o && n > o && !(flags & MREMAP_FIXED) && old >= PRIV_MMAP && old < PRIV_HI)
        return (void *)rt_result(remap_grow(old, o, n, flags));
    long raw = sys5(__NR_mremap, addr, old_size, new_size, flags, wanted);
    if (!sys_failed(raw) && raw != (long)old) {
        claim((addr_t)raw, n);
        give(old, o);
    } else if (!sys_failed(raw) && n < o) {
        give(old + n, o - n);
    }
    return (void *)rt_result(raw);
}
ALIAS(mremap, __mremap);
