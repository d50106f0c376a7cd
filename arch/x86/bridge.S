/* bridge.S: helpers of analysis calls. */
#include "entry_offsets.h"
#include "frame_offsets.h"
#include "uppers.h"
#include "x87_pointers.h"
#define X87_ENV (FRAME_X87_ENV-FRAME_X87)
    .text
    .hidden x86_app_x87, x86_initial

/* ---- vector and x87 state into the frame at rdx, and back ----
 * Clobber rcx, rdx and flags; loading keeps rax, saving clobbers it. For C the same with the frame in rdi.
 *
 * xsave and xrstor cost hundreds of cycles, so registers are moved one by one. x87 is saved only if the program uses it at
 * all: otherwise a C routine leaves its stack empty, as it found it. */
#define EACH_16     .irp n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
#define EACH_HIGH   .irp n, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31
#define EACH_MASK   .irp n, 0, 1, 2, 3, 4, 5, 6, 7

    .macro routine name
    .globl \name
    .hidden \name
    .type \name, @function
\name:
    .endm

/* The application's rounding and exception masks are not for the tool. */
.macro end_save
    stmxcsr FRAME_MXCSR(%rdx)
    mov     FRAME_MXCSR(%rdx), %eax
    or      $0x3f, %eax
    cmp     $0x1fbf, %eax
    je      1f
    pushq   $0x1f80
    ldmxcsr (%rsp)
    pop     %rax
1:  movzbl  x86_app_x87(%rip), %eax
    mov     %eax, FRAME_HAS_X87(%rdx)
    test    %eax, %eax
    jnz     look_at_x87
    ret
.endm

/* Translated is not executed: an x87 that the CPU calls unused needs no saving, only to be so again behind the routine. */
look_at_x87:
    cmpb    $0, %fs:thr_self@tpoff+AT_SPARES_X87
    jne     spare_x87
    cmp     $X87_ASK, %eax
    jne     save_x87
    push    %rdx
    mov     $1, %ecx
    xgetbv
    pop     %rdx
    test    $1, %al
    jnz     save_x87
    ret

spare_x87:
    movl    $0, FRAME_HAS_X87(%rdx)
    ret

save_x87:
    movl    $X87_SAVED, FRAME_HAS_X87(%rdx)
    lea     FRAME_X87(%rdx), %rcx
    xor     %eax, %eax
    mov     %rax, 512(%rcx)             /* the header: what was on this stack before is none of it */
    mov     %rax, 520(%rcx)
    mov     %rax, 528(%rcx)
    mov     %rax, 536(%rcx)
    mov     %rax, 544(%rcx)
    mov     %rax, 552(%rcx)
    mov     %rax, 560(%rcx)
    mov     %rax, 568(%rcx)
    xor     %edx, %edx
    inc     %eax
    xsave64 (%rcx)
    orb     $1, 512(%rcx)               /* as stored, even if the CPU calls it unused */
    keep_x87_pointers %rcx, X87_ENV, %rcx
    fninit
    ret

    routine x86_save_sse
    EACH_16
    movups  %xmm\n, FRAME_VECTORS+16*\n(%rdx)
    .endr
    end_save

    routine x86_save_avx
    EACH_16
    vmovups %ymm\n, FRAME_VECTORS+32*\n(%rdx)
    .endr
    are_ymm_uppers_zero
    setnz   FRAME_IS_WIDE(%rdx)
    vzeroupper
    end_save

    routine x86_save_avx512
    EACH_16
    vmovups %zmm\n, FRAME_VECTORS+64*\n(%rdx)
    .endr
    EACH_HIGH
    vmovups %zmm\n, FRAME_VECTORS+64*\n(%rdx)
    .endr
    EACH_MASK
    kmovq   %k\n, FRAME_MASKS+8*\n(%rdx)
    .endr
    are_zmm_uppers_zero
    setnz   FRAME_IS_WIDE(%rdx)
    vzeroupper
    end_save

.macro end_load
    ldmxcsr FRAME_MXCSR(%rdx)
    cmpl    $0, FRAME_HAS_X87(%rdx)
    jne     load_x87
    ret
.endm

load_x87:
    push    %rax
    cmpl    $X87_ASK, FRAME_HAS_X87(%rdx)
    je      reset_x87
    lea     FRAME_X87(%rdx), %rcx
    mov     $1, %eax
    xor     %edx, %edx
    xrstor64 (%rcx)
    load_x87_pointers %rcx, X87_ENV, %rcx
    pop     %rax
    ret

reset_x87:
    mov     $1, %ecx
    xgetbv
    test    $1, %al
    jz      1f
    mov     $1, %eax
    xor     %edx, %edx
    xrstor64 x86_initial(%rip)
1:  pop     %rax
    ret

    routine x86_load_sse
    EACH_16
    movups  FRAME_VECTORS+16*\n(%rdx), %xmm\n
    .endr
    end_load

.macro load_16 size, kind
    cmpb    $0, FRAME_IS_WIDE(%rdx)
    jne     1f
    vzeroupper
    EACH_16
    vmovups FRAME_VECTORS+\size*\n(%rdx), %xmm\n
    .endr
    jmp     2f
1:  EACH_16
    vmovups FRAME_VECTORS+\size*\n(%rdx), %\kind\n
    .endr
2:
.endm

    routine x86_load_avx
    load_16 32, ymm
    end_load

    routine x86_load_avx512
    load_16 64, zmm
    EACH_HIGH
    vmovups FRAME_VECTORS+64*\n(%rdx), %zmm\n
    .endr
    EACH_MASK
    kmovq   FRAME_MASKS+8*\n(%rdx), %k\n
    .endr
    end_load

/* ---- void x86_with_frame(struct x86_frame *, const void *one_of_the_above) ---- */
    routine x86_with_frame
    mov     %rdi, %rdx
    jmp     *%rsi

/* ---- u64 x86_call_args(const void *fn, const u64 *args, u64 n): n at least 6, the rest go on the stack ---- */
    .globl x86_call_args
    .hidden x86_call_args
    .type x86_call_args, @function
x86_call_args:
    push    %rbp
    mov     %rsp, %rbp
    push    %rbx
    push    %rbx
    mov     %rdi, %rax
    mov     %rsi, %rbx
    mov     %rdx, %rcx
    sub     $6, %rcx
    lea     1(%rcx), %rdx               /* an even number of words */
    and     $-2, %rdx
    shl     $3, %rdx
    sub     %rdx, %rsp
    lea     48(%rbx), %rsi
    mov     %rsp, %rdi
    rep movsq
    mov     (%rbx), %rdi
    mov     8(%rbx), %rsi
    mov     16(%rbx), %rdx
    mov     24(%rbx), %rcx
    mov     32(%rbx), %r8
    mov     40(%rbx), %r9
    mov     %rax, %rbx
    xor     %eax, %eax
    call    *%rbx
    lea     -16(%rbp), %rsp
    pop     %rbx
    pop     %rbx
    pop     %rbp
    ret
    .size x86_call_args, . - x86_call_args

    .section .note.GNU-stack, "", @progbits
