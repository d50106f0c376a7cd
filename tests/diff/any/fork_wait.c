/* fork and wait: copies of memory, order of output, exit statuses, a tree of processes.
 * test-follow: yes */
#include "t.h"

static int tree(int depth)
{
    int total = 1;
    if (depth == 0)
        return 1;
    for (int i = 0; i < 2; i++) {
        pid_t pid = fork();
        if (pid == 0)
            _exit(tree(depth - 1));
        int status;
        CHECK(waitpid(pid, &status, 0) == pid && WIFEXITED(status));
        total += WEXITSTATUS(status);
    }
    return total;
}

int main(void)
{
    int value = 1;
    pid_t pid = fork();
    if (pid == 0) {
        value = 2;
        t_say("child %d ppid right %d\n", value, getppid() != 1);
        _exit(33);
    }
    t_wait("child", pid);
    printf("parent %d tree %d\n", value, tree(5));
    printf("no child %d %d\n", wait(NULL), errno);
    return DONE();
}
