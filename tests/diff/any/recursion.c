/* Deep recursion: 100000 levels, Ackermann, mutual recursion through pointers. */
#include "t.h"

static u64 __attribute__((noinline)) deep(u64 n) { return n ? deep(n - 1) * 3 + n : 1; }
static int __attribute__((noinline)) ack(int m, int n)
{
    return !m ? n + 1 : !n ? ack(m - 1, 1) : ack(m - 1, ack(m, n - 1));
}
static int odd(int n);
static int (*volatile odd_ptr)(int) = odd;
static int even(int n) { return n == 0 ? 1 : odd_ptr(n - 1); }
static int (*volatile even_ptr)(int) = even;
static int odd(int n) { return n == 0 ? 0 : even_ptr(n - 1) + 0 * n; }

int main(void)
{
    for (int i = 0; i < 3; i++)
        printf("%llx\n", (unsigned long long)deep(100000));
    printf("%d %d %d\n", ack(2, 300), ack(3, 5), even(50001));
    return DONE();
}
