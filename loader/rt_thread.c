/* rt_thread.c: the tool's libc on threads that it did not create.
 *
 * Analysis routines run on the application's threads and may use the whole libc, so each such thread needs a TLS block
 * and a thread descriptor (glibc's struct pthread) of the tool's libc. The block comes from the dynamic linker's own
 * allocator; the descriptor is a copy of the main thread's, taken before any code of the tool ran, with its pointers to
 * itself moved. glibc publishes for debuggers the few offsets needed.
 *
 *  (1) The template holds no thread-specific data: it is older than the tool's first instruction.
 *  (2) A descriptor's list links point to itself: fork() takes the calling thread out of its list unseen.
 *  (3) libc believes from rt_init() on that there are several threads, and never again otherwise: it locks. */
#include "rt_int.h"
#include <malloc.h>
#include <string.h>
#include <sys/single_threaded.h>

/* glibc's interface to its own thread library and to debuggers. */
extern void *_dl_allocate_tls(void *);
extern void _dl_deallocate_tls(void *, bool free_block);
extern void __ctype_init(void);
extern void __call_tls_dtors(void) __attribute__((weak));
extern void __nptl_deallocate_tsd(void);
extern void __libc_thread_freeres(void);
extern void _IO_enable_locks(void);
struct db_field { u32 bits, n_elements, offset; };
extern const u32 _thread_db_sizeof_pthread;
extern const struct db_field _thread_db_pthread_tid, _thread_db_pthread_list;

/* The head of the descriptor is part of the platform's ABI. */
struct tcb_head {
    void *tcb, *dtv, *self;
    int multiple_threads;
};
struct list_links { struct list_links *next, *prev; };

struct rt_thread { struct tcb_head *tcb; };

enum { TEMPLATE_MAX = 8192 };
static u64 template[TEMPLATE_MAX / 8];
static uintptr_t template_base;
static struct rt_thread main_thread;

static uintptr_t fs_base(void)
{
    uintptr_t fs;
    __asm__ volatile("mov %%fs:0, %0" : "=r"(fs));
    return fs;
}

static int *tid_of(void *tcb)
{
    return (int *)((char *)tcb + _thread_db_pthread_tid.offset);
}

static struct list_links *links_of(void *tcb)
{
    return (struct list_links *)((char *)tcb + _thread_db_pthread_list.offset);
}

static void take_template(void)
{
    uintptr_t fs = fs_base();
    if (_thread_db_sizeof_pthread > sizeof template)
        return;
    memcpy(template, (void *)fs, _thread_db_sizeof_pthread);
    template_base = fs;
}

/* Runs before the constructors of the tool. */
static void begin(void)
{
    rt_handoff_begin();
    if (rt_handoff() && rt_handoff()->mode != HANDOFF_ATTACH)      /* there the handlers are a running program's */
        early_watch();
    take_template();
}
__attribute__((section(".preinit_array"), used)) static void (*const preinit)(void) = begin;

static void refuse(const char *line)
{
    rt_say(line);
    sys1(__NR_exit_group, 125);
}

void rt_init(void)
{
    struct tcb_head *tcb = (void *)fs_base();
    if (!rt_handoff())
        refuse("cotter: a tool is started with a program: cotter -t TOOL -- PROGRAM\n");
    if (!template_base || *tid_of(tcb) != sys_gettid())
        refuse("cotter: this libc's threads are laid out in an unknown way\n");
    main_thread.tcb = tcb;
    tcb->multiple_threads = 1;
    __libc_single_threaded = 0;
    _IO_enable_locks();
}

struct rt_thread *rt_thread_main(void)
{
    return &main_thread;
}

/* Copy the template, moving what points into it. The dtv belongs to the block and stays. */
static void fill_descriptor(struct tcb_head *tcb)
{
    void *dtv = tcb->dtv;
    u64 *to = (u64 *)tcb;
    u32 size = _thread_db_sizeof_pthread;
    for (u32 i = 0; i < size / 8; i++) {
        u64 word = template[i];
        to[i] = word - template_base < size ? word - template_base + (uintptr_t)tcb : word;
    }
    tcb->dtv = dtv;
    tcb->multiple_threads = 1;
    *tid_of(tcb) = 0;
    struct list_links *links = links_of(tcb);
    links->next = links->prev = links;
}

struct rt_thread *rt_thread_new(void)
{
    struct rt_thread *t = malloc(sizeof *t);
    if (!t)
        return NULL;
    t->tcb = _dl_allocate_tls(NULL);
    if (!t->tcb) {
        free(t);
        return NULL;
    }
    fill_descriptor(t->tcb);
    return t;
}

uintptr_t rt_thread_fs(struct rt_thread *t)
{
    return (uintptr_t)t->tcb;
}

void rt_thread_enter(struct rt_thread *t, int tid)
{
    *tid_of(t->tcb) = tid;
    __ctype_init();
}

void rt_thread_exit(struct rt_thread *t)
{
    if (__call_tls_dtors)
        __call_tls_dtors();
    __nptl_deallocate_tsd();
    __libc_thread_freeres();
}

void rt_thread_free(struct rt_thread *t)
{
    if (t == &main_thread)      /* its block was made by the libc's start-up, not by the allocator */
        return;
    _dl_deallocate_tls(t->tcb, true);
    free(t);
}

void rt_thread_forked(void)
{
    *tid_of((void *)fs_base()) = sys_gettid();
}

void rt_fork_child(void)
{
    struct list_links *links = links_of((void *)fs_base());
    links->next->prev = links->prev;
    links->prev->next = links->next;
    links->next = links->prev = links;
    __libc_single_threaded = 0;
}
