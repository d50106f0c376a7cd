/* marshal.c: arguments of analysis calls, from the registers and the frame into the registers of the calling convention.
 * The flags are free here: a visit that must keep them has stored them. */
#include "arch/x86/bridge.h"
#include "engine/thread.h"

const u8 x86_abi_reg[ABI_REGS] = { RDI, RSI, RDX, RCX, R8, R9 };

/* ---- instructions ---- */
void put_lea(struct emit *e, u32 to, int base, int index, u32 scale, s32 disp, bool is32)
{
    u32 b = base >= 0 ? (u32)base : 5, x = index >= 0 ? (u32)index : 4;
    bool small = base >= 0 && disp == (int8_t)disp;
    if (is32)
        put8(e, 0x67);
    put8(e, rex(1, to, index >= 0 ? x : 0, base >= 0 ? b : 0));
    put8(e, 0x8d);
    put8(e, modrm(base < 0 ? 0 : small ? 1 : 2, to, 4));
    put8(e, (u8)((scale ? (u32)__builtin_ctz(scale) : 0) << 6 | (x & 7) << 3 | (b & 7)));
    if (small)
        put8(e, (u8)disp);
    else
        put32(e, (u32)disp);
}

void put_call(struct emit *e, const void *to)
{
    s64 d = (s64)((addr_t)to - ((addr_t)e->p + 5));
    if (d == (s32)d) {
        put8(e, 0xe8);
        put_rel32(e, to);
    } else {
        put_const(e, RAX, (u64)to);
        put_bytes(e, "\xff\xd0", 2);
    }
}

static bool is_saved(const struct visit *s, u32 reg) { return s->save >> reg & 1; }

/* to = part of a saved register */
static void load_saved(struct visit *s, u32 reg, u32 offset, u32 size, u32 to)
{
    if (s->is_light)
        put_fs_load_size(s->e, to, (s32)(AT_SLOT(s->slot[reg]) + offset), size);
    else
        put_rsp_load_size(s->e, to, F_GPR(reg) + offset, size);
}

static bool is_in_slot(const struct visit *s, u32 reg) { return reg == RSP && !s->is_light; }

/* to = the application's 64-bit register */
static void load_gpr(struct visit *s, u32 reg, u32 to)
{
    if (is_in_slot(s, reg) && s->rsp_in_r11)
        put_move(s->e, to, R11);
    else if (is_in_slot(s, reg))
        put_load_tls(s->e, to, AT_GPR(RSP));
    else if (is_saved(s, reg))
        load_saved(s, reg, 0, 8, to);
    else if (reg != to)
        put_move(s->e, to, reg);
}

static void load_gpr_part(struct visit *s, struct reg_id r, u32 to)
{
    if (is_in_slot(s, r.num))
        put_fs_load_size(s->e, to, AT_GPR(RSP) + r.offset, r.size);
    else if (is_saved(s, r.num))
        load_saved(s, r.num, r.offset, r.size, to);
    else if (r.size == 8)
        put_move(s->e, to, r.num);
    else
        put_move32(s->e, to, r.num);              /* parts below 32 bits are always saved: see x86_arg_scratch */
}

static s32 tool_reg_field(struct reg_id r)
{
    return (s32)offsetof(struct arch_thread, tool_reg) + 8 * r.num + r.offset;
}

static void load_reg(struct visit *s, struct reg_id r, u32 to)
{
    switch ((enum reg_file)r.file) {
    case RF_GPR: load_gpr_part(s, r, to); break;
    case RF_TOOL: put_fs_load_size(s->e, to, tool_reg_field(r), r.size); break;
    case RF_FS_BASE: put_load_tls(s->e, to, AT_FS_COPY); break;
    case RF_GS_BASE: put_load_tls(s->e, to, AT_APP_GS); break;
    default: break;
    }
}

/* ---- addresses ---- */
static void add_segment(struct visit *s, const struct arch_address *a, u32 to)
{
    if (!a->seg)
        return;
    load_reg(s, (struct reg_id){ a->seg == X86_SEG_FS ? RF_FS_BASE : RF_GS_BASE, 0, 0, 8 }, R11);
    put_lea(s->e, to, (int)to, R11, 1, 0, false);
}

/* A register in a form that lea can use: itself, or a copy. */
static int operand_reg(struct visit *s, int reg, u32 copy)
{
    if (reg < 0 || (!is_in_slot(s, (u32)reg) && !is_saved(s, (u32)reg)))
        return reg;
    load_gpr(s, (u32)reg, copy);
    return (int)copy;
}

static void load_address(struct visit *s, const struct arch_address *a, u32 to)
{
    bool far = a->disp != (s32)a->disp;
    if (a->base < 0 && a->index < 0) {
        put_const(s->e, to, a->is32 ? (u32)a->disp : (u64)a->disp);
    } else if (a->index < 0 && a->disp == 0 && !a->is32) {
        load_gpr(s, (u32)a->base, to);
    } else {
        int base = operand_reg(s, a->base, to), index = operand_reg(s, a->index, R11);
        put_lea(s->e, to, base, index, a->scale, far ? 0 : (s32)a->disp, a->is32);
    }
    add_segment(s, a, to);
}

