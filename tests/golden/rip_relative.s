# rip_relative.s: operands relative to rip become absolute, or relative to where the code is now.
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
