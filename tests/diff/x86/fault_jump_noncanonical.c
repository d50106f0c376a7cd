/* The context of SIGSEGV at jumps to non-canonical addresses: rip is the jump itself.
 * test-xfail: an indirect branch that finds no landing no longer knows where it came from; rip is the target */
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
    static const u64 targets[] = {0x1234567890abcdefull};
    for (int i = 0; i < 1; i++) {
        u64 target = i < 1 ? targets[i] : (u64)page + 16;
        r = regs_fresh(), r.rdi = target, fault_try("by_register", by_register, &r);
        r = regs_fresh(), r.rdi = target, fault_try("by_call", by_call, &r);
        r = regs_fresh(), r.rdi = target, fault_try("by_return", by_return, &r);
        r = regs_fresh(), r.rdi = target, fault_try("by_return_imm", by_return_imm, &r);
    }
    return DONE();
}
