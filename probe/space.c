/* space.c: the kernel's list of mappings, and memory near a place.
 *
 * Blocks of near memory are looked for some distance away from the code, where neither the heap nor the next libraries are
 * going to be. They are never given back: a thread may return into a copy at any later time. */
#include "base/str.h"
#include "base/sys.h"
#include "probe/probe_int.h"

/* ---- mappings: lines "lo-hi rwxp ..." ---- */
struct reader { int fd; u32 at, n; char buffer[1024]; };

static int next_char(struct reader *r)
{
    if (r->at == r->n) {
        long got = sys3(__NR_read, r->fd, r->buffer, sizeof r->buffer);
        if (got <= 0)
            return -1;
        r->n = (u32)got;
        r->at = 0;
    }
    return (u8)r->buffer[r->at++];
}

static int digit(int c) { return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1; }

static bool read_number(struct reader *r, addr_t *v)
{
    int c, n = 0;
    for (*v = 0; digit(c = next_char(r)) >= 0; n++)
        *v = *v << 4 | (addr_t)digit(c);
    return n > 0;
}

static bool read_mapping(struct reader *r, struct mapping *m)
{
    int c;
    if (!read_number(r, &m->lo) || !read_number(r, &m->hi))
        return false;
    m->prot = (next_char(r) == 'r' ? K_PROT_READ : 0) | (next_char(r) == 'w' ? K_PROT_WRITE : 0);
    m->prot |= next_char(r) == 'x' ? K_PROT_EXEC : 0;
    while ((c = next_char(r)) >= 0 && c != '\n')
        ;
    return true;
}

bool space_find(addr_t at, struct mapping *m)
{
    struct reader r = { .fd = (int)sys4(__NR_openat, -100, "/proc/thread-self/maps", 02000000, 0) };
    bool found = false;
    if (r.fd < 0)
        return false;
    while (!found && read_mapping(&r, m))
        found = at >= m->lo && at < m->hi;
    sys1(__NR_close, r.fd);
    return found;
}

addr_t probe_mapping_end(addr_t at)
{
    struct mapping m;
    return space_find(at, &m) ? m.hi : 0;
}

bool space_is_code(addr_t lo, addr_t hi)
{
    struct mapping m;
    while (lo < hi) {
        if (!space_find(lo, &m) || !(m.prot & K_PROT_EXEC))
            return false;
        lo = m.hi;
    }
    return true;
}

/* ---- near memory ---- */
enum { BLOCK = 65536, MAX_BLOCKS = 4096, ALIGN = 16 };
#define MB (1l << 20)
static struct probe_block block[MAX_BLOCKS];
static u32 n_blocks;

static bool reaches(addr_t a, addr_t lo, size_t size)
{
    addr_t far = a > lo ? a - lo : lo + size - a;
    return far < ARCH_PROBE_REACH;
}

static addr_t map_at(addr_t at, size_t size)
{
    long r = sys6(__NR_mmap, at, size, K_PROT_READ | K_PROT_WRITE | K_PROT_EXEC,
                  K_MAP_PRIVATE | K_MAP_ANONYMOUS | K_MAP_FIXED_NOREPLACE, -1, 0);
    if (sys_failed(r))
        return 0;
    if ((addr_t)r == at)
        return at;
    sys2(__NR_munmap, r, size);                         /* a kernel that takes the address for a hint */
    return 0;
}

static addr_t map_away(addr_t at, long distance, size_t size)
{
    addr_t to = ROUND_DOWN(at, (addr_t)BLOCK) + (addr_t)distance;
    bool wraps = distance < 0 ? to > at : to < at;
    return wraps || to < (addr_t)MB || !reaches(at, to, size) ? 0 : map_at(to, size);
}

static addr_t map_near(addr_t at, size_t size)
{
    static const long first[] = { -256 * MB, -1024 * MB, 1024 * MB, 1536 * MB, -64 * MB, 512 * MB };
    for (u32 i = 0; i < ARRAY_LEN(first); i++) {
        addr_t got = map_away(at, first[i], size);
        if (got)
            return got;
    }
    for (long d = MB; d < (long)ARCH_PROBE_REACH; d += MB) {
        addr_t got = map_away(at, -d, size);
        if (!got)
            got = map_away(at, d, size);
        if (got)
            return got;
    }
    return 0;
}

u8 *space_near(addr_t at, size_t size)
{
    size = ROUND_UP(size, (size_t)ALIGN);
    for (u32 i = 0; i < n_blocks; i++)
        if (reaches(at, block[i].lo, block[i].size) && block[i].size - block[i].used >= size) {
            u8 *p = (u8 *)block[i].lo + block[i].used;
            block[i].used += size;
            return p;
        }
    size_t whole = ROUND_UP(size, (size_t)BLOCK);
    addr_t lo = n_blocks < MAX_BLOCKS ? map_near(at, whole) : 0;
    if (!lo)
        return NULL;
    block[n_blocks].lo = lo;
    block[n_blocks].size = whole;
    block[n_blocks++].used = size;
    return (u8 *)lo;
}

u8 *probe_near(addr_t at, size_t size)
{
    lock_take_early(&probe_lock);
    u8 *p = space_near(at, size);
    lock_drop_early(&probe_lock);
    return p;
}

const struct probe_block *probe_blocks(u32 *n)
{
    *n = n_blocks;
    return block;
}
