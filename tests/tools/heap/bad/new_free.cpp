/* error: mismatched-free */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main()
{
    int *p = new int(3);
    free(p); /* BUG */
}
