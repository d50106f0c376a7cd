/* Walks over 8 KB, a byte each, twice: with lines of 64 bytes and 4 KB of cache every line misses both times. */
static volatile char a[8192] __attribute__((aligned(64)));
__attribute__((noinline)) void walk(void)
{
    const volatile char *p = a;
    __asm__ volatile("1: movb (%0), %%al\n add $1, %0\n cmp %1, %0\n jne 1b" : "+r"(p) : "r"(a + sizeof a) : "rax", "cc", "memory");
}
int main(void)
{
    walk();
    walk();
    return 0;
}
