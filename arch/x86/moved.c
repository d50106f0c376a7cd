/* moved.c: an instruction whose memory operand is elsewhere: at the address in a tool register.
 *
 *  - The operand that modrm names: [scratch], as in lower.c.
 *  - The stack: rsp points there while the instruction runs, and is stepped from its true value afterwards.
 *  - String operands: so do rsi and rdi.
 *  - Transfers: written out; the way to the target is the dispatcher's.
 *
 *  (1) A register that is lent has its true value in spill slot 0 or 1 until the last instruction that can fault.
 *  (2) Nothing here changes flags. */
#include "arch/x86/asm.h"
#include "arch/x86/landing.h"
#include "arch/x86/park.h"
#include "arch/x86/r11.h"
#include "arch/x86/restore.h"
#include "engine/thread.h"

static s32 tool_field(u8 moved) { return (s32)offsetof(struct arch_thread, tool_reg) + 8 * (moved - 1); }

static void put_load_at(struct emit *e, u8 moved)
{
    put_load_tls(e, R11, tool_field(moved));
    put_bytes(e, "\x4d\x8b\x1b", 3);              /* mov r11, [r11] */
}

/* r11 is the engine's already, or is lent (r11.h). */
static void put_lend_r11(struct emit *e)
{
    if (x86_owns_r11(e))
        return;
    put_store_tls(e, R11, AT_SLOT(0));
    e->restore |= RESTORE(0, R11);
}

static void put_return_r11(struct emit *e)
{
    if (!x86_owns_r11(e))
        put_load_tls(e, R11, AT_SLOT(0));
}

/* What the operand that modrm names holds. */
static void put_load_operand(struct emit *e, const struct insn *in, u8 moved)
{
    const struct x86_insn *x = &in->a.x;
    if (moved)
        put_load_at(e, moved);
    else if (x->modrm >> 6 == 3)
        put_move(e, R11, (u32)(x->modrm & 7) | (u32)(x->rex & 1) << 3);
    else
        put_with_operand(e, in, 0x8b, R11);
}

/* ---- what an instruction is ---- */
static bool is_string(const struct x86_insn *x)
{
    return x->enc == X86_ENC_LEGACY && x->map == X86_MAP_1 && ((x->opcode >= 0xa4 && x->opcode <= 0xa7) || (x->opcode >= 0xaa && x->opcode <= 0xaf));
}

static bool is_vector_indexed(const struct x86_insn *x)
{
    bool is_vex = x->enc == X86_ENC_VEX || x->enc == X86_ENC_EVEX;
    return is_vex && x->map == X86_MAP_0F38 &&
           ((x->opcode >= 0x90 && x->opcode <= 0x93) || (x->opcode >= 0xa0 && x->opcode <= 0xa3) || x->opcode == 0x4b ||
            x->opcode == 0xc6 || x->opcode == 0xc7);
}

static u32 modrm_reg(const struct x86_insn *x) { return x->modrm >> 3 & 7; }
static u32 opcode_reg(const struct x86_insn *x) { return (u32)(x->opcode & 7) | (u32)(x->rex & 1) << 3; }
static bool is_one_byte(const struct x86_insn *x) { return x->enc == X86_ENC_LEGACY && x->map == X86_MAP_1; }

/* 1: it pushes a word; -1: it pops one; 0: neither, or in a way that is not known here. */
static int stack_step(const struct x86_insn *x)
{
    if (x->enc == X86_ENC_LEGACY && x->map == X86_MAP_0F)
        return x->opcode == 0xa0 || x->opcode == 0xa8 ? 1 : x->opcode == 0xa1 || x->opcode == 0xa9 ? -1 : 0;
    if (!is_one_byte(x))
        return 0;
    if ((x->opcode & 0xf8) == 0x50 || (x->opcode & 0xf8) == 0x58)
        return opcode_reg(x) == RSP ? 0 : (x->opcode & 0xf8) == 0x50 ? 1 : -1;
    if (x->opcode == 0x68 || x->opcode == 0x6a || x->opcode == 0x9c || (x->opcode == 0xff && modrm_reg(x) == 6))
        return 1;
    return x->opcode == 0x9d || (x->opcode == 0x8f && modrm_reg(x) == 0) ? -1 : 0;
}

