/* System V shared memory and POSIX shared memory between parent and child; attached twice.
 * test-follow: yes */
#include "t.h"
#include <sys/shm.h>

int main(void)
{
    int id = shmget(IPC_PRIVATE, 8192, IPC_CREAT | 0600);
    CHECK(id >= 0);
    int *a = shmat(id, NULL, 0), *b = shmat(id, NULL, SHM_RDONLY);
    CHECK(a != (void *)-1 && b != (void *)-1);
    shmctl(id, IPC_RMID, NULL);
    a[5] = 42;
    pid_t pid = fork();
    if (pid == 0) {
        a[6] = b[5] + 1;
        _exit(shmdt(a));
    }
    t_wait("child", pid);
    printf("%d %d\n", b[5], b[6]);
    printf("%d %d\n", shmdt(a), shmdt(b));
    int fd = memfd_create("shared", MFD_CLOEXEC);
    CHECK(ftruncate(fd, 4096) == 0);
    int *c = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    int *d = mmap(NULL, 4096, PROT_READ, MAP_SHARED, fd, 0);
    c[0] = 7;
    printf("%d\n", d[0]);
    return DONE();
}
