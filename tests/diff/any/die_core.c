/* What a parent is told of a death by each signal, the core-dump bit included, with a core limit of zero and of more. */
#include "t.h"
#include <sys/resource.h>

int main(void)
{
    static const int list[] = {SIGABRT, SIGSEGV, SIGQUIT, SIGTERM, SIGILL, SIGTRAP, SIGSYS, SIGXCPU, SIGUSR1, SIGKILL};
    for (int limit = 0; limit < 2; limit++)
        for (unsigned i = 0; i < sizeof list / sizeof list[0]; i++) {
            struct rlimit r = {(rlim_t)limit << 20, (rlim_t)limit << 20};
            pid_t pid = fork();
            if (!pid) {
                if (!limit)
                    setrlimit(RLIMIT_CORE, &r);
                raise(list[i]);
                _exit(1);
            }
            int status;
            CHECK(waitpid(pid, &status, 0) == pid);
            printf("signal %d: %d, core %d\n", list[i], WTERMSIG(status), WCOREDUMP(status) != 0);
        }
    return DONE();
}
