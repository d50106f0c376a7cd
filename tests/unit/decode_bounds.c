/* decode_bounds.c: random bytes in a buffer that ends where they end: the decoder reads no byte behind them, calls no instruction
 * longer than they are, and comes to the same verdict, good or bad, with more bytes behind. Built with the sanitizers.
 *
 *   decode_bounds SEED COUNT */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "arch/x86/decode.h"

static u64 state;
static u32 below(u32 n) { state = state * 6364136223846793005u + 1442695040888963407u; return (u32)(state >> 33) % n; }

/* Mostly prefixes and escapes at first: they lead to the rarer tables. */
static void make(u8 *p, u32 n)
{
    static const u8 often[] = { 0x66, 0x67, 0xf2, 0xf3, 0x40, 0x48, 0x4f, 0x0f, 0x0f, 0x38, 0x3a, 0xc4, 0xc5, 0x62, 0xd5, 0x64, 0x65, 0xf0 };
    for (u32 i = 0; i < n; i++)
        p[i] = i < 5 && below(2) ? often[below(sizeof often)] : (u8)below(256);
}

static bool is_same(const struct x86_insn *x, const u8 *more)
{
    struct x86_insn y;
    x86_decode(more, 32, &y);
    return y.len == x->len && y.kind == x->kind;
}

int main(int argc, char **argv)
{
    state = strtoull(argv[1], NULL, 0);
    u64 count = strtoull(argv[2], NULL, 0), decoded = 0;
    for (u64 i = 0; i < count; i++) {
        u32 n = 1 + below(16);
        u8 *p = malloc(n), more[32];
        struct x86_insn x, padded;
        struct x86_usage u;
        make(p, n);
        bool ok = x86_decode(p, n, &x);
        memcpy(more, p, n);
        make(more + n, sizeof more - n);
        x86_decode_padded(more, n, &padded);                     /* what is behind is not the program's */
        make(more + n, sizeof more - n);
        if ((x.len && (x.len > n || !is_same(&x, more))) || (padded.len && !is_same(&padded, more))) {
            printf("seed %s round %llu: length %u of %u bytes\n", argv[1], (unsigned long long)i, x.len, n);
            return 1;
        }
        if (ok) {
            decoded++;
            x86_usage(&x, &u);
        }
        free(p);
    }
    return decoded < count / 20;
}
