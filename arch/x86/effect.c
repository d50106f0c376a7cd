/* effect.c: what does a routine do to memory when it is called with these constants? It is run on values that are partly
 * known: a constant, a distance from its first stack pointer, what a word of memory held at first plus a constant. If all
 * that remains in the end is sums in words of memory, the call only counts, however its compiler put it: with a frame or
 * without, through calls of further routines. */
#include "arch/x86/bridge.h"
#include "arch/x86/inline.h"
#include "engine/engine.h"
#include "engine/jit/promote.h"

enum { UNKNOWN, CONST, STACK, CELL, IS_ZERO };
/* CELL: what cell number `cell` held at first, plus v; IS_ZERO: whether that is 0 (is_byte: in the low byte, the rest is unknown). */
struct value { u8 kind, cell; bool is_byte; u64 v; };
enum { GLOBAL, TLS, FRAME };
struct cell { u64 at; u8 where, size; struct value now; };
enum { MAX_CELLS = 16, MAX_STEPS = 80 };

struct machine {
    struct value reg[16];
    struct value result;        /* what the zero flag tells about */
    u32 n_cells;
    bool has_failed;
    struct cell cell[MAX_CELLS];
};

static void begin(struct machine *m) { memset(m, 0, offsetof(struct machine, cell)); }

static const struct value unknown;
static struct value constant(u64 v) { return (struct value){ CONST, 0, false, v }; }
static u64 cut(u64 v, u32 size) { return size == 8 ? v : v & ((1ull << size * 8) - 1); }

/* ---- memory ---- */
static bool overlaps(const struct cell *c, u8 where, u64 at, u32 size)
{
    return c->where == where && at < c->at + c->size && c->at < at + size;
}

static struct cell *cell_at(struct machine *m, u8 where, u64 at, u32 size)
{
    for (u32 i = 0; i < m->n_cells; i++) {
        struct cell *c = &m->cell[i];
        if (c->where == where && c->at == at && c->size == size)
            return c;
        if (overlaps(c, where, at, size))
            m->has_failed = true;
    }
    if (m->n_cells == MAX_CELLS)
        m->has_failed = true;
    if (m->has_failed)
        return &m->cell[0];
    struct cell *c = &m->cell[m->n_cells++];
    *c = (struct cell){ at, where, (u8)size, { where == FRAME ? UNKNOWN : CELL, (u8)(m->n_cells - 1), false, 0 } };
    return c;
}

/* Where the memory operand lies; false: nobody knows. */
static bool locate(struct machine *m, const struct x86_insn *x, const u8 *pc, u8 *where, u64 *at)
{
    struct x86_operand o;
    x86_operand(x, &o);
    u64 sum = (u64)o.disp + (x->rip_rel ? (u64)pc + x->len : 0);
    *where = x->seg == X86_SEG_FS ? TLS : GLOBAL;
    if (x->addr32 || x->seg == X86_SEG_GS)
        return false;
    if (o.base >= 0) {
        const struct value *b = &m->reg[o.base];
        if (b->kind == STACK && *where == GLOBAL)
            *where = FRAME;
        else if (b->kind != CONST)
            return false;
        sum += b->v;
    }
    if (o.index >= 0) {
        if (m->reg[o.index].kind != CONST)
            return false;
        sum += m->reg[o.index].v * o.scale;
    }
    *at = sum;
    return true;
}

/* ---- operands ---- */
static struct value get_reg(struct machine *m, u32 r, u32 size)
{
    struct value v = m->reg[r];
    if (v.kind == CONST)
        v.v = cut(v.v, size);
    else if (v.kind == IS_ZERO && size == 1)
        v.is_byte = false;
    else if (v.is_byte || (v.kind == CELL && m->cell[v.cell].size != size) || (v.kind == STACK && size != 8))
        return unknown;
    return v;
}

static void set_reg(struct machine *m, u32 r, u32 size, struct value v)
{
    if (size < 4) {                                   /* the rest of the register stays */
        bool is_rest_zero = m->reg[r].kind == CONST && !(m->reg[r].v >> size * 8);
        if (v.kind == IS_ZERO)
            v.is_byte = !is_rest_zero;
        else if (v.kind == CONST && m->reg[r].kind == CONST)
            v.v = (m->reg[r].v & ~cut(~0ull, size)) | cut(v.v, size);
        else
            v = unknown;
    } else if (v.kind == CONST) {
        v.v = cut(v.v, size);
    }
    m->reg[r] = v;
}

static struct cell *memory(struct machine *m, const struct x86_insn *x, const u8 *pc, u32 size)
{
    u8 where;
    u64 at;
    if (!locate(m, x, pc, &where, &at)) {
        m->has_failed = true;
        return &m->cell[0];
    }
    return cell_at(m, where, at, size);
}

