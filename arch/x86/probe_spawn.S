/* probe_spawn.S: long arch_probe_spawn(void (*f)(void *), void *arg, void *stack_top): see arch/probe.h.
 * No signal tells of its end, and it is not traced by whoever traces this process. */
#define FLAGS 0x00800700            /* CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_UNTRACED */
    .text
    .globl arch_probe_spawn
    .hidden arch_probe_spawn
    .type arch_probe_spawn, @function
arch_probe_spawn:
    mov     %rdi, %r8
    mov     %rsi, %r9
    mov     %rdx, %rsi
    and     $-16, %rsi
    mov     $FLAGS, %edi
    xor     %edx, %edx
    xor     %r10d, %r10d
    mov     $56, %eax               /* clone */
    syscall
    test    %rax, %rax
    jz      1f
    ret
1:  xor     %ebp, %ebp
    mov     %r9, %rdi
    call    *%r8
    xor     %edi, %edi
    mov     $60, %eax               /* exit */
    syscall
    ud2
    .size arch_probe_spawn, . - arch_probe_spawn
    .section .note.GNU-stack, "", @progbits
