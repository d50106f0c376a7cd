/* entry.S: the border between the code cache and C.
 *
 * The tool's thread pointer stays in FS for good, so the thread's words are at fs:thr_self+offset from any thread.
 * Vector registers are never touched here: the engine is compiled without them, so they keep the application's state.
 *
 *  (1) In [arch_leave_lo, arch_leave_hi) the thread is on its way to the dispatcher: a signal only marks itself pending.
 *  (2) In [arch_restart_lo, arch_restart_hi) all application state is still in memory: a signal abandons the entry and
 *      starts the dispatcher afresh. The first instruction there looks for a signal that came earlier.
 *  (3) In [arch_glue_lo, arch_glue_hi) the thread is between two application instructions with registers parked in
 *      slots: the signal handler single-steps it to the next application instruction. */
#include "entry_offsets.h"
#include "x87_pointers.h"
#define T(off) %fs:thr_self@tpoff+off

    .text
    .hidden thr_self

/* ---- indirect branches that found nothing inline: r11 = target; the application's is at home ---- */
    .globl arch_glue_lo, arch_glue_hi
    .hidden arch_glue_lo, arch_glue_hi
    .p2align 6
arch_glue_lo:
    .globl x86_find_target
    .hidden x86_find_target
    .type x86_find_target, @function
x86_find_target:                        /* flags are live: only mov, lea and jrcxz */
    mov     %rax, T(AT_SLOT(1))
    mov     %rcx, T(AT_SLOT(2))
    lea     x86_targets(%rip), %rax
    mov     %r11d, %ecx                 /* slot_of in hash.c */
    bswap   %ecx
    lea     (%rcx,%r11), %ecx
    movzwl  %cx, %ecx
    mov     (%rax,%rcx,8), %rax         /* struct target: -pc, code, next */
1:  mov     %rax, %rcx
    jrcxz   3f
    mov     (%rax), %rcx
    lea     (%rcx,%r11), %rcx
    jrcxz   2f
    mov     16(%rax), %rax
    jmp     1b
2:  mov     8(%rax), %rax
    mov     %rax, T(AT_GOAL)
    mov     T(AT_SLOT(1)), %rax
    mov     T(AT_SLOT(2)), %rcx
    jmp     *T(AT_GOAL)
3:  mov     T(AT_SLOT(1)), %rax
    mov     T(AT_SLOT(2)), %rcx
    jmp     x86_miss_target
    .size x86_find_target, . - x86_find_target

/* Where a junction ends that cannot take more (junction.h): slot 1 = the application's rcx. */
    .globl x86_junction_table, x86_junction_hash
    .hidden x86_junction_table, x86_junction_hash
x86_junction_table:
    movzwl  %r11w, %ecx
    jmp     *0x7f000000(,%rcx,8)        /* TABLE_JUMP */
x86_junction_hash:
    mov     T(AT_SLOT(1)), %rcx
    jmp     x86_find_target

/* ---- returns of precall: r11 = where to, which is on the stack, too; the application's r11 is at home (returns.h) ---- */
#define RETURNS     0x7f200000              /* TABLE_RETURN */
#define MASK        0x7f080004              /* RETURN_MASK */
    .globl x86_return, x86_return_plain, x86_return_push
    .hidden x86_return, x86_return_plain, x86_return_push
x86_return_plain:                           /* for a CPU without a fast pext */
    mov     %rcx, T(AT_SLOT(1))
    mov     %rdx, T(AT_SLOT(2))
    mov     $0, %ecx
    crc32q  %r11, %rcx                      /* home in returns.c */
    movzwl  %cx, %edx
    bswap   %ecx
    movzbl  %cl, %ecx
    lea     (%rcx,%rdx,4), %edx
    jmp     1f
    .p2align 6
x86_return:
    mov     %rcx, T(AT_SLOT(1))
    mov     %rdx, T(AT_SLOT(2))
    mov     $0, %ecx
    crc32q  %r11, %rcx
    pext    MASK, %ecx, %edx
