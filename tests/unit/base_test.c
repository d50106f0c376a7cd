/* base_test.c: base/ against the host's libc: strings, formats, numbers, heap, lock. Silent unless something fails. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include "loader/handoff.h"

/* base/ by its own names; its header str.h would rename the libc's functions. */
void *ct_memcpy(void *, const void *, size_t);
void *ct_memmove(void *, const void *, size_t);
void *ct_memset(void *, int, size_t);
int ct_memcmp(const void *, const void *, size_t);
size_t ct_strlen(const char *);
int ct_strcmp(const char *, const char *);
int ct_strncmp(const char *, const char *, size_t);
char *ct_strchr(const char *, int);
#include "base/heap.h"
#include "base/lock.h"
#include "base/print.h"

#define CHECK(c) ((c) ? (void)0 : (printf("%s:%d: not true: %s\n", __FILE__, __LINE__, #c), abort()))

static unsigned below(unsigned n) { return (unsigned)rand() % n; }
static int sign(int n) { return (n > 0) - (n < 0); }

/* ---- strings ---- */
static void check_moves(void)
{
    char ours[200], theirs[200];
    for (int i = 0; i < 20000; i++) {
        unsigned n = below(80), from = below(100), to = below(100);
        for (int k = 0; k < 200; k++)
            ours[k] = theirs[k] = (char)rand();
        CHECK(ct_memmove(ours + to, ours + from, n) == ours + to);
        memmove(theirs + to, theirs + from, n);
        CHECK(!memcmp(ours, theirs, sizeof ours));
        ct_memset(ours + to, i, n);
        memset(theirs + to, i, n);
        CHECK(!memcmp(ours, theirs, sizeof ours));
    }
}

/* Each string ends where its memory ends, so that the address sanitizer sees a step beyond. */
static char *random_string(unsigned max)
{
    unsigned n = below(max);
    char *s = malloc(n + 1);
    for (unsigned i = 0; i < n; i++)
        s[i] = (char)("ab\xff\x80"[below(4)]);
    s[n] = 0;
    return s;
}

static void check_strings(void)
{
    for (int i = 0; i < 20000; i++) {
        char *a = random_string(6), *b = random_string(6);
        size_t n = below(8), both = MIN(strlen(a), strlen(b));
        CHECK(ct_strlen(a) == strlen(a));
        CHECK(sign(ct_strcmp(a, b)) == sign(strcmp(a, b)));
        CHECK(sign(ct_strncmp(a, b, n)) == sign(strncmp(a, b, n)));
        CHECK(sign(ct_memcmp(a, b, both)) == sign(memcmp(a, b, both)));
        CHECK(ct_strchr(a, "ab\xff"[i % 4]) == strchr(a, "ab\xff"[i % 4]));
        char *copy = malloc(both + 1);
        CHECK(!memcmp(ct_memcpy(copy, a, both), a, both));
        free(copy);
        free(a);
        free(b);
    }
}

/* ---- formats ---- */
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
#pragma GCC diagnostic ignored "-Wformat-security"
static void same_text(const char *fmt, long v)
{
    char ours[80], theirs[80];
    size_t size = 1 + below(sizeof ours);
    memset(ours, '#', sizeof ours);
    memset(theirs, '#', sizeof theirs);
    size_t n = ct_format(ours, size, fmt, v);
    int m = snprintf(theirs, size, fmt, v);
    if (n != (size_t)m || strcmp(ours, theirs)) {
        printf("%s of %ld: '%s' (%zu) instead of '%s' (%d)\n", fmt, v, ours, n, theirs, m);
        abort();
    }
}

static long odd_number(void)
{
    static const long odd[] = { 0, 1, -1, 9, 10, 0x7fffffff, -0x7fffffffl - 1, 0x80000000, 0xffffffff, ~0ul >> 1 };
    return below(3) ? odd[below(sizeof odd / sizeof odd[0])] : (long)rand() << below(33);
}

static void check_numbers(void)
{
    static const char *const kind[] = { "d", "u", "x", "ld", "lu", "lx", "llu", "zu", "i" };
    static const char *const flag[] = { "", "-", "0" };
    for (int i = 0; i < 50000; i++) {
        char fmt[40], width[8] = "";
        if (below(2))
            snprintf(width, sizeof width, "%u", 1 + below(30));
        snprintf(fmt, sizeof fmt, "<%s%s%s>", *width ? flag[below(3)] : "", width, kind[below(9)]);
        memmove(fmt + 2, fmt + 1, strlen(fmt));
        fmt[1] = '%';
        same_text(fmt, odd_number());
    }
}

