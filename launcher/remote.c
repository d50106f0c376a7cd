/* remote.c: see remote.h. A remote call is one single step over a `syscall` instruction of the vdso. */
#include "launcher/remote.h"
#include "base/types.h"
#include <dirent.h>
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

static size_t vdso_size(const Elf64_Ehdr *e)
{
    const Elf64_Phdr *ph = (const void *)((const char *)e + e->e_phoff);
    for (int i = 0; i < e->e_phnum; i++) {
        if (ph[i].p_type == PT_LOAD)
            return ph[i].p_filesz;
    }
    return 0;
}

/* Every process has the same vdso, at its own address: search our own. */
static uint64_t find_syscall(uint64_t vdso)
{
    const unsigned char *own = (const void *)getauxval(AT_SYSINFO_EHDR);
    size_t size = own && vdso ? vdso_size((const void *)own) : 0;
    for (size_t i = 0; i + 1 < size; i++) {
        if (own[i] == 0x0f && own[i + 1] == 0x05)
            return vdso + i;
    }
    return 0;
}

int remote_find_syscall(struct remote *r, uint64_t vdso)
{
    r->syscall_at = find_syscall(vdso);
    return r->syscall_at || (errno = ENOSYS, 0);
}

static int block_signals(pid_t pid)
{
    uint64_t all = ~0ull;
    return !ptrace(PTRACE_SETSIGMASK, pid, sizeof all, &all);
}

static int look(struct remote *r, pid_t pid, uint64_t vdso)
{
    r->pid = pid;
    return !ptrace(PTRACE_GETREGS, pid, 0, &r->regs) && !ptrace(PTRACE_GETSIGMASK, pid, sizeof r->mask, &r->mask) &&
           remote_find_syscall(r, vdso);
}

int remote_begin(struct remote *r, pid_t pid, uint64_t vdso) { return look(r, pid, vdso) && block_signals(pid); }

int remote_begin_in(struct remote *r, pid_t tid, uint64_t vdso)
{
    r->by_stops = 1;
    r->vdso = vdso;
    return look(r, tid, vdso);
}

/* ---- the way home ---- */
static struct { uint64_t vdso, at; } slot;              /* one target, one launcher, one place */

void remote_lend(struct remote *r, const struct handoff_regs *base, uint64_t home_mask)
{
    r->base = *base;
    r->home = borrow_home_of(base, home_mask);
    r->is_lent = 1;
    if (slot.vdso != r->vdso) {
        slot.vdso = r->vdso;
        slot.at = borrow_find(r->pid, r->vdso);
    }
    if (slot.at && !borrow_put(r->pid, slot.at, &r->home))
        slot.at = 0;
}

int remote_send_home(struct remote *r)
{
    struct handoff_regs to = r->base;
    to.rip = borrow_way_home(slot.at);
    to.orig_rax = ~0ull;
    return !slot.at || !ptrace(PTRACE_SETREGS, r->pid, 0, &to);
}

void remote_wipe(pid_t tid)
{
    if (slot.at)
        borrow_wipe(tid, slot.at);
    slot.vdso = slot.at = 0;
}

enum { SYSCALL_STOP = SIGTRAP | 0x80 };

/* To the next stop at the border of a system call. A signal that cannot be blocked goes where it belongs. */
static int next_border(pid_t pid)
{
    for (long pass = 0;;) {
        int status;
        if (ptrace(PTRACE_SYSCALL, pid, 0, pass) || waitpid(pid, &status, __WALL) != pid || !WIFSTOPPED(status))
            return 0;
        if (status >> 8 == SYSCALL_STOP)
            return 1;
        pass = status >> 16 ? 0 : WSTOPSIG(status);
    }
}

/* A stop of the whole process (SIGSTOP) may come in between; it takes effect after the release. */
static int step(struct remote *r)
{
    pid_t pid = r->pid;
    if (r->by_stops)
        return next_border(pid) && next_border(pid);
    for (;;) {
        int status;
        if (ptrace(PTRACE_SINGLESTEP, pid, 0, 0) || waitpid(pid, &status, __WALL) != pid || !WIFSTOPPED(status))
            return 0;
        if (status >> 8 == SIGTRAP)
            return 1;
    }
}

static int step_over(struct remote *r, struct handoff_regs *regs)
{
    uint64_t behind = regs->rip + 2;
    return step(r) && !ptrace(PTRACE_GETREGS, r->pid, 0, regs) && regs->rip == behind;
}

