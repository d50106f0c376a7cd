/* bridge.c: the calls of one point: see bridge.h. */
#include "arch/x86/r11.h"
#include "arch/x86/inline.h"
#include "arch/x86/frame_offsets.h"
#include "arch/x86/landing.h"
#include "arch/x86/xstate.h"
#include "engine/cache/cache.h"
#include "engine/engine.h"
#include "engine/jit/promote.h"
#include "engine/thread.h"

_Static_assert(offsetof(struct x86_frame, mxcsr) == FRAME_MXCSR && offsetof(struct x86_frame, x87) == FRAME_X87 &&
               offsetof(struct x86_frame, has_x87) == FRAME_HAS_X87 &&
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

bool arch_is_in_hosted_code(const struct arch_thread *t, addr_t sp)
{
    u64 back = 0;
    if (t->hosted)
        return true;
    return t->bridge_sp && sp < t->bridge_sp && mem_copy_safely(&back, (void *)(t->bridge_sp - 8), 8) && cache_holds(back);
}

/* An analysis routine was called by emitted code: above its frame is old matter. */
addr_t arch_frames_end(const struct arch_thread *t, addr_t sp)
{
    enum { MOST = 65536 };
    return !t->hosted && t->bridge_sp && sp < t->bridge_sp ? t->bridge_sp : sp + MOST;
}

/* call rel32, or ff /2 in one of its lengths */
bool arch_is_behind_call(const u8 *p)
{
    if (p[-5] == 0xe8)
        return true;
    for (u32 n = 2; n <= 7; n++)
        if (p[-(s32)n] == 0xff && (p[-(s32)n + 1] & 0x38) == 0x10)
            return true;
    return false;
}

bool arch_call_target(const u8 *p, addr_t *to)
{
    s32 rel;
    memcpy(&rel, p - 4, 4);
    *to = (addr_t)(p + rel);
    return p[-5] == 0xe8;
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

static u32 put_at(const struct emit *e, u8 *at, u32 size, void (*put)(struct emit *e, const void *how), const void *how, bool *is_full)
{
    struct emit s = { .p = at, .end = at + size, .stub = at + size, .arch_flags = e->arch_flags, .at_rest = e->at_rest,
                      .parked = e->parked };
    put(&s, how);
    put_jump(&s, e->p);
    *is_full |= s.is_full;
    return (u32)(s.p - at) + (u32)(at + size - s.stub);
}

u8 *put_out_of_line(struct emit *e, u32 most, u32 *last, void (*put)(struct emit *e, const void *how), const void *how)
{
    enum { SLACK = 32 };
    bool is_full = e->stub - most < e->p;
    if (is_full) {
        e->is_full = true;
        return NULL;
    }
    u32 used = *last ? put_at(e, e->stub - *last, *last, put, how, &is_full) : 0;
    if (*last && !is_full && used + SLACK >= *last)
        return take_stub(e, *last);
    *last = put_at(e, e->stub - most, most, put, how, &e->is_full);
    u8 *at = take_stub(e, *last);
    if (at)
        put_at(e, at, *last, put, how, &e->is_full);
    return at;
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

static const struct call *behind(const struct call *c) { return c->flags & CALL_IF && c->next ? c->next->next : c->next; }

static void emit_calls(struct emit *e, const struct site *site)
{
    const struct call *called = site->calls;         /* first of those that are not inlined, up to c */
    for (const struct call *c = site->calls; c; c = behind(c)) {
        bool is_count = c->flags & CALL_COUNT;
        if (!c->record && !is_count && !c->guard && !x86_inlines(e, site, c))
            continue;
        if (called != c)
            x86_emit_visit(e, site, called, c);
        if (called != c || (!c->record && !is_count))
            x86_forget_held(e);
        if (is_count) {
            const struct call *from = c;
            while (c->next && c->next->flags & CALL_COUNT)
                c = c->next;
            x86_emit_counts(e, site, from, c->next);
        } else if (c->record == RECORD_ROOM && c->flags & CALL_PREDICATED)
            c = x86_emit_predicated(e, site, c);
        else if (c->record == RECORD_ROOM)
            x86_emit_room(e, site, c);
        else if (c->record == RECORD_HERE)
            x86_emit_record(e, site, c);
        else if (c->guard)
            x86_emit_guarded(e, site, c);
        else
            x86_emit_inline(e, site, c);
        called = behind(c);
    }
    if (called) {
        x86_emit_visit(e, site, called, NULL);
        x86_forget_held(e);
    }
}

/* What stands on the way out of the trace does not happen to the rest of it. */
void arch_emit_calls(struct emit *e, const struct site *site)
{
    struct arch_held held = e->held;
    emit_calls(e, site);
    if (site->point == POINT_TAKEN && site->list[site->i].kind == INSN_COND)
        e->held = held;
}

/* A bound, not an estimate: what is emitted must fit. */
static u32 size_of(const struct call *c)
{
    enum { VISIT = 400, CALLED = 60, RECORD = 800, PER_ARG = 32, LIGHT = 160, PER_INSN = 20 };
    const struct body *b = c->fn && c->n_args <= ABI_REGS ? x86_body(c->fn) : NULL;
    u32 n = PER_ARG * c->n_args + CALLED;
    if (c->flags & CALL_COUNT)
        return n + VISIT;                       /* may end the visit of a call before it */
    if (c->flags & CALL_BUFFER || c->guard)
        n += VISIT + RECORD;
    else if (b)
        n += LIGHT + PER_INSN * b->n + (c->flags & CALL_IF ? LIGHT + VISIT : 0);
    else if (c->next && c->next->fn && x86_body(c->next->fn))
        n += VISIT;                             /* an inlined call behind it ends its visit */
    return n;
}

u32 arch_calls_size(const struct call *list)
{
    enum { VISIT = 400 };
    u32 n = list ? VISIT : 0;
    for (; list; list = list->next)
        n += size_of(list);
    return n;
}

/* ---- control flow around calls ---- */
u8 *arch_emit_taken(struct emit *e, const struct insn *in)
{
    if (in->a.x.kind == X86_JRCXZ) {              /* hop over the jump that leads to the rest */
        put_bytes(e, in->bytes, in->len - 1u);
        put8(e, 5);
        return put_jump_forward(e);
    }
    return put_jcc_forward(e, in->a.x.cc ^ 1u);
}

void arch_emit_untaken(struct emit *e, u8 *from) { patch_forward(e, from); }

void arch_emit_goto(struct emit *e, struct reg_id reg)
{
    put_store_const(e, 0, AT_BRANCH);             /* no branch of the application's */
    put_r11_home(e);
    if (reg.file == RF_TOOL)
        put_load_tls(e, R11, (s32)offsetof(struct arch_thread, tool_reg) + 8 * reg.num);
    else if (reg.num != R11)
        put_move(e, R11, reg.num);
    put_jump(e, x86_miss_target);
}

/* ---- repeated string instructions ---- */
/* movs, stos and lods, with the count in rcx */
bool arch_repeats_counted(const struct insn *in)
{
    const struct x86_insn *x = &in->a.x;
    return arch_is_repeated(in) && !x->addr32 && (x->opcode <= 0xa5 || (x->opcode >= 0xaa && x->opcode <= 0xad));
}

static bool is_compare(const struct x86_insn *x) { return (x->opcode & ~1) == 0xa6 || (x->opcode & ~1) == 0xae; }

/* A REX prefix counts only right before the opcode; what stood between them must not leave it there. */
static bool is_kept_once(const struct insn *in, u32 i)
{
    u8 b = in->bytes[i];
    bool is_rep = b == 0xf2 || b == 0xf3, is_idle_rex = (b & 0xf0) == 0x40 && i + 1 < in->a.x.opcode_off;
    return i >= in->a.x.opcode_off || (!is_rep && !is_idle_rex);
}

/* The instruction without its prefix: one iteration that does not touch the count. */
static void put_iteration(struct emit *e, const struct insn *in)
{
    u8 bytes[16], n = 0;
    for (u32 i = 0; i < in->len; i++)
        if (is_kept_once(in, i))
            bytes[n++] = in->bytes[i];
    struct insn once;
    arch_decode(bytes, n, in->pc, &once);
    arch_emit_plain(e, &once, 0, 1);
}

static void put_rep_pc(struct emit *e, u64 pc)
{
    for (u32 half = 0; half < 2; half++) {        /* mov dword fs:[rep_pc + ..], imm32: no flags, no register */
        put8(e, 0x64);
        put8(e, 0xc7);
        put_fs_operand(e, 0, (s32)(offsetof(struct arch_thread, rep_pc) + 4 * half));
        put32(e, (u32)(pc >> 32 * half));
    }
}

u8 *put_short_forward(struct emit *e, u8 op, bool addr32)
{
    if (addr32)
        put8(e, 0x67);
    put8(e, op);
    put8(e, 0);
    return e->p;
}

void patch_short(struct emit *e, u8 *from)
{
    if (!e->is_full)
        from[-1] = (u8)(e->p - from);
}

void arch_emit_repeated(struct emit *e) { put_rep_pc(e, 0); }

void arch_emit_iteration(struct emit *e, const struct insn *in)
{
    const struct x86_insn *d = &in->a.x;
    u8 *none = put_short_forward(e, 0xe3, d->addr32);         /* jrcxz */
    put_iteration(e, in);
    put8(e, rex(!d->addr32, 0, 0, 0));                        /* lea rcx, [rcx-1] */
    put_bytes(e, "\x8d\x49\xff", 3);
    patch_short(e, none);
}

/* Without an iteration the count is zero, and the flags do not matter. */
void arch_emit_repeat(struct emit *e, const struct insn *in, struct exit *x)
{
    const struct x86_insn *d = &in->a.x;
    u8 *differs = is_compare(d) ? put_short_forward(e, d->rep == 0xf3 ? 0x75 : 0x74, false) : NULL;
    u8 *done = put_short_forward(e, 0xe3, d->addr32);
    put_rep_pc(e, in->pc);
    arch_emit_jump(e, x);
    if (differs)
        patch_short(e, differs);
    patch_short(e, done);
    put_rep_pc(e, 0);
}
