/* a block known by a pointer to its middle */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

char *keep;
int main(void)
{
    keep = (char *)malloc(100) + 50;
}
