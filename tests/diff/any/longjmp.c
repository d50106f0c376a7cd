/* setjmp and longjmp over many frames, out of a qsort callback, and back and forth many times.
 * test-schemes: yes */
#include "t.h"

static jmp_buf back;
static int __attribute__((noinline)) dive(int n)
{
    volatile char room[32];
    room[0] = (char)n;
    if (n == 0)
        longjmp(back, 5);
    return dive(n - 1) + room[0];
}
static int compare(const void *a, const void *b) { longjmp(back, 7); }

int main(void)
{
    volatile int sum = 0;
    for (volatile int i = 0; i < 1000; i++) {
        int r = setjmp(back);
        if (r == 0)
            dive(i % 100);
        sum += r;
    }
    int v[4] = {4, 3, 2, 1};
    int r = setjmp(back);
    if (r == 0)
        qsort(v, 4, sizeof v[0], compare);
    printf("%d %d\n", sum, r);
    return DONE();
}
