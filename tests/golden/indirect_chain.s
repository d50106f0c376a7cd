# indirect_chain.s: with chains, a branch has a jump of its own, aimed at its end until it has a target to compare with.
# golden-args: --no-leaf-calls --indirect=chain --returns=chain
        .globl _start
_start: lea     1f(%rip), %rax
        jmp     *%rax
1:      call    2f
        mov     $60, %eax
        xor     %edi, %edi
        syscall
2:      ret
