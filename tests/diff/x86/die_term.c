/* Default action of kill(getpid(), SIGTERM): the program dies by the same signal as natively.
 * test-ends: killed by SIGTERM */
#include "t.h"

int main(void)
{
    printf("before\n");
    fflush(stdout);
    kill(getpid(), SIGTERM);
    sleep(5);
    printf("not reached\n");
    return DONE();
}
