/* Default action of a breakpoint (SIGTRAP): the program dies by the same signal as natively.
 * test-ends: killed by SIGTRAP */
#include "t.h"

int main(void)
{
    printf("before\n");
    fflush(stdout);
    __asm__ volatile("int3");
    printf("not reached\n");
    return DONE();
}
