/* error: bad-free */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void)
{
    char a[10], *volatile p = a;
    free(p); /* BUG */
}
