/* reserve.c: see reserve.h. What is set aside is an ordinary mapping that nobody touches, so that every account counts it; it
 * gives way to a mapping that fails otherwise. It is moved there rather than unmapped: a program may set a limit below what it has
 * already, and then only a mapping that exists is allowed to.
 *  (1) Mapped is at the most what lies between `used` and `end`. If less is, a mapping fails a little earlier, no more: so two
 *      threads, or one that is killed in here, do no harm. */
#include "base/reserve.h"
#include "base/sys.h"

static addr_t begin, used, end;

static bool set_aside(addr_t to)
{
    return begin < to && !sys_failed(sys_mmap_fixed(begin, to - begin, K_PROT_READ | K_PROT_WRITE));
}

void reserve_init(addr_t lo, addr_t hi)
{
    begin = lo;
    end = hi;
    used = set_aside(hi) ? lo : hi;
}

static bool claim(size_t size, addr_t *piece)
{
    addr_t at = __atomic_load_n(&used, __ATOMIC_ACQUIRE);
    do {
        if (at + size > end)
            return false;
    } while (!__atomic_compare_exchange_n(&used, &at, at + size, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE));
    *piece = at;
    return true;
}

bool reserve_give_way(size_t size)
{
    addr_t piece;
    if (!claim(size, &piece))
        return false;
    sys2(__NR_munmap, piece, size);
    return true;
}

bool reserve_move(addr_t to, size_t size, int prot)
{
    enum { MAY_MOVE = 1, FIXED = 2 };
    addr_t piece;
    return claim(size, &piece) && sys5(__NR_mremap, piece, size, size, MAY_MOVE | FIXED, to) == (long)to &&
           !sys_failed(sys3(__NR_mprotect, to, size, prot));
}

/* There is memory again: a try costs one system call, and mappings of the engine are rare. */
static void fill_up(void)
{
    addr_t at = __atomic_load_n(&used, __ATOMIC_ACQUIRE);
    if (UNLIKELY(at != begin) && set_aside(at))
        __atomic_compare_exchange_n(&used, &at, begin, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED);
}

long reserve_map(addr_t at, size_t size, int prot)
{
    long r = sys_mmap_fixed(at, size, prot);
    if (!sys_failed(r))
        fill_up();
    if (r == -E_NOMEM && reserve_move(at, size, prot))
        return (long)at;
    while (r == -E_NOMEM && reserve_give_way(size))
        r = sys_mmap_fixed(at, size, prot);
    return r;
}
