/* hello.c: the smallest program for trying a tool. */
#include <stdio.h>
int main(void)
{
    puts("Hello world");
    return 0;
}
