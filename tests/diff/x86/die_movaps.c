/* Default action of a misaligned movaps (SIGSEGV): the program dies by the same signal as natively.
 * test-ends: killed by SIGSEGV */
#include "t.h"

int main(void)
{
    printf("before\n");
    fflush(stdout);
    static char data[64] __attribute__((aligned(16)));
    __asm__ volatile("movaps %%xmm0, (%0)" :: "r"(data + 1) : "memory");
    printf("not reached\n");
    return DONE();
}
