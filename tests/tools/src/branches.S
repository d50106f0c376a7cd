/* branches: branches whose numbers can be told by looking: a loop of 1000 turns with an alternating branch in it, and 3 calls. */
#include <sys/syscall.h>
    .globl _start
_start:
    mov $1000, %ecx
    xor %eax, %eax
1:  xor $1, %eax
    jz 2f                       /* taken every second time */
    nop
2:  dec %ecx
    jnz 1b                      /* taken 999 times */
    call f
    call f
    lea f(%rip), %rdx
    call *%rdx
    mov $SYS_exit, %eax
    xor %edi, %edi
    syscall
f:  ret
