/* bridge.c: a visit: the way to routines of the tool and back. See bridge.h. */
#include "arch/x86/r11.h"
#include "arch/x86/inline.h"
#include "arch/x86/frame_offsets.h"
#include "arch/x86/landing.h"
#include "arch/x86/xstate.h"
#include "engine/engine.h"
#include "engine/jit/promote.h"
#include "engine/thread.h"

_Static_assert(offsetof(struct x86_frame, mxcsr) == FRAME_MXCSR && offsetof(struct x86_frame, x87) == FRAME_X87 &&
               offsetof(struct x86_frame, has_x87) == FRAME_HAS_X87 && offsetof(struct x86_frame, is_wide) == FRAME_IS_WIDE &&
               offsetof(struct x86_frame, vectors) == FRAME_VECTORS && offsetof(struct x86_frame, masks) == FRAME_MASKS &&
               offsetof(struct x86_frame, x87_env) == FRAME_X87_ENV, "");

/* Vector state that a C routine may change: x87, SSE, AVX, AVX-512. */
enum { XFEATURES_OF_C = 0xe7 };
u32 x86_bridge_mask, x86_vector_size = 16;
static const void *save_vectors = x86_save_sse, *load_vectors = x86_load_sse;

/* Which of bridge.S's ways this CPU has. */
void x86_bridge_init(void)
{
    x86_bridge_mask = (u32)x86_xfeatures & XFEATURES_OF_C;
    if ((x86_xfeatures & 0xe6) == 0xe6)
        save_vectors = x86_save_avx512, load_vectors = x86_load_avx512, x86_vector_size = 64;
    else if (x86_xfeatures & 4)
        save_vectors = x86_save_avx, load_vectors = x86_load_avx, x86_vector_size = 32;
}

void x86_vectors_save(struct x86_frame *f) { x86_with_frame(f, save_vectors); }
void x86_vectors_load(struct x86_frame *f) { x86_with_frame(f, load_vectors); }

void arch_stack_init(struct arch_thread *t)
{
    t->bridge_sp = ROUND_DOWN(t->engine_sp - 64 - sizeof(struct x86_frame), 64ul);
}

/* ---- what a visit has to keep ---- */
bool x86_is_slow(const struct site *s, const struct call *c)
{
    if (c->flags & CALL_BUFFER || (c->flags & CALL_PREDICATED && !x86_is_cmov(&s->list[s->i].a.x)))
        return true;
    if (c->flags & CALL_RETURNS && c->result.file != RF_GPR && c->result.file != RF_TOOL)
        return true;
    for (u32 k = 0; k < c->n_args; k++)
        if (!x86_arg_is_fast(s, &c->arg[k]))
            return true;
    return false;
}

static u16 clobbered_by(const struct visit *s, const struct call *c)
{
    if (c->flags & CALL_BUFFER)
        return ALL_BUT_RSP;
    const struct routine *r = x86_routine(c->fn);
    u16 set = (u16)(r->clobbers | BIT(RAX));
    if (r->uses_vectors)
        set |= BIT(RDX) | BIT(RCX);
    for (u32 k = 0; k < c->n_args; k++) {
        set |= x86_arg_scratch(&c->arg[k]);
        if (k < ABI_REGS)
            set |= BIT(x86_abi_reg[k]);
    }
    if (c->flags & CALL_RETURNS && c->result.file == RF_GPR)
        set |= BIT(c->result.num);
    return set;
}

/* A repeated string instruction is asked by the slow way itself whether it executes. */
static bool is_guarded(const struct site *s, const struct call *c)
{
    return c->flags & CALL_PREDICATED && x86_is_cmov(&s->list[s->i].a.x);
}

static bool wants_cond(const struct site *s, const struct call *c)
{
    bool wants = is_guarded(s, c);
    for (u32 k = 0; k < c->n_args; k++)
        wants |= c->arg[k].kind == ARG_EXECUTING ||
                 (c->arg[k].kind == ARG_TAKEN && s->point == POINT_BEFORE && s->list[s->i].kind == INSN_COND);
    return wants;
}

static bool x86_may_see(const struct call *c) { return !c->fn || x86_routine(c->fn)->sees_memory; }

