/* Default action of a privileged instruction (SIGSEGV): the program dies by the same signal as natively.
 * test-ends: killed by SIGSEGV */
#include "t.h"

int main(void)
{
    printf("before\n");
    fflush(stdout);
    __asm__ volatile("hlt");
    printf("not reached\n");
    return DONE();
}