1:  lea     (%rdx,%rdx), %edx               /* slots have 16 bytes */
2:  mov     RETURNS(,%rdx,8), %rcx
    lea     (%rcx,%r11), %rcx
    jrcxz   3f
    mov     RETURNS(,%rdx,8), %rcx
    jrcxz   4f
    lea     2(%rdx), %edx
    jmp     2b
x86_return_push:                            /* no room for the word: to 4 (arch_mend_stray_pc) */
3:  push    RETURNS+8(,%rdx,8)
    mov     T(AT_SLOT(1)), %rcx
    mov     T(AT_SLOT(2)), %rdx
    ret
    .globl x86_return_missing
    .hidden x86_return_missing
x86_return_missing:
4:  mov     T(AT_SLOT(2)), %rdx
    jmp     x86_precall_miss
arch_glue_hi:

/* ---- leaving the cache ---- */
    .globl arch_leave_lo, arch_leave_hi
    .hidden arch_leave_lo, arch_leave_hi
arch_leave_lo:
    .globl x86_return_dead, x86_return_miss
    .hidden x86_return_dead, x86_return_miss
x86_return_dead:                        /* as code of the table: a return to r11, which is still on the stack */
    mov     %rcx, T(AT_SLOT(1))
x86_precall_miss:                       /* the same; slot 1 = the application's rcx */
    lea     8(%rsp), %rsp
x86_return_miss:                        /* a return to r11; slot 1 = the application's rcx */
    mov     %r11, T(AT_INDIRECT)
    mov     T(AT_SLOT(1)), %rcx
    movl    $EXIT_ID_RETURN, T(AT_EXIT_ID)
    jmp     x86_leave
    .globl x86_junction_miss
    .hidden x86_junction_miss
x86_junction_miss:                      /* r11 = target, slot 1 = the application's rcx; the junction is told */
    mov     %r11, T(AT_INDIRECT)
    mov     T(AT_SLOT(1)), %rcx
    movl    $EXIT_ID_GUARDED, T(AT_EXIT_ID)
    jmp     x86_leave
    .globl x86_table_miss
    .hidden x86_table_miss
x86_table_miss:                         /* r11 = target, slot 1 = the application's rcx */
    mov     T(AT_SLOT(1)), %rcx
    .globl x86_miss_target
    .hidden x86_miss_target
x86_miss_target:                        /* r11 = target */
    mov     %r11, T(AT_INDIRECT)
    movl    $EXIT_ID_INDIRECT, T(AT_EXIT_ID)
    jmp     x86_leave
    .globl x86_leave_named
    .hidden x86_leave_named
x86_leave_named:                        /* r11 = the exit that left; the application's is at home */
    mov     %r11d, T(AT_EXIT_ID)
    .globl x86_leave
    .hidden x86_leave
x86_leave:                              /* registers are the application's, r11 is at home; exit_id says who left */
    mov     %rax, T(AT_GPR(0))
    mov     %rcx, T(AT_GPR(1))
    mov     %rdx, T(AT_GPR(2))
    mov     %rbx, T(AT_GPR(3))
    mov     %rsp, T(AT_GPR(4))
    mov     %rbp, T(AT_GPR(5))
    mov     %rsi, T(AT_GPR(6))
    mov     %rdi, T(AT_GPR(7))
    mov     %r8,  T(AT_GPR(8))
    mov     %r9,  T(AT_GPR(9))
    mov     %r10, T(AT_GPR(10))
    mov     T(AT_R11), %r11
    mov     %r11, T(AT_GPR(11))
    mov     %r12, T(AT_GPR(12))
    mov     %r13, T(AT_GPR(13))
    mov     %r14, T(AT_GPR(14))
    mov     %r15, T(AT_GPR(15))
    mov     T(AT_ENGINE_SP), %rsp
    pushfq
    pop     T(AT_FLAGS)
    pushq   $2                          /* DF, AC and TF clear for C */
    popfq
    andb    $0xfe, T(AT_FLAGS+1)        /* TF: a debugger's that steps through here; of the application's own the handler knows */
