/* exec.c: run cases and catch what they raise.
 *  (1) While a case runs, fs may point elsewhere: the handler uses no thread-local data and no stack protector.
 *  (2) Code is written while its pages are not executable, a batch at a time, as a well-behaved compiler does it. */
#define _GNU_SOURCE
#include "fuzz.h"
#include <asm/prctl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <ucontext.h>
#include <unistd.h>

extern u8 harness_begin[], harness_end[], harness_enter[], harness_exit[], harness_faulted[];

static struct harness *const H = (struct harness *)(HARNESS_AT + 4096);
static struct final final;
static volatile bool running;

static void *map_at(u64 at, size_t size, int prot)
{
    void *p = mmap((void *)at, size, prot, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
    if (p != (void *)at) {
        fprintf(stderr, "fuzz: cannot map %llx\n", (unsigned long long)at);
        exit(2);
    }
    return p;
}

/* A case that never ends is a fault of the generator. */
static void on_timer(int signo)
{
    static const char text[] = "fuzz: the case after the last one printed does not end\n";
    (void)!write(2, text, sizeof text - 1);
    _exit(4);
}

static void on_fault(int signo, siginfo_t *si, void *ctx)
{
    static const u8 order[] = {REG_RAX, REG_RCX, REG_RDX, REG_RBX, REG_RSP, REG_RBP, REG_RSI, REG_RDI, REG_R8,
                               REG_R9,  REG_R10, REG_R11, REG_R12, REG_R13, REG_R14, REG_R15, REG_EFL};
    ucontext_t *uc = ctx;
    greg_t *g = uc->uc_mcontext.gregs;
    if (!running)
        _exit(3);
    for (int i = 0; i < 17; i++)
        final.gpr[i] = (u64)g[order[i]];
    final.signo = (u32)signo, final.code = (u32)si->si_code;
    final.addr = (u64)si->si_addr, final.rip = (u64)g[REG_RIP];
    final.trapno = (u64)g[REG_TRAPNO], final.err = (u64)g[REG_ERR];
    state_from_xsave(&final, (const u8 *)uc->uc_mcontext.fpregs);
    g[REG_RIP] = (greg_t)(HARNESS_AT + (u64)(harness_faulted - harness_begin));
    g[REG_RSP] = (greg_t)H->saved_rsp;
    g[REG_EFL] = 0x202;
}

void exec_start(void)
{
    static u8 alt[65536];
    u64 size;
    size_t n = (size_t)(harness_end - harness_begin);
    memcpy(map_at(HARNESS_AT, n, PROT_READ | PROT_WRITE), harness_begin, n);
    mprotect((void *)HARNESS_AT, 4096, PROT_READ | PROT_EXEC);
    state_layout(&H->mask, &size);
    if (size > XAREA) {
        fprintf(stderr, "fuzz: the machine's vector state needs %llu bytes\n", (unsigned long long)size);
        exit(2);
    }
    H->mxcsr = 0x1f80;
    syscall(SYS_arch_prctl, ARCH_GET_FS, &H->old_fs);
    static const u64 areas[] = {AREA_LOW, AREA_HIGH};
    for (int i = 0; i < 2; i++) {
        map_at(areas[i] + AT_CODE, SLOTS * SLOT, PROT_READ | PROT_WRITE);
        map_at(areas[i] + AT_WINDOW, WINDOW, PROT_READ | PROT_WRITE);
        map_at(areas[i] + AT_STACK, STACK, PROT_READ | PROT_WRITE);
        u32 *index = map_at(areas[i] + AT_INDEX, 8192, PROT_READ | PROT_WRITE);
        for (u32 j = 0; j < 512; j++)
            index[j] = j * 37 % 128;                            /* 32-bit indices */
        for (u32 j = 0; j < 256; j++)
            ((u64 *)index)[256 + j] = j * 53 % 128;             /* 64-bit indices */
        for (u32 j = 0; j < 1024; j++)                          /* mxcsr in the lower half, control word in the upper */
            index[1024 + j] = j < 512 ? 0x1f80 | (j & 7) << 13 | (j & 8 ? 0x40 : 0) | (j & 0x30) : 0x7f | (j & 15) << 8;
        mprotect(index, 8192, PROT_READ);
    }
    struct sigaction timer = {.sa_handler = on_timer, .sa_flags = SA_ONSTACK};
    sigaction(SIGVTALRM, &timer, NULL);
    stack_t ss = {.ss_sp = alt, .ss_size = sizeof alt};
    sigaltstack(&ss, NULL);
    static const int list[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP, SIGSYS};
    for (int i = 0; i < 6; i++) {
        struct sigaction sa = {.sa_sigaction = on_fault, .sa_flags = SA_SIGINFO | SA_ONSTACK};
        sigaction(list[i], &sa, NULL);
    }
}

static void write_code(const struct fuzz_case *c)
{
    u8 *slot = (u8 *)code_of(c->number), *p = slot + c->len;
    u64 back = HARNESS_AT + (u64)(harness_exit - harness_begin);
    memset(slot, 0xcc, SLOT);
    memcpy(slot, c->code, c->len);
    memcpy(p, "\xff\x25\0\0\0\0", 6);                           /* jmp *0(%rip) */
    memcpy(p + 6, &back, 8);
}

static void run_case(const struct fuzz_case *c, bool verbose)
{
    state_init(H, c);
    state_fill(c);
    memset(&final, 0, sizeof final);
    if (verbose) {
        struct final first = {0};
        memcpy(first.gpr, H->in, sizeof H->in);
        state_from_xsave(&first, H->xin);
        state_print("initial state", &first);
        fflush(stdout);
    }
    running = true;
    ((void (*)(void))(HARNESS_AT + (u64)(harness_enter - harness_begin)))();
    running = false;
    if (final.signo == 0) {
        memcpy(final.gpr, H->out, sizeof H->out);
        state_from_xsave(&final, H->xout);
    }
    if (verbose) {
        state_print("final state", &final);
        printf("memory:\n");
        state_print_memory(c);
    }
    state_digest(c, &final);
}

/* Runs n cases that start on a multiple of SLOTS: those from `from` on, or only the one with the number `only`. */
void exec_batch(struct fuzz_case *cases, u32 n, u32 from, int only, u32 repeat, bool verbose)
{
    void *code = (void *)(area_of(cases[0].number) + AT_CODE);
    mprotect(code, SLOTS * SLOT, PROT_READ | PROT_WRITE);
    for (u32 i = 0; i < n; i++)
        if (only < 0 || cases[i].number == (u32)only)
            write_code(&cases[i]);
    mprotect(code, SLOTS * SLOT, PROT_READ | PROT_EXEC);
    setitimer(ITIMER_VIRTUAL, &(struct itimerval){.it_value.tv_sec = 30}, NULL);
    for (u32 i = 0; i < n; i++)
        if (cases[i].number >= from && (only < 0 || cases[i].number == (u32)only))
            for (u32 j = 0; j < repeat; j++)
                run_case(&cases[i], verbose && j + 1 == repeat);
}
