/* memory set by repeated string instructions */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void)
{
    long *p = malloc(208), n = 26, sum = 0;
    void *to = p;
    __asm__ volatile("rep stosq" : "+D"(to), "+c"(n) : "a"(0l) : "memory");
    for (int i = 0; i < 26; i++)
        if (p[i])
            sum++;
    free(p);
    return sum;
}