static void check_texts(void)
{
    char ours[80], theirs[80];
    for (int i = 0; i < 20000; i++) {
        char *s = random_string(12);
        int width = (int)below(16), precision = (int)below(16);
        const char *fmt = below(2) ? "%-*.*s|%c%%" : "%*.*s|%c%%";
        size_t size = 1 + below(60);
        CHECK(ct_format(ours, size, fmt, width, precision, s, 'x') ==
              (size_t)snprintf(theirs, size, fmt, width, precision, s, 'x'));
        CHECK(!strcmp(ours, theirs));
        free(s);
    }
    CHECK(ct_format(ours, sizeof ours, "%p %s", (void *)0x1234, "y") == 8 && !strcmp(ours, "0x1234 y"));
    CHECK(ct_format(NULL, 0, "%d", 123) == 3);
}

static void check_parsing(void)
{
    const char *end;
    static const struct { const char *text; unsigned long value; unsigned used; } cases[] = {
        { "", 0, 0 }, { "0", 0, 1 }, { "12ab", 12, 2 }, { "0x1Fg", 0x1f, 4 }, { "0XABCDEF", 0xabcdef, 8 },
        { "18446744073709551615", ~0ul, 20 }, { "-5", 0, 0 }, { " 5", 0, 0 }, { "0xffffffffffffffff ", ~0ul, 18 },
    };
    for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        CHECK(str_to_u64(cases[i].text, &end) == cases[i].value);
        CHECK(end == cases[i].text + cases[i].used);
    }
    CHECK(str_to_u64("77", NULL) == 77);
}

/* ---- heap ---- */
enum { N_OBJECTS = 300 };
struct object { unsigned char *p; size_t size; unsigned char fill; };

static size_t random_size(void) { return below(8) ? 1 + below(600) : below(4) ? 1 + below(20000) : 1 + below(200000); }

static bool is_filled_with(const unsigned char *p, size_t n, unsigned char c)
{
    return !n || (p[0] == c && !memcmp(p, p + 1, n - 1));
}

static void renew(struct object *o)
{
    if (o->p) {
        CHECK(is_filled_with(o->p, o->size, o->fill));      /* nobody else wrote there */
        heap_free(o->p, o->size);
    }
    o->size = random_size();
    o->p = heap_alloc(o->size);
    CHECK((uintptr_t)o->p % 16 == 0 && is_filled_with(o->p, o->size, 0));
    o->fill = (unsigned char)(1 + below(255));
    memset(o->p, o->fill, o->size);
}

static void *use_heap(void *unused)
{
    struct object objects[N_OBJECTS] = { 0 };
    for (int i = 0; i < 10000; i++)
        renew(&objects[below(N_OBJECTS)]);
    for (int i = 0; i < N_OBJECTS; i++)
        heap_free(objects[i].p, objects[i].size);
    return NULL;
}

static void check_size_classes(void)
{
    for (size_t size = 1; size <= 40000; size += 1 + size / 50) {
        u64 before = heap_used();
        void *p = heap_alloc(size);
        u64 got = heap_used() - before;
        CHECK(got >= size && got <= MAX(size + size / 4 + 16, ROUND_UP(size, PAGE_SIZE)));
        heap_free(p, size);
        CHECK(heap_used() == before && heap_alloc(size) == p);          /* used again at once */
        heap_free(p, size);
    }
    heap_free(NULL, 5);
}

static void check_pages(void)
{
    u8 *a = heap_pages(3 * PAGE_SIZE - 5), *b = heap_pages(3 * PAGE_SIZE);
    CHECK((uintptr_t)a % PAGE_SIZE == 0 && a != b);
    memset(a, 1, 3 * PAGE_SIZE);
    heap_free_pages(a, 3 * PAGE_SIZE - 5);
    CHECK(heap_pages(3 * PAGE_SIZE) == a && is_filled_with(a, 3 * PAGE_SIZE, 0));
    heap_free_pages(a, 3 * PAGE_SIZE);
    heap_free_pages(b, 3 * PAGE_SIZE);
}

static void in_threads(void *(*f)(void *))
{
    pthread_t t[4];
    for (int i = 0; i < 4; i++)
        CHECK(!pthread_create(&t[i], NULL, f, NULL));
    for (int i = 0; i < 4; i++)
        pthread_join(t[i], NULL);
}

static void check_heap(void)
{
    heap_init(PRIV_HEAP, PRIV_HEAP_END);
    check_size_classes();
    check_pages();
    in_threads(use_heap);
    CHECK(heap_used() == 0);
}

/* ---- lock ---- */
static struct lock mutex;
static long counter;                    /* not atomic: the lock guards it */

static void *count_up(void *unused)
{
    for (int i = 0; i < 50000; i++) {
        lock_take(&mutex);
        long seen = counter;
        if (i % 1000 == 0)
            sched_yield();              /* let others find it held */
        counter = seen + 1;
        lock_drop(&mutex);
    }
    return NULL;
}

int main(void)
{
    setvbuf(stdout, NULL, _IONBF, 0);
    check_moves();
    check_strings();
    check_numbers();
    check_texts();
    check_parsing();
    check_heap();
    in_threads(count_up);
    CHECK(counter == 200000 && !mutex.word);
    return 0;
}
