/* OpenMP: parallel loops, a reduction, a critical section, barriers. */
#include <stdio.h>
static int a[2000], total;
int main(void)
{
    long sum = 0;
    for (int r = 0; r < 5; r++) {
#pragma omp parallel for num_threads(3)
        for (int i = 0; i < 2000; i++)
            a[i] += i + r;
#pragma omp parallel for reduction(+ : sum) num_threads(3)
        for (int i = 0; i < 2000; i++)
            sum += a[1999 - i];
#pragma omp parallel num_threads(3)
        {
#pragma omp critical
            total++;
#pragma omp barrier
            if (total != 3 * (r + 1))
                sum = -1000000;
        }
    }
    printf("%ld %d\n", sum, total);
}
