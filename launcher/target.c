/* target.c: what a running process is, and why it cannot be attached to. */
#include "launcher/attach.h"
#include "launcher/say.h"
#include "launcher/stack.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/kcmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

/* The text of /proc/PID/NAME; empty: there is none. */
static const char *proc_text(pid_t pid, const char *name)
{
    static char text[8192];
    char path[96];
    snprintf(path, sizeof path, "/proc/%d/%s", pid, name);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t n = fd < 0 ? 0 : read(fd, text, sizeof text - 1);
    if (fd >= 0)
        close(fd);
    text[n > 0 ? n : 0] = 0;
    return text;
}

/* A line `key:\tvalue` of /proc/PID/status; NULL: none. */
static const char *status_line(pid_t pid, const char *name, const char *key)
{
    const char *p = proc_text(pid, name);
    size_t n = strlen(key);
    while (p && *p && !(!strncmp(p, key, n) && p[n] == ':'))
        p = strchr(p, '\n') ? strchr(p, '\n') + 1 : NULL;
    return p && *p ? p + n + 1 : NULL;
}

static long status_number(pid_t pid, const char *key)
{
    const char *v = status_line(pid, "status", key);
    return v ? strtol(v, NULL, 10) : -1;
}

/* The innermost of its ids: what the thread itself is told. */
static pid_t innermost(const char *ids)
{
    long id = 0;
    for (char *end; ids && *ids && *ids != '\n'; ids = end) {
        long v = strtol(ids, &end, 10);
        if (end == ids)
            break;
        id = v;
    }
    return (pid_t)id;
}

static bool is_in_our_namespace(pid_t pid)
{
    static pid_t asked, same;
    if (asked != pid) {
        const char *ids = status_line(pid, "status", "NSpid");
        asked = pid;
        same = innermost(ids) == pid;
    }
    return same;
}

pid_t local_tid(pid_t pid, pid_t tid)
{
    char name[64];
    if (is_in_our_namespace(pid))
        return tid;
    snprintf(name, sizeof name, "task/%d/status", tid);
    pid_t inner = innermost(status_line(pid, name, "NSpid"));
    return inner ? inner : tid;
}

pid_t remote_tid(pid_t pid, pid_t inner)
{
    char path[64];
    pid_t found = 0;
    if (is_in_our_namespace(pid))
        return inner;
    snprintf(path, sizeof path, "/proc/%d/task", pid);
    DIR *d = opendir(path);
    for (struct dirent *e; d && !found && (e = readdir(d));) {
        pid_t tid = (pid_t)atoi(e->d_name);
        if (tid && local_tid(pid, tid) == inner)
            found = tid;
    }
    if (d)
        closedir(d);
    return found;
}

bool target_read_auxv(pid_t pid, Elf64_auxv_t *auxv, size_t room)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/auxv", remote_face(pid));
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t n = fd < 0 ? -1 : read(fd, auxv, room - sizeof *auxv);
    if (fd >= 0)
        close(fd);
    return n >= (ssize_t)sizeof *auxv;
}

/* Anything of it in the private range? */
bool target_is_under_cotter(pid_t pid)
{
    char path[64], line[4600];
    bool found = false;
    snprintf(path, sizeof path, "/proc/%d/maps", remote_face(pid));
    FILE *f = fopen(path, "re");
    while (f && !found && fgets(line, sizeof line, f)) {
        unsigned long long lo = strtoull(line, NULL, 16);
        found = lo >= PRIV_LO && lo < PRIV_HI;
    }
    if (f)
        fclose(f);
    return found;
}

static bool is_kernel_thread(pid_t pid)
{
    enum { FLAGS_FIELD = 9, PF_KTHREAD = 0x200000 };
    const char *p = strrchr(proc_text(pid, "stat"), ')');
    for (int field = 2; p && field < FLAGS_FIELD; field++)
        p = strchr(p + 1, ' ');
    return p && strtoul(p + 1, NULL, 10) & PF_KTHREAD;
}

bool target_is_stopped(pid_t pid)
{
    const char *state = status_line(pid, "status", "State");
    return state && state[strspn(state, " \t")] == 'T';
}

static void check_kind(pid_t pid)
{
    if (kill(pid, 0) && errno == ESRCH)
        fail(STATUS_FAILED, "cannot attach to %d: there is no such process", pid);
    if (pid == getpid() || pid == getppid())
        fail(STATUS_FAILED, "cannot attach to %d: it is this command itself", pid);
    long group = status_number(pid, "Tgid");
    if (group < 0)
        fail(STATUS_FAILED, "cannot attach to %d: /proc/%d/status cannot be read (is /proc mounted, with hidepid=0?)", pid, pid);
    if (group != pid)
        fail(STATUS_FAILED, "cannot attach to %d: it is a thread of process %ld; attach to that one", pid, group);
    const char *state = status_line(pid, "status", "State");
    if (state && state[strspn(state, " \t")] == 'Z' && remote_face(pid) == pid)
        fail(STATUS_FAILED, "cannot attach to %d: it has ended already (zombie); its parent %ld has not waited for it", pid,
             status_number(pid, "PPid"));
    if (is_kernel_thread(pid))
        fail(STATUS_FAILED, "cannot attach to %d: it is a kernel thread, not a program", pid);
    long tracer = status_number(pid, "TracerPid");
    if (tracer > 0)
        fail(STATUS_FAILED, "cannot attach to %d: process %ld traces it already (a debugger, strace, or another cotter); end that first",
             pid, tracer);
}

