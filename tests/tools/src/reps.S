/* Three repeated string instructions and four system calls, the last of which does not return. */
    .globl _start
_start:
    lea buffer(%rip), %rdi
    mov $10, %ecx
    rep stosb
    lea buffer(%rip), %rsi
    lea buffer(%rip), %rdi
    mov $10, %ecx
    rep movsb
    lea buffer(%rip), %rdi
    mov $10, %ecx
    mov $1, %al
    repne scasb
    mov $39, %eax
    syscall
    mov $39, %eax
    syscall
    mov $186, %eax
    syscall
    mov $231, %eax
    xor %edi, %edi
    syscall
    .bss
buffer: .skip 16