/* Does r11 hold what it did, behind this call? */
static bool leaves_r11(const struct visit *s, const struct call *c)
{
    bool moves_stack = c->flags & CALL_RETURNS && c->result.file == RF_GPR && c->result.num == RSP;
    bool has_vectors = !(c->flags & CALL_BUFFER) && x86_routine(c->fn)->uses_vectors && !(c->flags & CALL_PRESERVES);
    return !moves_stack && !has_vectors && !(clobbered_by(s, c) & BIT(R11));
}

static void plan(struct visit *s, const struct call *from, const struct call *to)
{
    s->rsp_in_r11 = x86_owns_r11(s->e) && opt->opt_level >= OPT_REGALLOC;
    for (const struct call *c = from; c != to; c = c->next) {
        s->folds |= x86_may_see(c);
        s->is_full |= x86_is_slow(s->site, c);
        s->save |= clobbered_by(s, c);
        s->wants_cond |= wants_cond(s->site, c);
        s->rsp_in_r11 &= leaves_r11(s, c);
    }
    if (s->is_full)
        s->save = ALL_BUT_RSP;
    s->folds = s->folds && promote_folds_visits();       /* the one who does it keeps registers */
    s->save &= ALL_BUT_RSP;
    s->rsp_in_r11 &= !s->is_full && !s->folds;
    s->fetches_r11 = s->is_full && x86_owns_r11(s->e);
    if (x86_owns_r11(s->e) && !s->is_full)
        s->save &= (u16)~BIT(R11);
    s->keeps_flags = !x86_flags_dead_at(s->site);
}

/* ---- in and out ---- */
static void save_flags(struct visit *s)
{
    struct emit *e = s->e;
    if (s->is_full || x86_odd_flags) {
        put8(e, 0x9c);                            /* pushfq; pop [frame] */
        put8(e, 0x8f);
        put_rsp_operand(e, 0, F_FLAGS);
        put8(e, 0x80);                            /* and byte [frame + 1], ~TF: a debugger's, as in x86_leave */
        put_rsp_operand(e, 4, F_FLAGS + 1);
        put8(e, 0xfe);
        if (x86_odd_flags)
            put_bytes(e, "\x6a\x02\x9d", 3);      /* push 2; popfq */
        put_load_tls(e, RAX, AT_GPR(RSP));
        put_rsp_store(e, RAX, F_GPR(RSP));
    } else if (s->keeps_flags) {
        put_bytes(e, "\x9f\x0f\x90\xc0", 4);      /* lahf; seto al */
        put_rsp_store(e, RAX, F_FLAGS);
    }
}

static void load_flags(struct visit *s)
{
    struct emit *e = s->e;
    if (s->is_full || x86_odd_flags) {
        put8(e, 0xff);                            /* push [frame]; popfq */
        put_rsp_operand(e, 6, F_FLAGS);
        put8(e, 0x9d);
    } else if (s->keeps_flags) {
        put_rsp_load(e, RAX, F_FLAGS);
        put_bytes(e, "\x04\x7f\x9e", 3);          /* add al, 0x7f: overflows if it was 1; sahf */
    }
}

static void begin(struct visit *s)
{
    struct emit *e = s->e;
    put_store_tls(e, RSP, AT_GPR(RSP));
    if (s->rsp_in_r11)
        put_move(e, R11, RSP);
    put_load_tls(e, RSP, (s32)offsetof(struct arch_thread, bridge_sp));
    if (s->fetches_r11)
        put_load_tls(e, R11, AT_R11);
    for (u32 r = 0; r < 16; r++)
        if (s->save >> r & 1)
            put_rsp_store(e, r, F_GPR(r));
    if (s->wants_cond) {                          /* setcc [frame] */
        put8(e, 0x0f);
        put8(e, (u8)(0x90 | s->site->list[s->site->i].a.x.cc));
        put_rsp_operand(e, 0, F_COND);
    }
    save_flags(s);
}

static void end(struct visit *s)
{
    struct emit *e = s->e;
    load_flags(s);
    for (u32 r = 0; r < 16; r++)
        if (s->save >> r & 1)
            put_rsp_load(e, r, F_GPR(r));
    if (s->fetches_r11)
        put_store_tls(e, R11, AT_R11);            /* the tool may have changed it */
    if (s->rsp_in_r11)
        put_move(e, RSP, R11);
    else
        put_load_tls(e, RSP, AT_GPR(RSP));
}

