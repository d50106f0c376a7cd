# tool_spans.s: the same where the trace names all registers: each is parked from the first routine that wants it until the next
# instruction that names it, where it comes back; its slot is used again.
# golden-tool: hashes
        .globl  _start
_start: mov     $buf, %ebx
        mov     %rbx, %rsi
        mov     %rbx, %r8
        mov     %rbx, %r10
        mov     %rbx, %r14
        mov     %rbx, %r15
        mov     (%rbx), %rax
        mov     8(%rbx), %rcx
        mov     40(%rbx), %rdx
        mov     $1, %r9d
        add     (%r8), %r9
        add     (%r10), %r9
        mov     %r9, (%rsi)
        add     (%r14), %rdx
        add     %rdx, (%r15)
        lea     (%rdi,%r12,2), %rbp
        mov     %rdx, %r13
        xor     %edi, %edi
        mov     $60, %eax
        syscall
        .bss
buf:    .zero   64
