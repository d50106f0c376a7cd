/* error: mismatched-free */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main()
{
    int *p = (int *)malloc(4);
    delete p; /* BUG */
}
