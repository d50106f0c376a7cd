/* Coroutines by makecontext and swapcontext; setcontext to a context of getcontext.
 * test-schemes: yes */
#include "t.h"

static ucontext_t main_ctx, co[4];
static u64 trace = 1;
static void body(int id)
{
    for (int i = 0; i < 1000; i++) {
        trace = trace * 31 + (u64)(id * 1000 + i);
        CHECK(swapcontext(&co[id], &co[(id + 1) % 4]) == 0);
    }
}

int main(void)
{
    for (int i = 0; i < 4; i++) {
        CHECK(getcontext(&co[i]) == 0);
        co[i].uc_stack.ss_sp = malloc(65536), co[i].uc_stack.ss_size = 65536;
        co[i].uc_link = &main_ctx;
        makecontext(&co[i], (void (*)(void))body, 1, i);
    }
    CHECK(swapcontext(&main_ctx, &co[0]) == 0);
    printf("%016llx\n", (unsigned long long)trace);
    volatile int again = 0;
    ucontext_t here;
    CHECK(getcontext(&here) == 0);
    if (again++ < 3)
        setcontext(&here);
    printf("again %d\n", again);
    return DONE();
}
