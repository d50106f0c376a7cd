/* Routines long f(long a, long b) whose first bytes are of every kind that a jump may replace. `case_table` lists them. */
    .macro CASE name
    .pushsection .data.rel.local, "aw"
    .quad \name, 9f - \name
    .asciz "\name"
    .p2align 5
    .popsection
    .p2align 4
    .globl \name
    .type \name, @function
\name:
    .endm
    .macro END
9:  .p2align 4
    .endm
    .pushsection .data.rel.local, "aw"
    .p2align 5
    .globl case_table
case_table:
    .popsection
    .data
word:   .quad 0x1122334455667788
store:  .quad 0
vec:    .quad 3, 5, 7, 11
where:  .quad helper
after_jump: .quad jump_end
    .text
helper:                                 /* a * 3 + b, and a look at its own return address is no business of ours */
    lea     (%rdi,%rdi,2), %rax
    add     %rsi, %rax
    ret

    CASE plain
    push    %rbx
    mov     %rdi, %rbx
    lea     7(%rbx,%rsi), %rax
    pop     %rbx
    ret
    END
    CASE endbr
    endbr64
    lea     (%rdi,%rsi), %rax
    ret
    END
    CASE rip_load
    mov     word(%rip), %rax
    add     %rdi, %rax
    ret
    END
    CASE rip_second
    mov     %edi, %eax
    add     word(%rip), %rax
    ret
    END
    CASE rip_store
    mov     %rdi, store(%rip)
    mov     store(%rip), %rax
    ret
    END
    CASE rip_immediate
    movl    $0x12345, store(%rip)
    mov     store(%rip), %eax
    ret
    END
    CASE rip_compare_byte
    cmpb    $0x88, word(%rip)
    sete    %al
    movzbl  %al, %eax
    ret
    END
    CASE rip_lea
    lea     word(%rip), %rax
    ret
    END
    CASE rip_vex
    vmovdqu vec(%rip), %ymm0
    vextracti128 $1, %ymm0, %xmm0
    vmovq   %xmm0, %rax
    vzeroupper
    ret
    END
    CASE rip_sse
    movsd   vec+8(%rip), %xmm3
    movq    %xmm3, %rax
    ret
    END
    CASE rip_xchg
    xchg    %rdi, store(%rip)
    mov     store(%rip), %rax
    ret
    END
    CASE jcc_short
    test    %rdi, %rdi
    js      1f
    lea     1(%rdi), %rax
    ret
1:  lea     -1(%rdi), %rax
    ret
    END
    CASE jcc_long
    cmp     %rsi, %rdi
    .byte   0x0f, 0x8c                  /* jl rel32 */
    .long   1f - . - 4
    mov     $5, %eax
    ret
1:  mov     $6, %eax
    ret
    END
    CASE jcc_hinted
    test    $1, %dil
    .byte   0x2e
    jz      1f
    mov     $5, %eax
    ret
1:  mov     $6, %eax
    ret
    END
    CASE jmp_short
    jmp     1f
    .fill   6, 1, 0x90
1:  mov     %rdi, %rax
    ret
    END
    CASE jmp_long
    .byte   0xe9
    .long   helper - . - 4
    END
    CASE call_first
    call    helper
    add     $1, %rax
    ret
    END
    CASE call_second
    push    %rdi
    call    helper
    pop     %rdi
    add     %rdi, %rax
    ret
    END
    CASE call_memory
    call    *where(%rip)
    inc     %rax
    ret
    END
    CASE call_register
    lea     helper(%rip), %rcx
    call    *%rcx
    inc     %rax
    ret
    END
    CASE call_next
    call    1f
1:  pop     %rax
    lea     1b(%rip), %rcx
    sub     %rcx, %rax
    add     %rdi, %rax
    ret
    END
    CASE jump_memory
    jmp     *after_jump(%rip)
jump_end:
    lea     9(%rdi), %rax
    ret
    END
    CASE loop_plain
    mov     %edi, %ecx
    loop    1f
    mov     $1, %eax
    ret
