# syscall.s: a system call leaves the cache for good; what follows it is a trace of its own.
        .globl _start
_start: mov     $39, %eax               # getpid
        syscall
        mov     %rax, %rbx
        mov     $60, %eax
        xor     %edi, %edi
        syscall
