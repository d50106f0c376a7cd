/* Callbacks from the C library into the program: qsort, bsearch, and a comparison reached by pointer. */
#include "t.h"

static int calls;
static int up(const void *a, const void *b)
{
    calls++;
    return *(const int *)a < *(const int *)b ? -1 : *(const int *)a > *(const int *)b;
}
static int down(const void *a, const void *b) { return -up(a, b); }

int main(void)
{
    static int v[5000];
    u64 s = 9;
    for (int round = 0; round < 4; round++) {
        for (int i = 0; i < 5000; i++)
            v[i] = (int)(t_random(&s) % 100000);
        qsort(v, 5000, sizeof v[0], round & 1 ? down : up);
        int key = v[1234], *hit = bsearch(&key, v, 5000, sizeof v[0], round & 1 ? down : up);
        printf("%d %d %d %d %016llx\n", v[0], v[4999], calls, hit && *hit == key,
               (unsigned long long)t_hash(T_HASH0, v, sizeof v));
    }
    return DONE();
}
