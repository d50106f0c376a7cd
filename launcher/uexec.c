/* uexec.c: become the program without ptrace: a user-space exec.
 *
 * The second way in, for sandboxes that forbid ptrace. This process maps the program, its interpreter and the tool
 * where the kernel would have put them, builds the program's stack, and lets a list of steps unmap the launcher and
 * jump into the tool. What differs from a real exec: /proc/self/exe is still the launcher, which the engine hides
 * (HANDOFF_EXEC).
 *
 *  (1) The launcher is linked high below 2 GB, where neither position-independent programs nor others lie.
 *  (2) Its heap is part of its image (memory.c), so the mapping area is empty but for the vdso.
 *  (3) After the vdso has moved, no time function may be called. */
#include "launcher/elfmap.h"
#include "launcher/launch.h"
#include "launcher/say.h"
#include "launcher/script.h"
#include "launcher/stack.h"
#include "launcher/steps.h"
#include "base/types.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/syscall.h>
#include <unistd.h>

#define PIE_BASE 0x555555554000ull      /* where the kernel's range for dynamic PIEs begins */
enum { PIE_RANDOM_PAGES = 1 << 28, BRK_RANDOM_PAGES = 1 << 18, STACK_RANDOM = 8192, VDSO_PARTS_MAX = 8 };

struct range { uint64_t lo, hi; };

struct uexec {
    struct launch *l;
    const char *path;                   /* the ELF to run: the program, or the interpreter of a script */
    char **argv;
    struct elf app, interp;
    struct range vdso[VDSO_PARTS_MAX];  /* vvar and vdso, from low to high */
    int n_vdso;
    struct range stack, heap;
    struct placement at;
    struct stack_image app_stack;
    Elf64_auxv_t auxv[AUXV_MAX];        /* the program's */
    bool is_random;
};

static uint64_t random_below(const struct uexec *u, uint64_t limit)
{
    uint64_t r = 0;
    return u->is_random && getrandom(&r, sizeof r, 0) == sizeof r ? r % limit : 0;
}

static void read_map_line(struct uexec *u, const char *line)
{
    struct range r;
    if (sscanf(line, "%lx-%lx", &r.lo, &r.hi) != 2)
        return;
    if ((strstr(line, "[vvar") || strstr(line, "[vdso]")) && u->n_vdso < VDSO_PARTS_MAX)
        u->vdso[u->n_vdso++] = r;
    else if (strstr(line, "[stack]"))
        u->stack = r;
    else if (strstr(line, "[heap]"))
        u->heap = r;
}

static void read_own_maps(struct uexec *u)
{
    char line[512];
    FILE *f = fopen("/proc/self/maps", "re");
    if (!f)
        fail(STATUS_FAILED, "cannot read /proc/self/maps: %s", strerror(errno));
    while (fgets(line, sizeof line, f))
        read_map_line(u, line);
    fclose(f);
    if (!u->stack.hi)
        fail(STATUS_FAILED, "cannot find the stack in /proc/self/maps");
}

static void read_own_auxv(struct uexec *u)
{
    char **end = u->l->envp;
    while (*end)
        end++;
    const Elf64_auxv_t *v = (const void *)(end + 1);
    for (int n = 0; n < AUXV_MAX - 2 && v[n].a_type != AT_NULL; n++)
        u->auxv[n] = v[n];
}

/* The kernel maps the interpreter, or a static PIE, at the top of the mapping area and the vdso below it. Ours lies at
 * the top: move it down, and return where the space above it begins. */
