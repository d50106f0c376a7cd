# tool_loops.s: a loop of several traces, entered in its middle: the place that leads back has the count in r11, and so has what it leads
# to. Only a word that many places count in is shared so, hence the branches at the start.
# golden-tool: inscount0
        .globl  _start
1:      adc     %rax, %rdx
        test    $1, %cl
        jz      2f
        add     $3, %rbx
2:      inc     %cl
        jnz     1b
        mov     $60, %eax
        xor     %edi, %edi
        syscall
_start: xor     %ecx, %ecx
        .rept   6
        jnz     2b
        test    %ecx, %ecx
        .endr
        jmp     2b
