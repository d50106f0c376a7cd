/* Default action of kill(getpid(), SIGKILL): the program dies by the same signal as natively.
 * test-ends: killed by SIGKILL */
#include "t.h"

int main(void)
{
    printf("before\n");
    fflush(stdout);
    kill(getpid(), SIGKILL);
    printf("not reached\n");
    return DONE();
}
