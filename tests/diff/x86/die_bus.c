/* Default action of an access behind the end of a file (SIGBUS): the program dies by the same signal as natively.
 * test-ends: killed by SIGBUS */
#include "t.h"

int main(void)
{
    printf("before\n");
    fflush(stdout);
    int fd = memfd_create("short", 0);
    volatile char *p = mmap(NULL, 4096, PROT_READ, MAP_SHARED, fd, 0);
    (void)*p;
    printf("not reached\n");
    return DONE();
}
