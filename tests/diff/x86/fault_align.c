/* The context of SIGSEGV at misaligned vector accesses. */
#include "fault.h"

PIECE(load, "movaps 1(%rdi), %xmm1");
PIECE(store, "movaps %xmm1, 8(%rdi)");
PIECE(operand, "paddd 4(%rdi), %xmm1");

int main(void)
{
    fault_catch_all();
    struct regs r;
    static u8 data[64] __attribute__((aligned(64)));
    fault.addr_base = (u64)data;
    r = regs_fresh(), r.rdi = (u64)data, fault_try("load", load, &r);
    r = regs_fresh(), r.rdi = (u64)data, fault_try("store", store, &r);
    r = regs_fresh(), r.rdi = (u64)data, fault_try("operand", operand, &r);
    return DONE();
}
