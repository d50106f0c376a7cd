/* Exit statuses 0 to 255 of children, by exit, _exit and return from main, and what is left of larger numbers.
 * test-follow: yes */
#include "t.h"

int main(int argc, char **argv)
{
    for (int i = 0; i < 256; i += 1) {
        pid_t pid = fork();
        if (pid == 0) {
            if (i % 3 == 0)
                exit(i);
            if (i % 3 == 1)
                _exit(i);
            syscall(SYS_exit, i);
        }
        int status;
        CHECK(waitpid(pid, &status, 0) == pid);
        if (!WIFEXITED(status) || WEXITSTATUS(status) != i)
            printf("%d: %#x\n", i, status);
    }
    pid_t pid = fork();
    if (pid == 0)
        _exit(0x1234);
    t_wait("large", pid);
    return DONE();
}
