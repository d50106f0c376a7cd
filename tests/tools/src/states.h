/* states.h: a number that stands for the registers before every instruction a thread executes, in their order. The debugger
 * (oracle.c) and the tool (registers.cpp) work it out, each from what it sees. */
#include <stdint.h>

enum { N_STATE = 18 };                          /* pc, flags, rax rbx rcx rdx rsi rdi rbp rsp r8..r15 */
enum { STATE_PC, STATE_FLAGS, STATE_RAX, STATE_R11 = STATE_RAX + 11 };

/* cmps or scas with a prefix: Intel's CPUs change the flags only when it is over, not with each iteration. */
static inline int state_is_repeated_compare(const unsigned char *code)
{
    int i = 0;
    while (i < 4 && (code[i] == 0x66 || code[i] == 0xf2 || code[i] == 0xf3 || (code[i] & 0xf0) == 0x40))
        i++;
    return i && (code[i] == 0xa6 || code[i] == 0xa7 || code[i] == 0xae || code[i] == 0xaf);
}

/* Arithmetic flags and the direction; the debugger's own trap flag (0x100) is not the program's, but a system call leaves it in
 * r11. Behind one rax may be the number of a thread. */
static inline uint64_t state_hash(uint64_t h, const uint64_t *s, const unsigned char *before_pc)
{
    int behind_syscall = before_pc[0] == 0x0f && before_pc[1] == 0x05;
    uint64_t flags = state_is_repeated_compare(before_pc + 2) ? 0 : 0xcd5;
    for (int i = 0; i < N_STATE; i++) {
        uint64_t v = i == STATE_FLAGS ? s[i] & flags : i == STATE_R11 ? s[i] & ~0x100ull : s[i];
        if (!(behind_syscall && i == STATE_RAX))
            h = (h ^ v) * 0x9e3779b97f4a7c15ull;
        h ^= h >> 29;
    }
    return h;
}
