/* blocks that are not freed but known */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

char *keep[10];
int main(void)
{
    for (int i = 0; i < 10; i++)
        keep[i] = malloc(100);
}
