/* What fld1 loads. */
#include <stdio.h>
int main(void)
{
    double d = 5;
    __asm__ volatile("fld1\n\tnop\n\tfstpl %0" : "=m"(d));
    printf("%g\n", d);
    return 0;
}
