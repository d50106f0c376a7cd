/* rt_clone.S: int __clone_internal(struct clone_args *, int (*f)(void *), void *arg): how the libc makes its threads. Replaces
 * clone-internal.o.
 *
 * The new thread's GS base becomes what its FS base is: in probe mode the planted ELF's thread pointer is in GS, and the kernel
 * sets FS only. In the other mode such a thread does not use GS. */
#define CLONE_ARGS_SIZE 88
#define FLAGS       0
#define CHILD_TID   16
#define PARENT_TID  24
#define STACK       40
#define STACK_SIZE  48
#define TLS         56
#define SETTLS_BIT  19
#define ENOSYS      38
    .text
    .globl __clone_internal
    .type __clone_internal, @function
__clone_internal:
    push    %r12
    push    %r13
    push    %r14
    push    %rbx
    mov     %rdi, %rbx
    xor     %r14d, %r14d                /* the thread pointer: the child cannot look, the parent may have returned */
    btq     $SETTLS_BIT, FLAGS(%rbx)
    jnc     0f
    mov     TLS(%rbx), %r14
0:
    mov     %rsi, %r12
    mov     %rdx, %r13
    mov     $CLONE_ARGS_SIZE, %esi
    mov     $435, %eax                  /* clone3 */
    syscall
    cmp     $-ENOSYS, %rax
    jne     1f
    mov     FLAGS(%rbx), %rdi           /* clone: what a container without clone3 has */
    or      32(%rbx), %rdi              /* the exit signal */
    mov     STACK(%rbx), %rsi
    add     STACK_SIZE(%rbx), %rsi
    mov     PARENT_TID(%rbx), %rdx
    mov     CHILD_TID(%rbx), %r10
    mov     TLS(%rbx), %r8
    mov     $56, %eax
    syscall
1:  test    %rax, %rax
    jz      child
    mov     %rax, %rdi
    pop     %rbx
    pop     %r14
    pop     %r13
    pop     %r12
    jmp     rt_result
child:
    xor     %ebp, %ebp
    test    %r14, %r14
    jz      2f
    wrgsbase %r14
2:  mov     %r13, %rdi
    call    *%r12
    mov     %eax, %edi
    mov     $60, %eax                   /* exit */
    syscall
    hlt
    .size __clone_internal, . - __clone_internal
    .section .note.GNU-stack, "", @progbits
