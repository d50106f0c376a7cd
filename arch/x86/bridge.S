/* bridge.S: helpers of analysis calls. The frame (bridge.h) is on top of the engine's stack when emitted code calls them. */
#include "entry_offsets.h"
    .text
    .hidden x86_bridge_mask, x86_bridge_xsave

/* ---- put the vector and x87 state into the frame, give the routine a fresh one; clobbers rax, rdx, flags ---- */
    .globl x86_save_vectors
    .hidden x86_save_vectors
    .type x86_save_vectors, @function
x86_save_vectors:
    push    %rdi
    mov     x86_bridge_xsave(%rip), %edi
    lea     16(%rsp,%rdi), %rdi
    xor     %eax, %eax
    mov     %rax, 512(%rdi)             /* the header: what was on this stack before is none of it */
    mov     %rax, 520(%rdi)
    mov     %rax, 528(%rdi)
    mov     %rax, 536(%rdi)
    mov     %rax, 544(%rdi)
    mov     %rax, 552(%rdi)
    mov     %rax, 560(%rdi)
    mov     %rax, 568(%rdi)
    mov     x86_bridge_mask(%rip), %eax
    xor     %edx, %edx
    xsave64 (%rdi)
    fninit
    pushq   $0x1f80
    ldmxcsr (%rsp)
    pop     %rax
    pop     %rdi
    ret
    .size x86_save_vectors, . - x86_save_vectors

/* ---- take it back; clobbers rdx, rcx ---- */
    .globl x86_load_vectors
    .hidden x86_load_vectors
    .type x86_load_vectors, @function
x86_load_vectors:
    push    %rax
    mov     x86_bridge_xsave(%rip), %ecx
    lea     16(%rsp,%rcx), %rcx
    mov     x86_bridge_mask(%rip), %eax
    xor     %edx, %edx
    xrstor64 (%rcx)
    pop     %rax
    ret
    .size x86_load_vectors, . - x86_load_vectors

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
