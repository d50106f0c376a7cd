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
#define NR_SIGALTSTACK 131
#define NR_RSEQ 334
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
    .globl x86_gate, x86_again, x86_exit_gate
    .hidden x86_gate, x86_again, x86_exit_gate
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
go_home:
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

/* ---- out of the engine: in a call of the application's that the launcher has taken it from; rbx is its record ----
 * A signal that came before they were blocked is the engine's: then it is as if the call had been interrupted by it. */
x86_exit_gate:
    set_mask all_signals(%rip)
    cmpl    $0, T(AT_PENDING)
    jne     x86_syscall_abort
    movl    $STATE_PARKED, HT_PLACE(%rbx)
1:  mov     engine_handoff(%rip), %rdi
    lea     HO_DETACH_STATE(%rdi), %rdi
    mov     (%rdi), %edx
    cmp     $STATE_RELEASED, %edx
    jae     2f
    mov     $NR_FUTEX, %eax
    mov     $FUTEX_WAIT, %esi
    mov     $0, %r10d
    syscall
    jmp     1b
2:  mov     $NR_SIGALTSTACK, %eax
    lea     HT_ALTSTACK(%rbx), %rdi
    mov     $0, %esi
    syscall
    mov     HT_RSEQ_AT(%rbx), %rdi
    test    %rdi, %rdi
    jz      3f
    mov     $NR_RSEQ, %eax
    mov     HT_RSEQ_SIZE(%rbx), %esi
    mov     $0, %edx
    mov     HT_RSEQ_SIG(%rbx), %r10d
    syscall
3:  pushq   HT_REGS+R_EFLAGS(%rbx)      /* no flag changes from here on */
    popfq
    mov     HT_REGS+R_FS_BASE(%rbx), %rax
    wrfsbase %rax
    mov     HT_REGS+R_GS_BASE(%rbx), %rax
    wrgsbase %rax
    mov     HT_REGS+R_R15(%rbx), %r15
    mov     HT_REGS+R_R14(%rbx), %r14
    mov     HT_REGS+R_R13(%rbx), %r13
    mov     HT_REGS+R_R12(%rbx), %r12
    mov     HT_REGS+R_RBP(%rbx), %rbp
    mov     HT_REGS+R_RSP(%rbx), %rsp
    set_mask HT_MASK(%rbx)
    jmp     go_home

    .section .rodata
    .p2align 3
all_signals:
    .quad   -1
    .section .note.GNU-stack, "", @progbits
