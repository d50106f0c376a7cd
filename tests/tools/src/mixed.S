/* mixed.S: loops, calls, string instructions with and without repetition, zero counts, conditional moves, indirect jumps. */
#ifndef ROUNDS
#define ROUNDS 1000
#endif
    .globl _start
_start:
    lea     buffer(%rip), %rdi
    mov     $300, %ecx
    mov     $7, %al
    rep stosb
    xor     %ecx, %ecx
    rep stosb                           /* no iteration: one instruction all the same */
    lea     buffer(%rip), %rsi
    lea     copy(%rip), %rdi
    mov     $37, %ecx
    rep movsq
    lea     buffer(%rip), %rdi
    mov     $50, %ecx
    mov     $9, %al
    repne scasb                         /* runs to the end */
    lea     buffer(%rip), %rsi
    lea     copy(%rip), %rdi
    mov     $20, %ecx
    repe cmpsb
    movb    $1, copy+5(%rip)
    lea     buffer(%rip), %rsi
    lea     copy(%rip), %rdi
    mov     $20, %ecx
    repe cmpsb                          /* stops at the sixth */
    movsb
    lodsb
    mov     $ROUNDS, %ebx
1:  mov     %ebx, %edi
    call    collatz
    add     %rax, total(%rip)
    test    $3, %bl
    cmovz   %rax, %r8
    dec     %ebx
    jnz     1b
    mov     $5, %ecx
2:  loop    2b
    jrcxz   3f
    ud2
3:  lea     table(%rip), %r9
    mov     $3, %r10d
4:  dec     %r10d
    js      5f
    movslq  (%r9,%r10,4), %rax
    add     %r9, %rax
    jmp     *%rax
case0: jmp  4b
case1: nop
    jmp     4b
case2: call 6f
6:  pop     %rax
    jmp     4b
5:  mov     $60, %eax
    xor     %edi, %edi
    syscall

collatz:
    xor     %eax, %eax
1:  cmp     $1, %edi
    je      3f
    inc     %rax
    test    $1, %dil
    jz      2f
    lea     1(%rdi,%rdi,2), %edi
    jmp     1b
2:  shr     %edi
    jmp     1b
3:  ret

    .section .rodata
table: .long case0 - table, case1 - table, case2 - table
    .data
total: .quad 0
buffer: .space 400
copy: .space 400
    .section .note.GNU-stack, "", @progbits
