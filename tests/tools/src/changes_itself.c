/* changes_itself.c: writes a function that returns a constant, runs it, changes the constant; n times. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

int main(int argc, char **argv)
{
    unsigned char code[] = { 0xb8, 0, 0, 0, 0, 0xc3 };     /* mov eax, n; ret */
    unsigned char *page = mmap(0, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    int sum = 0;
    for (int i = 1; i <= atoi(argv[1]); i++) {
        memcpy(code + 1, &i, 4);
        memcpy(page, code, sizeof code);
        sum += ((int (*)(void))page)();
    }
    printf("%d\n", sum);
    return 0;
}
