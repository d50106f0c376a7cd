/* doctor.c: what on this machine stands in the way, and the cure. Ends with a real start in each of the two ways. */
#include "launcher/help.h"
#include "launcher/tool.h"
#include "loader/handoff.h"
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <unistd.h>

static int n_failed;

static void report(bool is_good, const char *what, const char *cure)
{
    printf("%-5s %s\n", is_good ? "ok" : "FAIL", what);
    if (!is_good)
        printf("      cure: %s\n", cure);
    n_failed += !is_good;
}

static int read_number(const char *path, int otherwise)
{
    FILE *f = fopen(path, "re");
    int n = otherwise;
    if (f && fscanf(f, "%d", &n) != 1)
        n = otherwise;
    if (f)
        fclose(f);
    return n;
}

static void check_kernel(void)
{
    struct utsname u;
    char line[256];
    int major = 0, minor = 0;
    uname(&u);
    sscanf(u.release, "%d.%d", &major, &minor);
    snprintf(line, sizeof line, "kernel %s", u.release);
    report(major > 5 || (major == 5 && minor >= 9), line, "use Linux 5.9 or newer (FSGSBASE, close_range)");
}

static void check_cpu(void)
{
    enum { FSGSBASE_BIT = 1 << 1 };
    report(getauxval(AT_HWCAP2) & FSGSBASE_BIT, "the CPU's FSGSBASE instructions are enabled",
           "a CPU not older than Ivy Bridge or Excavator; no 'nofsgsbase' on the kernel's command line; in a virtual "
           "machine, let the guest see fsgsbase");
}

static void check_proc(void)
{
    report(!access("/proc/self/maps", R_OK), "/proc is mounted", "mount -t proc proc /proc");
}

static bool can_map(uint64_t at, uint64_t size, int prot)
{
    void *p = mmap((void *)at, size, prot, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
    if (p != MAP_FAILED)
        munmap(p, size);
    return p == (void *)at;
}

static void check_memory(void)
{
    static const struct { uint64_t at, size; } parts[] = {
        {PRIV_LO, PRIV_CACHE_END - PRIV_LO}, {PRIV_HEAP, 1 << 30}, {PRIV_BRK, 1 << 30}, {PRIV_MMAP, 1 << 30},
    };
    bool is_free = true;
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
        is_free = is_free && can_map(parts[i].at, parts[i].size, PROT_READ | PROT_WRITE);
    struct rlimit as;
    getrlimit(RLIMIT_AS, &as);
    report(is_free, "the private address range is free",
           as.rlim_cur != RLIM_INFINITY ? "ulimit -v unlimited"
           : read_number("/proc/sys/vm/overcommit_memory", 0) == 2 ? "sysctl vm.overcommit_memory=0" : "report it");
    report(can_map(PRIV_CACHE, 1 << 20, PROT_READ | PROT_WRITE | PROT_EXEC), "memory may be writable and executable",
           "SELinux: setsebool -P deny_execmem off; a service: MemoryDenyWriteExecute=no");
}

static void check_files(void)
{
    struct rlimit n;
    getrlimit(RLIMIT_NOFILE, &n);
    report(n.rlim_cur >= 64, "enough file descriptors", "ulimit -n 1024");
}

/* -1: it could not be started at all. */
static int run_true(const char *way)
{
    char *argv[] = {"cotter", "-q", (char *)way, "--", "/bin/true", NULL};
    posix_spawn_file_actions_t quiet;
    pid_t pid;
    int status;
    posix_spawn_file_actions_init(&quiet);
    posix_spawn_file_actions_addopen(&quiet, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    if (posix_spawn(&pid, tool_launcher(), &quiet, NULL, argv, environ) || waitpid(pid, &status, 0) != pid)
        return -1;
    return status;
}

static const char *ptrace_cure(void)
{
    int yama = read_number("/proc/sys/kernel/yama/ptrace_scope", 0);
    if (yama == 3)
        return "kernel.yama.ptrace_scope is 3: reboot with another value; until then the user-space exec is used";
    if (yama == 2)
        return "sysctl kernel.yama.ptrace_scope=1; until then the user-space exec is used";
    return "allow ptrace: docker run --cap-add=SYS_PTRACE (or --security-opt seccomp=unconfined), or do not run under "
           "strace or gdb; until then the user-space exec is used";
}

static void check_starts(void)
{
    report(run_true("--inject=ptrace") == 0, "a program starts by ptrace", ptrace_cure());
    report(run_true("--inject=exec") == 0, "a program starts by user-space exec",
           "see what cotter --inject=exec -- /bin/true says; ptrace is used by default");
}

int doctor(void)
{
    check_kernel();
    check_cpu();
    check_proc();
    check_memory();
    check_files();
    check_starts();
    puts(n_failed ? "something stands in the way" : "all is well");
    return n_failed ? 1 : 0;
}
