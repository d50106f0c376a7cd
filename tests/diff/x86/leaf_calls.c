/* Short routines that write nothing: one faults, and the handler finds the return address on the stack and changes it; one has
 * a branch; one is reached by a jump; one is called so often that signals meet it anywhere. */
#include "x86.h"
#include <sys/time.h>

__asm__(".text\n"
        "load: mov (%rdi), %eax\n ret\n"
        "larger: mov %edi, %eax\n cmp %esi, %edi\n jge 1f\n mov %esi, %eax\n1: ret\n"
        "via: jmp 2f\n .skip 64, 0x90\n2: lea 1(%rdi), %eax\n ret\n"
        "elsewhere: mov $-7, %eax\n pop %rbx\n ret\n"
        ".globl try_load\n try_load: push %rbx\n call load\n add $1000, %eax\n pop %rbx\n ret\n"
        ".globl many\n many: push %rbx\n push %rbp\n xor %ebx, %ebx\n xor %ebp, %ebp\n"
        "3: mov %ebx, %edi\n mov $500, %esi\n call larger\n add %eax, %ebp\n mov %ebx, %edi\n call via\n xor %eax, %ebp\n"
        "inc %ebx\n cmp $300000, %ebx\n jne 3b\n mov %ebp, %eax\n pop %rbp\n pop %rbx\n ret\n");
int try_load(int *at), many(void);
extern char load[], elsewhere[];

static int value = 42, n_faults;
static void on_fault(int sig, siginfo_t *info, void *context)
{
    greg_t *r = ((ucontext_t *)context)->uc_mcontext.gregs;
    u64 *stack = (u64 *)r[REG_RSP];
    printf("fault at load%+ld, return address is behind the call: %d\n", (long)(r[REG_RIP] - (greg_t)load),
           (char *)stack[0] - (char *)try_load == 6);
    if (++n_faults == 2)
        stack[0] = (u64)elsewhere;
    r[REG_RDI] = (greg_t)&value;
}

static volatile int ticks;
static void on_tick(int sig) { ticks++; }

int main(void)
{
    struct sigaction fault = {.sa_sigaction = on_fault, .sa_flags = SA_SIGINFO}, tick = {.sa_handler = on_tick};
    struct itimerval often = {{0, 500}, {0, 500}}, never = {{0, 0}, {0, 0}};
    sigaction(SIGSEGV, &fault, NULL);
    sigaction(SIGVTALRM, &tick, NULL);
    for (int i = 0; i < 3; i++) {
        printf("%d\n", try_load(&value));
        printf("%d\n", try_load(NULL));
    }
    setitimer(ITIMER_VIRTUAL, &often, NULL);
    int sum = many(), others = 0;
    while (ticks < 20)
        others += many() != sum;
    setitimer(ITIMER_VIRTUAL, &never, NULL);
    printf("%d, %d others\n", sum, others);
    return DONE();
}
