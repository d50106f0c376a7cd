/* Default action of a jump to an unmapped address (SIGSEGV): the program dies by the same signal as natively.
 * test-ends: killed by SIGSEGV */
#include "t.h"

int main(void)
{
    printf("before\n");
    fflush(stdout);
    ((void (*)(void))0x1234560)();
    printf("not reached\n");
    return DONE();
}
