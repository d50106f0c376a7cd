/* transfers.S: each routine skips `add $100` by a transfer, which a tool leaves out; by_loop repeats it. A nop marks the transfer.
 * Prints what each gives. */
    .text
    .globl _start
by_jump:
    mov $1, %eax
    nop
    jmp 1f
    add $100, %eax
1:  add $10, %eax
    ret
by_far_jump:    /* the target is in another page */
    mov $2, %eax
    nop
    jmp away
    add $100, %eax
back:
    add $10, %eax
    ret
by_cond:
    mov $3, %eax
    cmp %eax, %eax
    nop
    je 1f
    add $100, %eax
1:  add $10, %eax
    ret
by_call:    /* the callee drops its return address */
    mov $4, %eax
    nop
    call drop
    add $100, %eax
1:  add $10, %eax
    ret
drop:
    lea 8(%rsp), %rsp
    add $10, %eax
    ret
by_indirect:
    lea 1f(%rip), %rdx
    mov $5, %eax
    nop
    jmp *%rdx
    add $100, %eax
1:  add $10, %eax
    ret
by_return:
    lea 1f(%rip), %rdx
    mov $6, %eax
    push %rdx
    mov %rsp, %rdx
    nop
    ret
    add $100, %eax
1:  lea 8(%rdx), %rsp
    add $10, %eax
    ret
by_loop:    /* a jump back: left out, the loop runs once */
    mov $7, %eax
    mov $4, %ecx
1:  add $100, %eax
    dec %ecx
    jz 2f
    nop
    jmp 1b
2:  ret

_start:
    xor %ebx, %ebx
    lea list(%rip), %r12
1:  mov $200, %r13d    /* often enough for linked traces */
2:  mov (%r12), %rax
    test %rax, %rax
    jz 3f
    call *%rax
    dec %r13d
    jnz 2b
    call print
    add $8, %r12
    jmp 1b
3:  mov $60, %eax
    xor %edi, %edi
    syscall

print:    /* eax in decimal */
    lea text+15(%rip), %rsi
    movb $'\n', (%rsi)
    mov $10, %ecx
    mov $1, %edi
1:  xor %edx, %edx
    div %ecx
    add $'0', %dl
    dec %rsi
    mov %dl, (%rsi)
    inc %edi
    test %eax, %eax
    jnz 1b
    mov %edi, %edx
    mov $1, %eax
    mov $1, %edi
    syscall
    ret
    .p2align 12
away:
    jmp back
    .data
text: .space 16
    .p2align 3
list: .quad by_jump, by_far_jump, by_cond, by_call, by_indirect, by_return, by_loop, 0
