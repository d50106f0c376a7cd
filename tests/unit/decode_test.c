/* decode_test.c: corners of the decoder that ordinary code never reaches. Silent unless something fails. */
#include <stdio.h>
#include <string.h>
#include "arch/x86/decode.h"

enum { RAX = 1, RCX = 2, RDX = 4, RBX = 8, RSP = 0x10, RBP = 0x20, RSI = 0x40, RDI = 0x80, R8 = 0x100, R12 = 0x1000 };

static int n_failed;

static void fail(const char *name, const char *what, long long got, long long wanted)
{
    printf("%s: %s is %#llx, should be %#llx\n", name, what, got, wanted);
    n_failed = 1;
}

static void expect(const char *name, const char *what, long long got, long long wanted)
{
    if (got != wanted)
        fail(name, what, got, wanted);
}

/* ---- Length and kind ---- */

/* len is the length wanted, 0 when the bytes are cut short; the buffer ends where the literal ends. */
#define BYTES(s) s, sizeof s - 1
static const struct {
    const char *name, *bytes;
    u8 n, len, kind;
} shapes[] = {
    /* prefixes */
    { "nop", BYTES("\x90"), 1, X86_PLAIN },
    { "REX before 66 is void: mov ax, imm16", BYTES("\x48\x66\xb8\x11\x22"), 5, X86_PLAIN },
    { "66 before REX.W is void: mov rax, imm64", BYTES("\x66\x48\xb8\x11\x22\x33\x44\x55\x66\x77\x88"), 11, X86_PLAIN },
    { "the last REX counts", BYTES("\x48\x40\xb8\x11\x22\x33\x44"), 7, X86_PLAIN },
    { "fourteen prefixes", BYTES("\x66\x66\x66\x66\x66\x66\x66\x66\x66\x66\x66\x66\x66\x66\x90"), 15, X86_PLAIN },
    { "fifteen prefixes", BYTES("\x66\x66\x66\x66\x66\x66\x66\x66\x66\x66\x66\x66\x66\x66\x66\x90"), 15, X86_BAD },
    { "fifteen bytes and one more",
      BYTES("\x66\x66\x66\x66\x66\x66\x66\x66\x66\x66\x66\x66\xb8\x11\x22\x33"), 15, X86_PLAIN },
    { "too long by its immediate", BYTES("\x2e\x2e\x2e\x2e\x2e\x2e\x2e\x2e\x2e\x2e\x2e\xb8\x11\x22\x33\x44"), 15,
      X86_BAD },
    { "prefixes and no end", BYTES("\x66\x66\x66\x66"), 0, X86_BAD },
    { "nothing", "", 0, 0, X86_BAD },
    { "lock add [rax], eax", BYTES("\xf0\x01\x00"), 3, X86_PLAIN },
    { "lock add eax, eax", BYTES("\xf0\x01\xc0"), 3, X86_BAD },
    { "lock cmp [rax], eax", BYTES("\xf0\x39\x00"), 3, X86_BAD },
    { "lock add eax, [rax]", BYTES("\xf0\x03\x00"), 3, X86_BAD },
    { "lock cmpxchg16b", BYTES("\xf0\x48\x0f\xc7\x08"), 5, X86_PLAIN },
    { "lock bt [rax], imm8", BYTES("\xf0\x0f\xba\x20\x01"), 5, X86_BAD },
    { "lock bts [rax], imm8", BYTES("\xf0\x0f\xba\x28\x01"), 5, X86_PLAIN },

    /* operands */
    { "mov al, moffs64", BYTES("\xa0\x01\x02\x03\x04\x05\x06\x07\x08"), 9, X86_PLAIN },
    { "mov al, moffs32", BYTES("\x67\xa0\x01\x02\x03\x04"), 6, X86_PLAIN },
    { "[disp32] by SIB", BYTES("\x8b\x04\x25\x01\x02\x03\x04"), 7, X86_PLAIN },
    { "[rip+disp32]", BYTES("\x8b\x05\x01\x02\x03\x04"), 6, X86_PLAIN },
    { "[r13] needs a displacement", BYTES("\x41\x8b\x45\x00"), 4, X86_PLAIN },
    { "cut before the SIB byte", BYTES("\x8b\x04"), 0, X86_BAD },
    { "cut within the immediate", BYTES("\xb8\x01\x02\x03"), 0, X86_BAD },
    { "test byte, imm8", BYTES("\xf6\xc0\x01"), 3, X86_PLAIN },
    { "test byte, imm8 by /1", BYTES("\xf6\xc8\x01"), 3, X86_PLAIN },
    { "not byte", BYTES("\xf6\xd0"), 2, X86_PLAIN },
    { "test word, imm16", BYTES("\x66\xf7\xc0\x01\x02"), 5, X86_PLAIN },
    { "enter", BYTES("\xc8\x10\x00\x01"), 4, X86_PLAIN },
    { "push imm16", BYTES("\x66\x68\x01\x02"), 4, X86_PLAIN },

    /* control flow */
    { "jcc rel8", BYTES("\x74\x10"), 2, X86_JCC },
    { "jcc rel32", BYTES("\x0f\x84\x01\x02\x03\x04"), 6, X86_JCC },
    { "66 leaves a branch at rel32", BYTES("\x66\x0f\x84\x01\x02\x03\x04"), 7, X86_JCC },
    { "66 call", BYTES("\x66\xe8\x01\x02\x03\x04"), 6, X86_CALL },
    { "bnd jmp", BYTES("\xf2\xe9\x01\x02\x03\x04"), 6, X86_JMP },
    { "jmp rel8", BYTES("\xeb\xfe"), 2, X86_JMP },
    { "jecxz", BYTES("\x67\xe3\x10"), 3, X86_JRCXZ },
    { "loop", BYTES("\xe2\xfe"), 2, X86_JRCXZ },
    { "call rax", BYTES("\xff\xd0"), 2, X86_CALL_IND },
    { "notrack jmp [rip+disp32]", BYTES("\x3e\xff\x25\x01\x02\x03\x04"), 7, X86_JMP_IND },
    { "call far [rax]", BYTES("\xff\x18"), 2, X86_FAR },
    { "call far rax", BYTES("\xff\xd8"), 2, X86_BAD },
    { "jmp far [rax]", BYTES("\xff\x28"), 2, X86_FAR },
    { "repz ret", BYTES("\xf3\xc3"), 2, X86_RET },
    { "ret imm16", BYTES("\xc2\x08\x00"), 3, X86_RET },
    { "lret", BYTES("\xcb"), 1, X86_FAR },
    { "iretq", BYTES("\x48\xcf"), 2, X86_FAR },
    { "far call with a pointer: not in 64-bit mode", BYTES("\x9a"), 1, X86_BAD },
    { "xbegin rel32", BYTES("\xc7\xf8\x01\x02\x03\x04"), 6, X86_XBEGIN },
    { "xbegin rel16", BYTES("\x66\xc7\xf8\x01\x02"), 5, X86_XBEGIN },
    { "c7 /7 otherwise", BYTES("\xc7\xf9\x01\x02\x03\x04"), 2, X86_BAD },
    { "syscall", BYTES("\x0f\x05"), 2, X86_SYSCALL },
    { "sysenter", BYTES("\x0f\x34"), 2, X86_SYSENTER },
    { "int3", BYTES("\xcc"), 1, X86_INT },
    { "int1", BYTES("\xf1"), 1, X86_INT },
    { "int 0x80", BYTES("\xcd\x80"), 2, X86_INT },
    { "ud2", BYTES("\x0f\x0b"), 2, X86_BAD },
    { "ud1", BYTES("\x0f\xb9\x40\x10"), 4, X86_BAD },
    { "ud0", BYTES("\x0f\xff\xc0"), 3, X86_BAD },

    /* system */
    { "mov eax, fs", BYTES("\x8c\xe0"), 2, X86_READ_SEG },
    { "mov fs, eax", BYTES("\x8e\xe0"), 2, X86_WRITE_SEG },
    { "mov cs, eax", BYTES("\x8e\xc8"), 2, X86_BAD },
    { "push fs", BYTES("\x0f\xa0"), 2, X86_READ_SEG },
    { "pop gs", BYTES("\x0f\xa9"), 2, X86_WRITE_SEG },
    { "lss", BYTES("\x0f\xb2\x00"), 3, X86_WRITE_SEG },
    { "lss from a register", BYTES("\x0f\xb2\xc0"), 3, X86_BAD },
    { "rdfsbase", BYTES("\xf3\x48\x0f\xae\xc0"), 5, X86_FSGSBASE },
    { "wrgsbase", BYTES("\xf3\x0f\xae\xd8"), 4, X86_FSGSBASE },
    { "fxsave", BYTES("\x0f\xae\x00"), 3, X86_PLAIN },
    { "mfence", BYTES("\x0f\xae\xf0"), 3, X86_PLAIN },
    { "clwb", BYTES("\x66\x0f\xae\x30"), 4, X86_PLAIN },
    { "hlt", BYTES("\xf4"), 1, X86_PRIVILEGED },
    { "mov cr0 ignores mod", BYTES("\x0f\x22\x00"), 3, X86_PRIVILEGED },
    { "mov cr1", BYTES("\x0f\x22\xc8"), 3, X86_BAD },
    { "mov cr8", BYTES("\x44\x0f\x22\xc0"), 4, X86_PRIVILEGED },
    { "xgetbv", BYTES("\x0f\x01\xd0"), 3, X86_PLAIN },
    { "swapgs", BYTES("\x0f\x01\xf8"), 3, X86_PRIVILEGED },
    { "rdtscp", BYTES("\x0f\x01\xf9"), 3, X86_PLAIN },
    { "rdpid", BYTES("\xf3\x0f\xc7\xf8"), 4, X86_PLAIN },
    { "xsaves", BYTES("\x0f\xc7\x28"), 3, X86_PRIVILEGED },
    { "endbr64", BYTES("\xf3\x0f\x1e\xfa"), 4, X86_PLAIN },
    { "push es: not in 64-bit mode", BYTES("\x06"), 1, X86_BAD },

    /* vectors */
    { "movaps with f3", BYTES("\xf3\x0f\x28\xc0"), 4, X86_BAD },
    { "movlpd from a register", BYTES("\x66\x0f\x12\xc0"), 4, X86_BAD },
    { "movhlps", BYTES("\x0f\x12\xc0"), 3, X86_PLAIN },
    { "vzeroupper", BYTES("\xc5\xf8\x77"), 3, X86_PLAIN },
    { "vpshufd", BYTES("\xc5\xf9\x70\xc0\x1b"), 5, X86_PLAIN },
    { "VEX after REX", BYTES("\x48\xc5\xf8\x28\xc0"), 5, X86_BAD },
    { "VEX after 66", BYTES("\x66\xc5\xf8\x28\xc0"), 5, X86_BAD },
    { "VEX after a void REX", BYTES("\x48\x2e\xc5\xf8\x28\xc0"), 6, X86_PLAIN },
    { "VEX map 0", BYTES("\xc4\xe0\x78\x28\xc0"), 3, X86_BAD },
    { "vblendvps keeps a register in its immediate", BYTES("\xc4\xe3\x71\x4a\xc2\x30"), 6, X86_PLAIN },
    { "EVEX with imm8", BYTES("\x62\xf1\x7d\x48\x70\x40\x01\x1b"), 8, X86_PLAIN },
    { "EVEX without its fixed bit", BYTES("\x62\xf1\x78\x48\x28\xc0"), 4, X86_BAD },
    { "EVEX map 4 (APX)", BYTES("\x62\xf4\x7c\x08\x01\xc0"), 4, X86_BAD },
    { "REX2 (APX)", BYTES("\xd5\x00\x90"), 1, X86_BAD },
    { "pop [rax]", BYTES("\x8f\x00"), 2, X86_PLAIN },
    { "8f /4", BYTES("\x8f\x20"), 2, X86_BAD },
    { "XOP vpcmov", BYTES("\x8f\xe8\x78\xa2\xc0\x10"), 6, X86_PLAIN },
    { "XOP bextr with imm32", BYTES("\x8f\xea\x78\x10\xc0\x01\x02\x03\x04"), 9, X86_PLAIN },
    { "3DNow! pfadd", BYTES("\x0f\x0f\xc1\x9e"), 4, X86_PLAIN },
    { "3DNow! without such an opcode", BYTES("\x0f\x0f\xc1\x00"), 4, X86_BAD },
    { "extrq with two immediates", BYTES("\x66\x0f\x78\xc0\x01\x02"), 6, X86_PLAIN },
};

