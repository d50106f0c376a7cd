/* The context of SIGSEGV at loads, stores, read-modify-writes, pushes through memory and string instructions. */
#include "fault.h"

PIECE(load, "mov (%rdi), %rax");
PIECE(store, "mov %eax, 5(%rdi, %rsi, 4)");
PIECE(modify, "stc; adc %rax, (%rdi)");
PIECE(locked, "lock xadd %rax, (%rdi)");
PIECE(rip_relative, "mov %rax, not_writable(%rip); nop; not_writable: nop");
PIECE(push_memory, "push (%rdi)");
PIECE(vector, "movdqu (%rdi), %xmm3");
PIECE(movs, "rep movsb");
PIECE(indirect, "push %rax; call *(%rdi)");
PIECE(second_half, "mov -4(%rdi), %rax");
PIECE(set_flag_memory, "cmp %rax, %rax; sete (%rdi)");

int main(void)
{
    fault_catch_all();
    struct regs r;
    u8 *page = mmap(NULL, 12288, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    CHECK(mprotect(page + 4096, 4096, PROT_NONE) == 0);
    fault.addr_base = (u64)page;
    u64 bad = (u64)page + 4096;
    r = regs_fresh(), r.rdi = bad, fault_try("load", load, &r);
    r = regs_fresh(), r.rdi = bad, r.rsi = 7, fault_try("store", store, &r);
    r = regs_fresh(), r.rdi = bad, fault_try("modify", modify, &r);
    r = regs_fresh(), r.rdi = bad + 8, fault_try("locked", locked, &r);
    r = regs_fresh(), fault_try("rip_relative", rip_relative, &r);
    r = regs_fresh(), r.rdi = bad, fault_try("push_memory", push_memory, &r);
    r = regs_fresh(), r.rdi = bad - 8, fault_try("vector", vector, &r);
    r = regs_fresh(), r.rdi = bad - 10, r.rsi = (u64)page, r.rcx = 100, fault_try("movs", movs, &r);
    r = regs_fresh(), r.rdi = bad, fault_try("indirect", indirect, &r);
    r = regs_fresh(), r.rdi = bad, fault_try("second_half", second_half, &r);
    r = regs_fresh(), r.rdi = bad, fault_try("set_flag_memory", set_flag_memory, &r);
    r = regs_fresh(), r.rdi = 0, fault_try("null", load, &r);
    r = regs_fresh(), r.rdi = 0x8000000000000000ull, fault_try("non-canonical", load, &r);
    r = regs_fresh(), r.rdi = 0xffffffff81000000ull, fault_try("kernel", load, &r);
    return DONE();
}
