/* native.S: from natively running code to the tool and back. See arch/native.h.
 *
 * Nothing here is converted (x86_native_lo to x86_native_hi): FS is the application's, GS the tool's. */
#include "entry_offsets.h"
#include "native_offsets.h"
#include "uppers.h"
    .section .text.native, "ax", @progbits
    .globl x86_native_lo, x86_native_hi
    .hidden x86_native_lo, x86_native_hi
x86_native_lo:

    .macro routine name
    .globl \name
    .hidden \name
    .type \name, @function
    .p2align 4
\name:
    .endm

/* Is the tool's data of this very thread in place? Clobbers rax and flags. */
    .macro CHECK_THREAD
    rdgsbase %rax
    shr     $40, %rax
    cmp     $PRIVATE_TOP, %eax
    jne     71f
    rdfsbase %rax
    cmp     %rax, %gs:thr_self@tpoff+AT_NATIVE_FS
    je      72f
71: call    find_thread
72:
    .endm

/* All registers are kept but rax and flags. */
find_thread:
    push    %rbx
    mov     %rsp, %rbx
    push    %rcx
    push    %rdx
    push    %rsi
    push    %rdi
    push    %r8
    push    %r9
    push    %r10
    push    %r11
    push    %r12
    call    save_all
    mov     %rsp, %r12
    call    native_thread_begin
    call    load_all
    lea     -72(%rbx), %rsp
    pop     %r12
    pop     %r11
    pop     %r10
    pop     %r9
    pop     %r8
    pop     %rdi
    pop     %rsi
    pop     %rdx
    pop     %rcx
    pop     %rbx
    ret

/* An xsave image on the stack, at rsp on return; the caller keeps rsp. Then it calls C with rsp aligned. Clobbers rax, rcx,
 * rdx. The tool's routines find the default modes. */
save_all:
    pop     %rcx
    sub     $NATIVE_XSAVE, %rsp
    and     $-64, %rsp
    xor     %eax, %eax
    .irp n, 0, 8, 16, 24, 32, 40, 48, 56
    mov     %rax, 512+\n(%rsp)
    .endr
    mov     x86_bridge_mask(%rip), %eax
    xor     %edx, %edx
    xsave64 (%rsp)
    orb     $3, 512(%rsp)
    fninit
    pushq   $0x1f80
    ldmxcsr (%rsp)
    pop     %rax
    jmp     *%rcx

/* From r12. */
load_all:
    mov     x86_bridge_mask(%rip), %eax
    xor     %edx, %edx
    xrstor64 (%r12)
    ret

/* Vector registers, all of them: a caller that was compiled together with the routine may know that it leaves most alone, and
 * keep something there. They lie at rsp afterwards. x87 and MXCSR are the tool's business: the routine's entry finds them as the
 * ABI says. */
#define VECTORS (32 * 64 + 64 + 64)
#define IS_WIDE (32 * 64 + 64)
#define EACH_HIGH  .irp n, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31
#define EACH_MASK  .irp n, 0, 1, 2, 3, 4, 5, 6, 7

    .macro MOVE_LOW move, kind, store
    .irp n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
    .if \store
    \move   %\kind\n, 64*\n(%rsp)
    .else
    \move   64*\n(%r12), %\kind\n
    .endif
    .endr
    .endm

save_vectors:
    pop     %rcx
    and     $-64, %rsp
    sub     $VECTORS, %rsp
    cmpl    $32, x86_vector_size(%rip)
    je      1f
    ja      2f
    MOVE_LOW movups, xmm, 1
    jmp     *%rcx
1:  MOVE_LOW vmovups, ymm, 1
    are_ymm_uppers_zero
    setnz   IS_WIDE(%rsp)
    vzeroupper
    jmp     *%rcx
2:  MOVE_LOW vmovups, zmm, 1
    EACH_HIGH
    vmovups %zmm\n, 64*\n(%rsp)
    .endr
    EACH_MASK
    kmovq   %k\n, 32*64+8*\n(%rsp)
    .endr
    are_zmm_uppers_zero
    setnz   IS_WIDE(%rsp)
    vzeroupper
    jmp     *%rcx

/* From r12. */
load_vectors:
    cmpl    $32, x86_vector_size(%rip)
    je      1f
    ja      2f
    MOVE_LOW movups, xmm, 0
    ret
1:  cmpb    $0, IS_WIDE(%r12)
    je      load_narrow
    MOVE_LOW vmovups, ymm, 0
    ret
2:  call    load_low
    EACH_HIGH
    vmovups 64*\n(%r12), %zmm\n
    .endr
    EACH_MASK
    kmovq   32*64+8*\n(%r12), %k\n
    .endr
    ret

load_low:
    cmpb    $0, IS_WIDE(%r12)
    je      load_narrow
    MOVE_LOW vmovups, zmm, 0
    ret

load_narrow:
    vzeroupper
    MOVE_LOW vmovups, xmm, 0
    ret

