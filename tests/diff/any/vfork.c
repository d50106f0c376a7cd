/* vfork: the child runs on the parent's memory, leaves by _exit or exec, and the parent goes on with its stack intact.
 * test-follow: yes
 * test-schemes: exec */
#include "t.h"

int main(void)
{
    volatile int shared = 1;
    for (int i = 0; i < 10; i++) {
        pid_t pid = vfork();
        if (pid == 0) {
            shared += i;
            _exit(i);
        }
        t_wait("vfork _exit", pid);
    }
    printf("shared %d\n", shared);
    fflush(stdout);
    for (int i = 0; i < 3; i++) {
        pid_t pid = vfork();
        if (pid == 0) {
            execl("/bin/echo", "echo", "from", "exec", NULL);
            _exit(127);
        }
        t_wait("vfork exec", pid);
        pid = vfork();
        if (pid == 0) {
            execl("/nonexistent", "x", NULL);
            shared = errno;
            _exit(126);
        }
        t_wait("vfork failed exec", pid);
        printf("errno %d\n", shared);
        fflush(stdout);
    }
    return DONE();
}
