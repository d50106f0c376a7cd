/* Open descriptors of a fresh program, their targets, positions and flags; the next free number; none of Cotter's
 * below 64.
 * test-schemes: exec */
#include "t.h"
#include <dirent.h>
#include <sys/stat.h>

int main(void)
{
    int next = dup(0);
    printf("next %d\n", next);
    close(next);
    for (int fd = 0; fd < 64; fd++) {
        struct stat st;
        if (fstat(fd, &st) == 0)
            printf("fd %d type %o flags %x fdflags %x\n", fd, st.st_mode & S_IFMT, fcntl(fd, F_GETFL),
                   fcntl(fd, F_GETFD));
    }
    printf("pipe %d", pipe((int[2]){0}));
    printf(" socket %d\n", open("/dev/null", O_RDONLY));
    return DONE();
}
