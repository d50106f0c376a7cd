/* error: leak */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *volatile keep;
int main(void)
{
    for (int i = 0; i < 5; i++)
        keep = malloc(50); /* BUG */
}