static struct value get_rm(struct machine *m, const struct x86_insn *x, const u8 *pc, u32 size)
{
    return x->has_mem ? memory(m, x, pc, size)->now : get_reg(m, x86_rm_of(x), size);
}

static void set_rm(struct machine *m, const struct x86_insn *x, const u8 *pc, u32 size, struct value v)
{
    if (!x->has_mem) {
        set_reg(m, x86_rm_of(x), size, v);
        return;
    }
    if (v.kind == CONST)
        v.v = cut(v.v, size);
    memory(m, x, pc, size)->now = v;
}

/* ---- instructions ---- */
enum { ADD, OR, ADC, SBB, AND, SUB, XOR, CMP };
static struct value combine(u32 which, struct value a, struct value b)
{
    if (a.kind == CONST && b.kind == CONST) {
        switch (which) {
        case ADD: return constant(a.v + b.v);
        case OR: return constant(a.v | b.v);
        case AND: return constant(a.v & b.v);
        case SUB: return constant(a.v - b.v);
        case XOR: return constant(a.v ^ b.v);
        default: return unknown;
        }
    }
    if (which == ADD && a.kind == CONST)
        return combine(ADD, b, a);
    if ((which == ADD || which == SUB) && b.kind == CONST && a.kind != UNKNOWN && a.kind != IS_ZERO) {
        a.v = which == ADD ? a.v + b.v : a.v - b.v;
        return a;
    }
    return unknown;
}

static void push(struct machine *m, struct value v)
{
    m->reg[RSP].v -= 8;
    cell_at(m, FRAME, m->reg[RSP].v, 8)->now = v;
}

static struct value pop(struct machine *m)
{
    struct value v = cell_at(m, FRAME, m->reg[RSP].v, 8)->now;
    m->reg[RSP].v += 8;
    return v;
}

static u32 operand_size(const struct x86_insn *x) { return x->rex & 8 ? 8 : x->opsize16 ? 2 : 4; }

static void alu_two(struct machine *m, const struct x86_insn *x, const u8 *pc)
{
    u32 size = operand_size(x), which = x->opcode >> 3, reg = x86_reg_of(x);
    struct value r = get_reg(m, reg, size), e = get_rm(m, x, pc, size);
    bool to_reg = x->opcode & 2, is_zero = !x->has_mem && x86_rm_of(x) == reg && (which == XOR || which == SUB);
    u32 op = which == CMP ? SUB : which;
    struct value out = is_zero ? constant(0) : to_reg ? combine(op, r, e) : combine(op, e, r);
    m->result = out;
    if (which == CMP)
        return;
    if (to_reg)
        set_reg(m, reg, size, out);
    else
        set_rm(m, x, pc, size, out);
}

static void alu_imm(struct machine *m, const struct x86_insn *x, const u8 *pc, u32 which)
{
    u32 size = operand_size(x);
    struct value out = combine(which == CMP ? SUB : which, get_rm(m, x, pc, size), constant((u64)x->imm));
    m->result = out;
    if (which != CMP)
        set_rm(m, x, pc, size, out);
}

static void load_address(struct machine *m, const struct x86_insn *x, const u8 *pc)
{
    u8 where;
    u64 at;
    struct x86_insn plain = *x;
    plain.seg = X86_SEG_NONE;
    bool is_known = locate(m, &plain, pc, &where, &at);
    struct value v = is_known ? (struct value){ where == FRAME ? STACK : CONST, 0, false, at } : unknown;
    if (!is_known && operand_size(x) == 8) {          /* lea r, [cell + constant]: a sum */
        struct x86_operand o;
        x86_operand(x, &o);
        if (o.base >= 0 && o.index < 0)
            v = combine(ADD, get_reg(m, (u32)o.base, 8), constant((u64)o.disp));
        else if (o.base >= 0 && o.scale == 1)
            v = combine(ADD, combine(ADD, get_reg(m, (u32)o.base, 8), get_reg(m, (u32)o.index, 8)), constant((u64)o.disp));
    }
    set_reg(m, x86_reg_of(x), operand_size(x), v);
}

/* movzx, movsx, movsxd: of constants */
static void extend(struct machine *m, const struct x86_insn *x, const u8 *pc, u32 from, bool is_signed)
{
    struct value v = get_rm(m, x, pc, from);
    if (v.kind == IS_ZERO)
        ;                                             /* 0 or 1 */
    else if (v.kind != CONST)
        v = unknown;
    else if (is_signed)
        v.v = (u64)((s64)(v.v << (64 - 8 * from)) >> (64 - 8 * from));
    set_reg(m, x86_reg_of(x), operand_size(x), v);
}

