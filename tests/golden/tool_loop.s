# tool_loop.s: a loop that is one trace, one call per instruction: at the end a count in r11, which no round waits for.
# golden-tool: inscount0
        .globl  _start
_start: add     $1, %rax
        adc     %rax, %rdx
        inc     %cl
        jnz     _start
        mov     $60, %eax
        xor     %edi, %edi
        syscall
