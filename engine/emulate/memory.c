/* memory.c: what the engine knows of the application's mappings: the executable ranges, and those that are private views of a
 * file, among which are the words that a program cannot change any more once it is linked.
 *
 * They come from the kernel's own list once at start, then from the application's mapping calls. A miss asks the kernel
 * again before it is believed: mappings may appear without a system call of ours (a vfork child, a tracer).
 *  (1) Guarded by `mutex`, which ranks below the cache lock. */
#include "engine/emulate/memory_int.h"
#include "base/heap.h"
#include "base/lock.h"
#include "base/panic.h"
#include "base/print.h"
#include "base/sys.h"
#include "engine/cache/cache.h"
#include "engine/emulate/signal.h"
#include "engine/emulate/smc.h"
#include "engine/jit/jit.h"

struct range { addr_t lo, hi; u32 prot; };

/* Sorted and disjoint. */
struct set { struct range *r; u32 n, max; };

static struct lock mutex;
static struct set code, files;

/* The JIT asks several times for each trace, mostly about the same range: what it was told last holds until `code` changes. `last`
 * is guarded by the cache lock, so that the answer to most questions needs no lock of its own. */
static u64 n_changes;                           /* of `code` */
static struct { u64 as_of; struct range r; } last;
static void note_change(void) { __atomic_store_n(&n_changes, n_changes + 1, __ATOMIC_RELEASE); }
static const struct range *last_answer(addr_t at)
{
    return last.as_of == __atomic_load_n(&n_changes, __ATOMIC_ACQUIRE) && at >= last.r.lo && at < last.r.hi ? &last.r : NULL;
}
static void answer(const struct range *r)
{
    last.r = *r;
    last.as_of = n_changes;
}

void mem_after_fork(void) { lock_reset(&mutex); }

/* Half a change is worth nothing. Until they are read anew, the kernel's list serves those who look. */
bool mem_take_over(u32 dead)
{
    if (LIKELY(!lock_died_with(&mutex, dead)))
        return false;
    lock_inherit(&mutex);
    code = files = (struct set){ 0 };
    note_change();
    lock_drop(&mutex);
    return true;
}

bool mem_is_private(addr_t lo, addr_t hi) { return lo < PRIV_HI && hi > PRIV_LO; }

/* Index of the first range that ends behind `at`. */
static u32 find(const struct set *s, addr_t at)
{
    u32 lo = 0, hi = s->n;
    while (lo < hi) {
        u32 mid = (lo + hi) / 2;
        if (s->r[mid].hi <= at)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo;
}

static bool touches(const struct set *s, addr_t lo, addr_t hi)
{
    u32 i = find(s, lo);
    return i < s->n && s->r[i].lo < hi;
}

static void insert(struct set *s, u32 at, struct range r)
{
    if (s->n == s->max) {
        u32 more = s->max ? s->max * 2 : 64;
        struct range *bigger = heap_alloc(more * sizeof *bigger);
        memcpy(bigger, s->r, s->n * sizeof *bigger);
        heap_free(s->r, s->max * sizeof *s->r);
        s->r = bigger;
        s->max = more;
    }
    memmove(s->r + at + 1, s->r + at, (s->n - at) * sizeof *s->r);
    s->r[at] = r;
    s->n++;
}

static void drop(struct set *s, u32 at)
{
    s->n--;
    memmove(s->r + at, s->r + at + 1, (s->n - at) * sizeof *s->r);
}

static void cut(struct set *s, addr_t lo, addr_t hi)
{
    for (u32 i = find(s, lo); i < s->n && s->r[i].lo < hi;) {
        struct range r = s->r[i];
        drop(s, i);
        if (r.lo < lo)
            insert(s, i++, (struct range){ r.lo, lo, r.prot });
        if (r.hi > hi) {
            insert(s, i, (struct range){ hi, r.hi, r.prot });
            break;
        }
    }
}

static void put(struct set *s, addr_t lo, addr_t hi, u32 prot)
{
    cut(s, lo, hi);
    insert(s, find(s, lo), (struct range){ lo, hi, prot });
}

static void set_code(addr_t lo, addr_t hi, u32 prot)
{
    note_change();
    if (prot & K_PROT_EXEC)
        put(&code, lo, hi, prot);
    else
        cut(&code, lo, hi);
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
    u32 known = find(&code, lo);
    if (known < code.n && code.r[known].lo <= lo && code.r[known].hi >= hi)
        return false;
    set_code(lo, hi, prot);
    return false;
}

/* Every line of the kernel's list, until f says that it has seen enough. An error, or 0. */
static long each_mapping(bool (*f)(const char *line, void *arg), void *arg)
{
    static char buf[16384];
    long fd = sys4(__NR_openat, -100, "/proc/thread-self/maps", 02000000, 0);
    if (sys_failed(fd))
        return fd;
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
                return 0;
            }
        }
        have -= (u32)(line - buf);
        memmove(buf, line, have);
        if (have == sizeof buf - 1)
            have = 0;                           /* a name longer than the buffer: nothing we need */
    }
    sys1(__NR_close, fd);
    return 0;
}

