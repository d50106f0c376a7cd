/* New descriptors get the lowest numbers; dup2 to high numbers, closefrom-like loops and close_range leave a working
 * program.
 * test-schemes: exec */
#include "t.h"
#include <sys/resource.h>

int main(void)
{
    int a = open("/dev/null", O_RDONLY), b = open("/dev/null", O_RDONLY);
    printf("%d %d\n", a, b);
    printf("dup2 %d\n", dup2(a, 500));
    close(a);
    printf("again %d\n", open("/dev/null", O_RDONLY));
    struct rlimit lim;
    getrlimit(RLIMIT_NOFILE, &lim);
    for (int fd = 3; fd < 4096; fd++)
        close(fd);
    printf("after the loop %d\n", open("/dev/null", O_RDONLY));
    printf("close_range %d\n", (int)syscall(SYS_close_range, 3u, ~0u, 0u));
    printf("open %d\n", open("/dev/null", O_RDONLY));
    u64 s = 1, x = 0;
    for (int i = 0; i < 10000; i++)
        x ^= t_random(&s);
    void *p = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    printf("%llx %d\n", (unsigned long long)x, p != MAP_FAILED);
    lim.rlim_cur = 8;
    printf("setrlimit %d\n", setrlimit(RLIMIT_NOFILE, &lim));
    int n = 0;
    while (open("/dev/null", O_RDONLY) >= 0)
        n++;
    printf("could open %d errno %d\n", n, errno);
    return DONE();
}
