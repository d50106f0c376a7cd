/* set_tid_address: returns the tid; at the end of a thread the word is cleared and its futex woken. */
#include "t.h"
#include <linux/futex.h>

static int word = 5;
static void *body(void *arg)
{
    printf("tid right %d\n", syscall(SYS_set_tid_address, &word) == gettid());
    fflush(stdout);
    syscall(SYS_exit, 0);                       /* the C library's own bookkeeping is bypassed */
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, body, NULL);
    while (__atomic_load_n(&word, __ATOMIC_SEQ_CST) != 0)
        syscall(SYS_futex, &word, FUTEX_WAIT, 5, NULL, NULL, 0);
    printf("cleared\n");
    fflush(stdout);
    DONE();
    _exit(0);
}