arch_leave_hi:
    mov     %fs:0, %rdi
    lea     thr_self@tpoff(%rdi), %rdi
    call    disp_leave                  /* -> code to run */

/* ---- entering it: rax = code ---- */
    .globl arch_restart_lo, arch_restart_hi
    .hidden arch_restart_lo, arch_restart_hi
x86_enter:
arch_restart_lo:
    cmpl    $0, T(AT_PENDING)
    jne     x86_restart
    mov     %rax, T(AT_GOAL)
    push    T(AT_FLAGS)
    popfq
    mov     T(AT_GPR(0)), %rax
    mov     T(AT_GPR(1)), %rcx
    mov     T(AT_GPR(2)), %rdx
    mov     T(AT_GPR(3)), %rbx
    mov     T(AT_GPR(5)), %rbp
    mov     T(AT_GPR(6)), %rsi
    mov     T(AT_GPR(7)), %rdi
    mov     T(AT_GPR(8)), %r8
    mov     T(AT_GPR(9)), %r9
    mov     T(AT_GPR(10)), %r10
    mov     T(AT_GPR(11)), %r11
    mov     %r11, T(AT_R11)
    mov     T(AT_GPR(12)), %r12
    mov     T(AT_GPR(13)), %r13
    mov     T(AT_GPR(14)), %r14
    mov     T(AT_GPR(15)), %r15
    mov     T(AT_GPR(4)), %rsp
    jmp     *T(AT_GOAL)
arch_restart_hi:

/* Run the dispatcher from the stored registers, on an empty engine stack. */
    .globl x86_restart
    .hidden x86_restart
x86_restart:
    mov     T(AT_ENGINE_SP), %rsp
    pushq   $2
    popfq
    mov     %fs:0, %rdi
    lea     thr_self@tpoff(%rdi), %rdi
    call    disp_resume
    jmp     x86_enter

/* ---- system calls on behalf of the application: long x86_syscall(const struct syscall_args *) ----
 * A signal that comes before the `syscall` has started must not wait for the call to end: the handler moves the pc
 * from [x86_syscall_lo, x86_syscall_hi] to x86_syscall_abort. x86_syscall_hi is the instruction itself: the kernel
 * also comes back to it when it restarts the call for a handler with SA_RESTART. */
    .globl x86_syscall, x86_syscall_lo, x86_syscall_hi, x86_syscall_abort
    .hidden x86_syscall, x86_syscall_lo, x86_syscall_hi, x86_syscall_abort
    .type x86_syscall, @function
x86_syscall:
    mov     (%rdi), %rax
    mov     16(%rdi), %rsi
    mov     24(%rdi), %rdx
    mov     32(%rdi), %r10
    mov     40(%rdi), %r8
    mov     48(%rdi), %r9
    mov     8(%rdi), %rdi
x86_syscall_lo:
    cmpl    $0, T(AT_PENDING)
    jne     x86_syscall_abort
x86_syscall_hi:
    syscall
    ret
x86_syscall_abort:
    mov     $-5000, %rax                /* SYS_INTERRUPTED */
    ret
    .size x86_syscall, . - x86_syscall

/* ---- long x86_int80_call(const struct syscall_args *, u32 number): the same for the table of 32-bit programs ---- */
    .globl x86_int80_call, x86_int80_lo, x86_int80_hi, x86_int80_abort
    .hidden x86_int80_call, x86_int80_lo, x86_int80_hi, x86_int80_abort
    .type x86_int80_call, @function
x86_int80_call:
    push    %rbx
    push    %rbp
    mov     %esi, %eax
    mov     8(%rdi), %ebx
    mov     16(%rdi), %ecx
    mov     24(%rdi), %edx
    mov     32(%rdi), %esi
    mov     48(%rdi), %ebp
    mov     40(%rdi), %edi
x86_int80_lo:
    cmpl    $0, T(AT_PENDING)
    jne     x86_int80_abort
x86_int80_hi:
    int     $0x80
1:  pop     %rbp
    pop     %rbx
    ret
