/* The context of SIGSEGV at branches to non-canonical addresses: rip is the branch itself, and the stack pointer its own.
 * test-schemes: yes */
#include "fault.h"

static u64 in_memory __attribute__((used)) = 0x1234567890abcdef;
static struct { u64 to; u16 cs; } __attribute__((packed)) far __attribute__((used)) = {0x1234567890abcdef, 0x33};
PIECE(by_register, "push %rax; jmp *%rdi");
PIECE(by_r11, "mov %rdi, %r11; jmp *%r11");
PIECE(by_memory, "jmp *in_memory(%rip)");
PIECE(by_call, "call *%rdi");
PIECE(by_call_memory, "push %rdi; nop; call *(%rsp)");
PIECE(by_return, "push %rdi; ret");
PIECE(by_return_imm, "push %rdi; ret $16");
PIECE(by_far_return, "push $0x33; push %rdi; lretq");
PIECE(by_far_jump, "rex.W ljmp *far(%rip)");
PIECE(by_iret, "mov %rsp, %rax; push $0x2b; push %rax; pushfq; push $0x33; push %rdi; iretq");

int main(void)
{
    fault_catch_all();
    static const u64 targets[] = {0x1234567890abcdef, 0x800000000000, 0xffff7fffffffffff, 0x8000000000000000};
    static const struct { const char *name; void (*piece)(void); } list[] = {
        {"by_register", by_register}, {"by_r11", by_r11}, {"by_memory", by_memory}, {"by_call", by_call},
        {"by_call_memory", by_call_memory}, {"by_return", by_return}, {"by_return_imm", by_return_imm},
        {"by_far_return", by_far_return}, {"by_far_jump", by_far_jump}, {"by_iret", by_iret}};
    for (unsigned i = 0; i < 4; i++)
        for (unsigned k = 0; k < sizeof list / sizeof list[0]; k++) {
            struct regs r = regs_fresh();
            r.rdi = targets[i];
            in_memory = far.to = targets[i];
            fault_try(list[k].name, list[k].piece, &r);
        }
    return DONE();
}
