/* What is open, as /proc/self/fd lists it, with a buffer for many names and for one at a time; then closes whatever is listed. */
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>
struct record { unsigned long ino; long off; unsigned short size; unsigned char type; char name[]; };
static int n_found, found[64];

static void list(const char *folder, long room)
{
    static char buffer[4096];
    int fd = open(folder, O_RDONLY | O_DIRECTORY);
    n_found = 0;
    for (long n; (n = syscall(SYS_getdents64, fd, buffer, room)) > 0;)
        for (long at = 0; at < n;) {
            struct record *r = (void *)(buffer + at);
            if (r->name[0] != '.')
                found[n_found++] = atoi(r->name);
            at += r->size;
        }
    printf("%s:", folder);
    for (int i = 0; i < n_found; i++)
        printf(found[i] == fd ? " own" : " %d", found[i]);
    puts("");
    close(fd);
}

int main(void)
{
    list("/proc/self/fd", 4096);
    list("/proc/self/fdinfo", 24);
    list("/proc/thread-self/fd", 24);
    printf("%d there\n", n_found);
    fflush(stdout);
    list("/proc/self/fd", 4096);
    fflush(stdout);
    for (int i = 0; i < n_found; i++)
        if (found[i] > 2)
            close(found[i]);
    return 4;
}
