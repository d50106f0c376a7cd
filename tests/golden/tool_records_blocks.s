# tool_records_blocks.s: records in three blocks of a trace: one look at the room serves all; the trace is bound, so no branch
# fetches anything; the record of a move that may not happen is jumped over.
# golden-tool: memtrace
# golden-args: --max-trace-bbl=4
        .globl  _start
_start: lea     buf(%rip), %rsi
        mov     $4, %edx
1:      mov     %rdx, (%rsi,%rdx,8)
        cmp     $2, %edx
        je      2f
        add     8(%rsi), %rax
        dec     %edx
        jnz     1b
2:      test    %eax, %eax
        cmovz   24(%rsi), %rbx
        mov     $60, %eax
        xor     %edi, %edi
        syscall
        .bss
buf:    .zero   64
