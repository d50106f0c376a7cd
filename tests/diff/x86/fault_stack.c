/* The context of SIGSEGV raised by instructions that use a bad stack pointer, seen on the alternate stack. */
#include "fault.h"

PIECE(p_push, "mov %rsp, %r15; mov %rdi, %rsp; push %rax");
PIECE(p_call, "mov %rsp, %r15; mov %rdi, %rsp; call 1f; 1: nop");
PIECE(p_ret, "mov %rsp, %r15; mov %rdi, %rsp; .byte 0xc3");
PIECE(p_pop, "mov %rsp, %r15; mov %rdi, %rsp; pop %rax");
PIECE(p_enter, "mov %rsp, %r15; mov %rdi, %rsp; enter $32, $0");
PIECE(p_leave, "mov %rsp, %r15; mov %rdi, %rbp; leave");
PIECE(p_pushf, "mov %rsp, %r15; mov %rdi, %rsp; pushfq");
PIECE(p_call_ind, "mov %rsp, %r15; mov %rdi, %rsp; lea 1f(%rip), %rax; call *%rax; 1: nop");

int main(void)
{
    fault_catch_all();
    struct regs r;
    u8 *page = mmap(NULL, 8192, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    fault.addr_base = (u64)page;
#define TRY(piece) (r = regs_fresh(), r.rdi = (u64)page + 4096, fault_try(#piece, piece, &r))
    TRY(p_push);
    TRY(p_call);
    TRY(p_ret);
    TRY(p_pop);
    TRY(p_enter);
    TRY(p_leave);
    TRY(p_pushf);
    TRY(p_call_ind);
#undef TRY
#define TRY(piece) (r = regs_fresh(), r.rdi = 0x7070707070707070ull, fault_try(#piece " non-canonical", piece, &r))
    TRY(p_push);
    TRY(p_call);
    TRY(p_ret);
    TRY(p_pop);
    return DONE();
}