static void test_shapes(void)
{
    struct x86_insn in;

    for (size_t i = 0; i < ARRAY_LEN(shapes); i++) {
        bool ok = x86_decode((const u8 *)shapes[i].bytes, shapes[i].n, &in);

        expect(shapes[i].name, "length", in.len, shapes[i].len);
        expect(shapes[i].name, "kind", in.kind, shapes[i].kind);
        expect(shapes[i].name, "result", ok, shapes[i].kind != X86_BAD);
    }
}

/* ---- Fields ---- */

static struct x86_insn decode(const char *bytes, u32 n)
{
    struct x86_insn in;

    x86_decode((const u8 *)bytes, n, &in);
    return in;
}
#define DECODE(s) decode(s, sizeof s - 1)

static void test_fields(void)
{
    expect("int 0x80", "imm", DECODE("\xcd\x80").imm, 0x80);
    expect("int3", "imm", DECODE("\xcc").imm, 3);
    expect("ret 0xfff0", "imm", DECODE("\xc2\xf0\xff").imm, 0xfff0);
    expect("push -1", "imm", DECODE("\x6a\xff").imm, -1);
    expect("mov eax, imm32", "imm", DECODE("\xb8\xff\xff\xff\xff").imm, -1);
    expect("jmp -2", "target", (long long)x86_target(&(struct x86_insn){ .len = 2, .imm = -2 }, 0x1000), 0x1000);
    expect("moffs", "imm", DECODE("\xa1\x88\x77\x66\x55\x44\x33\x22\x11").imm, 0x1122334455667788);
    expect("moffs", "disp_size", DECODE("\xa1\x88\x77\x66\x55\x44\x33\x22\x11").disp_size, 8);
    expect("gs then ds", "seg", DECODE("\x65\x3e\x8b\x00").seg, X86_SEG_GS);
    expect("fs then gs", "seg", DECODE("\x64\x65\x8b\x00").seg, X86_SEG_GS);
    expect("cs", "seg", DECODE("\x2e\x8b\x00").seg, X86_SEG_NONE);
    expect("nop [rax]", "is_lea", DECODE("\x0f\x1f\x00").is_lea, 1);
    expect("prefetch", "is_lea", DECODE("\x0f\x18\x08").is_lea, 1);
    expect("setg", "cc", DECODE("\x0f\x9f\xc0").cc, 15);
    expect("cmovb", "cc", DECODE("\x0f\x42\xc0").cc, 2);
    expect("andn", "vvvv", DECODE("\xc4\xe2\x18\xf2\xc1").vvvv, 12);
    expect("add", "vvvv", DECODE("\x01\xc0").vvvv, 0xff);
    expect("VEX.W", "rex", DECODE("\xc4\x42\x98\xf2\xc1").rex, 0x4d);
    expect("EVEX disp8 of a zmm", "disp", DECODE("\x62\xf1\x7c\x48\x28\x40\xff").disp, -64);
    expect("EVEX disp8 of a broadcast", "disp", DECODE("\x62\xf1\x74\x58\x58\x40\x02").disp, 8);
    expect("EVEX disp32", "disp", DECODE("\x62\xf1\x7c\x48\x28\x80\x02\x00\x00\x00").disp, 2);
}

