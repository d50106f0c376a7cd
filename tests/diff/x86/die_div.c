/* Default action of a division by zero (SIGFPE): the program dies by the same signal as natively.
 * test-ends: killed by SIGFPE */
#include "t.h"

int main(void)
{
    printf("before\n");
    fflush(stdout);
    __asm__ volatile("xor %%ecx, %%ecx; mov $1, %%eax; cltd; idiv %%ecx" ::: "rax", "rcx", "rdx");
    printf("not reached\n");
    return DONE();
}
