/* kinds.S: instructions that are looked at, not run. Behind each: what INS functions say of it (kinds.cpp has the words). */
    .globl _start, kinds
    .type kinds, @function
_start:
    mov     $60, %eax
    xor     %edi, %edi
    syscall
kinds:
    nop                                 # nop after
    mov     %rax, %rbx                  # mov after
    mov     %rax, %rax                  # mov same after
    lea     8(%rax), %rcx               # lea after agen
    sub     %rcx, %rdx                  # sub after
    xchg    %rax, (%rbx)                # xchg atomic read write std after
    lock incl (%rbx)                    # atomic lock read write std after
    add     8(%rip), %rax               # read iprel-read std after
    mov     %eax, 8(%rip)               # mov write iprel-write std after
    mov     %fs:16, %rax                # mov read seg:fs seg-read std after
    mov     %rax, %gs:8(%rbx)           # mov write seg:gs seg-write std after
    push    %rax                        # write stack-write std after
    pop     (%rbx)                      # read write stack-read std after
    call    kinds                       # call flow direct proc write stack-write std taken
    call    *%rax                       # call flow indirect proc write stack-write std taken
    call    1f                          # call flow direct material write stack-write std taken
1:  ret                                 # ret flow indirect read stack-read std taken
    jmp     kinds                       # branch flow direct taken
    jmp     *8(%rbx)                    # branch flow indirect read std taken
    jne     kinds                       # branch flow direct fall after taken
    loop    kinds                       # branch flow direct fall after taken
    syscall                             # syscall
    sysenter                            # syscall sysenter
    int     $3                          # interrupt after
    hlt                                 # halt
    iretq                               # iret ret flow indirect read stack-read std taken
    lretq                               # farret flow indirect read stack-read std taken
    rdtsc                               # rdtsc after
    rdtscp                              # rdtsc after
    prefetcht0 (%rbx)                   # prefetch read std after
    clflush (%rbx)                      # flush read std after
    rep movsb                           # string rep pred real-rep:rcx read write std after
    repne scasb                         # string repne pred real-rep:rcx read std after
    movsq                               # string read write std after
    cmpsb                               # string read read2 std after
    cmovz   (%rbx), %rax                # pred read std after
    fcmove  %st(1), %st                 # pred after
    setz    (%rbx)                      # write std after
    vpgatherdd %xmm1, (%rbx,%xmm2,4), %xmm3   # gather mask:xmm1 read scattered vector after
    vmaskmovps (%rbx), %xmm1, %xmm2     # read std after
    maskmovdqu %xmm1, %xmm2             # maskmov write std after
    addpd   (%rbx), %xmm1               # read std after
    mov     %ds, %eax                   # mov segop after
    data16 nop                          # nop osize after
    mov     (%ebx), %eax                # mov read asize std after
    jc,pt   kinds                       # branch flow direct fall hint-taken after taken
    jc,pn   kinds                       # branch flow direct fall hint-not-taken after taken
    .size kinds, . - kinds
    .section .note.GNU-stack, "", @progbits
