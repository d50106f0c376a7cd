/* What a program can learn of itself under /proc: exe, cmdline, comm, environ, cwd, open descriptors, status lines.
 * test-args: a b c
 * test-schemes: exec */
#include "t.h"
#include <dirent.h>

static void show_file(const char *path)
{
    char buf[4096];
    int fd = open(path, O_RDONLY);
    ssize_t n = read(fd, buf, sizeof buf);
    close(fd);
    printf("%s %zd %016llx\n", path, n, (unsigned long long)t_hash(T_HASH0, buf, (size_t)n));
}

int main(int argc, char **argv)
{
    static const char *const links[] = {"/proc/self/exe", "/proc/self/cwd", "/proc/self/root", "/proc/thread-self/exe"};
    char buf[4096];
    for (int i = 0; i < 4; i++) {
        ssize_t n = readlink(links[i], buf, sizeof buf);
        printf("%s -> %.*s\n", links[i], (int)n, buf);
    }
    sprintf(buf, "/proc/%d/exe", getpid());
    ssize_t n = readlink(buf, buf, sizeof buf);
    printf("by pid -> %.*s same %d\n", (int)n, buf, access(argv[0], X_OK));
    show_file("/proc/self/cmdline");
    show_file("/proc/self/environ");
    show_file("/proc/self/comm");
    DIR *d = opendir("/proc/self/fd");
    int seen[64] = {0};
    for (struct dirent *e; (e = readdir(d));)
        if (e->d_name[0] != '.' && atoi(e->d_name) < 64)
            seen[atoi(e->d_name)] = 1;
    for (int i = 0; i < 64; i++)
        if (seen[i])
            printf("fd %d\n", i);
    closedir(d);
    FILE *f = fopen("/proc/self/status", "r");
    while (fgets(buf, sizeof buf, f))
        if (!strncmp(buf, "Name", 4) || !strncmp(buf, "Sig", 3) || !strncmp(buf, "Threads", 7) ||
            !strncmp(buf, "TracerPid", 9) ||
            !strncmp(buf, "Seccomp:", 8) || !strncmp(buf, "NoNewPrivs", 10))
            if (strncmp(buf, "SigQ", 4) && strncmp(buf, "SigCgt", 6))
                printf("%s", buf);
    fclose(f);
    return DONE();
}
