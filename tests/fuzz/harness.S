/* harness.S: from C into a case and back. The code and the data behind it are copied to HARNESS_AT as a whole, so all
 * references are relative. A case may leave anything in any register; only this place is out of its reach. */
#include "fuzz.h"

        .section .harness, "aw", @progbits
        .balign 4096
        .globl  harness_begin, harness_end, harness_enter, harness_exit, harness_faulted
harness_begin:
harness_enter:
        push    %rbx
        push    %rbp
        push    %r12
        push    %r13
        push    %r14
        push    %r15
        mov     %rsp, data+H_SAVED_RSP(%rip)
        cmpq    $0, data+H_USE_SEG(%rip)
        je      1f
        mov     data+H_FS(%rip), %rsi
        mov     data+H_GS(%rip), %rdx
        call    set_bases
1:      fninit
        mov     data+H_MASK(%rip), %eax
        mov     data+H_MASK+4(%rip), %edx
        xrstor64 data+H_XIN(%rip)
        pushq   data+H_IN+H_FLAGS(%rip)
        mov     data+H_IN+8(%rip), %rcx
        mov     data+H_IN+16(%rip), %rdx
        mov     data+H_IN+24(%rip), %rbx
        mov     data+H_IN+40(%rip), %rbp
        mov     data+H_IN+48(%rip), %rsi
        mov     data+H_IN+56(%rip), %rdi
        mov     data+H_IN+64(%rip), %r8
        mov     data+H_IN+72(%rip), %r9
        mov     data+H_IN+80(%rip), %r10
        mov     data+H_IN+88(%rip), %r11
        mov     data+H_IN+96(%rip), %r12
        mov     data+H_IN+104(%rip), %r13
        mov     data+H_IN+112(%rip), %r14
        mov     data+H_IN+120(%rip), %r15
        mov     data+H_IN(%rip), %rax
        popfq
        mov     data+H_IN+32(%rip), %rsp
        jmp     *data+H_TARGET(%rip)

harness_exit:
        mov     %rax, data+H_OUT(%rip)
        mov     %rcx, data+H_OUT+8(%rip)
        mov     %rdx, data+H_OUT+16(%rip)
        mov     %rbx, data+H_OUT+24(%rip)
        mov     %rsp, data+H_OUT+32(%rip)
        mov     %rbp, data+H_OUT+40(%rip)
        mov     %rsi, data+H_OUT+48(%rip)
        mov     %rdi, data+H_OUT+56(%rip)
        mov     %r8, data+H_OUT+64(%rip)
        mov     %r9, data+H_OUT+72(%rip)
        mov     %r10, data+H_OUT+80(%rip)
        mov     %r11, data+H_OUT+88(%rip)
        mov     %r12, data+H_OUT+96(%rip)
        mov     %r13, data+H_OUT+104(%rip)
        mov     %r14, data+H_OUT+112(%rip)
        mov     %r15, data+H_OUT+120(%rip)
        mov     data+H_SAVED_RSP(%rip), %rsp
        pushfq
        popq    data+H_OUT+H_FLAGS(%rip)
        mov     data+H_MASK(%rip), %eax
        mov     data+H_MASK+4(%rip), %edx
        xsave64 data+H_XOUT(%rip)
harness_faulted:
        pushq   $0x202
        popfq
        fninit
        ldmxcsr data+H_MXCSR(%rip)
        xor     %eax, %eax
        mov     %eax, %ds
        mov     %eax, %es
        cmpq    $0, data+H_USE_SEG(%rip)
        je      1f
        mov     data+H_OLD_FS(%rip), %rsi
        xor     %edx, %edx
        call    set_bases
1:      pop     %r15
        pop     %r14
        pop     %r13
        pop     %r12
        pop     %rbp
        pop     %rbx
        ret

set_bases:                              /* rsi: fs base, rdx: gs base; by arch_prctl */
        push    %rdx
        mov     $158, %eax
        mov     $0x1002, %edi
        syscall
        pop     %rsi
        mov     $158, %eax
        mov     $0x1001, %edi
        syscall
        ret

        .balign 4096
data:   .skip   H_XOUT + XAREA
        .balign 4096
harness_end:
        .section .note.GNU-stack, "", @progbits
