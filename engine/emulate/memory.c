/* memory.c: the executable ranges of the application, sorted and disjoint.
 *
 * They come from the kernel's own list once at start, then from the application's mapping calls. A miss asks the kernel
 * again before it is believed: mappings may appear without a system call of ours (a vfork child, a tracer).
 *  (1) Guarded by `mutex`, which ranks below the cache lock. */
#include "engine/emulate/memory.h"
#include "base/heap.h"
#include "base/lock.h"
#include "base/print.h"
#include "base/sys.h"
#include "engine/cache/cache.h"
#include "engine/emulate/signal.h"
#include "engine/emulate/smc.h"
#include "engine/jit/jit.h"

struct range { addr_t lo, hi; u32 prot; };

static struct lock mutex;
static struct range *ranges;
static u32 n_ranges, max_ranges;

void mem_after_fork(void) { lock_reset(&mutex); }

bool mem_is_private(addr_t lo, addr_t hi) { return lo < PRIV_HI && hi > PRIV_LO; }

/* Index of the first range that ends behind `at`. */
static u32 find(addr_t at)
{
    u32 lo = 0, hi = n_ranges;
    while (lo < hi) {
        u32 mid = (lo + hi) / 2;
        if (ranges[mid].hi <= at)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo;
}

static void insert(u32 at, struct range r)
{
    if (n_ranges == max_ranges) {
        u32 more = max_ranges ? max_ranges * 2 : 64;
        struct range *bigger = heap_alloc(more * sizeof *bigger);
        memcpy(bigger, ranges, n_ranges * sizeof *bigger);
        heap_free(ranges, max_ranges * sizeof *ranges);
        ranges = bigger;
        max_ranges = more;
    }
    memmove(ranges + at + 1, ranges + at, (n_ranges - at) * sizeof *ranges);
    ranges[at] = r;
    n_ranges++;
}

static void drop(u32 at)
{
    n_ranges--;
    memmove(ranges + at, ranges + at + 1, (n_ranges - at) * sizeof *ranges);
}

static void cut(addr_t lo, addr_t hi)
{
    for (u32 i = find(lo); i < n_ranges && ranges[i].lo < hi;) {
        struct range r = ranges[i];
        drop(i);
        if (r.lo < lo)
            insert(i++, (struct range){ r.lo, lo, r.prot });
        if (r.hi > hi) {
            insert(i, (struct range){ hi, r.hi, r.prot });
            break;
        }
    }
}

static void set(addr_t lo, addr_t hi, u32 prot)
{
    cut(lo, hi);
    if (prot & K_PROT_EXEC)
        insert(find(lo), (struct range){ lo, hi, prot });
}

/* ---- the kernel's list ---- */
static const char *parse_hex(const char *p, u64 *out)
{
    u64 v = 0;
    for (;; p++) {
        u32 d = *p >= '0' && *p <= '9' ? (u32)(*p - '0') : *p >= 'a' && *p <= 'f' ? (u32)(*p - 'a' + 10) : 99;
        if (d > 15)
            break;
        v = v * 16 + d;
    }
    *out = v;
    return p;
}

/* "lo-hi rwxs offset ..."; where the permissions are, or NULL: no such line. */
static const char *parse_range(const char *line, u64 *lo, u64 *hi)
{
    const char *p = parse_hex(line, lo);
    p = *p == '-' ? parse_hex(p + 1, hi) : line;
    return *p == ' ' && strlen(p) > 6 && *lo < *hi ? p + 1 : NULL;
}

static bool take_line(const char *line, void *unused)
{
    u64 lo, hi;
    const char *p = parse_range(line, &lo, &hi);
    if (!p || p[2] != 'x' || mem_is_private(lo, hi))
        return false;
    /* Pages that the engine write-protects itself (smc.c) look read-only in this list. */
    u32 prot = K_PROT_EXEC | (p[0] == 'r' ? K_PROT_READ : 0) | (p[1] == 'w' ? K_PROT_WRITE : 0) |
               (p[3] == 's' ? MEM_MAYBE_SHARED : 0);
    addr_t known = find(lo);
    if (known < n_ranges && ranges[known].lo <= lo && ranges[known].hi >= hi)
        return false;
    set(lo, hi, prot);
    return false;
}

/* Every line of the kernel's list, until f says that it has seen enough. */
static void each_mapping(bool (*f)(const char *line, void *arg), void *arg)
{
    static char buf[16384];
    long fd = sys4(__NR_openat, -100, "/proc/thread-self/maps", 02000000, 0);
    if (sys_failed(fd))
        return;
    u32 have = 0;
    for (;;) {
        long n = sys3(__NR_read, fd, buf + have, sizeof buf - 1 - have);
        if (n <= 0)
            break;
        have += (u32)n;
        buf[have] = 0;
        char *line = buf, *nl;
        for (; (nl = strchr(line, '\n')); line = nl + 1) {
            *nl = 0;
            if (f(line, arg)) {
                sys1(__NR_close, fd);
                return;
            }
        }
        have -= (u32)(line - buf);
        memmove(buf, line, have);
        if (have == sizeof buf - 1)
            have = 0;                           /* a name longer than the buffer: nothing we need */
    }
    sys1(__NR_close, fd);
}

static void read_kernel_list(void) { each_mapping(take_line, NULL); }
void mem_init(void) { read_kernel_list(); }

struct search { addr_t at; bool is_found; };

static bool covers(const char *line, void *arg)
{
    struct search *s = arg;
    u64 lo, hi;
    if (!parse_range(line, &lo, &hi))
        return false;
    s->is_found |= s->at >= lo && s->at < hi;
    return s->at < hi;
}

static bool is_mapped(addr_t at)
{
    struct search s = { at, false };
    lock_take(&mutex);
    each_mapping(covers, &s);
    lock_drop(&mutex);
    return s.is_found;
}

/* ---- one memory in several places ---- */
struct file_place { u64 dev_major, dev_minor, inode, offset; };
struct views { addr_t page; struct file_place at; void (*f)(addr_t, addr_t, u32); };

static const char *past(const char *p, char c) { return p + (*p == c); }

/* lo-hi rwxs offset major:minor inode name */
static const char *parse_mapping(const char *line, u64 *lo, u64 *hi, struct file_place *at)
{
    const char *perms = parse_range(line, lo, hi);
    if (!perms)
        return NULL;
    const char *p = parse_hex(perms + 5, &at->offset);
    p = parse_hex(past(p, ' '), &at->dev_major);
    p = parse_hex(past(p, ':'), &at->dev_minor);
    at->inode = str_to_u64(past(p, ' '), NULL);
    return perms;
}

static bool find_place(const char *line, void *arg)
{
    struct views *v = arg;
    struct file_place at;
    u64 lo, hi;
    if (!parse_mapping(line, &lo, &hi, &at) || v->page < lo || v->page >= hi)
        return false;
    v->at = at;
    v->at.offset += v->page - lo;
    return true;
}

static bool tell_view(const char *line, void *arg)
{
    struct views *v = arg;
    struct file_place at;
    u64 lo, hi;
    const char *perms = parse_mapping(line, &lo, &hi, &at);
    if (perms && perms[1] == 'w' && perms[3] == 's' && at.inode == v->at.inode && at.dev_major == v->at.dev_major &&
        at.dev_minor == v->at.dev_minor && v->at.offset >= at.offset && v->at.offset < at.offset + (hi - lo))
        v->f(lo + (v->at.offset - at.offset), v->page,
             (perms[0] == 'r' ? K_PROT_READ : 0) | K_PROT_WRITE | (perms[2] == 'x' ? K_PROT_EXEC : 0));
    return false;
}

void mem_each_view(addr_t page, void (*f)(addr_t view, addr_t page, u32 prot))
{
    struct views v = { .page = page, .f = f };
    lock_take(&mutex);
    each_mapping(find_place, &v);
    if (v.at.inode)
        each_mapping(tell_view, &v);
    lock_drop(&mutex);
}

struct extent { addr_t from, to; struct file_place at; };

/* Mappings that continue each other in memory and in the file. */
static bool extend(const char *line, void *arg)
{
    struct extent *e = arg;
    struct file_place at;
    u64 lo, hi;
    if (!parse_mapping(line, &lo, &hi, &at))
        return false;
    bool is_first = !e->to && lo == e->from;
    if (is_first)
        e->at = at;
    if (is_first || (e->to == lo && at.inode == e->at.inode && at.dev_major == e->at.dev_major &&
                     at.dev_minor == e->at.dev_minor && at.offset == e->at.offset + (lo - e->from)))
        e->to = hi;
    return e->to && lo >= e->to;
}

addr_t mem_file_end(addr_t at)
{
    struct extent e = { .from = at };
    lock_take(&mutex);
    each_mapping(extend, &e);
    lock_drop(&mutex);
    return e.to;
}

static const struct range *lookup(addr_t at)
{
    u32 i = find(at);
    return i < n_ranges && ranges[i].lo <= at ? &ranges[i] : NULL;
}

static const struct range *lookup_twice(addr_t at)
{
    const struct range *r = lookup(at);
    if (!r && !mem_is_private(at, at + 1)) {
        read_kernel_list();
        r = lookup(at);
    }
    return r;
}

u32 mem_exec_prot(addr_t at)
{
    lock_take(&mutex);
    const struct range *r = lookup(at);
    u32 prot = r ? r->prot : 0;
    lock_drop(&mutex);
    return prot;
}

u64 mem_inode(addr_t at)
{
    struct views v = { .page = at };
    lock_take(&mutex);
    each_mapping(find_place, &v);
    lock_drop(&mutex);
    return v.at.inode;
}

struct sharing { addr_t at; u64 lo, hi; bool is_found; u32 how; };

/* Memory without a name of its own is had by fork or by a descriptor that is passed on; any other, by opening it. */
static bool is_named(const char *line)
{
    const char *name = strchr(line, '/');
    return name && strncmp(name, "/memfd:", 7) && strncmp(name, "/dev/zero", 9);
}

static bool find_sharing(const char *line, void *arg)
{
    struct sharing *s = arg;
    const char *perms = parse_range(line, &s->lo, &s->hi);
    if (!perms)
        return false;
    s->is_found = s->at >= s->lo && s->at < s->hi;
    s->how = perms[3] != 's' ? 0 : MEM_SHARED | (is_named(line) ? MEM_NAMED : 0);
    return s->is_found;
}

u32 mem_learn_prot(addr_t at)
{
    lock_take(&mutex);
    const struct range *r = lookup(at);
    u32 prot = r ? r->prot : 0;
    if (prot & MEM_MAYBE_SHARED) {
        struct sharing s = { .at = at };
        addr_t lo = r->lo, hi = r->hi;
        each_mapping(find_sharing, &s);
        prot = (prot & ~(u32)MEM_MAYBE_SHARED) | (s.is_found ? s.how : 0);
        if (s.is_found)                         /* else there is no list to read, and it stays a question */
            set(MAX(lo, s.lo), MIN(hi, s.hi), prot);
    }
    lock_drop(&mutex);
    return prot;
}

static struct fetch_fault why_not(addr_t at)
{
    enum { MAPERR = 1, ACCERR = 2 };
    if (!arch_is_canonical(at))
        return (struct fetch_fault){ 0, K_SIGSEGV, FETCH_PROTECTION, false };
    if (arch_is_kernel_half(at))
        return (struct fetch_fault){ at, K_SIGSEGV, MAPERR, true };
    if (mem_is_private(at, at + 1) || !is_mapped(at))
        return (struct fetch_fault){ at, K_SIGSEGV, MAPERR, false };
    u8 probe;
    return (struct fetch_fault){ at, K_SIGSEGV, ACCERR, mem_copy_safely(&probe, (void *)at, 1) };
}

addr_t mem_exec_end(addr_t at, struct fetch_fault *fault)
{
    lock_take(&mutex);
    const struct range *r = lookup_twice(at);
    addr_t hi = r ? r->hi : 0;
    lock_drop(&mutex);
    if (!hi) {
        *fault = why_not(at);
    }
    return hi;
}

void mem_changed(addr_t lo, addr_t hi, u32 prot)
{
    lo = ROUND_DOWN(lo, PAGE_SIZE);
    hi = ROUND_UP(hi, PAGE_SIZE);
    if (hi <= lo)
        return;
    cache_lock_take();
    lock_take(&mutex);
    bool had_code = find(lo) < n_ranges && ranges[find(lo)].lo < hi;
    set(lo, hi, prot);
    lock_drop(&mutex);
    if (had_code) {
        cache_invalidate(lo, hi);
        smc_forget(lo, hi);
    }
    cache_lock_drop();
}

void mem_leaving(addr_t lo, addr_t hi)
{
    lo = ROUND_DOWN(lo, PAGE_SIZE);
    hi = ROUND_UP(hi, PAGE_SIZE);
    if (hi <= lo)
        return;
    cache_lock_take();
    lock_take(&mutex);
    bool had_code = find(lo) < n_ranges && ranges[find(lo)].lo < hi;
    cut(lo, hi);
    lock_drop(&mutex);
    if (had_code)
        cache_invalidate(lo, hi);
    smc_release(lo, hi);                        /* also what is watched as a second view, which need not be executable */
    cache_lock_drop();
}

void mem_contents_lost(addr_t lo, addr_t hi)
{
    lock_take(&mutex);
    bool had_code = find(lo) < n_ranges && ranges[find(lo)].lo < hi;
    lock_drop(&mutex);
    if (!had_code)
        return;
    cache_lock_take();
    cache_invalidate(lo, hi);
    cache_lock_drop();
}
