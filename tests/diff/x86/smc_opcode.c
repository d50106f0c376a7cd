/* Code in the program's own text section, made writable, is patched: an opcode, a jump, a call target. */
#include "t.h"

int victim(int x);
__asm__(".pushsection .text\n.balign 4096\n.globl victim\nvictim: lea 1(%rdi), %eax; nop; nop; jmp 1f; nop;"
        " 1: ret\n.balign 4096\n.popsection\n");

int main(void)
{
    u8 *code = (u8 *)victim;
    printf("%d\n", victim(10));
    CHECK(mprotect(code, 4096, PROT_READ | PROT_WRITE | PROT_EXEC) == 0);
    printf("%d\n", victim(10));
    code[2] = 5;                                   /* lea 5(%rdi) */
    printf("%d\n", victim(10));
    code[3] = 0xff, code[4] = 0xc0;                /* inc eax for the two nops */
    printf("%d\n", victim(10));
    code[5] = 0x31, code[6] = 0xc0;                /* xor eax, eax for the jump */
    printf("%d\n", victim(10));
    CHECK(mprotect(code, 4096, PROT_READ | PROT_EXEC) == 0);
    printf("%d\n", victim(10));
    return DONE();
}
