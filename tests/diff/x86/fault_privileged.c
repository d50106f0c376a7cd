/* The context of SIGSEGV at privileged instructions and unusable interrupt vectors. */
#include "fault.h"

PIECE(p_hlt, "hlt");
PIECE(p_cli, "stc; cli");
PIECE(p_in, "in $0x60, %al");
PIECE(p_out, "out %al, %dx");
PIECE(p_cr, "mov %cr0, %rax");
PIECE(p_msr, "rdmsr");
PIECE(p_lgdt, "lgdt (%rsp)");
PIECE(p_int, "int $0x21");
PIECE(p_wbinvd, "wbinvd");
PIECE(p_iret, "push $0; push $0; push $0; push $0; push $0; iretq");

int main(void)
{
    fault_catch_all();
    struct regs r;
    r = regs_fresh(), fault_try("hlt", p_hlt, &r);
    r = regs_fresh(), fault_try("cli", p_cli, &r);
    r = regs_fresh(), fault_try("in", p_in, &r);
    r = regs_fresh(), fault_try("out", p_out, &r);
    r = regs_fresh(), fault_try("cr", p_cr, &r);
    r = regs_fresh(), fault_try("msr", p_msr, &r);
    r = regs_fresh(), fault_try("lgdt", p_lgdt, &r);
    r = regs_fresh(), fault_try("int", p_int, &r);
    r = regs_fresh(), fault_try("wbinvd", p_wbinvd, &r);
    r = regs_fresh(), fault_try("iret", p_iret, &r);
    return DONE();
}