/* push of memory, or of rsp itself: what it pushes is found before rsp is lent. */
static bool is_push_of_value(const struct x86_insn *x)
{
    if (!is_one_byte(x) || x->opsize16 || x->seg == X86_SEG_GS)
        return false;
    return (x->opcode == 0xff && modrm_reg(x) == 6) || ((x->opcode & 0xf8) == 0x50 && opcode_reg(x) == RSP);
}

static bool is_leave(const struct x86_insn *x) { return is_one_byte(x) && x->opcode == 0xc9 && !x->opsize16; }
static bool is_near_ret(const struct x86_insn *x) { return is_one_byte(x) && (x->opcode == 0xc2 || x->opcode == 0xc3) && !x->opsize16; }

/* Its operand would be found through the lent rsp, or through a register that is another one here. */
static bool names_stack_pointer(const struct x86_insn *x)
{
    if (!x->has_modrm)
        return false;
    return x->seg == X86_SEG_GS || (x->modrm >> 6 == 3 ? (x->modrm & 7) == RSP && !(x->rex & 1) : (x->modrm & 7) == 4 && (x->sib & 7) == RSP && !(x->rex & 1));
}

static bool can_move_stack(const struct insn *in)
{
    const struct x86_insn *x = &in->a.x;
    switch (x86_own_kind(in)) {
    case INSN_PLAIN: return is_leave(x) || is_push_of_value(x) || (stack_step(x) && !names_stack_pointer(x));
    case INSN_CALL: return !x->opsize16;
    case INSN_CALL_IND: return !x->opsize16 && modrm_reg(x) == 2 && x->seg != X86_SEG_GS;
    case INSN_RET: return is_near_ret(x);
    default: return false;
    }
}

/* Emulated only because of where its operand is, or for what it stores about the last x87 instruction. */
static bool is_plain_by_nature(const struct insn *in)
{
    return in->kind == INSN_PLAIN || (in->kind == INSN_EMULATE && in->a.x.kind == X86_PLAIN && (in->a.x.has_mem || is_string(&in->a.x)));
}

/* bt, bts, btr, btc with the bit's number in a register. */
static bool has_bit_number(const struct x86_insn *x)
{
    return x->enc == X86_ENC_LEGACY && x->map == X86_MAP_0F && (x->opcode & 0xe7) == 0xa3;
}

static bool can_move_explicit(const struct insn *in)
{
    const struct x86_insn *x = &in->a.x;
    if (!(x->has_mem || (x->disp_size && !x->has_modrm)) || x->is_lea || is_vector_indexed(x))
        return false;
    if (x->kind == X86_JMP_IND || x->kind == X86_CALL_IND)
        return modrm_reg(x) == 2 || modrm_reg(x) == 4;
    return is_plain_by_nature(in);
}

bool arch_can_move(const struct insn *in, enum memory_part p)
{
    switch (p) {
    case PART_EXPLICIT: return can_move_explicit(in);
    case PART_STACK: return can_move_stack(in);
    default: return is_plain_by_nature(in) && is_string(&in->a.x) && !in->a.x.addr32;
    }
}

/* ---- strings ---- */
/* reg has moved on from the tool's address: so does it from its own. */
static void put_step_on(struct emit *e, u32 reg, s32 own, s32 lent)
{
    put_store_tls(e, RBX, AT_SLOT(3));
    put_load_tls(e, RBX, lent);
    put_bytes(e, "\x48\xf7\xd3", 3);              /* not rbx */
    put_lea(e, reg, (int)reg, RBX, 1, 1, false);
    put_load_tls(e, RBX, own);
    put_lea(e, reg, (int)reg, RBX, 1, 0, false);
    put_load_tls(e, RBX, AT_SLOT(3));
}

/* The instruction without a repeat prefix and without a segment, which is in the address already. */
static void put_string_op(struct emit *e, const struct x86_insn *x)
{
    if (x->opsize16)
        put8(e, 0x66);
    if (x->rex)
        put8(e, x->rex);
    put8(e, x->opcode);
}

