/* The context of SIGILL at ud2, ud1 and other undefined bytes, with work before it in the same block. */
#include "fault.h"

PIECE(at_start, "ud2");
PIECE(after_work, "add %rax, %rbx; adc $5, %rcx; xor %r8, %r9; push %rax; pop %r10; ud2; mov $1, %eax");
PIECE(ud1, "cmp %rbx, %rax; .byte 0x0f, 0xb9, 0xc0");
PIECE(ud0, "cmp %rbx, %rcx; .byte 0x0f, 0xff, 0xc0");
PIECE(in_64_bit, "stc; .byte 0x06");
PIECE(lock_prefix, "stc; .byte 0xf0, 0x01, 0xc0");

int main(void)
{
    fault_catch_all();
    struct regs r;
    r = regs_fresh(), fault_try("at_start", at_start, &r);
    r = regs_fresh(), fault_try("after_work", after_work, &r);
    r = regs_fresh(), fault_try("ud1", ud1, &r);
    r = regs_fresh(), fault_try("ud0", ud0, &r);
    r = regs_fresh(), fault_try("in_64_bit", in_64_bit, &r);
    r = regs_fresh(), fault_try("lock_prefix", lock_prefix, &r);
    return DONE();
}
