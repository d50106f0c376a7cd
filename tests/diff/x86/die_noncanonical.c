/* Default action of a load from a non-canonical address (SIGSEGV): the program dies by the same signal as natively.
 * test-ends: killed by SIGSEGV */
#include "t.h"

int main(void)
{
    printf("before\n");
    fflush(stdout);
    __asm__ volatile("mov (%0), %%rax" :: "r"(0x1234567890abcdefull) : "rax");
    printf("not reached\n");
    return DONE();
}
