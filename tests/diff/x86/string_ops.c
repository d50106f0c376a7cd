/* String instructions with and without rep: all sizes, both directions, count zero, overlap, repe and repne ends. */
#include "x86.h"

static u8 a[256], b[256];
PIECE(movsb_, "rep movsb");
PIECE(movsw_, "rep movsw");
PIECE(movsl_, "rep movsl");
PIECE(movsq_, "rep movsq");
PIECE(stosb_, "rep stosb");
PIECE(stosl_, "rep stosl");
PIECE(stosq_, "rep stosq");
PIECE(lodsb_, "rep lodsb");
PIECE(lodsq_, "rep lodsq");
PIECE(repe_cmpsb, "repe cmpsb");
PIECE(repne_cmpsw, "repne cmpsw");
PIECE(repe_scasb, "repe scasb");
PIECE(repne_scasl, "repne scasl");
PIECE(one_movsq, "movsq");
PIECE(one_stosb, "stosb");
PIECE(one_lodsw, "lodsw");
PIECE(one_cmpsl, "cmpsl");
PIECE(one_scasq, "scasq");

static void try(const char *name, void (*piece)(void), u64 count, int down, int shift)
{
    for (int i = 0; i < 256; i++)
        a[i] = (u8)(i / 3), b[i] = (u8)(i < 150 ? i / 3 : i);
    struct regs r = regs_fresh();
    u64 src = (u64)a + 100, dst = (shift ? (u64)a + 100 + (u64)shift : (u64)b + 100);
    r.rsi = src, r.rdi = dst, r.rcx = count;
    r.flags = 0x202 | (down ? 0x400 : 0);
    x86_call(piece, &r);
    r.rsi -= src, r.rdi -= dst;
    u64 h = t_hash(t_hash(T_HASH0, a, sizeof a), b, sizeof b);
    printf("%s count %llu down %d: rax %llx rsi %lld rdi %lld rcx %lld flags %llx memory %llx\n", name,
           (unsigned long long)count, down, (unsigned long long)r.rax, (long long)r.rsi, (long long)r.rdi,
           (long long)r.rcx, (unsigned long long)r.flags, (unsigned long long)h);
}

int main(void)
{
    static const u64 counts[] = {0, 1, 5, 12};
#define TRY(piece, shift)                                                                        \
    for (int i = 0; i < 8; i++)                                                                  \
        try(#piece, piece, counts[i & 3], i >> 2, shift)
    TRY(movsb_, 0);
    TRY(movsw_, 0);
    TRY(movsl_, 0);
    TRY(movsq_, 0);
    TRY(movsb_, 3);
    TRY(movsb_, -3);
    TRY(movsq_, 5);
    TRY(stosb_, 0);
    TRY(stosl_, 0);
    TRY(stosq_, 0);
    TRY(lodsb_, 0);
    TRY(lodsq_, 0);
    TRY(repe_cmpsb, 0);
    TRY(repne_cmpsw, 0);
    TRY(repe_scasb, 0);
    TRY(repne_scasl, 0);
    TRY(one_movsq, 0);
    TRY(one_stosb, 0);
    TRY(one_lodsw, 0);
    TRY(one_cmpsl, 0);
    TRY(one_scasq, 0);
    return DONE();
}
