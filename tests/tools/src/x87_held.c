/* x87_held.c: keeps values, the control word and the pointer to the last instruction in x87 while code runs for the first time. */
#include <stdio.h>

#define FRESH(n) static __attribute__((noinline)) int fresh##n(int x) { return x & 1 ? x * n + 1 : x / 2 - n; }
#define FOR_TEN(X) X(1) X(2) X(3) X(4) X(5) X(6) X(7) X(8) X(9) X(10)
FOR_TEN(FRESH)

int main(void)
{
    int x = 27;
    unsigned short control = 0xc7f, after;              /* towards zero */
    struct { unsigned words[7]; } before, behind;
    long double values[3];
    __asm__ volatile("fldcw %0\n\tfldpi\n\tfldl2e\n\tfldln2\n\tfnstenv %1\n\tfldenv %1" : : "m"(control), "m"(before) : "memory");
#define CALL(n) x = fresh##n(x);
    FOR_TEN(CALL)
    __asm__ volatile("fnstcw %0\n\tfnstenv %1\n\tfldenv %1\n\tfstpt %2\n\tfstpt %3\n\tfstpt %4\n\tfninit"
                     : "=m"(after), "=m"(behind), "=m"(values[0]), "=m"(values[1]), "=m"(values[2]));
    printf("%d %x %d\n", x, after, before.words[3] == behind.words[3]);
    for (int i = 0; i < 3; i++)
        printf("%.20Lf\n", values[i]);
    puts("ok x87_held");
}