1:  mov     %rcx, %rax
    ret
    END
    CASE loop_equal
    cmp     %edi, %edi
    loope   1f
    mov     $1, %eax
    ret
1:  mov     $2, %eax
    ret
    END
    CASE loop_unequal
    cmp     %edi, %edi
    loopne  1f
    mov     $1, %eax
    ret
1:  mov     $2, %eax
    ret
    END
    CASE jrcxz_taken
    xor     %ecx, %ecx
    jrcxz   1f
    mov     $1, %eax
    ret
1:  mov     $2, %eax
    ret
    END
    CASE jecxz_not
    mov     %edi, %ecx
    or      $1, %ecx
    jecxz   1f
    mov     $1, %eax
    ret
1:  mov     $2, %eax
    ret
    END
    CASE backward_inside                /* the branch and its target are both copied */
1:  dec     %edi
    jns     1b
    mov     %rdi, %rax
    ret
    END
    CASE flags_live
    stc
    sbb     %rax, %rax
    nop
    nop
    ret
    END
    CASE only_ret
    ret
    END
    CASE short_body
    mov     %edi, %eax
    ret
    END
    CASE stack_argument
    push    %rbp
    mov     %rsp, %rbp
    mov     8(%rbp), %rax               /* the return address: that of the caller, whoever jumps */
    pop     %rbp
    mov     %rdi, %rax
    ret
    END
    .pushsection .data.rel.local, "aw"
    .quad 0, 0
    .popsection

/* ---- to be refused ---- */
    .macro REFUSED name
    .p2align 4
    .globl \name, \name\()_end
\name:
    .endm
    REFUSED too_short
    mov     %edi, %eax
    ret
too_short_end:
    .globl next_routine
next_routine:
    mov     $1, %eax
    ret
    REFUSED branch_inside
    push    %rbx
    push    %rdi
1:  dec     %edi
    mov     $9, %eax
    cmp     $5, %edi
    jg      1b
    pop     %rdi
    pop     %rbx
    ret
branch_inside_end:
    REFUSED branch_to_entry
    sub     $1, %rdi
    mov     %rdi, %rax
    test    %rdi, %rdi
    jg      branch_to_entry
    ret
branch_to_entry_end:
    REFUSED target_elsewhere
    xor     %eax, %eax
middle_of_it:
    mov     %edi, %eax
    add     $1, %eax
    ret
target_elsewhere_end:
    .globl jumper
jumper:
    mov     $3, %edi
    jmp     middle_of_it
    REFUSED breakpoint
    push    %rbx
    int3
    pop     %rbx
    ret
breakpoint_end:
    REFUSED no_instruction
    .byte   0x06, 0x06, 0x06, 0x06, 0x06
no_instruction_end:
    REFUSED immovable
    sysenter
    ret
    nop
    nop
    nop
immovable_end:
    REFUSED whole_indirect
    push    %rbx
    push    %rdi
1:  dec     %edi
    mov     $9, %eax
    cmp     $5, %edi
    jg      1b
    jmp     *%rax
whole_indirect_end:

/* ---- for threads: three instructions under the jump; at all places of an aligned word ---- */
    .macro BUSY n
    .p2align 6
    .fill   \n, 1, 0x90
    .globl busy\n
busy\n:
    push    %rbx
    push    %r12
    mov     %edi, %ebx
    mov     %rsi, %r12
    lea     (%rbx,%r12), %rax
    pop     %r12
    pop     %rbx
    ret
    .endm
    BUSY 0
    BUSY 1
    BUSY 2
    BUSY 3
    BUSY 4
    BUSY 5
    BUSY 6
    BUSY 7
    .p2align 6
    .skip   6
    .globl busy_single
busy_single:
    mov     $0x1000, %eax
    add     %rdi, %rax
    add     %rsi, %rax
    sub     $0x1000, %rax
    ret
    .section .note.GNU-stack, "", @progbits
