/* Default action of an undefined instruction (SIGILL): the program dies by the same signal as natively.
 * test-ends: killed by SIGILL */
#include "t.h"

int main(void)
{
    printf("before\n");
    fflush(stdout);
    __asm__ volatile("ud2");
    printf("not reached\n");
    return DONE();
}
