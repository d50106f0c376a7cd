/* probe_test.c: the patching core, alone: copies do what the originals do; refusals are the right ones; threads that run
 * through the code all the time never see a half-written jump. */
#define _GNU_SOURCE
#include "base/heap.h"
#include "probe/probe.h"
#include <dlfcn.h>
#include <elf.h>
#include <errno.h>
#include <link.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>

typedef long routine(long a, long b);
struct test_case { routine *f; long size; char name[16]; };
extern struct test_case case_table[];

static int failures;
#define CHECK(cond, ...) do { if (!(cond)) { printf("%s:%d: ", __FILE__, __LINE__); printf(__VA_ARGS__); printf("\n"); failures++; } } while (0)

static struct probe_site site(const void *at, size_t size) { return (struct probe_site){ (addr_t)at, size, size, 0, NULL }; }

/* ---- copies ---- */
long n_hits;
void *hit_to;
/* Counts, then goes on: all registers and flags are left as they were. */
__asm__(".text\nhit: pushfq\n incq n_hits(%rip)\n popfq\n jmp *hit_to(%rip)\n");
extern char hit[];

static const long args[][2] = { { 0, 0 }, { 1, 2 }, { -1, 5 }, { 7, 7 }, { 5, 1 }, { 123456789012, -3 } };

static int same(const struct test_case *c, routine *g, long *want)
{
    int ok = 1;
    for (unsigned i = 0; i < sizeof args / sizeof *args; i++) {
        long got = g(args[i][0], args[i][1]);
        if (want[i] != got)
            printf("%s(%ld, %ld): %lx instead of %lx\n", c->name, args[i][0], args[i][1], got, want[i]), ok = 0;
    }
    return ok;
}

static struct test_case *next_case(struct test_case *c)
{
    return (struct test_case *)(((uintptr_t)c + 16 + strlen(c->name) + 1 + 31) & ~31ul);
}

static void test_case(struct test_case *c)
{
    long want[sizeof args / sizeof *args];
    unsigned char before[64], after[64];
    struct probe *p = NULL;
    int reads_rax = !strcmp(c->name, "only_ret");
    for (unsigned i = 0; i < sizeof args / sizeof *args; i++)
        want[i] = c->f(args[i][0], args[i][1]);
    struct probe_site s = site((void *)c->f, (size_t)c->size);
    s.room = (s.size + 15) & ~15ul;
    memcpy(before, (void *)c->f, sizeof before);
    enum probe_reason r = probe_make(&s, &p);
    CHECK(!r, "%s: refused: %s", c->name, probe_why(r));
    if (r || reads_rax)
        return;
    CHECK(same(c, (routine *)probe_original(p), want), "%s: the copy differs", c->name);
    for (int round = 0; round < 2; round++) {
        hit_to = (void *)probe_original(p);
        n_hits = 0;
        r = probe_place(p, hit, false);
        CHECK(!r, "%s: not placed: %s", c->name, probe_why(r));
        CHECK(same(c, c->f, want), "%s: differs with a probe", c->name);
        CHECK(n_hits == sizeof args / sizeof *args, "%s: %ld hits", c->name, n_hits);
        CHECK(probe_place(p, hit, false) == PROBE_TAKEN, "%s: placed twice", c->name);
        r = probe_remove(p);
        CHECK(!r, "%s: not removed: %s", c->name, probe_why(r));
        memcpy(after, (void *)c->f, sizeof after);
        CHECK(!memcmp(before, after, sizeof before), "%s: other bytes than before", c->name);
        CHECK(same(c, c->f, want), "%s: differs after removal", c->name);
    }
}

/* ---- refusals ---- */
#define R(name) extern char name[], name##_end[];
R(too_short) R(branch_inside) R(branch_to_entry) R(target_elsewhere) R(breakpoint) R(no_instruction) R(immovable) R(whole_indirect)
extern char jumper[];

