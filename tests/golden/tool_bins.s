# tool_bins.s: a routine of two registers at each memory operand: saved around each call, then renamed and one register parked once.
# golden-tool: bins
        .globl  _start
_start: mov     $buf, %ebx
        mov     (%rbx), %rax
        mov     8(%rbx,%rax), %rcx
        cmp     $5, %rcx
        mov     %rcx, 16(%rbx)
        mov     24(%rbx), %rdx
        jz      1f
        mov     $60, %eax
1:      xor     %edi, %edi
        mov     $60, %eax
        syscall
        .bss
buf:    .zero   64
