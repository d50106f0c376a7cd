# leaf_calls.s: a short routine stands in the trace of its caller, also one that is reached through a word that cannot change;
# one that writes memory does not.
        .globl _start
_start: call    short
        call    *there(%rip)
        call    linked
        call    writes
        mov     $60, %eax
        xor     %edi, %edi
        syscall
short:  mov     there(%rip), %rax
        ret
other:  test    %eax, %eax
        je      1f
        inc     %ebx
1:      ret
linked: jmp     *there(%rip)
writes: mov     %eax, -8(%rsp)
        ret
        .section .rodata
there:  .quad   other
