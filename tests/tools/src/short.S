/* short.S: calls of short routines, direct, through a fixed word and through a jump; one has two ways. Exits with what %ebx says: 2000
 * rounds leave 208, one that returns to `astray` adds one. */
    .globl _start, first, first_returns, astray
_start:
    xor     %ebx, %ebx
    mov     $2000, %r12d
again:
    call    first
    call    *there(%rip)
    call    linked
    jmp     2f
astray:
    inc     %ebx
2:  dec     %r12d
    jnz     again
    mov     %ebx, %edi
    mov     $60, %eax
    syscall
first:
    lea     1(%r12), %eax
first_returns:
    ret
second:
    test    $3, %r12b
    jnz     1f
    inc     %ebx
    inc     %ebx
1:  ret
linked:
    jmp     *there(%rip)
    .section .rodata
there:
    .quad   second
