/* A chain of execs keeps the pid, descriptors without close-on-exec, the environment and the working folder.
 * test-follow: yes
 * test-schemes: exec */
#include "t.h"

int main(int argc, char **argv)
{
    char pid[20], next[20];
    int left = argc > 1 ? atoi(argv[1]) : 5;
    if (argc > 2)
        CHECK(atoi(argv[2]) == getpid());
    printf("left %d VALUE=%s fd9 %d fd10 %d\n", left, getenv("VALUE") ?: "unset", fcntl(9, F_GETFD),
           fcntl(10, F_GETFD));
    fflush(stdout);
    if (left == 0)
        return DONE();
    dup2(1, 9);
    dup3(1, 10, O_CLOEXEC);
    sprintf(pid, "%d", getpid()), sprintf(next, "%d", left - 1);
    setenv("VALUE", next, 1);
    execv("/proc/self/exe", (char *[]){argv[0], next, pid, NULL});
    CHECK(0);
}
