/* control.c: how a trace ends: branches, calls, returns, exits and their stubs.
 *
 *  (1) A direct exit is one jmp or jcc whose displacement can be replaced by a single store; until it is linked it leads
 *      to its stub, which tells the dispatcher who left.
 *  (2) The return address on the application's stack is always the application's own.
 *  (3) An indirect branch has r11's true value in slot 0 from its first instruction on. */
#include "arch/x86/emit.h"
#include "arch/x86/restore.h"
#include "engine/cache/trace.h"

/* Stub: exit_id = x; jump to the common way out. */
enum { STUB_LEN = 17, CONST_LEN = 8 };

static void put_exit_id(struct emit *e, const struct exit *x)
{
    put8(e, 0x64);                                /* mov dword fs:[exit_id], imm32 */
    put8(e, 0xc7);
    put8(e, modrm(0, 0, 4));
    put8(e, 0x25);
    put32(e, (u32)(x86_tls + AT_EXIT_ID));
    put32(e, ptr_ref(x));
}

static u8 *put_stub(struct emit *e, struct exit *x)
{
    u8 *at = take_stub(e, STUB_LEN);
    if (!at)
        return e->p;
    struct emit s = { .p = at, .end = at + STUB_LEN };
    put_exit_id(&s, x);
    put_jump(&s, x86_leave);
    x->stub = cache_offset(at);
    return at;
}

static void put_exit_displacement(struct emit *e, struct exit *x, const u8 *stub)
{
    x->site = cache_offset(e->p);
    put_rel32(e, stub);
}

void arch_emit_jump(struct emit *e, struct exit *x)
{
    u8 *stub = put_stub(e, x);
    put_patch_padding(e, 1);
    put8(e, 0xe9);
    put_exit_displacement(e, x, stub);
}

/* loop, jrcxz: only an 8-bit displacement exists, so they hop over a hop. */
static void emit_jrcxz(struct emit *e, const struct insn *in, struct exit *x)
{
    u8 *stub = put_stub(e, x);
    put_patch_padding(e, in->len + 2u + 1u);
    put_bytes(e, in->bytes, in->len - 1u);
    put8(e, 2);
    put8(e, 0xeb);
    put8(e, 5);
    put8(e, 0xe9);
    put_exit_displacement(e, x, stub);
}

void arch_emit_cond(struct emit *e, const struct insn *in, struct exit *x)
{
    if (in->a.x.kind == X86_JRCXZ) {
        emit_jrcxz(e, in, x);
        return;
    }
    u8 *stub = put_stub(e, x);
    put_patch_padding(e, 2);
    put8(e, 0x0f);
    put8(e, (u8)(0x80 | in->a.x.cc));
    put_exit_displacement(e, x, stub);
}

/* push qword [rip+constant]: no register, no flags, and one 8-byte store, which the return's load can forward from. */
static void put_push_const(struct emit *e, u64 v)
{
    u8 *at = take_stub(e, CONST_LEN);
    if (!at)
        return;
    memcpy(at, &v, 8);
    put8(e, 0xff);
    put8(e, 0x35);
    put_rel32(e, at);
}

void arch_emit_call(struct emit *e, const struct insn *in, struct exit *x)
{
    put_push_const(e, insn_next(in));
    arch_emit_jump(e, x);
}

/* r11 = where an indirect jump or call wants to go. */
static void put_target(struct emit *e, const struct insn *in)
{
    const struct x86_insn *x = &in->a.x;
    u32 reg = (u32)(x->modrm & 7) | (x->rex & 1) << 3;
    if (!x->has_mem) {
        if (reg != R11)
            put_move(e, R11, reg);
    } else if (x->seg != X86_SEG_GS) {
        put_with_operand(e, in, 0x8b, R11);
    } else {                                      /* r11 = [operand + GS base] */
        put_with_operand(e, in, 0x8d, R11);
        put_store_tls(e, R10, AT_SLOT(1));
        put_load_tls(e, R10, AT_APP_GS);
        put8(e, rex(1, R11, R10, R11));
        put8(e, 0x8b);
        put8(e, modrm(0, R11, 4));
        put8(e, (u8)((R10 & 7) << 3 | (R11 & 7)));
        put_load_tls(e, R10, AT_SLOT(1));
        e->restore |= RESTORE(1, R10);
    }
}

static void put_return_target(struct emit *e, const struct insn *in)
{
    put8(e, 0x41);                                /* pop r11 */
    put8(e, 0x5b);
    u32 extra = in->a.x.imm_size ? (u16)in->a.x.imm : 0;
    if (extra) {                                  /* lea rsp, [rsp+imm] */
        put8(e, 0x48);
        put8(e, 0x8d);
        put8(e, modrm(2, RSP, 4));
        put8(e, 0x24);
        put32(e, extra);
    }
}

void arch_emit_indirect(struct emit *e, const struct insn *in)
{
    e->restore = RESTORE(0, R11);
    put_store_tls(e, R11, AT_SLOT(0));
    if (in->kind == INSN_RET)
        put_return_target(e, in);
    else
        put_target(e, in);
    if (in->kind == INSN_CALL_IND)
        put_push_const(e, insn_next(in));
    put_jump(e, x86_find_target);
}

void arch_emit_leave(struct emit *e, struct exit *x)
{
    put_exit_id(e, x);
    put_jump(e, x86_leave);
}

void arch_emit_trap(struct emit *e, const struct insn *in)
{
    e->restore = 0;
    put_bytes(e, in->bytes, in->len);
}

void arch_fill(u8 *p, size_t n) { memset(p, 0xcc, n); }

void arch_link(struct exit *x, const u8 *to)
{
    u8 *site = cache_ptr(x->site);
    u32 rel = (u32)((addr_t)to - ((addr_t)site + 4));
    __atomic_store_n((u32 *)site, rel, __ATOMIC_RELEASE);
}

const struct arch_info arch_info = {
    .name = "x86-64",
    .max_insn_len = 15,
    .max_emit_len = 96,
    .stub_len = STUB_LEN + CONST_LEN,
};
