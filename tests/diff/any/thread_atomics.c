/* Eight threads on shared atomic counters: add, exchange, compare and swap, 16-byte compare and swap.
 * test-build: -mcx16 */
#include "t.h"

static u64 added, swapped, bits;
static __int128 wide;
static void *body(void *arg)
{
    for (int i = 0; i < 5000; i++) {
        __atomic_add_fetch(&added, 3, __ATOMIC_SEQ_CST);
        u64 old = __atomic_load_n(&swapped, __ATOMIC_RELAXED);
        while (!__atomic_compare_exchange_n(&swapped, &old, old + 5, 0, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED))
            ;
        __atomic_xor_fetch(&bits, 1ull << (i & 63), __ATOMIC_SEQ_CST);
        __int128 w = wide;
        for (;;) {
            __int128 seen = __sync_val_compare_and_swap(&wide, w, w + (((__int128)1 << 64) | 7));
            if (seen == w)
                break;
            w = seen;
        }
    }
    return NULL;
}

int main(void)
{
    pthread_t t[8];
    for (int i = 0; i < 8; i++)
        CHECK(pthread_create(&t[i], NULL, body, NULL) == 0);
    for (int i = 0; i < 8; i++)
        pthread_join(t[i], NULL);
    printf("%llu %llu %llx %llu %llu\n", (unsigned long long)added, (unsigned long long)swapped,
           (unsigned long long)bits,
           (unsigned long long)(wide >> 64), (unsigned long long)wide);
    return DONE();
}
