/* patches: writes a function anew ten times and runs it each time; the eleventh writing is not run. */
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

static __attribute__((noinline)) void patch(unsigned char *code, int n)
{
    code[1] = (unsigned char)n; /* WRITE */
}

int main(void)
{
    unsigned char *code = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    int sum = 0;
    memcpy(code, "\xb8\x00\x00\x00\x00\xc3", 6);        /* mov $0, %eax; ret */
    sum += ((int (*)(void))code)();
    for (int i = 1; i <= 10; i++) {
        patch(code, i);
        sum += ((int (*)(void))code)();
    }
    patch(code, 99);
    code[100] = 1;
    printf("%d\n", sum);
}
