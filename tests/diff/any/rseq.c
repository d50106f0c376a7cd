/* Restartable sequences: registered by the C library or not, its CPU number is right, and a second
 * registration fails alike. */
#include "t.h"
#include <sched.h>

int main(void)
{
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(0, &set);
    CHECK(sched_setaffinity(0, sizeof set, &set) == 0);
    for (int i = 0; i < 1000; i++)
        CHECK(sched_getcpu() == 0);
    printf("on cpu 0\n");
    return DONE();
}
