/* Images of the FPU at the end of the address space, and where 32-bit addresses wrap: which byte faults.
 * test-prefix: setarch -R */
#include "fault.h"

static u8 *low;
#define GS "mov %r15, %rax; wrgsbase %rax; "
PIECE(p_fnsave_end, "mov $-7, %rbx; fnsave (%rbx)");
PIECE(p_fnsaves_end, "mov $-1, %rbx; fnsaves -6(%rbx)");
PIECE(p_fnstenv_end, "mov $-5, %rbx; fnstenv (%rbx)");
PIECE(p_fxsave_end, "mov $-16, %rbx; fxsave (%rbx)");
PIECE(p_xsave_end, "mov $-64, %rbx; mov $7, %eax; xor %edx, %edx; xsave (%rbx)");
PIECE(p_fxsave_gs, GS "mov $0xfffffec0, %edi; fxsave %gs:(%edi)");
PIECE(p_fxrstor_gs, GS "mov $0xfffffec0, %edi; fxrstor %gs:(%edi)");
PIECE(p_fnsave_gs, GS "mov $0xffffffc0, %edi; fnsave %gs:(%edi)");
PIECE(p_frstor_gs, GS "mov $0xffffffc0, %edi; frstor %gs:(%edi)");
PIECE(p_fnstenv_gs, GS "mov $0xfffffff8, %edi; fnstenv %gs:(%edi)");
PIECE(p_xsave_gs, GS "mov $0xfffffec0, %edi; mov $7, %eax; xor %edx, %edx; xsave %gs:(%edi)");
PIECE(p_xsavec_gs, GS "mov $0xfffffec0, %edi; mov $7, %eax; xor %edx, %edx; xsavec %gs:(%edi)");
PIECE(p_fxsave_32, "mov $0xfffffec0, %edi; fxsave (%edi)");

static void try(const char *what, void (*piece)(void))
{
    struct regs r = regs_fresh();
    r.r15 = (u64)low;
    fault_try(what, piece, &r);
    __asm__ volatile("fninit");
    printf("  %llx\n", (long long)t_hash(T_HASH0, low, 4096));
}
#define TRY(p) try(#p, p)

int main(void)
{
    low = mmap((void *)0x20000000, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
    CHECK(low == (u8 *)0x20000000);
    fault_catch_all();
    TRY(p_fnsave_end), TRY(p_fnsaves_end), TRY(p_fnstenv_end), TRY(p_fxsave_end), TRY(p_xsave_end), TRY(p_fxsave_gs), TRY(p_fxrstor_gs);
    TRY(p_fnsave_gs), TRY(p_frstor_gs), TRY(p_fnstenv_gs), TRY(p_xsave_gs), TRY(p_xsavec_gs), TRY(p_fxsave_32);
    return DONE();
}