/* ---- Usage ---- */

static const struct {
    const char *name, *bytes;
    u8 n;
    u16 reads, writes, kills, flags_read, flags_written, flags_killed;
} usages[] = {
    { "mov ah, bl", BYTES("\x88\xdc"), RBX, RAX, 0, 0, 0, 0 },
    { "mov spl, bl", BYTES("\x40\x88\xdc"), RBX, RSP, 0, 0, 0, 0 },
    { "mov eax, ebx", BYTES("\x89\xd8"), RBX, RAX, RAX, 0, 0, 0 },
    { "mov ax, bx", BYTES("\x66\x89\xd8"), RBX, RAX, 0, 0, 0, 0 },
    { "mov rax, [rax+r12*2]", BYTES("\x4a\x8b\x04\x60"), RAX | R12, RAX, 0, 0, 0, 0 },
    { "xor eax, eax", BYTES("\x31\xc0"), 0, RAX, RAX, 0, X86_ARITH, X86_ARITH & ~X86_AF },
    { "xor eax, r8d", BYTES("\x44\x31\xc0"), RAX | R8, RAX, 0, 0, X86_ARITH, X86_ARITH & ~X86_AF },
    { "sbb eax, eax", BYTES("\x19\xc0"), RAX, RAX, 0, X86_CF, X86_ARITH, X86_ARITH & ~X86_CF },
    { "inc ecx", BYTES("\xff\xc1"), RCX, RCX, 0, 0, X86_ARITH & ~X86_CF, X86_ARITH & ~X86_CF },
    { "shl eax, cl", BYTES("\xd3\xe0"), RAX | RCX, RAX, 0, 0, X86_ARITH, 0 },
    { "shl eax, 1", BYTES("\xd1\xe0"), RAX, RAX, 0, 0, X86_ARITH, X86_ARITH & ~X86_AF },
    { "shl eax, 32 does nothing", BYTES("\xc1\xe0\x20"), RAX, RAX, 0, 0, X86_ARITH, 0 },
    { "REX.W shl al, 32 too", BYTES("\x48\xc0\xe0\x20"), RAX, RAX, 0, 0, X86_ARITH, 0 },
    { "mul ecx", BYTES("\xf7\xe1"), RAX | RCX, RAX | RDX, RDX, 0, X86_ARITH, X86_CF | X86_OF },
    { "mul cl", BYTES("\xf6\xe1"), RAX | RCX, RAX, 0, 0, X86_ARITH, X86_CF | X86_OF },
    { "rep movsb", BYTES("\xf3\xa4"), RCX | RSI | RDI, RCX | RSI | RDI, 0, X86_DF, 0, 0 },
    { "repne scasb", BYTES("\xf2\xae"), RAX | RCX | RDI, RCX | RDI, 0, X86_DF, X86_ARITH, 0 },
    { "lodsd", BYTES("\xad"), RSI, RSI | RAX, RAX, X86_DF, 0, 0 },
    { "pop rax", BYTES("\x58"), RSP, RSP | RAX, RAX, 0, 0, 0 },
    { "nop", BYTES("\x90"), 0, 0, 0, 0, 0, 0 },
    { "xchg r8, rax", BYTES("\x49\x90"), RAX | R8, RAX | R8, 0, 0, 0, 0 },
    { "cmovz eax, ecx", BYTES("\x0f\x44\xc1"), RAX | RCX, RAX, 0, X86_ZF, 0, 0 },
    { "seta cl", BYTES("\x0f\x97\xc1"), 0, RCX, 0, X86_CF | X86_ZF, 0, 0 },
    { "bsf eax, ecx", BYTES("\x0f\xbc\xc1"), RAX | RCX, RAX, 0, 0, X86_ARITH, X86_ZF },
    { "movd eax, xmm1", BYTES("\x66\x0f\x7e\xc8"), 0, RAX, RAX, 0, 0, 0 },
    { "movq xmm1, xmm0", BYTES("\xf3\x0f\x7e\xc8"), 0, 0, 0, 0, 0, 0 },
    { "mulx rax, rdx, rcx", BYTES("\xc4\xe2\xeb\xf6\xc1"), RDX | RCX, RAX | RDX, RAX, 0, 0, 0 },
    { "cpuid", BYTES("\x0f\xa2"), RAX | RCX, RAX | RBX | RCX | RDX, RBX | RDX, 0, 0, 0 },
    { "hlt is not known", BYTES("\xf4"), 0xffff, 0xffff, 0, X86_ARITH | X86_DF, X86_ARITH | X86_DF, 0 },
};

static void test_usages(void)
{
    for (size_t i = 0; i < ARRAY_LEN(usages); i++) {
        struct x86_insn in = decode(usages[i].bytes, usages[i].n);
        struct x86_usage u;

        x86_usage(&in, &u);
        expect(usages[i].name, "reads", u.reads, usages[i].reads);
        expect(usages[i].name, "writes", u.writes, usages[i].writes);
        expect(usages[i].name, "kills", u.kills, usages[i].kills);
        expect(usages[i].name, "flags_read", u.flags_read, usages[i].flags_read);
        expect(usages[i].name, "flags_written", u.flags_written, usages[i].flags_written);
        expect(usages[i].name, "flags_killed", u.flags_killed, usages[i].flags_killed);
    }
}

int main(void)
{
    test_shapes();
    test_fields();
    test_usages();
    return n_failed;
}
