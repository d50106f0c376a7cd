/* Returns with the stack pointer at the lowest word of its mapping, of memory that may be read only, and to address 0. */
#include "t.h"

static sigjmp_buf back;
static void *fault_pc;

static void on_fault(int sig, siginfo_t *info, void *context)
{
    fault_pc = (void *)((ucontext_t *)context)->uc_mcontext.gregs[REG_RIP];
    siglongjmp(back, 1);
}

/* Calls a routine that returns at once, with the return address in the word at `bottom`. */
static long call_at(void *bottom)
{
    long result = 1;
    __asm__ volatile("mov %%rsp, %%r12\n"
                     "lea 8(%[bottom]), %%rsp\n"
                     "call 1f\n"
                     "jmp 2f\n"
                     "1: add $41, %[result]\n"
                     "ret\n"
                     "2: mov %%r12, %%rsp\n"
                     : [result] "+r"(result) : [bottom] "r"(bottom) : "r12", "memory", "cc");
    return result;
}

/* Returns through a word that is there already. */
static long return_by(void *word)
{
    long result = 0;
    __asm__ volatile("mov %%rsp, %%r12\n"
                     "mov %[word], %%rsp\n"
                     "ret\n"
                     ".globl landed\n"
                     "landed: mov %%rsp, %[result]\n"
                     "sub %[word], %[result]\n"
                     "mov %%r12, %%rsp\n"
                     : [result] "=&r"(result) : [word] "r"(word) : "r12", "memory", "cc");
    return result;
}
extern char landed[];

int main(void)
{
    enum { PAGE = 4096 };
    char *m = mmap(NULL, 3 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    static char stack[1 << 20];
    struct sigaction sa = { .sa_sigaction = on_fault, .sa_flags = SA_SIGINFO | SA_ONSTACK };
    sigaltstack(&(stack_t){ .ss_sp = stack, .ss_size = sizeof stack }, NULL);
    sigaction(SIGSEGV, &sa, NULL);
    munmap(m, PAGE);
    long sum = 0;
    for (int i = 0; i < 1000; i++)
        sum += call_at(m + PAGE);
    printf("at the bottom: %ld\n", sum);
    *(void **)(m + 2 * PAGE) = landed;
    mprotect(m + 2 * PAGE, PAGE, PROT_READ);
    for (int i = 0; i < 1000; i++)
        sum += return_by(m + 2 * PAGE);
    mprotect(m + PAGE, PAGE, PROT_READ);
    for (int i = 0; i < 1000; i++)
        sum += return_by(m + 2 * PAGE);
    printf("of read-only memory: %ld\n", sum);
    for (int i = 0; i < 3; i++) {
        static void *volatile nowhere[] = { NULL, (void *)-1, (void *)-2 };
        if (!sigsetjmp(back, 1))
            return_by((void *)&nowhere[i]);
        printf("to %p: fault %s\n", nowhere[i], i ? "at the return" : fault_pc ? "elsewhere" : "at 0");
    }
    return DONE();
}
