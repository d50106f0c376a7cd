# indirect_shadow.s: a jump through a table is looked up by its own index; one through a register has a chain of one guard.
# golden-args: --indirect=shadow
        .globl _start
_start: xor     %ecx, %ecx
        jmp     *table(,%rcx,8)
1:      mov     table+8(,%rcx,8), %rax
        jmp     *%rax
2:      lea     3f(%rip), %rax
        jmp     *%rax
3:      mov     $60, %eax
        xor     %edi, %edi
        syscall
        .data
table:  .quad   1b, 2b
