/* sgdt, sidt, sldt, str, smsw in user mode: answered by the kernel with fixed values, or by the CPU itself. */
#include "fault.h"

static u8 out[16] __attribute__((used));
PIECE(p_smsw, "smsw %eax");
PIECE(p_sldt, "sldt %eax");
PIECE(p_str, "str %eax");
PIECE(p_sgdt, "sgdt out(%rip)");
PIECE(p_sidt, "sidt (%rdi)");

static void try(const char *name, void (*piece)(void))
{
    struct regs r = regs_fresh();
    memset(out, 0xee, sizeof out);
    r.rdi = (u64)out;
    fault_try(name, piece, &r);
    printf("  rax %llx bytes", (unsigned long long)r.rax);
    for (int i = 0; i < 10; i++)
        printf(" %02x", out[i]);
    printf("\n");
}

int main(void)
{
    fault_catch_all();
    try("smsw", p_smsw), try("sldt", p_sldt), try("str", p_str), try("sgdt", p_sgdt), try("sidt", p_sidt);
    return DONE();
}