/* ---- which arguments are loaded here, and what that takes ---- */
static bool reg_is_fast(struct reg_id r)
{
    return r.file == RF_GPR || r.file == RF_TOOL || r.file == RF_FS_BASE || r.file == RF_GS_BASE;
}

static bool address_is_fast(const struct arch_address *a)
{
    return a->form == ADDRESS_PLAIN && (a->disp == (s32)a->disp || (a->base < 0 && a->index < 0));
}

bool x86_is_cmov(const struct x86_insn *x)
{
    return x->enc == X86_ENC_LEGACY && x->map == X86_MAP_0F && (x->opcode & 0xf0) == 0x40;
}

bool x86_arg_is_fast(const struct site *s, const struct arg *a)
{
    const struct insn *in = &s->list[s->i];
    switch ((enum arg_kind)a->kind) {
    case ARG_CONST: case ARG_THREAD: return true;
    case ARG_REG: return reg_is_fast(a->reg);
    case ARG_REG_REF: return a->reg.file == RF_TOOL || (a->reg.file == RF_GPR && a->reg.num != RSP);
    case ARG_ADDRESS: return address_is_fast(&a->address);
    case ARG_TAKEN:
        return s->point == POINT_TAKEN || in->kind != INSN_COND || in->a.x.kind == X86_JCC;
    case ARG_EXECUTING: return x86_is_cmov(&in->a.x);
    case ARG_TARGET: return in->kind == INSN_COND || in->kind == INSN_JUMP || in->kind == INSN_CALL;
    default: return false;
    }
}

u16 x86_arg_scratch(const struct arg *a)
{
    switch ((enum arg_kind)a->kind) {
    case ARG_REG: return a->reg.file == RF_GPR && a->reg.size < 4 ? BIT(a->reg.num) : 0;
    case ARG_REG_REF: return a->reg.file == RF_GPR ? BIT(a->reg.num) : 0;
    case ARG_ADDRESS: return a->address.index >= 0 || a->address.seg ? BIT(R11) : 0;
    default: return 0;
    }
}

/* ---- one argument ---- */
static void load_reference(struct visit *s, struct reg_id r, u32 to)
{
    if (r.file == RF_GPR) {
        put_rsp_lea(s->e, to, F_GPR(r.num) + r.offset);
        return;
    }
    put8(s->e, 0x64);                             /* mov to, fs:[0]: the thread pointer itself */
    put8(s->e, rex(1, to, 0, 0));
    put8(s->e, 0x8b);
    put8(s->e, modrm(0, to, 4));
    put8(s->e, 0x25);
    put32(s->e, 0);
    put_lea(s->e, to, (int)to, -1, 0, x86_tls + tool_reg_field(r), false);
}

/* to = does the condition hold? The flags are still the application's. */
static void put_condition(struct emit *e, u32 cc, u32 to)
{
    put8(e, rex(0, 0, 0, to));                    /* setcc to8; movzx to32, to8 */
    put8(e, 0x0f);
    put8(e, (u8)(0x90 | cc));
    put8(e, modrm(3, 0, to));
    put8(e, rex(0, to, 0, to));
    put_bytes(e, "\x0f\xb6", 2);
    put8(e, modrm(3, to, to));
}

static void load_taken(struct visit *s, u32 to)
{
    const struct insn *in = &s->site->list[s->site->i];
    if (s->site->point == POINT_TAKEN || (in->kind != INSN_COND && !x86_is_cmov(&in->a.x)))
        put_const(s->e, to, 1);
    else if (!s->is_light)
        put_rsp_load_size(s->e, to, F_COND, 1);
    else
        put_condition(s->e, in->a.x.cc, to);
}

void x86_load_arg(struct visit *s, const struct arg *a, u32 to)
{
    switch ((enum arg_kind)a->kind) {
    case ARG_CONST: put_const(s->e, to, a->value); break;
    case ARG_REG: load_reg(s, a->reg, to); break;
    case ARG_REG_REF: load_reference(s, a->reg, to); break;
    case ARG_ADDRESS: load_address(s, &a->address, to); break;
    case ARG_THREAD: put_fs_load32(s->e, to, (s32)offsetof(struct thread, index)); break;
    case ARG_TAKEN: case ARG_EXECUTING: load_taken(s, to); break;
    case ARG_TARGET: put_const(s->e, to, s->site->list[s->site->i].target); break;
    default: break;
    }
}

void x86_store_result(struct visit *s, struct reg_id to)
{
    if (to.file == RF_TOOL)
        put_fs_store_size(s->e, RAX, tool_reg_field(to), to.size);
    else if (to.num == RSP)
        put_fs_store_size(s->e, RAX, AT_GPR(RSP) + to.offset, to.size);
    else
        put_rsp_store_size(s->e, RAX, F_GPR(to.num) + to.offset, to.size);
}
