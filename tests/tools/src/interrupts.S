/* interrupts.S: a block that is left in the middle by signals, 200 times: half of the handlers return to it, half go
 * elsewhere. rbx counts the instructions of the loop; it is written to stdout, 8 bytes. All else is the same in every run. */
        .globl _start
_start: lea handler(%rip), %rax
        mov %rax, action(%rip)
        mov $13, %eax                   /* rt_sigaction(SIGALRM, &action, 0, 8) */
        mov $14, %edi
        lea action(%rip), %rsi
        xor %edx, %edx
        mov $8, %r10d
        syscall
        xor %ebx, %ebx
        mov $38, %eax                   /* setitimer(ITIMER_REAL, &soon, 0) */
        xor %edi, %edi
        lea soon(%rip), %rsi
        xor %edx, %edx
        syscall
loop:   .rept 97
        lea 1(%rbx), %rbx
        .endr
        lea 2(%rbx), %rbx
jump:   jmp loop
finish: mov %rbx, count(%rip)
        mov $1, %eax
        mov $1, %edi
        lea count(%rip), %rsi
        mov $8, %edx
        syscall
        mov $60, %eax
        xor %edi, %edi
        syscall

handler:                                /* no branches: it always takes as long */
        incq count(%rip)
        mov 168(%rdx), %rax             /* where it was interrupted */
        mov %rax, %rcx
        mov count(%rip), %r8
        lea loop(%rip), %r9
        test $1, %r8
        cmovnz %r9, %rcx
        cmp $200, %r8
        lea finish(%rip), %r9
        cmove %r9, %rcx                 /* where it goes on */
        lea jump(%rip), %r9             /* the jump that rbx counted before it ran, and that does not run now */
        xor %r10d, %r10d
        cmp %r9, %rax
        sete %r10b
        xor %r11d, %r11d
        cmp %rcx, %rax
        setne %r11b
        and %r11, %r10
        sub %r10, 128(%rdx)             /* rbx */
        mov %rcx, 168(%rdx)
        lea soon(%rip), %rsi
        lea never(%rip), %r9
        cmp $200, %r8
        cmove %r9, %rsi
        mov $38, %eax
        xor %edi, %edi
        xor %edx, %edx
        syscall
        ret
restore:
        mov $15, %eax
        syscall
        .data
        .balign 8
action: .quad 0, 0x04000004, restore, 0 /* SA_SIGINFO | SA_RESTORER */
soon:   .quad 0, 0, 0, 200
never:  .quad 0, 0, 0, 0
count:  .quad 0
