/* The context of SIGSEGV at jumps to unmapped and non-executable addresses: rip is the target. */
#include "fault.h"

PIECE(by_register, "push %rax; jmp *%rdi");
PIECE(by_call, "call *%rdi");
PIECE(by_return, "push %rdi; ret");
PIECE(by_return_imm, "push %rdi; ret $16");

int main(void)
{
    fault_catch_all();
    struct regs r;
    u8 *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    page[16] = 0xc3;
    fault.addr_base = (u64)page;
    static const u64 targets[] = {0, 0x12345678, 0xffffffff80000000ull};
    for (int i = 0; i < 4; i++) {
        u64 target = i < 3 ? targets[i] : (u64)page + 16;
        r = regs_fresh(), r.rdi = target, fault_try("by_register", by_register, &r);
        r = regs_fresh(), r.rdi = target, fault_try("by_call", by_call, &r);
        r = regs_fresh(), r.rdi = target, fault_try("by_return", by_return, &r);
        r = regs_fresh(), r.rdi = target, fault_try("by_return_imm", by_return_imm, &r);
    }
    return DONE();
}
