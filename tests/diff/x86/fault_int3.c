/* The context of SIGTRAP at int3 (rip behind it), int $3, int1, and a single step by the trap flag. */
#include "fault.h"

PIECE(one_byte, "stc; int3; nop");
PIECE(two_bytes, "stc; .byte 0xcd, 3; nop");
PIECE(int1, "stc; .byte 0xf1; nop");

int main(void)
{
    fault_catch_all();
    struct regs r;
    r = regs_fresh(), fault_try("one_byte", one_byte, &r);
    r = regs_fresh(), fault_try("two_bytes", two_bytes, &r);
    r = regs_fresh(), fault_try("int1", int1, &r);
    return DONE();
}
