/* operands.S: one instruction of each way to address memory. Addresses are relative to `data`, `fsbase` or the stack pointer. */
    .globl _start, data
_start:
    mov     $158, %eax                  /* arch_prctl(ARCH_SET_FS, fsbase), then GS */
    mov     $0x1002, %edi
    lea     fsbase(%rip), %rsi
    syscall
    mov     $158, %eax
    mov     $0x1001, %edi
    lea     gsbase(%rip), %rsi
    syscall
    lea     data(%rip), %rbx
    mov     $3, %ecx
    mov     $0x40, %edx
    .globl from
from:
    mov     8(%rbx), %rax
    mov     %al, 1(%rbx,%rcx,8)
    mov     data+24(%rip), %eax
    mov     data, %eax                  /* absolute */
    movabs  data+40, %al
    lea     16(%rbx,%rcx,2), %rax
    mov     %fs:8, %rax
    mov     %rax, %fs:16(,%rcx,4)
    mov     %gs:24, %eax
    mov     4(%ebx), %ax                /* 32-bit address */
    push    %rax
    push    8(%rbx)
    push    8(%rsp)
    pop     8(%rbx)
    pop     8(%rsp)
    pop     %rax
    pushf
    popf
    call    1f
1:  pop     %rax
    call    2f
    enter   $32, $0
    mov     %rax, -8(%rbp)
    leave
    movb    $2, data+200(%rip)
    mov     $5, %al
    xlat                                /* [rbx + al] */
    bts     %rdx, 64(%rbx)              /* bit 64: the second word */
    btl     $70, 64(%rbx)               /* an immediate stays in its word */
    mov     $-8, %esi
    bt      %esi, 64(%rbx)
    lock xadd %eax, 32(%rbx)
    lock cmpxchg16b 64(%rbx)
    xchg    %rax, 8(%rbx)
    lea     data(%rip), %rsi
    lea     data+128(%rip), %rdi
    movsb
    cmpsw
    stosl
    lodsq
    scasb
    mov     $2, %ecx
    lea     data(%rip), %rsi
    lea     data+128(%rip), %rdi
    rep movsl
    rep movsl                           /* count is zero */
    std
    mov     $2, %ecx
    lea     data+100(%rip), %rdi
    rep stosw
    cld
    fldt    (%rbx)
    fstps   32(%rbx)
    fxsave  256(%rbx)
    movups  48(%rbx), %xmm1
    movss   %xmm1, 4(%rbx)
    cmovz   (%rbx), %rax
    setz    3(%rbx)
    prefetcht0 128(%rbx)
    lea     data+512(%rip), %rax
    clflush (%rax)
    mov     $60, %eax
    xor     %edi, %edi
    syscall
2:  ret     $0

    .data
    .balign 64
data: .space 2048
fsbase: .space 256
gsbase: .space 256
    .section .note.GNU-stack, "", @progbits
