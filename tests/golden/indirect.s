# indirect.s: jumps through a register and through memory look their target up in a table.
        .globl _start
_start: lea     1f(%rip), %rax
        jmp     *%rax
1:      xor     %ecx, %ecx
        jmp     *table(%rip)
2:      lea     table(%rip), %rdx
        jmp     *8(%rdx,%rcx,8)
3:      mov     $60, %eax
        xor     %edi, %edi
        syscall
        .data
table:  .quad   2b, 3b
