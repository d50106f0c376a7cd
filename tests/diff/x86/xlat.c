/* xlat, plain, with a segment prefix-free base in rbx, and with the address-size prefix. */
#include "x86.h"

PIECE(p_xlat, "xlatb; xlatb");
PIECE(p_xlat32, "addr32 xlatb");

int main(void)
{
    u8 *p = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_32BIT, -1, 0);
    for (int i = 0; i < 256; i++)
        p[i] = (u8)(i * 167 + 13);
    for (u64 al = 0; al < 256; al += 17) {
        struct regs r = regs_fresh();
        r.rbx = (u64)p, r.rax = 0xabcdef00 | al;
        x86_call(p_xlat, &r);
        printf("%llx ", (unsigned long long)r.rax);
        r.rbx = (u64)p | 0x7700000000ull;
        x86_call(p_xlat32, &r);
        printf("%llx\n", (unsigned long long)r.rax);
    }
    return DONE();
}
