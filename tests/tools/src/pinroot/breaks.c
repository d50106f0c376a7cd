/* Dies of a breakpoint instruction, unless that is left out. */
#include <stdio.h>
int main(void)
{
    __asm__ volatile("int3");
    puts("went on");
    return 0;
}
