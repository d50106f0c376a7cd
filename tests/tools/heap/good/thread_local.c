/* blocks known by thread-local variables */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

__thread char *mine;
int main(void)
{
    mine = malloc(100);
    mine[0] = 1;
}
