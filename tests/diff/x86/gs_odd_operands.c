/* GS operands whose address no other register can stand in for: gathers and scatters without a base register or with 32-bit
 * addresses, bit tests and MXCSR with 32-bit addresses, relative to eip too; their faults; wrgsbase of what no address can be.
 * test-prefix: setarch -R */
#include "fault.h"

static u8 *low;                                    /* below 4 GB; GS is its distance from 0x1000 */

#define GS "mov %r15, %rax; wrgsbase %rax; "
PIECE(p_nobase, GS "vpcmpeqd %ymm2, %ymm2, %ymm2; vmovdqu (%rsi), %ymm1; vpgatherdd %ymm2, %gs:0x1000(,%ymm1,4), %ymm0");
PIECE(p_nobase_fs, GS "vpcmpeqd %ymm2, %ymm2, %ymm2; vmovdqu (%rsi), %xmm1; vpgatherdq %ymm2, %gs:0x1000(,%xmm1,8), %ymm0");
PIECE(p_addr32, GS "vpcmpeqd %ymm2, %ymm2, %ymm2; vmovdqu (%rsi), %ymm1; mov $0xfffff800, %ebx; vpgatherdd %ymm2, %gs:0x1800(%ebx,%ymm1,4), %ymm0");
PIECE(p_addr32_q, GS "vpcmpeqd %xmm2, %xmm2, %xmm2; vpmovzxdq (%rsi), %ymm1; mov $0xfffff800, %ebx; vgatherqps %xmm2, %gs:0x1800(%ebx,%ymm1,4), %xmm0");
PIECE(p_half, GS "vmovdqu 32(%rsi), %ymm2; vmovdqu (%rsi), %ymm1; vpgatherdd %ymm2, %gs:0x1000(,%ymm1,4), %ymm0");
PIECE(p_faults, GS "vpcmpeqd %ymm2, %ymm2, %ymm2; vmovdqu 64(%rsi), %ymm1; vpgatherdd %ymm2, %gs:0x1000(,%ymm1,4), %ymm0");
PIECE(p_bt, GS "mov $0x1008, %ebx; mov $77, %ecx; btl %ecx, %gs:(%ebx); setc %dl; btsl %ecx, %gs:(%ebx); mov $-33, %ecx; btcw %cx, %gs:4(%ebx)");
PIECE(p_bt_lock, GS "mov $0x1008, %ebx; mov $130, %ecx; lock btsq %rcx, %gs:(%ebx); setc %dl");
PIECE(p_bt_rax, GS "mov $0x1008, %eax; mov $3, %ecx; btrl %ecx, %gs:(%eax)");
PIECE(p_bt_faults, GS "mov $0x1008, %ebx; mov $0x7fffffff, %ecx; btcl %ecx, %gs:(%ebx)");
/* GS is the distance from here to `low`, with 32 bits of the one. */
__asm__(".pushsection .text; gs_here: .quad 0; .popsection");
extern const u8 gs_here[];
PIECE(p_eip_mxcsr, GS "ldmxcsr %gs:gs_here(%eip); stmxcsr %gs:gs_here+8(%eip); ldmxcsr %gs:gs_here+16(%eip)");
PIECE(p_eip_image, GS "fxsave %gs:gs_here+0x400(%eip); fxrstor %gs:gs_here+0x400(%eip)");
PIECE(p_eip_bt, GS "mov $77, %ecx; btl %ecx, %gs:gs_here(%eip); setc %dl; btsl %ecx, %gs:gs_here+4(%eip); mov $-33, %ecx; btcw %cx, %gs:gs_here+64(%eip)");
PIECE(p_eip_faults, GS "ldmxcsr %gs:gs_here+0x8000(%eip)");
PIECE(p_eip_bt_faults, GS "mov $0x7fffffff, %ecx; btcl %ecx, %gs:gs_here(%eip)");
/* String instructions across the end of memory: it is the second page that faults. */
PIECE(p_lods_end, GS "mov $0x2fff, %esi; lodsw %gs:(%rsi), %ax");
PIECE(p_lods_run, GS "mov $0x2ff9, %esi; mov $9, %ecx; rep lodsw %gs:(%rsi), %ax");
PIECE(p_movs_end, GS "mov $0x1000, %esi; lea 0xffd(%r15), %rdi; add $0x2000, %rdi; movsq %gs:(%rsi), %es:(%rdi)");
PIECE(p_cmps_end, GS "mov $0x2ffe, %esi; lea 0x1000(%r15), %rdi; cmpsl %es:(%rdi), %gs:(%rsi)");
PIECE(p_lods_past, GS "mov $0x3001, %esi; lodsw %gs:(%rsi), %ax");
PIECE(p_wrgs, "mov $0x7777, %r15d; wrgsbase %r15; mov $0x800000000000, %rax; wrgsbase %rax");
PIECE(p_wrgs_other, "mov $0x800000000000, %r9; wrgsbase %r9");
PIECE(p_wrgs_32, "mov $-1, %rdx; wrgsbase %edx; rdgsbase %rcx");