/* struct arch_native_frame at rbx. `above`: bytes between its end and the application's stack pointer. */
    .macro ENTER above
    pushfq
    push    %r15
    push    %r14
    push    %r13
    push    %r12
    push    %r11
    push    %r10
    push    %r9
    push    %r8
    push    %rdi
    push    %rsi
    push    %rbp
    push    %rsp
    push    %rbx
    push    %rdx
    push    %rcx
    push    %rax
    andb    $0xfe, 16*8+1(%rsp)         /* TF: a debugger's that steps through here */
    cld
    mov     %rsp, %rbx
    lea     NATIVE_SIZE+\above(%rbx), %rax
    mov     %rax, 32(%rbx)
    CHECK_THREAD
    .endm

    .macro LEAVE
    mov     %rbx, %rsp
    pop     %rax
    pop     %rcx
    pop     %rdx
    pop     %rbx
    lea     8(%rsp), %rsp
    pop     %rbp
    pop     %rsi
    pop     %rdi
    pop     %r8
    pop     %r9
    pop     %r10
    pop     %r11
    pop     %r12
    pop     %r13
    pop     %r14
    pop     %r15
    popfq
    ret
    .endm

/* C for the record in r13, with the frame; what the routines of the tool may change of the vector registers is kept. */
    .macro RUN function
    cmpb    $0, NATIVE_USES_VECTORS(%r13)
    je      81f
    call    save_vectors
    mov     %rsp, %r12
    mov     %r13, %rdi
    mov     %rbx, %rsi
    mov     $1, %edx
    call    \function
    .endm

    .macro RUN_PLAIN function
81: and     $-16, %rsp
    mov     %r13, %rdi
    mov     %rbx, %rsi
    xor     %edx, %edx
    call    \function
    .endm

/* ---- gates: a stub has called them, below the red zone ---- */
    routine x86_gate_calls
    ENTER   NATIVE_SKIP
    mov     NATIVE_BACK(%rbx), %rax
    mov     STUB_RECORD(%rax), %r13
    RUN     x86_native_calls
    call    load_vectors
    LEAVE
    RUN_PLAIN x86_native_calls
    LEAVE

    routine x86_gate_calls_all
    ENTER   NATIVE_SKIP
    call    save_all
    mov     %rsp, %r12
    mov     NATIVE_BACK(%rbx), %rax
    mov     STUB_RECORD(%rax), %rdi
    mov     %rbx, %rsi
    mov     %r12, %rdx
    call    x86_native_calls_at
    call    load_all
    LEAVE

/* ---- a routine of the tool in the routine's place: r11 is free at the beginning of a routine ---- */
    routine x86_gate_jump
    push    %rax
    CHECK_THREAD
    pop     %rax
    jmp     *%r11

/* r11: the record. The return address is the frame's `back`. All registers but those of the result are kept: rax, and xmm0 if the
 * record says so. */
    routine x86_gate_signature
    ENTER   -8
    mov     %r11, %r13
    RUN     x86_native_signature
    mov     %rax, (%rbx)
    cmpb    $0, NATIVE_RETURNS_FLOAT(%r13)
    je      1f
    movups  %xmm0, (%r12)
1:  call    load_vectors
    LEAVE
    RUN_PLAIN x86_native_signature
    mov     %rax, (%rbx)
    LEAVE

/* ---- a routine with calls behind it has returned here ---- */
    routine arch_native_return
    pushq   $0
    ENTER   0
    mov     %rbx, %rdi
    and     $-16, %rsp
    call    x86_native_whose            /* and where to go on: in the frame's `back` */
    mov     %rax, %r13
    RUN     x86_native_after
    call    load_vectors
    LEAVE
    RUN_PLAIN x86_native_after
    LEAVE

/* ---- the application's own register, and what C must not have converted ---- */
    routine arch_native_pointer
    rdfsbase %rax
    ret

    routine arch_native_tool_pointer
    rdgsbase %rax
    ret

    routine arch_native_mirror
    rdfsbase %rax
    wrgsbase %rax
    ret

/* ---- void x86_native_enter(const struct handoff_regs *) ---- */
#define R(n) (8 * (n))(%rdi)
    routine x86_native_enter
    mov     R(19), %rsp
    pushq   R(16)
    pushq   R(18)
    mov     R(21), %rax
    wrfsbase %rax
    mov     R(0), %r15
    mov     R(1), %r14
    mov     R(2), %r13
    mov     R(3), %r12
    mov     R(4), %rbp
    mov     R(5), %rbx
    mov     R(6), %r11
    mov     R(7), %r10
    mov     R(8), %r9
    mov     R(9), %r8
    mov     R(10), %rax
    mov     R(11), %rcx
    mov     R(12), %rdx
    mov     R(13), %rsi
    mov     R(14), %rdi
    popfq
    ret
x86_native_hi:
    .section .note.GNU-stack, "", @progbits
