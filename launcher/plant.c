/* plant.c: put the ELF, its stack and the handoff record into a program that stands at its first instruction.
 *
 * Nothing of the program changes: it finds its registers, its memory, its descriptors and its signal state as the
 * kernel made them. One system call is made for it from outside, to get a first piece of memory; the rest the target
 * does by itself, following a list of steps. The tool's descriptor was inherited through the exec; a step closes it. */
#include "launcher/launch.h"
#include "launcher/remote.h"
#include "launcher/say.h"
#include "launcher/stack.h"
#include "launcher/steps.h"
#include "base/types.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

struct planting {
    struct launch *l;
    struct remote target;
    struct placement at;
    struct stack_plan plan;
};

static void give_up(struct planting *g, const char *what, long raw) NORETURN;
static void give_up(struct planting *g, const char *what, long raw)
{
    int error = raw < 0 ? (int)-raw : errno;
    if (error != ESRCH)         /* somebody killed it meanwhile: then it is not our failure */
        say("cannot start %s: %s: %s", g->l->program, what, strerror(error));
    remote_end(&g->target, STATUS_FAILED);
    _exit(1);
}

static void read_auxv(struct planting *g)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/auxv", g->l->name_in_proc);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t n = fd < 0 ? -1 : read(fd, g->plan.auxv, sizeof g->plan.auxv - sizeof g->plan.auxv[0]);
    if (n < (ssize_t)sizeof g->plan.auxv[0])
        give_up(g, "cannot read its auxiliary vector", 0);
    close(fd);
}

static void read_exe(struct planting *g)
{
    char path[64], *to = g->l->handoff.program;
    snprintf(path, sizeof path, "/proc/%d/exe", g->l->name_in_proc);
    ssize_t n = readlink(path, to, OPT_PATH_MAX - 1);
    to[n > 0 ? n : 0] = 0;
}

/* The whole of it is executable until the steps have run: the target has no other place for them yet. */
static void reserve(struct planting *g)
{
    long raw = REMOTE_CALL(&g->target, SYS_mmap, g->at.base, g->at.image - g->at.base,
                           PROT_READ | PROT_WRITE | PROT_EXEC,
                           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, ~0ull, 0);
    if (raw != (long)g->at.base)
        give_up(g, "cannot map the tool", raw < 0 ? raw : -EEXIST);
}

static void put(struct planting *g, uint64_t to, const void *from, size_t size)
{
    if (!remote_write(&g->target, to, from, size))
        give_up(g, "cannot write into it", 0);
}

static uint64_t put_stack(struct planting *g)
{
    struct stack_image image;
    launch_plan_stack(g->l, &g->at, &g->plan);
    if (!stack_build(&g->plan, &image))
        give_up(g, "out of memory", 0);
    put(g, image.sp, image.bytes, image.size);
    return image.sp;
}

static void put_handoff(struct planting *g)
{
    struct handoff *h = &g->l->handoff;
    h->mode = HANDOFF_LAUNCH;
    h->regs = g->target.regs;
    launch_fill_handoff(g->l, &g->at, &g->plan);
    read_exe(g);
    put(g, g->at.handoff, h, sizeof *h);
}

static void put_steps(struct planting *g, uint64_t stack)
{
    static struct steps steps;
    launch_map_tool(g->l, &g->at, &steps);
    steps_finish(&steps, g->at.image + g->l->tool.header.e_entry, stack);
    put(g, g->at.steps, &steps, sizeof steps);
}

void plant(struct launch *l, int pid)
{
    static struct planting g;
    g.l = l;
    g.target.pid = pid;
    read_auxv(&g);
    if (!remote_begin(&g.target, pid, auxv_get(g.plan.auxv, AT_SYSINFO_EHDR)))
        give_up(&g, "cannot make it do system calls", 0);
    launch_place(l, &g.at);
    reserve(&g);
    put_handoff(&g);
    put_steps(&g, put_stack(&g));
    struct handoff_regs regs = g.target.regs;
    regs.rip = g.at.steps + offsetof(struct steps, code);
    regs.rbx = g.at.steps + offsetof(struct steps, list);
    regs.orig_rax = ~0ull;
    /* The program must not find its pipes held open by a helper that has not quite ended yet. */
    close(STDERR_FILENO);
    if (!remote_release(&g.target, &regs))
        remote_end(&g.target, STATUS_FAILED);
}
