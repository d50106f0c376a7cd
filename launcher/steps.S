/* steps.S: see steps.h. rbx: the next step. No stack is used, and nothing outside these bytes. */
    .section .rodata
    .globl steps_code, steps_code_end
steps_code:
    mov (%rbx), %rax
    mov 8(%rbx), %rdi
    mov 16(%rbx), %rsi
    mov 24(%rbx), %rdx
    cmp $-3, %rax
    jae special
    mov 32(%rbx), %r10
    mov 40(%rbx), %r8
    mov 48(%rbx), %r9
    syscall
    cmpq $-1, 56(%rbx)
    je next
    cmp 56(%rbx), %rax
    jne failed
next:
    add $64, %rbx
    jmp steps_code

special:
    cld
    je jump
    cmp $-2, %rax
    je copy
    mov %rsi, %rcx                      /* zero */
    xor %eax, %eax
    rep stosb
    jmp next
copy:
    mov %rdx, %rcx
    rep movsb
    jmp next
jump:
    mov %rsi, %rsp
    mov %rdi, %rax
    xor %ebx, %ebx
    xor %edx, %edx                      /* nothing to register with atexit */
    xor %ebp, %ebp
    jmp *%rax

failed:
    mov $1, %eax
    mov $2, %edi
    lea message(%rip), %rsi
    mov $(message_end - message), %edx
    syscall
    mov $231, %eax
    mov $125, %edi
    syscall
    hlt
message:
    .ascii "cotter: cannot map the tool into the program: is memory limited (ulimit -v, ulimit -d)?\n"
message_end:
steps_code_end:
    .section .note.GNU-stack, "", @progbits
