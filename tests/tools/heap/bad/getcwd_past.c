/* error: write-outside */
#include <stdlib.h>
#include <unistd.h>

int main(void)
{
    char *p = malloc(2);
    chdir("/usr/bin");
    getcwd(p, 4096); /* BUG */
    free(p);
}
