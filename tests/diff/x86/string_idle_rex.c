/* A REX prefix that is not right before the opcode does nothing, also when the repeat prefix stands between them. */
#include "x86.h"

PIECE(stos16, ".byte 0x66, 0x48, 0xf3, 0xab");
PIECE(lods32, ".byte 0x4d, 0xf2, 0xad");
PIECE(movs32, ".byte 0x48, 0xf3, 0xa5");
PIECE(movs32_addr32, ".byte 0x67, 0x48, 0xf3, 0xa5");
PIECE(scas32, ".byte 0x48, 0xf2, 0xaf");
PIECE(movs64, ".byte 0xf3, 0x48, 0xa5");

int main(void)
{
    u8 *p = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_32BIT, -1, 0);
    CHECK(p != MAP_FAILED);
    static const struct { const char *name; void (*piece)(void); } list[] = {
        {"stos16", stos16}, {"lods32", lods32}, {"movs32", movs32}, {"movs32_addr32", movs32_addr32}, {"scas32", scas32},
        {"movs64", movs64}};
    for (u32 k = 0; k < sizeof list / sizeof *list; k++) {
        for (int i = 0; i < 8192; i++)
            p[i] = (u8)(i * 7 + (i >> 8));
        struct regs r = regs_fresh();
        r.rsi = (u64)p, r.rdi = (u64)p + 4096, r.rcx = 13;
        x86_call(list[k].piece, &r);
        printf("%s: rax %llx rsi %llx rdi %llx rcx %llx memory %llx\n", list[k].name, (unsigned long long)r.rax,
               (unsigned long long)(r.rsi - (u64)p), (unsigned long long)(r.rdi - (u64)p), (unsigned long long)r.rcx,
               (unsigned long long)t_hash(T_HASH0, p, 8192));
    }
    return DONE();
}
