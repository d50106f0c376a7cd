/* The context of SIGFPE at div and idiv: by zero, and with a quotient that does not fit. */
#include "fault.h"

PIECE(by_zero, "xor %ecx, %ecx; stc; div %rcx");
PIECE(too_big, "mov $5, %edx; mov $2, %ecx; div %rcx");
PIECE(minimum, "movabs $0x8000000000000000, %rax; cqto; mov $-1, %rcx; idiv %rcx");
PIECE(byte, "mov $0x1234, %eax; mov $1, %cl; div %cl");

int main(void)
{
    fault_catch_all();
    struct regs r;
    r = regs_fresh(), fault_try("by_zero", by_zero, &r);
    r = regs_fresh(), fault_try("too_big", too_big, &r);
    r = regs_fresh(), fault_try("minimum", minimum, &r);
    r = regs_fresh(), fault_try("byte", byte, &r);
    return DONE();
}
