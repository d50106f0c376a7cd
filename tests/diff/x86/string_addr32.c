/* String instructions with the address-size prefix: esi, edi, ecx are used, and their upper halves end as natively. */
#include "x86.h"

PIECE(movs32, "addr32 rep movsb");
PIECE(stos32, "addr32 rep stosl");
PIECE(one32, "addr32 lodsb");
PIECE(zero32, "addr32 rep movsb");

int main(void)
{
    u8 *p = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_32BIT, -1, 0);
    CHECK(p != MAP_FAILED);
    for (int i = 0; i < 4096; i++)
        p[i] = (u8)(i * 7);
    static const struct { const char *name; void (*piece)(void); u64 count; } list[] = {
        {"movs", movs32, 100}, {"stos", stos32, 20}, {"lods", one32, 3}, {"zero", zero32, 0}};
    for (int i = 0; i < 4; i++) {
        struct regs r = regs_fresh();
        r.rsi = (u64)p | 0x1200000000ull, r.rdi = ((u64)p + 4096) | 0x3400000000ull;
        r.rcx = list[i].count | 0x5600000000ull;
        x86_call(list[i].piece, &r);
        printf("%s: rax %llx rsi %llx rdi %llx rcx %llx memory %llx\n", list[i].name, (unsigned long long)r.rax,
               (unsigned long long)(r.rsi - (u64)p), (unsigned long long)(r.rdi - (u64)p), (unsigned long long)r.rcx,
               (unsigned long long)t_hash(T_HASH0, p, 8192));
    }
    return DONE();
}
