/* A sum without a reduction. */
#include <stdio.h>

int main(void)
{
    volatile long sum = 0;
#pragma omp parallel for num_threads(3)
    for (int i = 0; i < 300; i++)
        sum += i; /* RACE */
    printf("%d\n", sum > 0);
}
