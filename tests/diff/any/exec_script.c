/* exec of a script with an interpreter line, through PATH and by descriptor.
 * test-follow: yes
 * test-schemes: exec */
#include "t.h"
#include <sys/stat.h>

int main(void)
{
    FILE *f = fopen("hello.sh", "w");
    fputs("#!/bin/sh -e\necho \"script $1 $2\"\nexit 6\n", f), fclose(f);
    chmod("hello.sh", 0755);
    for (int i = 0; i < 3; i++) {
        fflush(stdout);
        pid_t pid = fork();
        if (pid == 0) {
            char *args[] = {"hello.sh", "one", "two", NULL};
            if (i == 0)
                execv("./hello.sh", args);
            if (i == 1) {
                setenv("PATH", ".:/bin", 1);
                execvp("hello.sh", args);
            }
            int fd = open("hello.sh", O_RDONLY);
            fexecve(fd, args, environ);
            _exit(99);
        }
        t_wait("script", pid);
    }
    return DONE();
}
