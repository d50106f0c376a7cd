/* seccomp.c: the program forbids system calls, for itself and so for the engine. What that means for a call of the engine's
 * may be that the process is gone without a word: so each filter is tried out on the engine's calls before it is installed,
 * and a line names those that it forbids. */
#include "engine/emulate/seccomp.h"
#include "arch_syscalls.h"
#include "base/print.h"
#include "base/sys.h"
#include "engine/emulate/calls.h"
#include "engine/engine.h"
#include "engine/log.h"

/* Calls that the engine makes by itself, whatever the program does. */
#define NEEDED(X) X(mmap) X(munmap) X(mprotect) X(madvise) X(futex) X(rt_sigaction) X(rt_sigprocmask) X(rt_sigreturn) \
    X(sigaltstack) X(getpid) X(gettid) X(tgkill) X(openat) X(read) X(close) X(exit_group)
static const struct { u32 nr; const char *name; } needed[] = {
#define X(name) { __NR_##name, #name },
    NEEDED(X)
#undef X
};

/* ---- classic BPF, as far as the kernel accepts it for seccomp ---- */
struct op { u16 code; u8 jt, jf; u32 k; };
struct program { u16 n; u16 pad[3]; addr_t code; };
struct data { u32 nr, arch; u64 ip, args[6]; };
enum { MAX_OPS = 4096, N_WORDS = 16 };
enum { LD = 0, LDX, ST, STX, ALU, JMP, RET, MISC };                  /* code & 7 */
enum { SIZE_OR_MODE = 0xe0, IMM = 0, ABS = 0x20, MEM = 0x60, LEN = 0x80 };
enum { OP = 0xf0, FROM_X = 8, RET_A = 0x10, TXA = 0x80 };
enum { ADD = 0, SUB = 0x10, MUL = 0x20, DIV = 0x30, OR = 0x40, AND = 0x50, LSH = 0x60, RSH = 0x70, NEG = 0x80, XOR = 0xa0 };
enum { JA = 0, JEQ = 0x10, JGT = 0x20, JGE = 0x30, JSET = 0x40 };

static u32 alu(u32 op, u32 a, u32 v)
{
    switch (op) {
    case ADD: return a + v;
    case SUB: return a - v;
    case MUL: return a * v;
    case DIV: return v ? a / v : 0;
    case OR: return a | v;
    case AND: return a & v;
    case LSH: return v < 32 ? a << v : 0;
    case RSH: return v < 32 ? a >> v : 0;
    case NEG: return -a;
    default: return a ^ v;
    }
}

static bool holds(u32 op, u32 a, u32 v) { return op == JEQ ? a == v : op == JGT ? a > v : op == JGE ? a >= v : (a & v) != 0; }

static u32 load(const struct op *o, const struct data *d, const u32 *m)
{
    u32 word = 0;
    switch (o->code & SIZE_OR_MODE) {
    case IMM: return o->k;
    case MEM: return m[o->k % N_WORDS];
    case LEN: return sizeof *d;
    default:
        if (o->k <= sizeof *d - 4)
            memcpy(&word, (const u8 *)d + o->k, 4);
        return word;
    }
}

static u32 run(const struct op *code, u32 n, const struct data *d)
{
    u32 a = 0, x = 0, m[N_WORDS] = { 0 };
    for (u32 pc = 0; pc < n; pc++) {
        const struct op *o = &code[pc];
        u32 v = o->code & FROM_X ? x : o->k;
        switch (o->code & 7) {
        case LD: a = load(o, d, m); break;
        case LDX: x = load(o, d, m); break;
        case ST: m[o->k % N_WORDS] = a; break;
        case STX: m[o->k % N_WORDS] = x; break;
        case ALU: a = alu(o->code & OP, a, v); break;
        case JMP: pc += (o->code & OP) == JA ? o->k : holds(o->code & OP, a, v) ? o->jt : o->jf; break;
        case RET: return o->code & RET_A ? a : o->k;
        case MISC: *(o->code & TXA ? &a : &x) = o->code & TXA ? x : a; break;
        }
    }
    return 0;
}

/* ---- the line ---- */
static bool allows(u32 result)
{
    enum { ACTION = (int)0xffff0000, ALLOW = 0x7fff0000, LOG = 0x7ffc0000, NOTIFY = 0x7fc00000, TRACE = 0x7ff00000 };
    u32 action = result & (u32)ACTION;
    return action == ALLOW || action == LOG || action == TRACE || action == NOTIFY;
}

/* Arguments unknown: a filter that looks at them gets zeros, and the benefit of the doubt is the filter's. */
static size_t list_forbidden(const struct op *code, u32 n, char *text, size_t size)
{
    size_t at = 0;
    for (u32 i = 0; i < ARRAY_LEN(needed) && at + 24 < size; i++) {
        struct data d = { .nr = needed[i].nr, .arch = (u32)ARCH_AUDIT, .ip = arch_sigreturn_stub() };
        if (!code || !allows(run(code, n, &d)))
            at += ct_format(text + at, size - at, "%s%s", at ? ", " : "", needed[i].name);
    }
    return at;
}

static void tell(const struct op *code, u32 n)
{
    char text[256];
    if (opt->quiet || !list_forbidden(code, n, text, sizeof text))
        return;
    ct_print(log_stderr(), "cotter: the program's seccomp %s forbids %s, which Cotter needs: it may not live long\n",
             code ? "filter" : "strict mode", text);
}

void seccomp_filter(addr_t program)
{
    static struct op code[MAX_OPS];
    static struct lock mutex;
    struct program p;
    lock_take(&mutex);
    if (mem_copy_safely(&p, (void *)program, sizeof p) && p.n <= MAX_OPS &&
        mem_copy_safely(code, (void *)p.code, p.n * sizeof *code))
        tell(code, p.n);
    lock_drop(&mutex);
}

void seccomp_strict(void) { tell(NULL, 0); }

long sys_seccomp(struct thread *t, struct syscall_args *a)
{
    enum { SET_MODE_STRICT, SET_MODE_FILTER };
    if (a->a[0] == SET_MODE_FILTER)
        seccomp_filter((addr_t)a->a[2]);
    else if (a->a[0] == SET_MODE_STRICT)
        seccomp_strict();
    return SYS_PASS;
}
