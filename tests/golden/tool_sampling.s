# tool_sampling.s: an If that counts down and a Then that is rare. The carry is alive across the store.
# golden-tool: sample
        .globl  _start
_start: mov     $3, %ecx
1:      add     $1, %rax
        lea     (%rax,%rax), %rbx
        mov     %rbx, buf(%rip)
        adc     8(%rsp), %rdx
        dec     %ecx
        jnz     1b
        mov     $60, %eax
        xor     %edi, %edi
        syscall
        .bss
buf:    .zero   8
