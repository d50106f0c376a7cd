/* children of fork and vfork and posix_spawn that leave what they have */
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
extern char **environ;

int main(void)
{
    char *p = strdup("parent");
    int status;
    if (!fork()) {
        p[0] = 'P';
        execl("/bin/true", "true", (char *)NULL);
        _exit(1);
    }
    wait(&status);
    pid_t pid;
    char *argv[] = { "true", NULL };
    if (!posix_spawn(&pid, "/bin/true", NULL, NULL, argv, environ))
        waitpid(pid, &status, 0);
    puts(p);
    free(p);
}
