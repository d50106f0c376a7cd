/* start.S: where the planted engine begins. The stack is as the kernel leaves it to a new program. */
    .text
    .globl _start
    .hidden _start
    .type _start, @function
_start:
    xor     %ebp, %ebp
    mov     %rsp, %rdi
    and     $-16, %rsp
    call    bare_begin
    hlt
    .size _start, . - _start
    .section .note.GNU-stack, "", @progbits
