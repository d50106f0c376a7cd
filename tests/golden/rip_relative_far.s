# rip_relative_far.s: the same beyond the reach of 32 bits, as in a PIE.
# golden-link: -Wl,-Ttext=0x600000001000 -Wl,-Tdata=0x600000500000
        .globl _start
_start: lea     value(%rip), %rax
        mov     value(%rip), %rcx
        addl    $5, value(%rip)
        movups  value(%rip), %xmm1
        cmpq    $0, value(%rip)
        jne     1f
        ud2
1:      mov     $60, %eax
        xor     %edi, %edi
        syscall
        .data
        .balign 16
value:  .quad   5, 6
