/* borrow.S: see borrow.h. No stack, no flags, and nothing outside these bytes. */
    .section .rodata
    .globl borrow_code, borrow_clone, borrow_go_home, borrow_home, borrow_code_end
borrow_code:
    syscall
    jmp     borrow_go_home
borrow_clone:
    syscall
    mov     %rax, %rcx
    jrcxz   child                       /* a new thread that nobody has told what to do */
borrow_go_home:
    mov     $14, %eax                   /* rt_sigprocmask */
    mov     $2, %edi
    lea     mask(%rip), %rsi
    mov     $0, %edx
    mov     $8, %r10d
    syscall
    mov     rax_word(%rip), %rax
    mov     rcx_word(%rip), %rcx
    mov     rdx_word(%rip), %rdx
    mov     rsi_word(%rip), %rsi
    mov     rdi_word(%rip), %rdi
    mov     r8_word(%rip), %r8
    mov     r9_word(%rip), %r9
    mov     r10_word(%rip), %r10
    mov     r11_word(%rip), %r11
    jmp     *pc_word(%rip)
child:
    mov     $60, %eax                   /* exit */
    mov     $0, %edi
    syscall
    .p2align 3
borrow_home:                            /* struct borrow_home */
mask:     .quad 0
rax_word: .quad 0
rcx_word: .quad 0
rdx_word: .quad 0
rsi_word: .quad 0
rdi_word: .quad 0
r8_word:  .quad 0
r9_word:  .quad 0
r10_word: .quad 0
r11_word: .quad 0
pc_word:  .quad 0
borrow_code_end:
    .section .note.GNU-stack, "", @progbits