static void refused(const char *what, struct probe_site s, enum probe_reason want)
{
    struct probe_plan p;
    enum probe_reason got = probe_plan(&s, &p);
    CHECK(got == want, "%s: \"%s\" instead of \"%s\"", what, probe_why(got), probe_why(want));
}
#define SITE(name) site(name, (size_t)(name##_end - name))

static void test_refusals(void)
{
    static char data[64];
    struct probe_site s;
    refused("too_short", SITE(too_short), PROBE_TOO_SHORT);
    refused("branch_inside", SITE(branch_inside), PROBE_BRANCH_INSIDE);
    refused("branch_to_entry", SITE(branch_to_entry), PROBE_BRANCH_TO_ENTRY);
    refused("breakpoint", SITE(breakpoint), PROBE_BREAKPOINT);
    refused("no_instruction", SITE(no_instruction), PROBE_UNKNOWN);
    refused("immovable", SITE(immovable), PROBE_IMMOVABLE);
    refused("data", site(data, sizeof data), PROBE_NOT_CODE);
    refused("nothing", site((void *)0x1000, 16), PROBE_NOT_CODE);
    s = SITE(whole_indirect);
    s.flags = PROBE_WHOLE;
    refused("whole_indirect", s, PROBE_INDIRECT);
    s = SITE(target_elsewhere);
    refused("target not looked for", s, PROBE_OK);
    struct probe_targets *t = probe_targets_find((addr_t)target_elsewhere, (addr_t)jumper + 10);
    s.targets = t;
    refused("target_elsewhere", s, PROBE_MAYBE_TARGET);
    s.flags = PROBE_RISK_TARGETS;
    refused("target at risk", s, PROBE_OK);
    probe_targets_free(t);
}

static void test_whole(void)
{
    struct probe_site s = SITE(branch_inside);
    routine *f = (routine *)branch_inside;
    struct probe *p = NULL;
    long want = f(20, 0);
    s.flags = PROBE_WHOLE;
    enum probe_reason r = probe_make(&s, &p);
    CHECK(!r, "whole: %s", probe_why(r));
    if (r)
        return;
    CHECK(((routine *)probe_original(p))(20, 0) == want, "whole: the copy differs");
    hit_to = (void *)probe_original(p);
    n_hits = 0;
    CHECK(!probe_place(p, hit, true), "whole: not placed");
    CHECK(f(20, 0) == want && n_hits == 1, "whole: differs with a probe");
    CHECK(!probe_remove(p), "whole: not removed");
    CHECK(f(20, 0) == want && n_hits == 1, "whole: differs after removal");
}

/* ---- every routine of the libc: planned, copied, removed again; the plans must mostly succeed ---- */
static int visit(struct dl_phdr_info *info, size_t size, void *unused)
{
    const ElfW(Sym) *symbols = NULL;
    const ElfW(Word) *hash = NULL;
    const char *names = NULL;
    unsigned long n = 0, ok = 0;
    if (!strstr(info->dlpi_name, "libc.so"))
        return 0;
    for (int i = 0; i < info->dlpi_phnum; i++)
        if (info->dlpi_phdr[i].p_type == PT_DYNAMIC)
            for (const ElfW(Dyn) *d = (void *)(info->dlpi_addr + info->dlpi_phdr[i].p_vaddr); d->d_tag; d++) {
                if (d->d_tag == DT_SYMTAB)
                    symbols = (void *)d->d_un.d_ptr;
                if (d->d_tag == DT_STRTAB)
                    names = (void *)d->d_un.d_ptr;
                if (d->d_tag == DT_HASH)
                    hash = (void *)d->d_un.d_ptr;
            }
    if (!symbols || !names)
        return 0;
    unsigned long count = hash ? hash[1] : (unsigned long)((const char *)names - (const char *)symbols) / sizeof *symbols;
    for (unsigned long i = 0; i < count; i++) {
        const ElfW(Sym) *s = &symbols[i];
        if (ELF64_ST_TYPE(s->st_info) != STT_FUNC || !s->st_value || !s->st_size)
            continue;
        struct probe_site at = site((void *)(info->dlpi_addr + s->st_value), s->st_size);
        struct probe *p = NULL;
        n++;
        enum probe_reason r = probe_make(&at, &p);
        ok += !r;
        CHECK(r == PROBE_OK || r == PROBE_TOO_SHORT || r == PROBE_BRANCH_INSIDE || r == PROBE_BRANCH_TO_ENTRY || r == PROBE_UNKNOWN,
              "%s: %s", names + s->st_name, probe_why(r));
    }
    printf("libc: %lu of %lu routines\n", ok, n);
    CHECK(n > 1000 && ok * 100 >= n * 90, "too few");
    return 1;
}