static void show(const char *what)
{
    __attribute__((aligned(32))) u8 y[3][32];
    u64 fs, gs, tls;
    __asm__ volatile("vmovdqa %%ymm0, %0; vmovdqa %%ymm1, %1; vmovdqa %%ymm2, %2" : "=m"(y[0]), "=m"(y[1]), "=m"(y[2]));
    __asm__ volatile("rdfsbase %0; rdgsbase %1; mov %%fs:0, %2" : "=r"(fs), "=r"(gs), "=r"(tls));
    printf("%s: %016llx %016llx gs %llx, fs is %s, memory %016llx\n", what, (long long)t_hash(T_HASH0, y[0], 32),
           (long long)t_hash(T_HASH0, y[2], 32), (long long)gs, fs == tls ? "right" : "wrong", (long long)t_hash(T_HASH0, low, 4096));
}

static void try(const char *what, void (*piece)(void), u64 gs)
{
    static const int index[24] = { 0, 5, 1023, 7, 7, 300, 2, 511, -1, 0, 1, -1, -1, 0, 0, -5, 1, 2, 3, 1 << 28, 5, 6, 7, 8 };
    struct regs r = regs_fresh();
    r.rsi = (u64)index, r.r15 = gs;
    __asm__ volatile("vpxor %%ymm0, %%ymm0, %%ymm0" ::: "xmm0");
    if (sigsetjmp(fault.back, 1) == 0) {
        x86_call(piece, &r);
        show(what);
        printf("  rax %llx rbx %llx rcx %llx rdx %llx flags %llx\n", (long long)r.rax, (long long)r.rbx, (long long)r.rcx, (long long)r.rdx,
               (long long)r.flags);
    } else {
        show(what);
    }
}
#define TRY(p) try(#p, p, (u64)low - 0x1000)
#define TRY_EIP(p) try(#p, p, (u64)low - (u32)(u64)gs_here)

int main(void)
{
    u64 seed = 7;
    low = mmap((void *)0x20000000, 2 * 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
    CHECK(low == (u8 *)0x20000000);
    for (int i = 0; i < 1024; i++)
        memcpy(low + 8 * i, &(u64){ t_random(&seed) }, 8);
    fault_catch_all();
    fault.addr_base = (u64)low;
    if (__builtin_cpu_supports("avx2"))
        TRY(p_nobase), TRY(p_nobase_fs), TRY(p_addr32), TRY(p_addr32_q), TRY(p_half), TRY(p_faults);
    memcpy(low, &(u32){ 0x7f80 }, 4), memcpy(low + 16, &(u32){ 0x1f80 }, 4);
    TRY_EIP(p_eip_mxcsr), TRY_EIP(p_eip_image), TRY_EIP(p_eip_bt), TRY_EIP(p_eip_faults), TRY_EIP(p_eip_bt_faults);
    TRY(p_lods_end), TRY(p_lods_run), TRY(p_movs_end), TRY(p_cmps_end), TRY(p_lods_past);
    TRY(p_bt), TRY(p_bt_lock), TRY(p_bt_rax), TRY(p_bt_faults), TRY(p_wrgs), TRY(p_wrgs_other), TRY(p_wrgs_32);
    return DONE();
}
