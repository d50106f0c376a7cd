/* Retpolines: an indirect call made of call, an overwritten return address and ret, from many sites to many targets.
 * test-schemes: yes */
#include "t.h"

typedef int (*fn)(int);
int by_retpoline(int arg, fn target);
__asm__(".pushsection .text\n.globl by_retpoline\nby_retpoline:\n  mov %rsi, %r11\n  call thunk\n  ret\n"
        "thunk: call 2f\n1: pause; lfence; jmp 1b\n2: mov %r11, (%rsp)\n  ret\n.popsection\n");

static int f0(int x) { return x + 1; }
static int f1(int x) { return x * 3; }
static int f2(int x) { return x ^ 0x55; }
static int f3(int x) { return -x; }

int main(void)
{
    static const fn list[] = {f0, f1, f2, f3};
    int x = 1;
    for (int i = 0; i < 100000; i++)
        x = by_retpoline(x, list[(i ^ i >> 3) & 3]);
    printf("%d\n", x);
    return DONE();
}
