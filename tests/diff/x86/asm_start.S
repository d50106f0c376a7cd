/* A program without C library: raw system calls only, its own _start.
 * test-build: -nostdlib -static
 * test-schemes: exec */
        .globl _start
        .text
_start:
        mov     (%rsp), %rbx            /* argc */
        mov     $1, %eax
        mov     $1, %edi
        lea     text(%rip), %rsi
        mov     $(text_end - text), %edx
        syscall
        cmp     $(text_end - text), %rax
        jne     1f
        xor     %edi, %edi
        cmp     $1, %rbx
        je      2f
1:      mov     $1, %edi
2:      mov     $231, %eax
        syscall
        .data
text:   .ascii  "ok asm_start\n"
text_end:
        .section .note.GNU-stack, "", @progbits
