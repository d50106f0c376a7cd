/* a child that frees what its parent made */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void)
{
    char *p = malloc(10);
    p[0] = 7;
    if (fork() == 0) {
        int r = p[0] != 7;
        free(p);
        _exit(r);
    }
    int status;
    wait(&status);
    free(p);
    return status != 0;
}
