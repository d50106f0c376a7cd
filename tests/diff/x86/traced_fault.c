/* A tracer sees the fault of its child at a page that is not executable: signal, rip, registers; then the child's handler
 * gets it, and may go on elsewhere.
 */
#include "t.h"
#include <sys/ptrace.h>
#include <sys/user.h>

static u8 *page;
static sigjmp_buf back;

static void handler(int sig, siginfo_t *si, void *ctx)
{
    ucontext_t *uc = ctx;
    t_say("child: signal %d code %d at page%+ld, rip page%+ld, rbx %llx\n", sig, si->si_code, (long)((u8 *)si->si_addr - page),
          (long)((u8 *)uc->uc_mcontext.gregs[REG_RIP] - page), (unsigned long long)uc->uc_mcontext.gregs[REG_RBX]);
    siglongjmp(back, 1);
}

static void child(void)
{
    CHECK(ptrace(PTRACE_TRACEME, 0, 0, 0) == 0);
    t_handle(SIGSEGV, handler, 0);
    if (!sigsetjmp(back, 1))
        __asm__ volatile("mov $0x1234, %%ebx; jmp *%0" : : "r"(page + 16) : "rbx");
    if (!sigsetjmp(back, 1))
        __asm__ volatile("mov $0x5678, %%ebx; push %0; ret" : : "r"(page + 32) : "rbx");
    _exit(7);
}

int main(void)
{
    page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    memset(page, 0xc3, 4096);
    pid_t pid = fork();
    if (!pid)
        child();
    int status;
    while (waitpid(pid, &status, 0) == pid && WIFSTOPPED(status)) {
        struct user_regs_struct r;
        siginfo_t si;
        CHECK(ptrace(PTRACE_GETREGS, pid, 0, &r) == 0 && ptrace(PTRACE_GETSIGINFO, pid, 0, &si) == 0);
        t_say("parent: signal %d code %d, rip page%+ld, rbx %llx\n", WSTOPSIG(status), si.si_code, (long)((u8 *)r.rip - page), r.rbx);
        CHECK(ptrace(PTRACE_CONT, pid, 0, WSTOPSIG(status)) == 0);
    }
    t_print_status("child", status);
    return DONE();
}
