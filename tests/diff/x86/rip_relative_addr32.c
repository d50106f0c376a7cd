/* eip-relative operands (address-size prefix) in a program below 2 GB; one in an instruction as long as can be.
 * test-build: -no-pie */
#include "x86.h"

static u64 data[2] __attribute__((used)) = {0x123456789abcdef0, 0x0fedcba987654321};
PIECE(p_load, "mov data(%eip), %rax; lea data(%eip), %rbx; mov $data, %ecx; sub %rcx, %rbx; mov (%ecx), %rdx");
PIECE(p_store, "movl $77, data(%eip); mov $data, %ecx; addq $1, 8(%ecx)");
/* lock orq $0x1234567, data(%eip) with a prefix that means nothing: 15 bytes. */
PIECE(p_long, ".byte 0xf0, 0x67, 0x66, 0xf2, 0x49, 0x81, 0x0d; .long data - (. + 8), 0x1234567");

int main(void)
{
    struct regs r = regs_fresh();
    x86_call(p_load, &r);
    r.rcx = 0;
    regs_print("load", &r);
    r = regs_fresh();
    x86_call(p_store, &r);
    printf("%llx %llx\n", (unsigned long long)data[0], (unsigned long long)data[1]);
    r = regs_fresh();
    x86_call(p_long, &r);
    regs_print("long", &r);
    printf("%llx %llx\n", (unsigned long long)data[0], (unsigned long long)data[1]);
    return DONE();
}