/* Registers, then mask: who is on the way home sets the mask there. */
long remote_call(struct remote *r, long number, const uint64_t args[6])
{
    if (r->by_stops && !r->is_lent)
        remote_lend(r, &r->regs, r->mask);
    struct handoff_regs regs = r->by_stops ? r->base : r->regs;
    r->n_calls++;
    regs.rip = r->by_stops && slot.at ? borrow_entry(slot.at, number == SYS_clone) : r->syscall_at;
    regs.rax = (uint64_t)number;
    regs.orig_rax = ~0ull;
    regs.rdi = args[0];
    regs.rsi = args[1];
    regs.rdx = args[2];
    regs.r10 = args[3];
    regs.r8 = args[4];
    regs.r9 = args[5];
    if (ptrace(PTRACE_SETREGS, r->pid, 0, &regs) || (r->by_stops && !block_signals(r->pid)) || !step_over(r, &regs))
        return -ESRCH;
    return (long)regs.rax;
}

char remote_state(pid_t pid, pid_t tid)
{
    char path[64], line[512];
    snprintf(path, sizeof path, "/proc/%d/task/%d/stat", pid, tid);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t n = fd < 0 ? -1 : read(fd, line, sizeof line - 1);
    if (fd >= 0)
        close(fd);
    line[n > 0 ? n : 0] = 0;
    const char *p = strrchr(line, ')');
    return p && p[1] ? p[2] : 0;
}

int remote_is_alive(pid_t pid, pid_t tid)
{
    char state = remote_state(pid, tid);
    return state && state != 'Z' && state != 'X';           /* those have ended, but for their entry */
}

pid_t remote_face(pid_t pid)
{
    char path[64];
    pid_t face = pid;
    snprintf(path, sizeof path, "/proc/%d/task", pid);
    DIR *d = remote_is_alive(pid, pid) ? NULL : opendir(path);
    for (struct dirent *e; d && face == pid && (e = readdir(d));)
        if (atoi(e->d_name) && remote_is_alive(pid, atoi(e->d_name)))
            face = atoi(e->d_name);
    if (d)
        closedir(d);
    return face;
}

/* Some sandboxes allow ptrace but not process_vm_writev. */
static int write_through_proc(pid_t pid, uint64_t to, const void *from, size_t size)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/mem", pid);
    int fd = open(path, O_WRONLY | O_CLOEXEC);
    if (fd < 0)
        return 0;
    ssize_t n = pwrite(fd, from, size, (off_t)to);
    close(fd);
    return n == (ssize_t)size;
}

int remote_write(struct remote *r, uint64_t to, const void *from, size_t size)
{
    struct iovec here = {(void *)from, size}, there = {(void *)to, size};
    return process_vm_writev(r->pid, &here, 1, &there, 1, 0) == (ssize_t)size ||
           write_through_proc(remote_face(r->pid), to, from, size);
}

int remote_read(pid_t pid, uint64_t from, void *to, size_t size)
{
    struct iovec here = {to, size}, there = {(void *)from, size};
    return process_vm_readv(pid, &here, 1, &there, 1, 0) == (ssize_t)size ||
           (errno == ESRCH && process_vm_readv(remote_face(pid), &here, 1, &there, 1, 0) == (ssize_t)size);
}

/* After a remote call the thread is at the border of that call, and the kernel looks for a call to restart only when it has a
 * signal to deal with, or a stop. */
int remote_settle(struct remote *r, const struct handoff_regs *regs, uint64_t mask)
{
    if (ptrace(PTRACE_SETSIGMASK, r->pid, sizeof mask, &mask) || ptrace(PTRACE_SETREGS, r->pid, 0, regs))
        return 0;
    r->is_lent = 0;
    if (!r->by_stops || !r->n_calls)
        return 1;
    r->n_calls = 0;
    for (long pass = 0;;) {
        int status;
        ptrace(PTRACE_INTERRUPT, r->pid, 0, 0);         /* each stop takes the place of the one asked for */
        if (ptrace(PTRACE_CONT, r->pid, 0, pass) || waitpid(r->pid, &status, __WALL) != r->pid || !WIFSTOPPED(status))
            return 0;
        if (status >> 16 == PTRACE_EVENT_STOP)
            return 1;
        pass = status >> 16 ? 0 : WSTOPSIG(status);
    }
}

int remote_release(struct remote *r, const struct handoff_regs *regs)
{
    return remote_settle(r, regs, r->mask) && !ptrace(PTRACE_DETACH, r->pid, 0, 0);
}

void remote_end(struct remote *r, int status)
{
    struct handoff_regs regs = r->regs;
    regs.rip = r->syscall_at;
    regs.rax = SYS_exit_group;
    regs.orig_rax = ~0ull;
    regs.rdi = (uint64_t)status;
    if (!r->syscall_at || ptrace(PTRACE_SETREGS, r->pid, 0, &regs) || ptrace(PTRACE_DETACH, r->pid, 0, 0))
        kill(r->pid, SIGKILL);
}
