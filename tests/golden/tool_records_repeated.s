# tool_records_repeated.s: records of a repeated instruction, one iteration at a time: none if the count is zero.
# golden-tool: memtrace
        .globl  _start
_start: lea     buf(%rip), %rsi
        lea     16(%rsi), %rdi
        mov     $2, %ecx
        rep movsb
        mov     $60, %eax
        xor     %edi, %edi
        syscall
        .bss
buf:    .zero   64
