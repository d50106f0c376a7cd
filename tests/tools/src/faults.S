/* faults.S: blocks that are left in the middle: by faults whose handler steps over them, and by the death
 * of the process. */
        .globl _start
_start: lea handler(%rip), %rax
        mov %rax, action(%rip)
        mov $13, %eax                   /* rt_sigaction(SIGSEGV, &action, 0, 8) */
        mov $11, %edi
        lea action(%rip), %rsi
        xor %edx, %edx
        mov $8, %r10d
        syscall
        mov $7, %ebx
1:      xor %ecx, %ecx
        inc %r12
        mov (%rcx), %rax                /* three bytes: stepped over */
        inc %r12
        mov %rax, (%rcx)
        inc %r12
        mov (%rcx), %rdx
        mov (%rcx), %rdx
        inc %r12
        dec %ebx
        jnz 1b
        movq $0, action(%rip)           /* SIG_DFL */
        mov $13, %eax
        mov $11, %edi
        lea action(%rip), %rsi
        xor %edx, %edx
        mov $8, %r10d
        syscall
        cmpq $1, (%rsp)                 /* with an argument: the end is an exit */
        je 2f
        mov $60, %eax
        xor %edi, %edi
        syscall
2:      inc %r12
        inc %r12
        mov %rax, (%rcx)
        inc %r12
        inc %r12
        jmp 2b
handler:
        addq $3, 168(%rdx)              /* the interrupted instruction pointer in the ucontext */
        inc %r13
        ret
restore:
        mov $15, %eax
        syscall
        .data
        .balign 8
action: .quad 0, 0x44000004, restore, 0 /* SA_SIGINFO | SA_NODEFER | SA_RESTORER */
