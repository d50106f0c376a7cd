/* Three repeated string instructions and four system calls, the last of which does not return;
 * between them stack instructions with an address-size prefix, which is without effect there. */
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
    addr32 call 1f
1:  add $8, %rsp
    addr32 push %rax
    addr32 pop %rax
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
