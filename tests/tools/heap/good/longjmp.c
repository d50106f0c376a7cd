/* longjmp across frames that hold blocks */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <setjmp.h>

static jmp_buf env;
static char *p;
static void deep(int n)
{
    if (n == 0)
        longjmp(env, 1);
    deep(n - 1);
}
int main(void)
{
    p = malloc(10);
    if (!setjmp(env))
        deep(50);
    p[9] = 1;
    free(p);
}
