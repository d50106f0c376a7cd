/* sums.c: computes the same sum over and over, in integers and in vectors, until SIGUSR1 comes. */
#include <signal.h>
#include <stdio.h>
#include <unistd.h>
static volatile sig_atomic_t is_over;
static void end(int sig) { is_over = 1; }
static unsigned long integers(void)
{
    unsigned long x = 1;
    for (int i = 0; i < 20000; i++)
        x = x * 6364136223846793005ul + 1442695040888963407ul;
    return x;
}
static double floats(void)
{
    double a[64], s = 0;
    for (int i = 0; i < 64; i++)
        a[i] = 1.0 / (i + 1);
    for (int k = 0; k < 300; k++)
        for (int i = 0; i < 64; i++)
            s += a[i] * a[(i + k) % 64];
    return s;
}
int main(void)
{
    signal(SIGUSR1, end);
    unsigned long x = integers();
    double f = floats();
    unsigned bad = 0;
    puts("ready");
    fflush(stdout);
    while (!is_over)
        bad += integers() != x || floats() != f;
    puts(bad ? "sums differ" : "sums agree");
    return 7;
}
