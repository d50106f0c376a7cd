/* binary.c: see binary.h. */
#include "tool.h"
#include "binary.h"

static VEC(UINT8) out;
static VEC(struct before { ADDRINT address; UINT64 chunk; }) before;    /* by site: valid if its chunk is the current one */

static VOID put_number(UINT64 n, int bytes)
{
    for (int i = 0; i < bytes; i++)
        VEC_ADD(out, (UINT8)(n >> 8 * i));
}

static VOID put_varint(UINT64 n)
{
    for (; n >= 0x80; n >>= 7)
        VEC_ADD(out, (UINT8)(n | 0x80));
    VEC_ADD(out, (UINT8)n);
}

static VOID write_chunk(FILE *f, char type, UINT32 thread)
{
    UINT32 n = (UINT32)out.n;
    put_number((UINT8)type, 1);
    put_number(thread, 4);
    put_number(n, 4);
    fwrite(out.at + n, 1, out.n - n, f);
    fwrite(out.at, 1, n, f);
    out.n = 0;
}

static VOID write_sites(FILE *f, struct sites *s)
{
    for (; s->n_written < s->v.n; s->n_written++) {
        const struct site *x = &s->v.at[s->n_written];
        put_number(x->pc, 8);
        put_number(x->size, 4);
        put_number((UINT8)x->kind, 1);
    }
    if (out.n)
        write_chunk(f, 'S', 0);
}

VOID binary_write(FILE *f, UINT32 thread, struct sites *s, const struct access *a, size_t n)
{
    static UINT64 chunk;
    if (!s->n_written)
        fwrite("CTMEM1\n", 1, 8, f);
    write_sites(f, s);
    while (before.n < s->v.n)
        VEC_ADD(before, ((struct before){ 0, 0 }));
    chunk++;
    for (size_t i = 0; i < n; i++) {
        struct before *b = &before.at[a[i].site];
        INT64 delta = (INT64)(a[i].address - (b->chunk == chunk ? b->address : 0));
        put_varint(a[i].site);
        put_varint((UINT64)delta << 1 ^ (UINT64)(delta >> 63));
        *b = (struct before){ a[i].address, chunk };
    }
    if (out.n)
        write_chunk(f, 'A', thread);
    fflush(f);
}
