/* Default action of a write into a closed pipe (SIGPIPE): the program dies by the same signal as natively.
 * test-ends: killed by SIGPIPE */
#include "t.h"

int main(void)
{
    printf("before\n");
    fflush(stdout);
    int fd[2];
    CHECK(pipe(fd) == 0);
    close(fd[0]);
    write(fd[1], "x", 1);
    printf("not reached\n");
    return DONE();
}