x86_int80_abort:
    mov     $-5000, %rax                /* SYS_INTERRUPTED */
    jmp     1b
    .size x86_int80_call, . - x86_int80_call

/* ---- long x86_clone_thread(const struct syscall_args *): a clone whose child has an engine stack of its own ----
 * The creator left three words on that stack: the FS base of the child's private TLS, the application's FS base, and where
 * the child goes on. */
    .globl x86_clone_thread
    .hidden x86_clone_thread
    .type x86_clone_thread, @function
x86_clone_thread:
    mov     (%rdi), %rax
    mov     16(%rdi), %rsi
    mov     24(%rdi), %rdx
    mov     32(%rdi), %r10
    mov     40(%rdi), %r8
    mov     48(%rdi), %r9
    mov     8(%rdi), %rdi
    syscall
    test    %rax, %rax
    jz      1f
    ret
1:  pop     %rax
    wrfsbase %rax
    pop     %rax
    wrgsbase %rax
    ret
    .size x86_clone_thread, . - x86_clone_thread

    .globl x86_new_thread, x86_ferry
    .hidden x86_new_thread, x86_ferry
x86_new_thread:
    xor     %ebp, %ebp
    mov     %fs:0, %rdi
    lea     thr_self@tpoff(%rdi), %rdi
    call    thr_child_start
    jmp     x86_restart
x86_ferry:
    xor     %ebp, %ebp
    mov     %fs:0, %rdi
    lea     thr_self@tpoff(%rdi), %rdi
    call    detach_ferry

/* ---- a thread that the launcher has taken over: FS, GS and rsp are the engine's already ----
 * x86_attach_from_call is what the `ret` of x86_syscall finds on the stack; rax is the result. */
    .globl x86_attach_computing, x86_attach_from_call
    .hidden x86_attach_computing, x86_attach_from_call
x86_attach_computing:
    xor     %ebp, %ebp
    mov     %fs:0, %rdi
    lea     thr_self@tpoff(%rdi), %rdi
    call    attach_computing
    jmp     x86_restart
x86_attach_from_call:
    mov     T(AT_ENGINE_SP), %rsp
    xor     %ebp, %ebp
    mov     %rax, %rsi
    mov     %fs:0, %rdi
    lea     thr_self@tpoff(%rdi), %rdi
    call    attach_from_call
    jmp     x86_restart

/* ---- void x86_vfork(const struct syscall_args *): a clone whose child borrows this thread's memory ----
 * The child runs on the same engine stack and in the same TLS while the parent is suspended, so neither side may rely
 * on what was on the stack before: both start over in disp_after_vfork, which knows what to put back. */
    .globl x86_vfork
    .hidden x86_vfork
    .type x86_vfork, @function
x86_vfork:
    mov     (%rdi), %rax
    mov     16(%rdi), %rsi
    mov     24(%rdi), %rdx
    mov     32(%rdi), %r10
    mov     40(%rdi), %r8
    mov     48(%rdi), %r9
    mov     8(%rdi), %rdi
    syscall
    mov     T(AT_ENGINE_SP), %rsp
    mov     %rax, %rsi
    mov     %fs:0, %rdi
    lea     thr_self@tpoff(%rdi), %rdi
    call    disp_after_vfork
    jmp     x86_enter
    .size x86_vfork, . - x86_vfork

/* ---- long x86_call_hosted(long (*f)(void *), void *arg, u8 *xsave, u64 mask) ----
 * Call code that may use vector registers (the tool, its libc) while they hold the application's state. */
    .globl x86_call_hosted
    .hidden x86_call_hosted
    .type x86_call_hosted, @function
