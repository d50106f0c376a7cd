/* A row of popf, longer than a trace: each of them is the last of its trace.
 * test-build: -nostdlib -static
 * test-ends: exit status 7
 */
        .globl _start
_start: .rept 400
        push    $2
        .endr
        .rept 400
        popf
        .endr
        mov     $7, %edi
        mov     $60, %eax
        syscall
        .section .note.GNU-stack, "", @progbits
