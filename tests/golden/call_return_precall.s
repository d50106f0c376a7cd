# call_return_precall.s: real calls, returns through a table of their own. golden-args: --returns=precall --no-leaf-calls
        .globl _start
_start: call    near
        lea     near(%rip), %rax
        call    *%rax
        mov     $60, %eax
        xor     %edi, %edi
        syscall
near:   ret
