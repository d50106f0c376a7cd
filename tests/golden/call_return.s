# call_return.s: calls push the program's own return address; the line goes on behind them; returns find their way. golden-args: --no-leaf-calls
        .globl _start
_start: call    near
        lea     near(%rip), %rax
        call    *%rax
        mov     $60, %eax
        xor     %edi, %edi
        syscall
near:   ret
