/* answer.c: routines that a tool changes from below. */
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

__attribute__((noinline, noclone)) long add(long a, long b)
{
    long r;
    __asm__ volatile("lea (%1,%2), %0\n\tnop" : "=r"(r) : "r"(a), "r"(b));
    return r;
}
__attribute__((noinline, noclone)) long skip(long a)
{
    __asm__ volatile("add $1000, %0\n\t.byte 0x0f,0x1f,0x80,0x11,0x22,0x33,0x44" : "+r"(a));
    return a;
}
__attribute__((noinline, noclone)) double scale(double x)
{
    __asm__ volatile("addsd %0, %0" : "+x"(x));
    return x;
}
__attribute__((noinline, noclone)) long other(long a) { return -a; }

int main(void)
{
    char buf[64] = "";
    long pid = syscall(SYS_getpid);
    printf("%ld %ld %g %ld\n", add(20, 22), skip(5), scale(1.5), other(9));
    printf("%s\n", pid == 4242 ? "pid 4242" : "pid own");
    long n = syscall(SYS_read, 77, buf, 10);
    printf("read %ld %s\n", n, buf);
    return 0;
}
