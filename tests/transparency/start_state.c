/* The state at the first instruction, with ASLR off: all registers, flags, segment bases, vector and x87 state, and the
 * whole initial stack (arguments, environment, auxiliary vector, strings) but for the sixteen random bytes.
 * test-build: -nostdlib -static -fno-stack-protector -fno-pie -no-pie
 * test-args: one "two words" ''
 * test-prefix: setarch -R
 * test-schemes: exec */
typedef unsigned char u8;
typedef unsigned long u64;

static long call(long n, long a, long b, long c)
{
    long r;
    __asm__ volatile("syscall" : "=a"(r) : "0"(n), "D"(a), "S"(b), "d"(c) : "rcx", "r11", "memory");
    return r;
}

static void text(const char *s)
{
    long n = 0;
    while (s[n])
        n++;
    call(1, 1, (long)s, n);
}

static void hex(const char *name, u64 v)
{
    char buf[20];
    text(name);
    for (int i = 0; i < 16; i++)
        buf[i] = "0123456789abcdef"[v >> (60 - 4 * i) & 15];
    buf[16] = '\n';
    call(1, 1, (long)buf, 17);
}

/* _start stores what it finds before anything can change it. */
u64 regs[18];
u8 fx[512] __attribute__((aligned(16)));
__asm__(".globl _start\n_start:\n"
        "  mov %rax, regs(%rip); mov %rbx, regs+8(%rip); mov %rcx, regs+16(%rip); mov %rdx, regs+24(%rip)\n"
        "  mov %rsi, regs+32(%rip); mov %rdi, regs+40(%rip); mov %rbp, regs+48(%rip); mov %rsp, regs+56(%rip)\n"
        "  mov %r8, regs+64(%rip); mov %r9, regs+72(%rip); mov %r10, regs+80(%rip); mov %r11, regs+88(%rip)\n"
        "  mov %r12, regs+96(%rip); mov %r13, regs+104(%rip); mov %r14, regs+112(%rip); mov %r15, regs+120(%rip)\n"
        "  fxsave64 fx(%rip); pushfq; popq regs+128(%rip)\n"
        "  mov %rsp, %rdi; and $-16, %rsp; call begin\n");

void __attribute__((used)) begin(u64 *sp)
{
    static const char *const names[] = {"rax ", "rbx ", "rcx ", "rdx ", "rsi ", "rdi ", "rbp ", "rsp ", "r8 ", "r9 ",
                                        "r10 ", "r11 ",
                                        "r12 ", "r13 ", "r14 ", "r15 ", "flags "};
    u64 v = 0;
    for (int i = 0; i < 17; i++)
        hex(names[i], regs[i]);
    call(158, 0x1003, (long)&v, 0);
    hex("fs base ", v);
    call(158, 0x1004, (long)&v, 0);
    hex("gs base ", v);
    for (int i = 0; i < 416 / 8; i++)
        hex(i < 4 ? "x87 " : "fx ", ((u64 *)fx)[i]);
    u64 *p = sp + 1 + sp[0] + 1, random = 0, last = 0;
    while (*p)
        p++;
    for (p++; p[0]; p += 2) {
        if (p[0] == 25)
            random = p[1];
        if (p[0] == 31)
            last = p[1];
    }
    while (*(u8 *)last)
        last++;
    for (u64 a = (u64)sp; a <= last; a += 8) {
        u64 word = *(u64 *)a;
        for (int i = 0; i < 8; i++)
            if (a + (u64)i >= random && a + (u64)i < random + 16)
                word &= ~(255ul << 8 * i);
        hex("stack ", word);
    }
    text("ok start_state\n");
    call(231, 0, 0, 0);
}