x86_call_hosted:
    push    %rbp
    mov     %rsp, %rbp
    push    %rbx
    push    %r12
    sub     $64, %rsp                   /* x87 pointers: at -80(%rbp) */
    and     $-64, %rsp
    mov     %rdx, %rbx
    mov     %rcx, %r12
    mov     %rdi, %r8
    mov     %rsi, %rdi
    mov     %ecx, %eax
    mov     %r12, %rdx
    shr     $32, %rdx
    movq    $0, 512(%rbx)
    movq    $0, 520(%rbx)
    movq    $0, 528(%rbx)
    xsave64 (%rbx)
    orb     $1, 512(%rbx)               /* as stored, even if the CPU calls it unused */
    keep_x87_pointers %rbx, -80, %rbp
    fninit
    pushq   $0x1f80
    ldmxcsr (%rsp)
    pop     %rax                        /* rsp is 64-byte aligned again */
    xor     %eax, %eax
    call    *%r8
    mov     %rax, %r8
    mov     %r12d, %eax
    mov     %r12, %rdx
    shr     $32, %rdx
    xrstor64 (%rbx)
    load_x87_pointers %rbx, -80, %rbp
    mov     %r8, %rax
    lea     -16(%rbp), %rsp
    pop     %r12
    pop     %rbx
    pop     %rbp
    ret
    .size x86_call_hosted, . - x86_call_hosted

/* ---- bool x86_try_compare(addr_t source, addr_t target, u32 form): one cmps; false if it faults ---- */
    .globl x86_try_compare, x86_safe_lo, x86_safe_hi, x86_safe_fail
    .hidden x86_try_compare, x86_safe_lo, x86_safe_hi, x86_safe_fail
    .type x86_try_compare, @function
x86_safe_lo:
x86_try_compare:
    xchg    %rsi, %rdi
    mov     $1, %ecx
    lea     1f(%rip), %rax
    lea     (%rax,%rdx,8), %rax
    jmp     *%rax
    .p2align 3
1:  .irp    prefix, nop, repe, repne    /* form: of these three, times four, and of these four */
    .irp    insn, cmpsb, cmpsw, cmpsl, cmpsq
    \prefix
    \insn
    jmp     3f
    .p2align 3
    .endr
    .endr
    .size x86_try_compare, . - x86_try_compare

/* ---- bool mem_copy_safely(void *to, const void *from, size_t n): false if either side faults ---- */
    .globl mem_copy_safely
    .hidden mem_copy_safely
    .type mem_copy_safely, @function
mem_copy_safely:
    mov     %rdx, %rcx
    and     $31, %edx
    shr     $5, %rcx
    jz      2f
1:  mov     (%rsi), %rax                /* words: rep movs takes as long to begin as most copies here take */
    mov     8(%rsi), %r8
    mov     16(%rsi), %r9
    mov     24(%rsi), %r10
    mov     %rax, (%rdi)
    mov     %r8, 8(%rdi)
    mov     %r9, 16(%rdi)
    mov     %r10, 24(%rdi)
    add     $32, %rsi
    add     $32, %rdi
    dec     %rcx
    jnz     1b
2:  sub     $8, %edx
    jb      4f
    mov     (%rsi), %rax
    mov     %rax, (%rdi)
    add     $8, %rsi
    add     $8, %rdi
    jmp     2b
4:  lea     8(%rdx), %ecx
    jrcxz   3f
    rep movsb
3:
x86_safe_hi:
    mov     $1, %eax
    ret
x86_safe_fail:
    xor     %eax, %eax
    ret
    .size mem_copy_safely, . - mem_copy_safely

/* ---- bool x86_int80_works(void): does the kernel take calls of 32-bit programs? If not, the instruction faults ---- */
    .globl x86_int80_works, x86_int80_try
    .hidden x86_int80_works, x86_int80_try
    .type x86_int80_works, @function
x86_int80_works:
    mov     $20, %eax                   /* getpid */
x86_int80_try:
    int     $0x80
    mov     $1, %eax
    ret
    .size x86_int80_works, . - x86_int80_works

/* ---- the kernel's way back from the master signal handler ---- */
    .globl x86_sigreturn
    .hidden x86_sigreturn
    .type x86_sigreturn, @function
    .p2align 4
    nop
x86_sigreturn:
    mov     $15, %eax
    syscall
    .size x86_sigreturn, . - x86_sigreturn

    .section .note.GNU-stack, "", @progbits
