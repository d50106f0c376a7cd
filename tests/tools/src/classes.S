/* classes.S: a little of every class of instruction, on THREADS + 1 threads that do not wait for each other: strings repeated and
 * not, conditional moves, the stack, calls of all kinds, loops, x87, vectors, a gather where the CPU has one. */
#include <sys/syscall.h>
#define THREADS 3
    .globl _start
    .bss
    .balign 64
stacks:     .skip (THREADS + 1) * 65536
    .text
_start:
    xor     %ebp, %ebp                      /* which thread */
    mov     $1, %eax                        /* has it AVX2? CPUID is costly under a debugger, so once */
    xor     %r15d, %r15d
    mov     $7, %eax
    xor     %ecx, %ecx
    cpuid
    bt      $5, %ebx
    setc    %r15b
    xor     %eax, %eax
    xor     %ebx, %ebx
    xor     %ecx, %ecx
    xor     %edx, %edx
1:  inc     %ebp
    mov     %rbp, %rsi
    shl     $16, %rsi
    lea     stacks(%rip), %rax
    lea     65000(%rsi,%rax), %rsi
    and     $-64, %rsi
    mov     $SYS_clone, %eax
    mov     $0x50f00, %edi                  /* VM FS FILES SIGHAND THREAD SYSVSEM */
    xor     %edx, %edx
    xor     %r10d, %r10d
    xor     %r8d, %r8d
    syscall
    mov     $0, %eax                        /* the new thread is known by its stack: a number would differ from run to run */
    mov     $0, %r11d
    cmp     %rsi, %rsp
    je      work
    cmp     $THREADS, %ebp
    jne     1b
    lea     stacks + 65000(%rip), %rsi
    and     $-64, %rsi
    mov     %rsi, %rsp
    xor     %ebp, %ebp
work:
    lea     -32768(%rsp), %rbx              /* memory of its own, below its stack */
    lea     20(%rbp), %r12d
2:  mov     %r12, (%rbx)
    /* conditional moves, both ways, from registers and memory */
    cmp     $10, %r12
    cmovg   %r12, %rax
    cmovle  (%rbx), %rcx
    cmovz   8(%rbx), %rdx
    cmovns  %rbx, %r8
    cmovp   %rax, %r9
    cmovo   (%rbx), %r10d
    setbe   16(%rbx)
    adc     $5, %r10
    sbb     %rax, 24(%rbx)
    /* the stack and calls */
    push    %r12
    push    (%rbx)
    pushq   $-3
    pop     32(%rbx)
    pop     %r13
    call    leaf
    lea     leaf(%rip), %rax
    call    *%rax
    mov     %rax, 40(%rbx)
    call    *40(%rbx)
    pop     %r14
    lea     3f(%rip), %rax
    jmp     *%rax
    ud2
3:  /* strings */
    lea     (%rbx), %rsi
    lea     512(%rbx), %rdi
    mov     $7, %ecx
    rep movsb
    mov     $3, %ecx
    rep stosq
    xor     %ecx, %ecx
    rep movsl
    lea     (%rbx), %rsi
    lea     512(%rbx), %rdi
    mov     $9, %ecx
    repe cmpsb
    mov     $30, %ecx
    mov     $0x77, %al
    repne scasb
    std
    mov     $2, %ecx
    rep stosw
    cld
    movsq
    lodsb
    /* loops and counted branches */
    mov     $3, %ecx
4:  lea     (%r14,%rcx,2), %r14
    loop    4b
    jrcxz   5f
    ud2
5:  bt      %r12, 64(%rbx)
    jc      6f
    btcq    $3, 64(%rbx)
6:  /* x87 and vectors */
    fildq   (%rbx)
    fld1
    fcomip  %st(1), %st
    fcmovbe %st(0), %st
    fcmovne %st(0), %st
    faddp   %st, %st(0)
    fstps   80(%rbx)
    ffree   %st(0)
    emms
    cvtsi2sd %r12, %xmm0
    addsd   %xmm0, %xmm0
    movsd   %xmm0, 88(%rbx)
    ucomisd 88(%rbx), %xmm0
    cvttsd2si %xmm0, %r13
    pxor    %xmm1, %xmm1
    pcmpeqd %xmm2, %xmm2
    test    %r15d, %r15d
    jz      7f
    vpxor   %ymm1, %ymm1, %ymm1
    vpcmpeqd %ymm2, %ymm2, %ymm2
    vpsrlq  $8, %ymm2, %ymm2
    vpgatherdd %ymm2, 8(%rbx,%ymm1,4), %ymm3
    vzeroupper
7:  lock xadd %r13, 96(%rbx)
    lock cmpxchg %r14, 96(%rbx)
    xchg    %r13, 96(%rbx)
    mul     %r12
    mov     $3, %esi
    xor     %edx, %edx
    div     %rsi
    bswap   %rdx
    shld    $3, %rax, %rdx
    dec     %r12d
    jnz     2b
    mov     $SYS_exit, %eax
    mov     %ebp, %edi
    syscall
leaf:
    addq    $1, 72(%rbx)
    ret
    .section .note.GNU-stack, "", @progbits
