/* memory that the library makes and the program frees */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void)
{
    FILE *f = fopen("/proc/self/status", "r");
    char *line = NULL;
    size_t room = 0, n = 0;
    while (getline(&line, &room, f) > 0)
        n++;
    free(line);
    fclose(f);
    return n < 10;
}
