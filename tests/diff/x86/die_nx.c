/* Default action of a call of data that is not executable (SIGSEGV): the program dies by the same signal as natively.
 * test-ends: killed by SIGSEGV */
#include "t.h"

int main(void)
{
    printf("before\n");
    fflush(stdout);
    static u8 data[16] = {0xc3};
    ((void (*)(void))data)();
    printf("not reached\n");
    return DONE();
}
