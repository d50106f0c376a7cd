/* error: leak */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int *volatile p;
int main()
{
    p = new int[10]; /* BUG */
    p = nullptr;
}
