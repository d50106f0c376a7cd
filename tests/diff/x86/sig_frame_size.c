/* What a frame has room for: on a machine with tiles, tile data only in a program that asked the kernel for it and only in a thread that
 * has used it. Before that a frame fits a small alternate stack, and asking is refused while there is one. */
#include "t.h"

enum { SW = 464, HEADER = 512, GET_PERMITTED = 0x1022, REQUEST = 0x1023, TILE_DATA = 18 };
static u8 small[8192] __attribute__((aligned(64)));

static void look(int sig, siginfo_t *si, void *ctx)
{
    u8 *fp = (u8 *)((ucontext_t *)ctx)->uc_mcontext.fpregs;
    u32 *sw = (u32 *)(fp + SW), end;
    memcpy(&end, fp + sw[4], 4);
    t_say("  %x %u features %lx size %u end %x tiles %lx\n", sw[0], sw[1], *(u64 *)&sw[2], sw[4], end, *(u64 *)(fp + HEADER) >> 17 & 3);
}

static void *another_thread(void *unused)
{
    raise(SIGUSR1);
    return NULL;
}

static void use_tiles(void)
{
    u8 in[1024], out[1024], config[64] = { 1 };       /* one tile of 16 rows */
    config[16] = 64, config[48] = 16;
    for (int i = 0; i < 1024; i++)
        in[i] = (u8)(i * 7);
    __asm__ volatile("ldtilecfg %0\n\ttileloadd (%1,%2,1), %%tmm0" : : "m"(config), "r"(in), "r"(64l));
    raise(SIGUSR1);
    __asm__ volatile("tilestored %%tmm0, (%0,%1,1)" : : "r"(out), "r"(64l) : "memory");
    t_say("kept %d\n", !memcmp(in, out, sizeof in));
    __asm__ volatile("tilerelease");
    raise(SIGUSR1);
}

int main(void)
{
    u64 permitted = 0;
    pthread_t t;
    t_handle(SIGUSR1, look, SA_ONSTACK);
    t_say("%ld", syscall(SYS_arch_prctl, GET_PERMITTED, &permitted));
    t_say(" %lx\n", permitted);
    raise(SIGUSR1);
    CHECK(sigaltstack(&(stack_t){ .ss_sp = small, .ss_size = sizeof small }, NULL) == 0);
    raise(SIGUSR1);
    long refused = syscall(SYS_arch_prctl, REQUEST, TILE_DATA);
    t_say("with a small stack: %ld %s\n", refused, strerror(errno));
    CHECK(sigaltstack(&(stack_t){ .ss_flags = SS_DISABLE }, NULL) == 0);
    refused = syscall(SYS_arch_prctl, REQUEST, TILE_DATA);
    t_say("without: %ld\n", refused);
    raise(SIGUSR1);
    if (!refused)
        use_tiles();
    CHECK(pthread_create(&t, NULL, another_thread, NULL) == 0 && pthread_join(t, NULL) == 0);
    return DONE();
}
