/* gathers.S: a gather of four elements of eight bytes, all; one with two masked off; with SCATTER, a scatter of four, one masked
 * off. */
        .globl _start, first, second, third
_start: lea table(%rip), %rsi
        vmovdqu index(%rip), %ymm1
        vpcmpeqd %ymm2, %ymm2, %ymm2
first:  vpgatherqq %ymm2, (%rsi,%ymm1,8), %ymm0
        vmovdqu mask(%rip), %ymm2
second: vpgatherqq %ymm2, 8(%rsi,%ymm1,8), %ymm0
#ifdef SCATTER
        mov $0xb, %eax
        kmovw %eax, %k1
third:  vpscatterqq %ymm0, (%rsi,%ymm1,8){%k1}
#else
third:
#endif
        mov $60, %eax
        xor %edi, %edi
        syscall
        .data
        .globl table
index:  .quad 5, 0, 9, 2
mask:   .quad -1, 0, 0, -1
table:  .fill 16, 8, 7
