# A signal at every instruction of a loop, and at every machine instruction that stands for it: a tracer stops it at
# each of them and sends a signal there. Each of the loop's own instructions must be seen by the handler as the place
# of the interruption (but for a plain jump, which no machine instruction stands for), never an address of Cotter's, and the loop must compute what it computes undisturbed.
# test-timeout: 300
set -e
cat > loop.c <<'C'
#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <stdint.h>
#include <ucontext.h>
#include <unistd.h>
#define I(text) "771: " text "\n .pushsection starts, \"aw\"\n .quad 771b\n .popsection\n"
extern const uint64_t __start_starts[], __stop_starts[];
static volatile int done, foreign;
static volatile unsigned hits[256];
static uint64_t memory[8];
__attribute__((noinline)) static uint64_t loop(uint64_t n)
{
    uint64_t x = 1;
    __asm__ volatile(
        "2:\n"
        I("lea (%0,%0,4), %%rax") I("add %1, %%rax") I("mov %%rax, %0") I("shr $7, %%rax") I("xor %%rax, %0")
        I("test $1, %1") I("jz 3f") I("inc %0") I("3: push %0") I("rolq $5, (%%rsp)") I("pop %0")
        I("mov %0, 8(%2)") I("call 5f") I("addq 8(%2), %0") I("pushfq") I("popq %%rdx") I("and $0xd5, %%edx") I("add %%rdx, %0")
        I("xchg %0, 16(%2)") I("mov 16(%2), %0") I("lea 4f(%%rip), %%rax") I("jmp *%%rax") I("4: movq %0, %%xmm0") I("paddq %%xmm0, %%xmm0")
        I("movq %%xmm0, %%rax") I("xor %%rax, %0") I("dec %1") I("jnz 2b") "jmp 6f\n" I("5: notq 8(%2)") I("ret")
        "6:\n" : "+r"(x), "+r"(n) : "r"(memory) : "rax", "rdx", "xmm0", "memory", "cc");
    return x;
}
static void handler(int sig, siginfo_t *info, void *context)
{
    uint64_t pc = (uint64_t)((ucontext_t *)context)->uc_mcontext.gregs[REG_RIP];
    foreign += pc >= 0x550000000000 && pc < 0x555500000000;
    int missed = 0;
    for (int i = 0; i < __stop_starts - __start_starts; i++)
        hits[i] += pc == __start_starts[i], missed += !hits[i];
    if (!missed)
        done = 1;
}
static void finish(int sig) { done = 1; }
int main(void)
{
    struct sigaction a = {.sa_sigaction = handler, .sa_flags = SA_SIGINFO};
    uint64_t expect = loop(200), n = 0, bad = 0, missed = 0;
    sigaction(SIGUSR1, &a, NULL);
    signal(SIGUSR2, finish);
    write(1, "ready\n", 6);
    for (; !done; n++)
        bad += loop(200) != expect;
    for (int i = 0; i < __stop_starts - __start_starts; i++)
        if (!hits[i])
            missed++, printf("instruction %d was never interrupted\n", i);
    printf("%s: missed %lu bad %lu foreign %d\n", n > 10 ? "ran" : "hardly ran", missed, bad, foreign);
    return 0;
}
C
cat > tracer.c <<'C'
#define _GNU_SOURCE
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ptrace.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#define CACHE_LO 0x550040000000ul
#define CACHE_HI 0x550080000000ul
static pid_t pid;
static void give_up(const char *why) { perror(why), exit(2); }
static unsigned long pc(void)
{
    struct user_regs_struct r;
    if (ptrace(PTRACE_GETREGS, pid, 0, &r))
        give_up("registers");
    return r.rip;
}
/* By what it is stopped; 0: the program goes on. Any other signal is its own and is passed on: Cotter steps, too. */
enum { INTERRUPTED = 1, AT_BREAKPOINT };
static long cpu_us(void)
{
    clockid_t clock;
    struct timespec t = {0, 0};
    clock_getcpuclockid(pid, &clock);
    clock_gettime(clock, &t);
    return t.tv_sec * 1000000 + t.tv_nsec / 1000;
}
static int stopped(long us)                             /* of its CPU time, at the most */
{
    int status;
    for (long from = cpu_us(); cpu_us() - from < us;) {
        pid_t got = waitpid(pid, &status, WNOHANG | __WALL);
        siginfo_t info;
        if (got && (got != pid || !WIFSTOPPED(status)))
            exit(0);                                    /* it has seen all; or it says what is wrong */
        if (got && status >> 16)
            return INTERRUPTED;
        if (got && !ptrace(PTRACE_GETSIGINFO, pid, 0, &info) && info.si_signo == SIGTRAP && info.si_code == TRAP_HWBKPT)
            return AT_BREAKPOINT;
        if (got)
            ptrace(PTRACE_CONT, pid, 0, WSTOPSIG(status));
        nanosleep(&(struct timespec){0, 50000}, NULL);
    }
    return 0;
}
static void interrupt(void)
{
    int why;
    if (ptrace(PTRACE_INTERRUPT, pid, 0, 0))
        give_up("interrupt");
    while ((why = stopped(10000000)) != INTERRUPTED)              /* a breakpoint that is hit meanwhile came too late */
        if (!why || ptrace(PTRACE_CONT, pid, 0, 0))
            give_up("it does not stop");
}
static void set_breakpoint(unsigned long at)
{
    if (ptrace(PTRACE_POKEUSER, pid, offsetof(struct user, u_debugreg[7]), 0) ||
        ptrace(PTRACE_POKEUSER, pid, offsetof(struct user, u_debugreg[0]), at) ||
        ptrace(PTRACE_POKEUSER, pid, offsetof(struct user, u_debugreg[7]), at ? 1 : 0))
        give_up("hardware breakpoint");
}
/* Where is the loop? A signal may lead it to new code. */
static void look(unsigned long *lo, unsigned long *hi)
{
    *lo = CACHE_HI, *hi = CACHE_LO;
    for (int i = 0; i < 100; i++) {
        interrupt();
        unsigned long at = pc();
        if (at >= CACHE_LO && at < CACHE_HI)
            *lo = at < *lo ? at : *lo, *hi = at > *hi ? at : *hi;
        ptrace(PTRACE_CONT, pid, 0, 0);
        nanosleep(&(struct timespec){0, 200000 + rand() % 100000}, NULL);
    }
}
static void visit(unsigned long at)
{
    interrupt();
    set_breakpoint(at);
    ptrace(PTRACE_CONT, pid, 0, 0);
    if (stopped(300) != AT_BREAKPOINT)
        return;
    set_breakpoint(0);
    ptrace(PTRACE_CONT, pid, 0, SIGUSR1);               /* the signal, at this very instruction */
}
int main(int argc, char **argv)
{
    pid = atoi(argv[1]);
    if (ptrace(PTRACE_SEIZE, pid, 0, 0))
        give_up("seize");
    for (int round = 0; round < 20; round++) {
        unsigned long lo, hi;
        look(&lo, &hi);
        for (unsigned long at = lo - 100; at < hi + 100 && at < lo + 4096; at++)
            visit(at);
    }
    interrupt();
    set_breakpoint(0);
    ptrace(PTRACE_DETACH, pid, 0, 0);
    kill(pid, SIGUSR2);
    return 0;
}
C
gcc -O1 -o loop loop.c
gcc -O1 -o tracer tracer.c
for mode in "" --max-trace-ins=1 --no-link --returns=precall; do
    mkfifo out.fifo
    $COTTER $mode -- ./loop > out.fifo &
    exec 3< out.fifo
    rm out.fifo
    read -r line <&3
    timeout 100 ./tracer $! 2> err || { grep -q '^hardware breakpoint' err && kill -KILL $! && exit 0       # this machine has none
        kill -KILL $!; echo "mode '$mode': the tracer failed: $(cat err)"; exit 1; }
    got=$(cat <&3)
    wait $!
    [ "$got" = "ran: missed 0 bad 0 foreign 0" ] || { echo "mode '$mode': $got"; exit 1; }
done
