/* bpf.c: see bpf.h. The kernel has checked the program, or will: what is odd here only must do no harm. */
#include "engine/emulate/bpf.h"
#include "base/str.h"

enum { N_WORDS = 16 };
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

static u32 load(const struct bpf_op *o, const struct bpf_data *d, const u32 *m)
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

u32 bpf_run(const struct bpf_op *code, u32 n, const struct bpf_data *d)
{
    u32 a = 0, x = 0, m[N_WORDS] = { 0 };
    for (u32 pc = 0; pc < n; pc++) {
        const struct bpf_op *o = &code[pc];
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