void mem_each_mapping(bool (*f)(const char *line, void *arg), void *arg)
{
    lock_take(&mutex);
    each_mapping(f, arg);
    lock_drop(&mutex);
}

static long read_kernel_list(void) { return each_mapping(take_line, NULL); }

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

static const char *past(const char *p, char c) { return p + (*p == c); }

/* lo-hi rwxs offset major:minor inode name */
const char *mem_parse_mapping(const char *line, u64 *lo, u64 *hi, struct file_place *at)
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

u32 mem_prot_of(const char *perms)
{
    return (perms[0] == 'r' ? K_PROT_READ : 0) | (perms[1] == 'w' ? K_PROT_WRITE : 0) | (perms[2] == 'x' ? K_PROT_EXEC : 0);
}

static bool take_both(const char *line, void *unused)
{
    struct file_place at;
    u64 lo, hi;
    const char *perms = mem_parse_mapping(line, &lo, &hi, &at);
    if (perms && lo < hi && at.inode && perms[3] == 'p' && !mem_is_private(lo, hi))
        put(&files, lo, hi, mem_prot_of(perms));
    return take_line(line, unused);
}

/* The files only now, while no page is protected by the engine itself. */
void mem_init(void)
{
    long r = each_mapping(take_both, NULL);
    if (r)
        ct_fatal("cannot read /proc/thread-self/maps (error %ld): is /proc mounted, and is a descriptor left (ulimit -n)?", -r);
}

void mem_recover(void)
{
    lock_take(&mutex);
    code.n = files.n = 0;
    mem_init();
    lock_drop(&mutex);
}

struct extent { addr_t from, to; struct file_place at; };

