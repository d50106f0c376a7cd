/* gate.S: between native and engine, for a thread that the launcher moves. docs/attach.md tells the whole story.
 *
 * x86_gate: rbx is the thread's struct handoff_thread; all else is the application's. Signals may come until they are blocked,
 * and find a native thread. It waits for the helper's word: the engine is installed, or the launcher has died.
 *  (1) Up to the word no flag changes and no stack is used: on the way back there is nothing to restore them from.
 *  (2) No call is made that could be restarted by restart_syscall: the application's own may be waiting for that. */
#include "entry_offsets.h"
#include "gate_offsets.h"
#define T(off) %fs:thr_self@tpoff+off
#define NR_RT_SIGPROCMASK 14
#define NR_FUTEX 202
#define NR_RESTART_SYSCALL 219
#define SIG_SETMASK 2
#define FUTEX_WAIT 128
#define RESTARTBLOCK -516

.macro set_mask at:vararg
    mov     $NR_RT_SIGPROCMASK, %eax
    mov     $SIG_SETMASK, %edi
    lea     \at, %rsi
    mov     $0, %edx
    mov     $8, %r10d
    syscall
.endm

    .text
    .hidden thr_self, engine_handoff
    .globl x86_gate, x86_again
    .hidden x86_gate, x86_again
x86_gate:
    set_mask all_signals(%rip)
1:  mov     engine_handoff(%rip), %rdi
    lea     HO_ATTACH_STATE(%rdi), %rdi
    mov     (%rdi), %edx
    lea     -STATE_INSTALLED(%rdx), %rcx
    jrcxz   x86_gate_in
    lea     -STATE_ABANDONED(%rdx), %rcx
    jrcxz   x86_gate_back
    mov     $NR_FUTEX, %eax
    mov     $FUTEX_WAIT, %esi
    mov     $0, %r10d
    syscall
    jmp     1b

/* Natively on. With the mask signals come back: their handlers find a native thread. */
x86_gate_back:
    set_mask HT_MASK(%rbx)
    mov     HT_HOME_RAX(%rbx), %rax
    mov     HT_REGS+R_RCX(%rbx), %rcx
    mov     HT_REGS+R_RDX(%rbx), %rdx
    mov     HT_REGS+R_RSI(%rbx), %rsi
    mov     HT_REGS+R_RDI(%rbx), %rdi
    mov     HT_REGS+R_R8(%rbx), %r8
    mov     HT_REGS+R_R9(%rbx), %r9
    mov     HT_REGS+R_R10(%rbx), %r10
    mov     HT_REGS+R_R11(%rbx), %r11
    jmp     *HT_LEAVE(%rbx)

/* Into the engine. Signals are blocked. */
x86_gate_in:
    mov     HT_ENTER+R_FS_BASE(%rbx), %rax
    wrfsbase %rax
    mov     HT_ENTER+R_GS_BASE(%rbx), %rax
    wrgsbase %rax
    mov     T(AT_ENGINE_SP), %rsp
    pushq   $2
    popfq
    xor     %ebp, %ebp
    mov     %fs:0, %rdi
    lea     thr_self@tpoff(%rdi), %rdi
    mov     %rbx, %rsi
    call    attach_arrive
    cmpl    $0, HT_IN_CALL(%rbx)
    je      x86_attach_computing
    lea     x86_attach_from_call(%rip), %rax
    push    %rax

/* Make the call that it was in, as the engine makes calls; the return address is on the stack. A signal that comes before the
 * call begins is pending in the engine, and the call is not made. */
x86_again:
    set_mask HT_ENTER_MASK(%rbx)
    mov     HT_ENTER+R_ORIG_RAX(%rbx), %rax
    cmpq    $RESTARTBLOCK, HT_ENTER+R_RAX(%rbx)
    jne     1f
    mov     $NR_RESTART_SYSCALL, %eax
1:  mov     HT_ENTER+R_RDI(%rbx), %rdi
    mov     HT_ENTER+R_RSI(%rbx), %rsi
    mov     HT_ENTER+R_RDX(%rbx), %rdx
    mov     HT_ENTER+R_R10(%rbx), %r10
    mov     HT_ENTER+R_R8(%rbx), %r8
    mov     HT_ENTER+R_R9(%rbx), %r9
    jmp     x86_syscall_lo

    .section .rodata
    .p2align 3
all_signals:
    .quad   -1
    .section .note.GNU-stack, "", @progbits