/* ---- threads ---- */
#define B(n) extern char busy##n[];
B(0) B(1) B(2) B(3) B(4) B(5) B(6) B(7) B(_single)
static char *const busy[] = { busy0, busy1, busy2, busy3, busy4, busy5, busy6, busy7, busy_single };
enum { N_BUSY = sizeof busy / sizeof *busy, N_THREADS = 2 };
static volatile int stop;
static long calls[N_THREADS];

static void *run(void *arg)
{
    long me = (long)arg;
    for (long i = 0; !stop; i++) {
        routine *f = (routine *)busy[i % N_BUSY];
        long a = i & 0xffff, b = me * 1000;
        CHECK(f(a, b) == a + b, "busy%ld(%ld, %ld)", i % N_BUSY, a, b);
        calls[me]++;
    }
    return NULL;
}

/* The same as `hit`, but several probes have different copies: the word behind the jump says where to go. */
static void *make_hit(addr_t near, const void *to)
{
    u8 *code = probe_near(near, 32);
    memcpy(code, "\xff\x25\x02\x00\x00\x00\x0f\x0b", 8);
    memcpy(code + 8, &to, 8);
    return code;
}

/* Calls that end with EINTR at every stop do not, if they have no timeout. */
static int event, wakes;
static void *wait_long(void *arg)
{
    struct epoll_event e = { .events = EPOLLIN };
    int fd = epoll_create1(0);
    epoll_ctl(fd, EPOLL_CTL_ADD, event, &e);
    int r = epoll_wait(fd, &e, 1, -1);
    CHECK(r == 1, "epoll_wait: %d %s", r, r < 0 ? strerror(errno) : "");
    wakes++;
    return NULL;
}

static void test_threads(int rounds)
{
    pthread_t t[N_THREADS], waits;
    event = eventfd(0, 0);
    pthread_create(&waits, NULL, wait_long, NULL);
    struct probe *p[N_BUSY];
    for (int i = 0; i < N_BUSY; i++) {
        struct probe_site s = site(busy[i], 20);
        enum probe_reason r = probe_make(&s, &p[i]);
        CHECK(!r, "busy%d: %s", i, probe_why(r));
    }
    for (long i = 0; i < N_THREADS; i++)
        pthread_create(&t[i], NULL, run, (void *)i);
    for (int round = 0; round < rounds; round++) {
        int i = round % N_BUSY;
        enum probe_reason r = probe_place(p[i], make_hit((addr_t)busy[i], probe_original(p[i])), false);
        CHECK(!r, "busy%d: not placed: %s", i, probe_why(r));
        r = probe_remove(p[i]);
        CHECK(!r, "busy%d: not removed: %s", i, probe_why(r));
    }
    CHECK(!wakes, "epoll_wait ended before its time");
    eventfd_write(event, 1);
    pthread_join(waits, NULL);
    stop = 1;
    for (int i = 0; i < N_THREADS; i++) {
        pthread_join(t[i], NULL);
        CHECK(calls[i] > 0, "a thread made no calls");
    }
}

int main(int argc, char **argv)
{
    heap_init(0x200000000000, 0x200100000000);
    for (struct test_case *c = case_table; c->f; c = next_case(c))
        test_case(c);
    test_refusals();
    test_whole();
    dl_iterate_phdr(visit, NULL);
    test_threads(argc > 1 ? atoi(argv[1]) : 500);
    printf(failures ? "%d failures\n" : "ok\n", failures);
    return failures != 0;
}