/* The program's own file, whatever name it has in its own world. */
static void check_program(pid_t pid)
{
    char path[64];
    Elf64_Ehdr e;
    snprintf(path, sizeof path, "/proc/%d/exe", remote_face(pid));
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        target_explain_refusal(pid, errno);
    ssize_t n = read(fd, &e, sizeof e);
    close(fd);
    if (n != sizeof e || memcmp(e.e_ident, ELFMAG, SELFMAG))
        fail(STATUS_FAILED, "cannot attach to %d: its program cannot be read", pid);
    if (e.e_machine != EM_X86_64 || e.e_ident[EI_CLASS] != ELFCLASS64)
        fail(STATUS_FAILED, "cannot attach to %d: it is not a 64-bit x86 program, which this build does not support", pid);
}

static int read_yama(void)
{
    int n = 0;
    FILE *f = fopen("/proc/sys/kernel/yama/ptrace_scope", "re");
    if (f && fscanf(f, "%d", &n) != 1)
        n = 0;
    if (f)
        fclose(f);
    return n;
}

static bool ids_differ(pid_t pid, const char *key)
{
    const char *v = status_line(pid, "status", key);
    long id[4] = {0};
    return v && sscanf(v, "%ld %ld %ld %ld", &id[0], &id[1], &id[2], &id[3]) == 4 && (id[0] != id[1] || id[1] != id[2]);
}

void target_explain_refusal(pid_t pid, int error)
{
    if (error == ENOENT || error == ESRCH)
        fail(STATUS_FAILED, "cannot attach to %d: it has ended meanwhile", pid);
    if (error != EPERM && error != EACCES)
        fail(STATUS_FAILED, "cannot attach to %d: %s", pid, strerror(error));
    long owner = status_number(pid, "Uid"), tracer = status_number(pid, "TracerPid");
    int yama = read_yama();
    if (tracer > 0)
        fail(STATUS_FAILED, "cannot attach to %d: process %ld traces it already; end that first", pid, tracer);
    if (yama == 3)
        fail(STATUS_FAILED, "cannot attach to %d: kernel.yama.ptrace_scope is 3, which forbids it until the next boot", pid);
    if (geteuid() != 0 && owner != (long)geteuid())
        fail(STATUS_FAILED, "cannot attach to %d: it belongs to user %ld; run cotter as that user or as root", pid, owner);
    if (ids_differ(pid, "Uid") || ids_differ(pid, "Gid"))
        fail(STATUS_FAILED, "cannot attach to %d: it is setuid or setgid, so only root (CAP_SYS_PTRACE) may", pid);
    if (yama == 2)
        fail(STATUS_FAILED, "cannot attach to %d: kernel.yama.ptrace_scope is 2: run cotter as root, or sysctl kernel.yama.ptrace_scope=0", pid);
    if (yama == 1 && geteuid() != 0)
        fail(STATUS_FAILED, "cannot attach to %d: kernel.yama.ptrace_scope is 1, which allows children only: "
             "sysctl kernel.yama.ptrace_scope=0, or run cotter as root", pid);
    fail(STATUS_FAILED, "cannot attach to %d: permission denied: it has capabilities that this command lacks, or has made itself "
         "not dumpable, or a container forbids ptrace; run cotter as root with CAP_SYS_PTRACE", pid);
}

/* The process writes the report, as the user that it is; who attaches to another user's process makes the file and gives it
 * to that user. */
static void make_file(const char *path, pid_t pid)
{
    uid_t uid = (uid_t)status_number(pid, "Uid");
    gid_t gid = (gid_t)status_number(pid, "Gid");
    if (!path[0] || strchr(path, '%') || uid == geteuid())
        return;
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
    if (fd < 0)
        fail(STATUS_FAILED, "cannot write %s: %s", path, strerror(errno));
    if (fchown(fd, uid, gid))
        fail(STATUS_FAILED, "cannot give %s to user %u, who is to write it: %s", path, uid, strerror(errno));
    close(fd);
}

/* A vfork child lives in its parent's memory until it executes a program. */
static void wait_for_exec(pid_t pid)
{
    enum { ROUNDS = 300, NAP_US = 10000 };
    pid_t parent = (pid_t)status_number(pid, "PPid");
    for (int i = 0; parent > 0 && syscall(SYS_kcmp, pid, parent, KCMP_VM, 0, 0) == 0; i++, nap_us(NAP_US))
        if (i == ROUNDS)
            fail(STATUS_FAILED, "cannot attach to %d: it shares the memory of its parent %d (vfork), and does not execute a program; "
                 "attach to the parent", pid, parent);
}

void target_examine(struct launch *l, struct tracees *s)
{
    pid_t pid = s->pid = l->options->pid;
    struct handoff *h = &l->handoff;
    char path[64];
    check_kind(pid);
    wait_for_exec(pid);
    check_program(pid);
    if (target_is_under_cotter(pid))
        fail(STATUS_FAILED, "cannot attach to %d: it is under Cotter already; cotter detach %d ends that", pid, pid);
    snprintf(path, sizeof path, "/proc/%d/exe", remote_face(pid));
    ssize_t n = readlink(path, h->program, OPT_PATH_MAX - 1);
    h->program[n > 0 ? n : 0] = 0;
    make_file(h->opt.out_file, pid);
    make_file(h->opt.stats_file, pid);
    make_file(h->opt.log_file, pid);
}
