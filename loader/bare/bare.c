/* bare.c: the runtime of the engine without a tool (loader/rt.h), which needs no libc.
 *
 * A static libc spends more time on starting up than the engine does: among other things it asks the CPU dozens of questions,
 * and under a hypervisor each answer takes thousands of cycles. Here remains what an ELF of our own cannot do without: to
 * relocate itself, to give each thread its TLS block, to find the launcher's record. */
#include "base/heap.h"
#include "base/panic.h"
#include "base/sys.h"
#include "loader/rt.h"
#include <linux/auxvec.h>
#include <linux/elf.h>

int main(void);
void bare_begin(u64 *stack);

extern const struct elf64_hdr __ehdr_start __attribute__((visibility("hidden")));
extern const Elf64_Dyn _DYNAMIC[] __attribute__((visibility("hidden")));

static struct handoff *handoff;

/* ---- at the start: nothing that stands in relocated memory may be read before this is done ---- */
static void relocate(addr_t base)
{
    enum { RELATIVE = 8 };
    const Elf64_Rela *r = NULL;
    u64 size = 0;
    for (const Elf64_Dyn *d = _DYNAMIC; d->d_tag != DT_NULL; d++) {
        if (d->d_tag == DT_RELA)
            r = (const void *)(base + d->d_un.d_ptr);
        else if (d->d_tag == DT_RELASZ)
            size = d->d_un.d_val;
    }
    for (u64 i = 0; i < size / sizeof *r; i++) {
        if (ELF64_R_TYPE(r[i].r_info) != RELATIVE)
            __builtin_trap();
        *(u64 *)(base + r[i].r_offset) = base + (u64)r[i].r_addend;
    }
}

static struct handoff *find_handoff(const u64 *stack)
{
    const u64 *p = stack + 1 + stack[0] + 1;      /* behind the arguments */
    while (*p++)
        ;                                         /* behind the environment */
    for (; p[0] != AT_NULL; p += 2)
        if (p[0] == HANDOFF_AUXV)
            return (struct handoff *)p[1];
    return NULL;
}

/* ---- TLS: the image right below the thread pointer, which points to itself ---- */
struct rt_thread { u64 *fs; u8 *block; };
struct tls_image { const u8 *data; size_t file_size, size, align; };
enum { TCB_SIZE = 64, FIRST_BLOCK = 1 << 14 };

static struct tls_image tls;
static struct rt_thread first;
static u8 first_block[FIRST_BLOCK] __attribute__((aligned(64)));

static void find_tls(addr_t base)
{
    const struct elf64_phdr *ph = (const void *)(base + __ehdr_start.e_phoff);
    for (u32 i = 0; i < __ehdr_start.e_phnum; i++)
        if (ph[i].p_type == PT_TLS)
            tls = (struct tls_image){ (const u8 *)base + ph[i].p_vaddr, ph[i].p_filesz, ROUND_UP(ph[i].p_memsz, ph[i].p_align), ph[i].p_align };
}

static size_t block_size(void) { return tls.size + tls.align + TCB_SIZE; }

/* In a block of zeros. */
static struct rt_thread in_block(u8 *block)
{
    u64 *fs = (u64 *)ROUND_UP((addr_t)block + tls.size, tls.align);
    memcpy((u8 *)fs - tls.size, tls.data, tls.file_size);
    fs[0] = (u64)fs;
    return (struct rt_thread){ fs, block };
}

static void set_fs(u64 *fs)
{
    enum { ARCH_SET_FS = 0x1002 };
    sys2(__NR_arch_prctl, ARCH_SET_FS, fs);
}

static void refuse(const char *line)
{
    sys3(__NR_write, 2, line, strlen(line));
    sys1(__NR_exit_group, 125);
}

void bare_begin(u64 *stack)
{
    addr_t base = (addr_t)&__ehdr_start;
    relocate(base);
    find_tls(base);
    if (block_size() > sizeof first_block)
        __builtin_trap();
    first = in_block(first_block);
    set_fs(first.fs);
    handoff = find_handoff(stack);
    if (!rt_handoff())
        refuse("cotter: the engine is started with a program: cotter -- PROGRAM\n");
    if (handoff->steps_page)
        sys2(__NR_munmap, handoff->steps_page, PAGE_SIZE);
    if (handoff->mode != HANDOFF_ATTACH)          /* there the handlers are a running program's */
        early_watch();
    main();
}

struct handoff *rt_handoff(void)
{
    return handoff && handoff->magic == HANDOFF_MAGIC && handoff->version == HANDOFF_VERSION ? handoff : NULL;
}

void rt_init(void) { }

/* ---- threads ---- */
struct rt_thread *rt_thread_main(void) { return &first; }

struct rt_thread *rt_thread_new(void)
{
    struct rt_thread *t = heap_alloc(sizeof *t);
    *t = in_block(heap_alloc(block_size()));
    return t;
}

uintptr_t rt_thread_fs(struct rt_thread *t) { return (uintptr_t)t->fs; }
void rt_thread_enter(struct rt_thread *t, int tid) { }
void rt_thread_exit(struct rt_thread *t) { }

void rt_thread_free(struct rt_thread *t)
{
    if (t == &first)
        return;
    heap_free(t->block, block_size());
    heap_free(t, sizeof *t);
}

/* ---- processes ---- */
void (*rt_exit_hook)(int status);
long rt_fork(long (*raw_clone)(void *), void *arg) { return raw_clone(arg); }
void rt_exit_flush(void) { }
bool rt_exit_is_flushing(void) { return false; }
void rt_exit_go_on(void) { for (;;) ; }