static void leave(struct machine *m)
{
    m->reg[RSP] = m->reg[RBP];
    if (m->reg[RSP].kind != STACK)
        m->has_failed = true;
    m->reg[RBP] = pop(m);
}

static bool step_0f(struct machine *m, const struct x86_insn *x, const u8 *pc)
{
    switch (x->opcode) {
    case 0x1e: case 0x1f: return true;
    case 0x94:                                        /* sete */
        if (x->has_mem || (!x->rex && x86_rm_of(x) >= 4))
            return false;
        set_reg(m, x86_rm_of(x), 1, m->result.kind == CELL ? (struct value){ IS_ZERO, m->result.cell, false, m->result.v } : unknown);
        return true;
    case 0xb6: extend(m, x, pc, 1, false); return x->has_mem || x->rex || x86_rm_of(x) < 4;
    case 0xb7: extend(m, x, pc, 2, false); return true;
    case 0xbe: extend(m, x, pc, 1, true); return x->has_mem || x->rex || x86_rm_of(x) < 4;
    case 0xbf: extend(m, x, pc, 2, true); return true;
    default: return false;
    }
}

/* Opcodes that are regular: arithmetic in its eight forms, and those that name a register. */
static bool step_regular(struct machine *m, const struct x86_insn *x, const u8 *pc)
{
    u8 op = x->opcode;
    u32 size = operand_size(x), embedded = (u32)(op & 7) | (u32)(x->rex & 1) << 3;
    if (op < 0x40 && ((op & 7) == 1 || (op & 7) == 3)) {
        alu_two(m, x, pc);
    } else if (op < 0x40 && (op & 7) == 5) {
        struct value v = combine(op >> 3 == CMP ? SUB : op >> 3, get_reg(m, RAX, size), constant((u64)x->imm));
        m->result = v;
        if (op >> 3 != CMP)
            set_reg(m, RAX, size, v);
    } else if (op >= 0x50 && op <= 0x57) {
        push(m, get_reg(m, embedded, 8));
    } else if (op >= 0x58 && op <= 0x5f) {
        struct value v = pop(m);
        set_reg(m, embedded, 8, v);
    } else if (op >= 0xb8 && op <= 0xbf) {
        set_reg(m, embedded, size, constant((u64)x->imm));
    } else {
        return false;
    }
    return true;
}

static bool step_single(struct machine *m, const struct x86_insn *x, const u8 *pc)
{
    u32 size = operand_size(x);
    bool has_byte_reg = !x->rex && (x->modrm >> 3 & 7) >= 4;      /* ah, ch, dh, bh */
    switch (x->opcode) {
    case 0x89: set_rm(m, x, pc, size, get_reg(m, x86_reg_of(x), size)); break;
    case 0x8b: set_reg(m, x86_reg_of(x), size, get_rm(m, x, pc, size)); break;
    case 0x88:
        if (has_byte_reg || !x->has_mem)
            return false;
        set_rm(m, x, pc, 1, get_reg(m, x86_reg_of(x), 1));
        break;
    case 0xc7: set_rm(m, x, pc, size, constant((u64)x->imm)); break;
    case 0x81: case 0x83: alu_imm(m, x, pc, x->modrm >> 3 & 7); break;
    case 0x8d: load_address(m, x, pc); break;
    case 0x63: extend(m, x, pc, 4, true); break;
    case 0x98: {
        struct value v = get_reg(m, RAX, size / 2);
        set_reg(m, RAX, size, v.kind != CONST ? unknown : constant(size == 8 ? (u64)(s32)v.v : (u64)(int16_t)v.v));
        break;
    }
    case 0x85:                                                    /* test */
        m->result = !x->has_mem && x86_rm_of(x) == x86_reg_of(x) ? get_reg(m, x86_reg_of(x), size) : unknown;
        break;
    case 0x90: break;
    case 0xc9: leave(m); break;
    case 0xff:
        if ((x->modrm >> 3 & 7) > 1)
            return false;
        m->result = combine(x->modrm >> 3 & 1 ? SUB : ADD, get_rm(m, x, pc, size), constant(1));
        set_rm(m, x, pc, size, m->result);
        break;
    default: return false;
    }
    return true;
}

static bool step_plain(struct machine *m, const struct x86_insn *x, const u8 *pc)
{
    if (x->enc != X86_ENC_LEGACY || x->lock || x->rep)
        return x->map == X86_MAP_0F && x->opcode == 0x1e;         /* endbr64 */
    if (x->map == X86_MAP_0F)
        return step_0f(m, x, pc);
    return x->map == X86_MAP_1 && (step_regular(m, x, pc) || step_single(m, x, pc));
}