static void emit_string(struct emit *e, const struct insn *in, const u8 *moved)
{
    const struct x86_insn *x = &in->a.x;
    u8 *none = NULL;
    e->restore = 0;
    if (moved[PART_DESTINATION]) {
        put_store_tls(e, RDI, AT_SLOT(0));
        put_load_tls(e, RDI, tool_field(moved[PART_DESTINATION]));
        e->restore |= RESTORE(0, RDI);
    }
    if (moved[PART_SOURCE]) {
        put_store_tls(e, RSI, AT_SLOT(1));
        put_load_tls(e, RSI, tool_field(moved[PART_SOURCE]));
        e->restore |= RESTORE(1, RSI);
    }
    if (x->rep) {
        put_bytes(e, "\xe3\x00", 2);              /* jrcxz behind the iteration */
        none = e->p;
    }
    put_string_op(e, x);
    if (x->rep) {
        put_lea(e, RCX, RCX, -1, 1, -1, false);
        none[-1] = (u8)(e->p - none);
    }
    if (moved[PART_DESTINATION])
        put_step_on(e, RDI, AT_SLOT(0), tool_field(moved[PART_DESTINATION]));
    if (moved[PART_SOURCE])
        put_step_on(e, RSI, AT_SLOT(1), tool_field(moved[PART_SOURCE]));
}

/* ---- the stack ---- */
static void emit_leave(struct emit *e, u8 moved)
{
    put_store_tls(e, RBP, AT_SLOT(0));
    put_load_tls(e, RBP, tool_field(moved));
    put_bytes(e, "\x48\x8b\x6d\x00", 4);          /* mov rbp, [rbp] */
    put_load_tls(e, RSP, AT_SLOT(0));
    put_lea(e, RSP, RSP, -1, 1, 8, false);
    e->restore = RESTORE(0, RBP);
}

static void emit_push_of_value(struct emit *e, const struct insn *in, const u8 *moved)
{
    e->restore = RESTORE(1, R10);
    put_lend_r11(e);
    put_store_tls(e, R10, AT_SLOT(1));
    if (in->a.x.opcode != 0xff)
        put_move(e, R11, RSP);
    else
        put_load_operand(e, in, moved[PART_EXPLICIT]);
    put_load_tls(e, R10, tool_field(moved[PART_STACK]));
    put_bytes(e, "\x4d\x89\x1a", 3);              /* mov [r10], r11 */
    put_lea(e, RSP, RSP, -1, 1, -8, false);
    put_load_tls(e, R10, AT_SLOT(1));
    put_return_r11(e);
}

/* What the tool is told, and moves, is the word that the bit is in. The CPU would step on to that by the bit's number once more: so
 * that is made one within the word. */
static void emit_bit(struct emit *e, const struct x86_insn *x, u8 moved)
{
    u32 number = modrm_reg(x) | (x->rex & 4u) << 1;
    bool is_wide = x->rex & 8;
    e->restore = RESTORE(1, R10);
    put_lend_r11(e);
    put_store_tls(e, R10, AT_SLOT(1));
    if (number != R10)
        put_move(e, R10, number);
    put_load_tls(e, R11, tool_field(moved));
    put_store_tls(e, RAX, AT_SLOT(3));
    put_bytes(e, "\x9f\x0f\x90\xc0", 4);          /* lahf; seto al */
    put_bytes(e, "\x41\x83\xe2", 3);              /* and r10d, bits of a word - 1 */
    put8(e, is_wide ? 63 : x->opsize16 ? 15 : 31);
    put_bytes(e, "\x04\x7f\x9e", 3);              /* add al, 0x7f; sahf */
    put_load_tls(e, RAX, AT_SLOT(3));
    if (x->lock)
        put8(e, 0xf0);
    if (x->opsize16 && !is_wide)
        put8(e, 0x66);
    put8(e, rex(is_wide, R10, 0, R11));
    put8(e, 0x0f);
    put8(e, x->opcode);
    put8(e, modrm(0, R10, R11));
    put_load_tls(e, R10, AT_SLOT(1));
    put_return_r11(e);
}

static void emit_inner(struct emit *e, const struct insn *list, u32 i, u32 n, const u8 *moved)
{
    if (moved[PART_EXPLICIT] && has_bit_number(&list[i].a.x))
        emit_bit(e, &list[i].a.x, moved[PART_EXPLICIT]);
    else if (moved[PART_EXPLICIT])
        put_based_on_tls(e, &list[i], tool_field(moved[PART_EXPLICIT]));
    else
        arch_emit_plain(e, list, i, n);
}

static void emit_stack(struct emit *e, const struct insn *list, u32 i, u32 n, const u8 *moved)
{
    const struct x86_insn *x = &list[i].a.x;
    s32 size = x->opsize16 ? 2 : 8, step = stack_step(x) * size;
    if (is_leave(x)) {
        emit_leave(e, moved[PART_STACK]);
        return;
    }
    if (is_push_of_value(x)) {
        emit_push_of_value(e, &list[i], moved);
        return;
    }
    put_store_tls(e, RSP, AT_SLOT(1));
    put_load_tls(e, RSP, tool_field(moved[PART_STACK]));
    if (step > 0)
        put_lea(e, RSP, RSP, -1, 1, step, false);
    emit_inner(e, list, i, n, moved);
    put_load_tls(e, RSP, AT_SLOT(1));
    put_lea(e, RSP, RSP, -1, 1, -step, false);
    e->restore |= RESTORE(1, RSP);
}

