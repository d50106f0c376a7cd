/* MADV_GUARD_INSTALL makes pages fault without a new mapping, where the kernel has it; MADV_DONTNEED empties pages. */
#include "t.h"

static sigjmp_buf back;
static u8 *p;
static void handler(int signo, siginfo_t *si, void *ctx)
{
    t_say("fault at page %lld code %d\n", (long long)((u64)si->si_addr - (u64)p) / 4096, si->si_code);
    siglongjmp(back, 1);
}

int main(void)
{
    t_handle(SIGSEGV, handler, 0);
    p = mmap(NULL, 16384, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    memset(p, 5, 16384);
    int r = madvise(p + 4096, 8192, 102);
    t_say("install %d errno %d\n", r, r ? errno : 0);
    for (volatile int i = 0; i < 4; i++)
        if (sigsetjmp(back, 1) == 0)
            t_say("page %d: %d\n", i, p[i * 4096]);
    r = madvise(p + 4096, 8192, 103);
    t_say("remove %d page 1: %d\n", r, p[4096]);
    madvise(p, 4096, MADV_DONTNEED);
    t_say("emptied %d\n", p[0]);
    return DONE();
}