static uint64_t make_room_at_top(struct uexec *u, uint64_t size)
{
    if (!u->n_vdso) {
        void *hole = mmap(NULL, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (hole == MAP_FAILED || munmap(hole, size))
            fail(STATUS_FAILED, "no room for the program: %s", strerror(errno));
        return (uint64_t)hole;
    }
    for (int i = 0; i < u->n_vdso; i++) {
        struct range *r = &u->vdso[i];
        uint64_t n = r->hi - r->lo;
        if (mremap((void *)r->lo, n, n, MREMAP_MAYMOVE | MREMAP_FIXED, (void *)(r->lo - size)) == MAP_FAILED)
            elf_cannot_map("the program");
    }
    auxv_set(u->auxv, AT_SYSINFO_EHDR, auxv_get(u->auxv, AT_SYSINFO_EHDR) - size);
    return u->vdso[u->n_vdso - 1].hi - size;
}

static void map_program(struct uexec *u)
{
    struct elf *app = &u->app;
    uint64_t bias = 0, base = 0;
    bool is_dyn = app->header.e_type == ET_DYN;
    if (app->interp[0]) {
        elf_open(&u->interp, app->interp);
        base = make_room_at_top(u, u->interp.hi - u->interp.lo) - u->interp.lo;
        if (is_dyn)
            bias = ROUND_DOWN(PIE_BASE + random_below(u, PIE_RANDOM_PAGES) * PAGE_SIZE, app->align) - app->lo;
    } else if (is_dyn) {
        bias = make_room_at_top(u, app->hi - app->lo) - app->lo;
    }
    elf_map(app, bias);
    if (app->interp[0]) {
        elf_map(&u->interp, base);
        close(u->interp.fd);
    }
    auxv_set(u->auxv, AT_PHDR, app->phdr_at);
    auxv_set(u->auxv, AT_PHNUM, app->header.e_phnum);
    auxv_set(u->auxv, AT_BASE, base);
    auxv_set(u->auxv, AT_ENTRY, app->entry);
}

static void build_app_stack(struct uexec *u)
{
    struct stack_plan plan = {
        .top = u->stack.hi, .gap = random_below(u, STACK_RANDOM), .execfn = u->l->program, .platform = "x86_64",
        .argv = u->argv, .envp = u->l->envp,
    };
    memcpy(plan.auxv, u->auxv, sizeof plan.auxv);
    if (!stack_build(&plan, &u->app_stack))
        fail(STATUS_FAILED, "out of memory");
}

/* Returns the stack pointer for the tool. */
static uint64_t build_tool_stack(struct uexec *u)
{
    struct stack_plan plan = {0};
    struct stack_image image;
    memcpy(plan.auxv, u->auxv, sizeof plan.auxv);
    launch_plan_stack(u->l, &u->at, &plan);
    if (!stack_build(&plan, &image))
        fail(STATUS_FAILED, "out of memory");
    memcpy((void *)image.sp, image.bytes, image.size);
    return image.sp;
}

static void write_handoff(struct uexec *u)
{
    struct handoff *h = &u->l->handoff;
    struct stack_plan app = {0};
    char link[64];
    memcpy(app.auxv, u->auxv, sizeof app.auxv);
    launch_fill_handoff(u->l, &u->at, &app);
    h->mode = HANDOFF_EXEC;
    h->regs = (struct handoff_regs){
        .rip = u->app.interp[0] ? u->interp.entry : u->app.entry, .rsp = u->app_stack.sp, .eflags = 0x200, .cs = 0x33,
        .ss = 0x2b,
    };
    snprintf(link, sizeof link, "/proc/self/fd/%d", u->app.fd);
    ssize_t n = readlink(link, h->program, sizeof h->program - 1);
    h->program[n > 0 ? n : 0] = 0;
    memcpy((void *)u->at.handoff, h, sizeof *h);
}

static uint64_t choose_brk(struct uexec *u)
{
    uint64_t brk = u->app.header.e_type == ET_DYN && !u->app.interp[0] ? PIE_BASE + PAGE_SIZE : u->app.brk;
    return ROUND_UP(brk, PAGE_SIZE) + random_below(u, BRK_RANDOM_PAGES) * PAGE_SIZE;
}

/* What /proc/self and brk() know about the program. Kernels may lack the call: the program runs all the same. */
static void step_set_mm(struct uexec *u, struct steps *s)
{
    const struct elf *a = &u->app;
    const struct stack_image *st = &u->app_stack;
    uint64_t brk = choose_brk(u);
    struct prctl_mm_map map = {
        .start_code = a->start_code, .end_code = a->end_code, .start_data = a->start_data, .end_data = a->end_data,
        .start_brk = brk, .brk = brk, .start_stack = st->sp, .arg_start = st->arg_start, .arg_end = st->arg_end,
        .env_start = st->env_start, .env_end = st->env_end, .auxv = (void *)st->auxv,
        .auxv_size = (uint32_t)st->auxv_size, .exe_fd = ~0u,
    };
    _Static_assert(sizeof map <= sizeof s->data, "the steps' page has room for it");
    memcpy(s->data, &map, sizeof map);
    STEPS_CALL(s, SYS_prctl, STEP_ANY, PR_SET_MM, PR_SET_MM_MAP, u->at.steps + offsetof(struct steps, data),
               sizeof map);
}

/* The kernel's per-thread registrations of the launcher's libc point into memory that is about to go. */
static void step_forget_libc(struct steps *s)
{
    extern const ptrdiff_t __rseq_offset __attribute__((weak));          /* not every libc has registered itself */
    enum { RSEQ_SIZE = 32, RSEQ_UNREGISTER = 1, RSEQ_SIGNATURE = 0x53053053, SET_FS = 0x1002 };
    uint64_t fs;
    __asm__("mov %%fs:0, %0" : "=r"(fs));
    if (&__rseq_offset)
        STEPS_CALL(s, SYS_rseq, STEP_ANY, fs + (uint64_t)__rseq_offset, RSEQ_SIZE, RSEQ_UNREGISTER, RSEQ_SIGNATURE);
    STEPS_CALL(s, SYS_set_robust_list, STEP_ANY, 0, 24);
    STEPS_CALL(s, SYS_set_tid_address, STEP_ANY, 0);
    STEPS_CALL(s, SYS_arch_prctl, STEP_ANY, SET_FS, 0);
}

static void step_replace_stack(struct uexec *u, struct steps *s)
{
    const struct stack_image *st = &u->app_stack;
    uint64_t whole = ROUND_DOWN(st->sp, PAGE_SIZE);
    STEPS_CALL(s, SYS_madvise, STEP_ANY, u->stack.lo, whole - u->stack.lo, MADV_DONTNEED);
    STEPS_ZERO(s, whole, st->sp - whole);
    STEPS_COPY(s, st->sp, (uint64_t)st->bytes, st->size);
    if (u->app.has_exec_stack)
        STEPS_CALL(s, SYS_mprotect, STEP_ANY, u->stack.lo, u->stack.hi - u->stack.lo,
                   PROT_READ | PROT_WRITE | PROT_EXEC);
}

static void step_unmap_launcher(struct uexec *u, struct steps *s)
{
    extern const char __executable_start[], _end[];
    uint64_t lo = ROUND_DOWN((uint64_t)__executable_start, PAGE_SIZE), hi = ROUND_UP((uint64_t)_end, PAGE_SIZE);
    STEPS_CALL(s, SYS_munmap, STEP_ANY, lo, hi - lo);
    if (u->heap.hi)
        STEPS_CALL(s, SYS_munmap, STEP_ANY, u->heap.lo, (uint64_t)sbrk(0) - u->heap.lo);
}

static void go(struct uexec *u) NORETURN;
static void go(struct uexec *u)
{
    struct steps *s = (void *)u->at.steps;
    uint64_t stack = build_tool_stack(u);
    write_handoff(u);
    close(u->app.fd);
    step_forget_libc(s);
    step_replace_stack(u, s);
    step_unmap_launcher(u, s);
    step_set_mm(u, s);
    launch_map_tool(u->l, &u->at, s);
    steps_finish(s, u->at.image + u->l->tool.header.e_entry, stack);
    __asm__ volatile("jmp *%0" : : "r"(s->code), "b"(s->list) : "memory");
    __builtin_unreachable();
}

static void reserve(struct uexec *u)
{
    launch_place(u->l, &u->at);
    size_t size = u->at.image - u->at.base;
    void *got = mmap((void *)u->at.base, size, PROT_READ | PROT_WRITE | PROT_EXEC,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
    if (got != (void *)u->at.base)
        fail(STATUS_FAILED, "cannot map the tool: %s", strerror(errno));
}

void launch_by_exec(struct launch *l)
{
    static struct uexec u;
    const char *slash = strrchr(l->program, '/');
    u.l = l;
    u.path = l->program;
    u.argv = l->argv;
    u.is_random = !(personality(0xffffffff) & ADDR_NO_RANDOMIZE);
    script_resolve(&u.path, &u.argv);
    elf_open(&u.app, u.path);
    read_own_maps(&u);
    read_own_auxv(&u);
    reserve(&u);
    prctl(PR_SET_NAME, slash ? slash + 1 : l->program, 0, 0, 0);
    map_program(&u);
    build_app_stack(&u);
    go(&u);
}
