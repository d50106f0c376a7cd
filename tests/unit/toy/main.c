/* main.c: all tests of the generic engine on the toy CPU. toy BLOCK_SIZE STEPS SEED */
#include "toy.h"

int printf(const char *, ...);
unsigned long strtoul(const char *, char **, int);

int main(int argc, char **argv)
{
    opt->cache_block = strtoul(argv[1], NULL, 0);
    u32 steps = (u32)strtoul(argv[2], NULL, 0);
    for (u32 seed = (u32)strtoul(argv[3], NULL, 0); seed; seed--)
        toy_random(2);
    toy_reset();
    test_formation();
    test_cache();
    test_calls();
    test_maps();
    test_counts();
    test_countdown();
    test_random(steps);
    printf("toy: ok\n");
    return 0;
}