/* ---- transfers: r11 is what the way out expects the target in, its true value at home ---- */
static void put_return_address(struct emit *e, const struct insn *in, u8 moved)
{
    put_store_tls(e, R10, AT_SLOT(1));
    put_const(e, R10, insn_next(in));
    if (moved) {
        put_load_tls(e, R11, tool_field(moved));
        put_bytes(e, "\x4d\x89\x13", 3);          /* mov [r11], r10 */
    } else {
        put_bytes(e, "\x4c\x89\x54\x24\xf8", 5);  /* mov [rsp-8], r10 */
    }
    put_lea(e, RSP, RSP, -1, 1, -8, false);
    put_load_tls(e, R10, AT_SLOT(1));
}

static void put_way_out(struct emit *e)
{
    put_parked_back(e);
    put_store_const(e, 0, AT_BRANCH);
    put_jump(e, x86_miss_target);
}

static void emit_transfer(struct emit *e, const struct insn *in, const u8 *moved, struct exit *exit)
{
    e->restore = 0;
    put_lend_r11(e);
    if (in->kind == INSN_CALL) {
        e->restore |= RESTORE(1, R10);
        put_return_address(e, in, moved[PART_STACK]);
        put_return_r11(e);
        arch_emit_jump(e, exit);
        return;
    }
    put_r11_home(e);
    if (in->kind == INSN_RET && moved[PART_STACK])
        put_load_at(e, moved[PART_STACK]);
    else if (in->kind == INSN_RET)
        put_bytes(e, "\x4c\x8b\x1c\x24", 4);      /* mov r11, [rsp] */
    else
        put_load_operand(e, in, moved[PART_EXPLICIT]);
    if (in->kind == INSN_RET)
        put_lea(e, RSP, RSP, -1, 1, 8 + (in->a.x.opcode == 0xc2 ? (s32)(u16)in->a.x.imm : 0), false);
    if (in->kind == INSN_CALL_IND) {
        e->restore |= RESTORE(1, R10);
        put_store_tls(e, R11, AT_SLOT(4));
        put_return_address(e, in, moved[PART_STACK]);
        put_load_tls(e, R11, AT_SLOT(4));
    }
    put_way_out(e);
}

void arch_emit_moved(struct emit *e, const struct insn *list, u32 i, u32 n, const u8 *moved, struct exit *exit)
{
    const struct insn *in = &list[i];
    if (!is_plain_by_nature(in))
        emit_transfer(e, in, moved, exit);
    else if (moved[PART_SOURCE] || moved[PART_DESTINATION])
        emit_string(e, in, moved);
    else if (moved[PART_STACK])
        emit_stack(e, list, i, n, moved);
    else
        emit_inner(e, list, i, n, moved);
}

/* ---- versions ---- */
bool arch_can_transfer(const struct insn *in)
{
    const struct x86_insn *x = &in->a.x;
    if (in->kind == INSN_JUMP_IND)
        return modrm_reg(x) == 4 && x->seg != X86_SEG_GS && !x->opsize16;
    return can_move_stack(in);
}

void arch_emit_version(struct emit *e, u32 version) { put_store_const(e, version, (s32)offsetof(struct thread, next_version)); }

/* rcx and jrcxz, since a comparison would change flags. */
void arch_emit_case(struct emit *e, u32 tool_reg, s32 value, struct exit *x)
{
    put_store_tls(e, RCX, AT_SLOT(0));
    put_load_tls(e, RCX, tool_field((u8)(tool_reg + 1)));
    put_lea(e, RCX, RCX, -1, 1, -value, false);
    put_bytes(e, "\xe3\x00", 2);
    u8 *equal = e->p;
    put_load_tls(e, RCX, AT_SLOT(0));
    u8 *other = put_jump_forward(e);
    if (!e->is_full)
        equal[-1] = (u8)(e->p - equal);
    put_load_tls(e, RCX, AT_SLOT(0));
    arch_emit_jump(e, x);
    patch_forward(e, other);
}
