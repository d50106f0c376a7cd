# call_return_hash.s: the same through the shared hash. golden-args: --indirect=hash --no-leaf-calls
        .globl _start
_start: call    near
        lea     near(%rip), %rax
        call    *%rax
        push    $1
        call    pops
        mov     $60, %eax
        xor     %edi, %edi
        syscall
near:   ret
pops:   ret     $8
