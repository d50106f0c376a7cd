/* Code whose page loses its execute permission faults at the next call; with the permission back it runs again. */
#include "t.h"

static sigjmp_buf back;
static u8 *p;
static void handler(int signo, siginfo_t *si, void *ctx)
{
    t_say("fault code %d at start %d\n", si->si_code, si->si_addr == p);
    siglongjmp(back, 1);
}

int main(void)
{
    t_handle(SIGSEGV, handler, 0);
    p = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    memcpy(p, "\xb8\x07\0\0\0\xc3", 6);
    static const int prots[] = {PROT_READ | PROT_EXEC, PROT_READ, PROT_READ | PROT_WRITE, PROT_EXEC | PROT_READ,
                                PROT_NONE, PROT_EXEC,
                                PROT_READ | PROT_WRITE | PROT_EXEC};
    for (volatile int i = 0; i < 7; i++) {
        CHECK(mprotect(p, 4096, prots[i]) == 0);
        if (sigsetjmp(back, 1) == 0)
            t_say("%d: %d\n", i, ((int (*)(void))p)());
    }
    munmap(p, 4096);
    if (sigsetjmp(back, 1) == 0)
        ((void (*)(void))p)();
    return DONE();
}
