/* Process 1 of a namespace: signals that are sent to it do nothing while their action is the default, its own faults kill it, and
 * the parent sees of what it died.
 * test-follow: yes */
#include "t.h"
#include <sched.h>
#include <sys/mman.h>

static void ignored_then(void (*end)(void))
{
    kill(getpid(), SIGTERM);
    raise(SIGSEGV);
    raise(SIGFPE);
    kill(getpid(), SIGKILL);
    printf("  process %d lives\n", (int)getpid());
    fflush(stdout);
    end();
    _exit(9);
}

static void null(void) { *(volatile int *)8 = 1; }
static void trap(void) { __builtin_trap(); }
static void leave(void) { _exit(21); }
static void file_end(void)
{
    FILE *f = tmpfile();
    char *p = mmap(NULL, 4096, PROT_READ, MAP_PRIVATE, fileno(f), 0);
    printf("%d\n", *(volatile char *)p);
}

int main(void)
{
    static const struct { const char *name; void (*end)(void); } way[] = {
        { "null", null }, { "trap", trap }, { "file_end", file_end }, { "leave", leave }, { "abort", abort } };
    for (unsigned i = 0; i < sizeof way / sizeof *way; i++) {
        printf("%s\n", way[i].name);
        fflush(stdout);
        pid_t pid = (pid_t)syscall(SYS_clone, (long)CLONE_NEWPID | SIGCHLD, 0l, 0l, 0l, 0l);
        if (pid < 0)
            return puts("no namespaces here"), DONE();
        if (pid == 0)
            ignored_then(way[i].end);
        t_wait(way[i].name, pid);
    }
    return DONE();
}