/* ---- calls ---- */
enum { PENDING_STUB_LEN = 20 };

/* See bridge.h (4). The stub: is_stepping = true; set the trap flag; go on. */
static void put_pending_check(struct emit *e)
{
    u8 *at = take_stub(e, PENDING_STUB_LEN);
    if (!at)
        return;
    put_fs_compare32(e, AT_PENDING, 0);
    put8(e, 0x0f);
    put8(e, 0x80 | CC_NE);
    put_rel32(e, at);
    struct emit s = { .p = at, .end = at + PENDING_STUB_LEN };
    put_fs_set_byte(&s, (s32)offsetof(struct thread, is_stepping), 1);
    put_bytes(&s, "\x68\x02\x01\x00\x00\x9d", 6); /* push 0x102; popfq */
    put_jump(&s, e->p);
}

static void put_args(struct visit *s, const struct call *c)
{
    for (u32 k = ABI_REGS; k < c->n_args; k++) {
        x86_load_arg(s, &c->arg[k], RAX);
        put_rsp_store(s->e, RAX, F_ARG(k - ABI_REGS));
    }
    for (u32 k = 0; k < MIN(c->n_args, (u32)ABI_REGS); k++)
        x86_load_arg(s, &c->arg[k], x86_abi_reg[k]);
}

static void put_fast_call(struct visit *s, const struct call *c)
{
    bool vectors = x86_routine(c->fn)->uses_vectors && !(c->flags & CALL_PRESERVES);
    if (vectors) {
        put_move(s->e, RDX, RSP);
        put_call(s->e, save_vectors);
    }
    put_args(s, c);
    put_call(s->e, c->fn);
    if (vectors) {
        put_move(s->e, RDX, RSP);
        put_call(s->e, load_vectors);
    }
    if (c->flags & CALL_RETURNS)
        x86_store_result(s, c->result);
}

static void put_slow_call(struct visit *s, const struct call *c, void *with)
{
    put_move(s->e, RDI, RSP);
    put_const(s->e, RSI, (u64)x86_slow_call(s->site, c));
    put_call(s->e, with);
}

void x86_emit_slow(struct emit *e, const struct site *site, const struct call *c, void *with)
{
    struct visit s = { .e = e, .site = site, .save = ALL_BUT_RSP, .is_full = true, .fetches_r11 = x86_owns_r11(e) };
    begin(&s);
    put_slow_call(&s, c, with);
    put_pending_check(e);
    end(&s);
}

void x86_emit_look(struct emit *e, const struct site *site, bool is_raw, u64 value, void *with)
{
    struct visit s = { .e = e, .site = site, .save = ALL_BUT_RSP, .is_full = true, .fetches_r11 = !is_raw && x86_owns_r11(e) };
    begin(&s);
    put_move(e, RDI, RSP);
    put_const(e, RSI, value);
    put_call(e, with);
    end(&s);
}

/* A call with what guards it. Returns where to jump to when the call is not made, or NULL. */
static u8 *put_guard(struct visit *s, const struct call *c)
{
    if (!is_guarded(s->site, c))
        return NULL;
    put8(s->e, 0x80);                             /* cmp byte [frame], 0 */
    put_rsp_operand(s->e, 7, F_COND);
    put8(s->e, 0);
    return put_jcc_forward(s->e, CC_E);
}

static void put_one(struct visit *s, const struct call *c)
{
    u8 *skip = put_guard(s, c);
    if (x86_is_slow(s->site, c))
        put_slow_call(s, c, x86_slow);
    else
        put_fast_call(s, c);
    put_pending_check(s->e);
    if (skip)
        patch_forward(s->e, skip);
}

void x86_emit_visit(struct emit *e, const struct site *site, const struct call *from, const struct call *to)
{
    struct visit s = { .e = e, .site = site };
    plan(&s, from, to);
    begin(&s);
    if (s.folds)
        put_call(e, promote_fold_in_visit);
    for (const struct call *c = from; c != to; c = c->next) {
        put_one(&s, c);
        if (c->flags & CALL_IF && c->next != to) {
            put_bytes(e, "\x48\x85\xc0", 3);      /* test rax, rax */
            u8 *skip = put_jcc_forward(e, CC_E);
            put_one(&s, c = c->next);
            patch_forward(e, skip);
        }
    }
    end(&s);
}
