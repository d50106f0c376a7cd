/* error: write-outside */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv)
{
    volatile long *p = new long[5];
    p[4 + argc] = 1; /* BUG */
    delete[] p;
}
