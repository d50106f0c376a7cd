# tool_hashes.s: a routine of four registers at each memory operand: four are parked, all at once, and fetched before the trace is left.
# golden-tool: hashes
        .globl  _start
_start: mov     $buf, %ebx
        mov     (%rbx), %rax
        mov     8(%rbx,%rax), %rcx
        mov     %rcx, 16(%rbx)
        mov     24(%rbx), %rdx
        add     32(%rbx), %rdx
        mov     %rdx, 40(%rbx)
        jz      1f
        mov     $60, %eax
1:      xor     %edi, %edi
        mov     $60, %eax
        syscall
        .bss
buf:    .zero   64
