/* rep stosb of five bytes, of none, and repne scasb that finds what it looks for at the second of three. */
    .globl _start
_start:
    lea room(%rip), %rdi
    mov $5, %ecx
    rep stosb
    xor %ecx, %ecx
    rep stosb
    lea text(%rip), %rdi
    mov $'b', %al
    mov $3, %ecx
    repne scasb
    mov $60, %eax
    xor %edi, %edi
    syscall
    .data
room: .skip 16
text: .ascii "abc"
