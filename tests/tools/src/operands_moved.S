/* operands_moved.S: one instruction of each kind on the words of `buffer`; prints a digest of registers and memory. */
#include <sys/syscall.h>
    .globl _start, buffer, buffer_end
    .bss
    .balign 4096
buffer:     .skip 4096
buffer_end:
out:        .skip 16
    .text
_start:
    lea     buffer(%rip), %rbx
    movq    $0x1122334455667788, %rax
    mov     %rax, (%rbx)                    /* plain moves, all widths */
    movb    $0x5a, 9(%rbx)
    movw    $0x1234, 10(%rbx)
    movl    $0x87654321, 12(%rbx)
    addq    $3, (%rbx)
    lock xaddq %rax, (%rbx)
    bswap   %rax
    xchg    %rax, 16(%rbx)
    mov     (%rbx), %rdx
    xor     16(%rbx), %rdx
    cmpxchg %rdx, 24(%rbx)
    btsq    $5, 32(%rbx)
    mov     $67, %ecx
    bts     %rcx, 32(%rbx)
    setz    40(%rbx)
    mov     $-5, %ecx                       /* the number of a bit in front of the operand; in its other sizes */
    btc     %ecx, 204(%rbx)
    mov     $0x123, %r10d
    lock bts %r10w, 208(%rbx)
    setc    220(%rbx)
    setz    221(%rbx)
    cmovnz  (%rbx), %r8
    cmovz   8(%rbx), %r9
    movdqu  (%rbx), %xmm0                   /* vectors, x87 */
    paddq   16(%rbx), %xmm0
    movups  %xmm0, 48(%rbx)
    fildq   (%rbx)
    fistpq  64(%rbx)
    fldl    (%rbx)
    fstpt   80(%rbx)
    movabs  %al, buffer + 100
    movabs  buffer, %rax
    mov     %rax, %r10
    mov     %rsp, %r12                      /* the stack is in the buffer, too */
    lea     2048(%rbx), %rsp
    push    %rax
    push    %rsp
    pushq   8(%rbx)
    pushq   8(%rsp)
    push    $77
    pushw   $5
    popw    %cx
    pushfq
    pop     %r11
    pop     120(%rbx)
    pop     %r13
    pop     %r14
    call    leaf
    lea     leaf(%rip), %rax
    call    *%rax
    mov     %rax, 128(%rbx)
    call    *128(%rbx)
    mov     %rsp, %rbp
    push    %rbp
    push    %rbp
    mov     %rsp, %rbp
    leave
    pop     %r15
    lea     over(%rip), %rax
    mov     %rax, 136(%rbx)
    jmp     *136(%rbx)
    ud2
over:
    mov     %r12, %rsp
    cld                                     /* strings, both ways, repeated */
    lea     (%rbx), %rsi
    lea     256(%rbx), %rdi
    movsq
    movsb
    mov     $100, %ecx
    rep movsb
    lea     256(%rbx), %rsi
    lea     (%rbx), %rdi
    mov     $50, %ecx
    repe cmpsb
    mov     %rcx, 144(%rbx)
    lea     400(%rbx), %rdi
    mov     $9, %ecx
    mov     $0x61, %al
    rep stosb
    std
    lea     400(%rbx), %rdi
    mov     $0x62, %al
    mov     $300, %ecx
    repne scasb
    lea     600(%rbx), %rdi
    lea     300(%rbx), %rsi
    mov     $4, %ecx
    rep movsl
    lodsw
    cld
    xor     %ecx, %ecx
    rep movsb
    mov     %rsi, 152(%rbx)                 /* addresses are those of the program */
    mov     %rdi, 160(%rbx)
    xor     %r8, %r9
    xor     %r9, %r13
    add     %r14, %r13
    add     %r11, %r13
    /* The digest: every word of the buffer but the addresses that say where it is. */
    xor     %edx, %edx
    xor     %ecx, %ecx
1:  imul    $31, %rdx, %rdx
    add     (%rbx,%rcx,8), %rdx
    inc     %ecx
    cmp     $512, %ecx
    jne     1b
    mov     %rdx, out(%rip)
    mov     %r13, out+8(%rip)
    mov     $SYS_write, %eax
    mov     $1, %edi
    lea     out(%rip), %rsi
    mov     $16, %edx
    syscall
    mov     $SYS_exit_group, %eax
    xor     %edi, %edi
    syscall
leaf:
    addq    $1, 168(%rbx)
    ret
