/* nested.S: the stack changes of nested.c. */
#include "entry_offsets.h"
    .text

/* ---- void x86_call_in_place(fn, struct arch_regs *, const u64 stack[16]) ----
 * Call fn as the application would have: its argument registers and stack words; its results go to the registers. */
    .globl x86_call_in_place
    .hidden x86_call_in_place
    .type x86_call_in_place, @function
x86_call_in_place:
    push    %rbp
    mov     %rsp, %rbp
    push    %rbx
    push    %r12
    mov     %rsi, %rbx
    mov     %rdi, %r12
    and     $-16, %rsp
    sub     $128, %rsp
    mov     %rdx, %rsi
    mov     %rsp, %rdi
    mov     $16, %ecx
    rep movsq
    mov     AT_GPR(0)(%rbx), %rax
    mov     AT_GPR(1)(%rbx), %rcx
    mov     AT_GPR(2)(%rbx), %rdx
    mov     AT_GPR(6)(%rbx), %rsi
    mov     AT_GPR(7)(%rbx), %rdi
    mov     AT_GPR(8)(%rbx), %r8
    mov     AT_GPR(9)(%rbx), %r9
    call    *%r12
    mov     %rax, AT_GPR(0)(%rbx)
    mov     %rdx, AT_GPR(2)(%rbx)
    lea     -16(%rbp), %rsp
    pop     %r12
    pop     %rbx
    pop     %rbp
    ret
    .size x86_call_in_place, . - x86_call_in_place

/* ---- void x86_nested_begin(struct nested *): remember where we are, then run the dispatcher ---- */
    .globl x86_nested_begin
    .hidden x86_nested_begin
    .type x86_nested_begin, @function
x86_nested_begin:
    push    %rbp
    push    %rbx
    push    %r12
    push    %r13
    push    %r14
    push    %r15
    mov     %rsp, (%rdi)
    jmp     x86_restart
    .size x86_nested_begin, . - x86_nested_begin

    .globl x86_nested_return
    .hidden x86_nested_return
    .type x86_nested_return, @function
x86_nested_return:
    mov     (%rdi), %rsp
    pop     %r15
    pop     %r14
    pop     %r13
    pop     %r12
    pop     %rbx
    pop     %rbp
    ret
    .size x86_nested_return, . - x86_nested_return

/* ---- void x86_go_native(struct k_ucontext *, u64 fs, u64 gs, u16 fs_selector, u16 gs_selector): no thread-local data from the second instruction on ---- */
    .globl x86_go_native
    .hidden x86_go_native
    .type x86_go_native, @function
x86_go_native:
    mov     %rdi, %rsp
    mov     %ecx, %fs
    mov     %r8d, %gs
    wrgsbase %rdx
    wrfsbase %rsi
    mov     $15, %eax
    syscall
    hlt
    .size x86_go_native, . - x86_go_native

    .section .note.GNU-stack, "", @progbits
