/* kernel_side.c PID: what the kernel has on record about a process and each of its threads, as text. The threads go on. */
#define _GNU_SOURCE
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

static void show_lines(const char *path, const char *keys[])
{
    char line[512];
    FILE *f = fopen(path, "r");
    while (f && fgets(line, sizeof line, f))
        for (int i = 0; keys[i]; i++)
            if (!strncmp(line, keys[i], strlen(keys[i])))
                printf("  %s", line);
    if (f)
        fclose(f);
}

static void show_file(const char *path)
{
    char line[512];
    FILE *f = fopen(path, "r");
    while (f && fgets(line, sizeof line, f))
        printf("  %s", line);
    if (f)
        fclose(f);
}

static void show_descriptors(const char *pid)
{
    char path[64], link[300], to[256];
    snprintf(path, sizeof path, "/proc/%s/fd", pid);
    for (int fd = 0; fd < 1024; fd++) {
        snprintf(link, sizeof link, "%s/%d", path, fd);
        ssize_t n = readlink(link, to, sizeof to - 1);
        if (n > 0)
            printf("  fd %d %.*s\n", fd, (int)n, to);
    }
}

static void show_thread(const char *pid, pid_t tid)
{
    char path[64];
    unsigned long head = 0, size = 0;
    struct __ptrace_rseq_configuration rseq = {0};
    struct user_regs_struct regs = {0};
    int status;
    printf("thread %d\n", tid);
    syscall(SYS_get_robust_list, tid, &head, &size);
    if (ptrace(PTRACE_SEIZE, tid, 0, 0) || ptrace(PTRACE_INTERRUPT, tid, 0, 0) || waitpid(tid, &status, __WALL) != tid)
        exit(1);
    ptrace(PTRACE_GET_RSEQ_CONFIGURATION, tid, sizeof rseq, &rseq);
    ptrace(PTRACE_GETREGS, tid, 0, &regs);
    ptrace(PTRACE_DETACH, tid, 0, 0);
    printf("  robust %lx %lu rseq %llx %u %x %u fs %llx gs %llx segments %llx %llx\n", head, size, (unsigned long long)rseq.rseq_abi_pointer,
           rseq.rseq_abi_size, rseq.signature, rseq.flags, regs.fs_base, regs.gs_base, regs.cs, regs.ss);
    snprintf(path, sizeof path, "/proc/%s/task/%d/status", pid, tid);
    show_lines(path, (const char *[]){"Name", "SigBlk", "SigIgn", "SigCgt", "Seccomp", "NoNewPrivs", "TracerPid", NULL});
}

int main(int argc, char **argv)
{
    char path[64];
    struct dirent **list;
    snprintf(path, sizeof path, "/proc/%s/task", argv[1]);
    int n = scandir(path, &list, NULL, alphasort);
    for (int i = 0; i < n; i++)
        if (atoi(list[i]->d_name))
            show_thread(argv[1], atoi(list[i]->d_name));
    for (int i = 0; i < 3; i++) {
        snprintf(path, sizeof path, "/proc/%s/%s", argv[1], (const char *[]){"timers", "maps", "limits"}[i]);
        show_file(path);
    }
    show_descriptors(argv[1]);
    puts("that is all");
    return 0;
}
