/* A static program whose first instruction is already the interesting one: exit by plain SYS_exit, odd status.
 * test-build: -nostdlib -static
 * test-ends: exit status 200
 */
        .globl _start
_start: mov     $200, %edi
        mov     $60, %eax
        syscall
        .section .note.GNU-stack, "", @progbits