static bool is_in_image(const u8 *p)
{
    return (addr_t)p >= engine_handoff->image_lo && (addr_t)p + 15 < engine_handoff->image_hi;
}

/* Up to the return of the first routine. */
static bool run(struct machine *m, const u8 *pc)
{
    for (u32 n = 0; n < MAX_STEPS && is_in_image(pc); n++) {
        struct x86_insn x;
        struct value to;
        if (!x86_decode(pc, 15, &x))
            return false;
        const u8 *next = pc + x.len;
        switch ((enum x86_kind)x.kind) {
        case X86_PLAIN:
            if (!step_plain(m, &x, pc))
                return false;
            break;
        case X86_JMP: next += x.imm; break;
        case X86_CALL:
            push(m, constant((u64)next));
            next += x.imm;
            break;
        case X86_RET:
            to = pop(m);
            if (to.kind != CONST || x.imm_size)
                return false;
            if (!to.v)
                return true;
            next = (const u8 *)to.v;
            break;
        default: return false;
        }
        if (m->has_failed || m->reg[RSP].kind != STACK)
            return false;
        pc = next;
    }
    return false;
}

/* Sums, and nothing else? */
static bool collect(const struct machine *m, struct count *out, u32 *n)
{
    *n = 0;
    for (u32 i = 0; i < m->n_cells; i++) {
        const struct cell *c = &m->cell[i];
        if (c->where == FRAME)
            continue;
        if (c->now.kind != CELL || c->now.cell != i)
            return false;
        s64 amount = c->size == 8 ? (s64)c->now.v : (s32)c->now.v;
        if (!amount)
            continue;
        if (*n == MAX_COUNTS || (c->size != 8 && c->size != 4) || c->at % c->size)
            return false;
        out[(*n)++] = (struct count){ c->at, amount, c->size, c->where == TLS };
    }
    return true;
}

static bool is_sum(const struct call *c, struct machine *m, struct count *out, u32 *n)
{
    if (c->n_args > ABI_REGS)
        return false;
    m->reg[RSP] = (struct value){ .kind = STACK };
    cell_at(m, FRAME, 0, 8)->now = constant(0);       /* returns to nowhere: the end */
    for (u32 k = 0; k < c->n_args; k++)
        if (c->arg[k].kind == ARG_CONST)
            m->reg[x86_abi_reg[k]] = constant(c->arg[k].value);
    return run(m, c->fn) && !m->has_failed && collect(m, out, n) && *n;
}

/* Most calls are like an earlier one: the same routine with the same constant, or none. What such a call does is remembered; a
 * tool's code does not change. */
static struct known { const void *fn; u64 arg; u32 n_args, n; struct count count[MAX_COUNTS]; } known[256];

static struct known *known_place(const void *fn, u64 arg)
{
    return &known[((u64)fn + arg * 0x9e3779b97f4a7c15ull) * 0x9e3779b97f4a7c15ull >> 56];
}

static bool is_simple(const struct call *c) { return c->n_args == 0 || (c->n_args == 1 && c->arg[0].kind == ARG_CONST); }

bool arch_counts(const struct call *c, struct count *out, u32 *n)
{
    struct machine m;
    u64 arg = c->n_args ? c->arg[0].value : 0;
    struct known *k = is_simple(c) ? known_place(c->fn, arg) : NULL;
    if (!k || k->fn != c->fn || k->arg != arg || k->n_args != c->n_args) {
        begin(&m);
        bool is_one = is_sum(c, &m, out, n);
        if (k)
            *k = (struct known){ c->fn, arg, c->n_args, is_one ? *n : 0, { { 0 } } };
        if (k && is_one)
            memcpy(k->count, out, *n * sizeof *out);
        return is_one;
    }
    *n = k->n;
    memcpy(out, k->count, k->n * sizeof *out);
    return k->n != 0;
}

/* One word, and whether it is zero now. */
bool arch_counts_down(const struct call *c, struct count *out)
{
    struct machine m;
    struct count all[MAX_COUNTS];
    u32 n;
    begin(&m);
    if (!is_sum(c, &m, all, &n) || n != 1 || all[0].is_tls)
        return false;
    const struct value *r = &m.reg[RAX];
    const struct cell *cell = &m.cell[r->cell];
    *out = all[0];
    return r->kind == IS_ZERO && !r->is_byte && cell->at == out->at && cell->where == GLOBAL && cut(r->v, cell->size) == cut((u64)out->amount, cell->size);
}
