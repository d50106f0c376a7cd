/* The words in which the kernel notes the birth and the end of a thread lie in a page that holds translated code. */
#define _GNU_SOURCE
#include <sched.h>
#include "t.h"

static u8 stack[65536] __attribute__((aligned(16)));
static int end_at_once(void *unused) { return 0; }

int main(void)
{
    static const u8 code[] = {0xb8, 1, 0, 0, 0, 0xc3}; /* mov eax, 1; ret */
    u8 *p = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    CHECK(p != MAP_FAILED);
    memcpy(p, code, sizeof code);
    volatile int *end = (int *)(p + 512), *birth = (int *)(p + 516);
    for (int i = 0; i < 3; i++) {
        *end = 1;
        printf("%d\n", ((int (*)(void))(void *)p)());
        int tid = clone(end_at_once, stack + sizeof stack,
                        CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD | CLONE_SYSVSEM |
                            CLONE_CHILD_CLEARTID | CLONE_PARENT_SETTID,
                        NULL, birth, NULL, end);
        CHECK(tid > 0);
        printf("birth %s\n", *birth == tid ? "noted" : "missed");
        for (int k = 0; k < 5000 && *end; k++)
            usleep(1000);
        printf("end %s\n", *end ? "missed" : "noted");
    }
    return DONE();
}
