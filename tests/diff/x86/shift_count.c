/* Shifts and rotates by cl and by immediates: counts 0, above the width, flags kept when the count is 0; shld, shrd. */
#include "x86.h"

PIECE(p_shl, "shl %cl, %rax; shl %cl, %ebx");
PIECE(p_sar, "sar %cl, %rax; sarw %cl, %bx");
PIECE(p_rcl, "rcl %cl, %rax; rclb %cl, %bl");
PIECE(p_rcr, "rcr %cl, %rax; rcrw %cl, %bx");
PIECE(p_rol, "rol %cl, %eax; rolb %cl, %bh");
PIECE(p_ror, "ror %cl, %rax; rorw %cl, %dx");
PIECE(p_shld, "shld %cl, %rbx, %rax; shld %cl, %r8d, %r9d; shld $7, %rsi, %rdi");
PIECE(p_shrd, "shrd %cl, %rbx, %rax; shrd %cl, %r8d, %r9d; shrd $31, %esi, %edi");

int main(void)
{
    static const u8 counts[] = {0, 1, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 64, 65, 128, 255};
    void (*list[])(void) = {p_shl, p_sar, p_rcl, p_rcr, p_rol, p_ror, p_shld, p_shrd};
    for (int i = 0; i < 8; i++)
        for (unsigned j = 0; j < sizeof counts; j++)
            for (u64 flags = 0x202; flags < 0xad8; flags += 0x8d5) {
                struct regs r = regs_fresh();
                r.rcx = counts[j], r.flags = flags;
                x86_call(list[i], &r);
                printf("%d %d %016llx %llx\n", i, counts[j], (unsigned long long)t_hash(T_HASH0, &r, 120),
                       (unsigned long long)r.flags);
            }
    return DONE();
}
