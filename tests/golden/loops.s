# loops.s: branches that have short forms only, and a loop that is linked to itself.
        .globl _start
_start: mov     $3, %ecx
1:      inc     %eax
        loop    1b
        jrcxz   2f
        ud2
2:      mov     $2, %ecx
        jecxz   1b
3:      dec     %ecx
        loopne  3b
        jmp     4f
        ud2
4:      mov     $60, %eax
        xor     %edi, %edi
        syscall
