/* A SIGSEGV-driven runtime: pages are opened by the handler on first touch, ten thousand times,
 * instruction restarted. */
#include "t.h"

#define PAGES 2000
static u8 *base;
static int faults;
static void open_page(int signo, siginfo_t *si, void *ctx)
{
    faults++;
    CHECK(mprotect((void *)((u64)si->si_addr & ~4095ul), 4096, PROT_READ | PROT_WRITE) == 0);
}

int main(void)
{
    t_handle(SIGSEGV, open_page, 0);
    base = mmap(NULL, PAGES * 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    u64 sum = 0;
    for (int round = 0; round < 3; round++) {
        for (u64 i = 0; i < PAGES; i++) {
            base[i * 4096 + i] += (u8)i;
            sum += base[i * 4096 + i];
        }
        CHECK(mprotect(base, PAGES * 4096, round & 1 ? PROT_NONE : PROT_READ) == 0);
    }
    printf("faults %d sum %llu\n", faults, (unsigned long long)sum);
    return DONE();
}
