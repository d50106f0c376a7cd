/* Default action of alarm(1) in a loop without calls (SIGALRM): the program dies by the same signal as natively.
 * test-ends: killed by SIGALRM */
#include "t.h"

int main(void)
{
    printf("before\n");
    fflush(stdout);
    alarm(1);
    for (;;)
        __asm__ volatile("");
    printf("not reached\n");
    return DONE();
}
