/* A signal frame is built on a page that holds translated code. */
#include "t.h"

enum { SIZE = 16 * 4096 };
static volatile int count;

static void handler(int sig, siginfo_t *info, void *context) { count++; }

int main(void)
{
    static const u8 code[] = {0xb8, 1, 0, 0, 0, 0xc3}; /* mov eax, 1; ret */
    u8 *p = mmap(NULL, SIZE, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    CHECK(p != MAP_FAILED);
    stack_t alternate = {.ss_sp = p, .ss_size = SIZE};
    CHECK(sigaltstack(&alternate, NULL) == 0);
    t_handle(SIGUSR1, handler, SA_ONSTACK);
    for (int i = 0; i < 5; i++) {
        u8 *at = p + SIZE - 4096 * (i % 2 + 1);
        memcpy(at, code, sizeof code);
        printf("%d\n", ((int (*)(void))(void *)at)());
        raise(SIGUSR1);
        printf("%d signals\n", count);
    }
    return DONE();
}