/* Mappings that continue each other in memory and in the file. */
static bool extend(const char *line, void *arg)
{
    struct extent *e = arg;
    struct file_place at;
    u64 lo, hi;
    if (!mem_parse_mapping(line, &lo, &hi, &at))
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
    u32 i = find(&code, at);
    return i < code.n && code.r[i].lo <= at ? &code.r[i] : NULL;
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

struct sharing { addr_t at; u64 lo, hi; bool is_found; u32 how; };

/* Memory without a name of its own is had by fork or by a descriptor that is passed on; any other, by opening it. A file in memory
 * that this process has not made came from another one. */
static bool is_named(const char *line)
{
    struct file_place at;
    u64 lo, hi;
    const char *name = strchr(line, '/');
    if (name && !strncmp(name, "/memfd:", 7))
        return !mem_parse_mapping(line, &lo, &hi, &at) || !smc_is_own_file(at.inode);
    return name && strncmp(name, "/dev/zero", 9);
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
    const struct range *r = last_answer(at);
    if (LIKELY(r && !(r->prot & MEM_MAYBE_SHARED)))
        return r->prot;
    lock_take(&mutex);
    r = lookup(at);
    u32 prot = r ? r->prot : 0;
    if (r)
        answer(r);
    if (prot & MEM_MAYBE_SHARED) {
        struct sharing s = { .at = at };
        addr_t lo = r->lo, hi = r->hi;
        each_mapping(find_sharing, &s);
        prot = (prot & ~(u32)MEM_MAYBE_SHARED) | (s.is_found ? s.how : 0);
        if (s.is_found)                         /* else there is no list to read, and it stays a question */
            set_code(MAX(lo, s.lo), MIN(hi, s.hi), prot);
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
    const struct range *r = last_answer(at);
    if (LIKELY(r != NULL))
        return r->hi;
    lock_take(&mutex);
    r = lookup_twice(at);
    addr_t hi = r ? r->hi : 0;
    if (r)
        answer(r);
    lock_drop(&mutex);
    if (!hi)
        *fault = why_not(at);
    return hi;
}

bool mem_has_writable_code(addr_t lo, addr_t hi)
{
    bool has = false;
    lock_take(&mutex);
    read_kernel_list();
    for (u32 i = find(&code, lo); i < code.n && code.r[i].lo < hi; i++)
        has |= code.r[i].prot & K_PROT_WRITE;
    lock_drop(&mutex);
    return has;
}

/* ---- what the application does to them ---- */
/* Code is made from [lo, hi), or from words in it that were constant. Cache lock and mutex held. */
static bool had_code(addr_t lo, addr_t hi) { return touches(&code, lo, hi) || touches(&files, lo, hi); }

void mem_changed(addr_t lo, addr_t hi, u32 prot)
{
    lo = ROUND_DOWN(lo, PAGE_SIZE);
    hi = ROUND_UP(hi, PAGE_SIZE);
    if (hi <= lo)
        return;
    cache_lock_take();
    lock_take(&mutex);
    bool is_known = touches(&code, lo, hi);
    set_code(lo, hi, prot);
    lock_drop(&mutex);
    if (is_known) {
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
    bool is_known = had_code(lo, hi);
    set_code(lo, hi, 0);
    cut(&files, lo, hi);
    lock_drop(&mutex);
    if (is_known)
        cache_invalidate(lo, hi);
    smc_release(lo, hi);                        /* also what is watched as a second view, which need not be executable */
    cache_lock_drop();
}

void mem_contents_lost(addr_t lo, addr_t hi)
{
    cache_lock_take();
    lock_take(&mutex);
    bool is_known = had_code(lo, hi);
    lock_drop(&mutex);
    if (is_known)
        cache_invalidate(lo, hi);
    cache_lock_drop();
}

/* ---- words that do not change ---- */
bool mem_is_file(addr_t lo, addr_t hi)
{
    lock_take(&mutex);
    u32 i = find(&files, lo);
    bool is = i < files.n && files.r[i].lo <= lo && files.r[i].hi >= hi;
    lock_drop(&mutex);
    return is;
}

void mem_file_mapped(addr_t lo, addr_t hi, u32 prot)
{
    lock_take(&mutex);
    put(&files, ROUND_DOWN(lo, PAGE_SIZE), ROUND_UP(hi, PAGE_SIZE), prot);
    lock_drop(&mutex);
}

bool mem_constant(addr_t at, addr_t *value)
{
    lock_take(&mutex);
    u32 i = find(&files, at);
    const struct range *r = &files.r[i];
    bool is = i < files.n && r->lo <= at && at + sizeof *value <= r->hi && (r->prot & (K_PROT_READ | K_PROT_WRITE)) == K_PROT_READ;
    lock_drop(&mutex);
    return is && mem_copy_safely(value, (const void *)at, sizeof *value);
}
