/* Default action of a store to address zero (SIGSEGV): the program dies by the same signal as natively.
 * test-ends: killed by SIGSEGV */
#include "t.h"

int main(void)
{
    printf("before\n");
    fflush(stdout);
    *(volatile int *)0 = 1;
    printf("not reached\n");
    return DONE();
}
