/* control.c: how control leaves a trace: branches, calls, returns, exits and their stubs. landing.h tells the schemes.
 *
 *  (1) A direct exit is one jmp or jcc whose displacement can be replaced by a single store; until it is linked it leads
 *      to its stub, which tells the dispatcher who left.
 *  (2) The return address on the application's stack is always the application's own.
 *  (3) An indirect branch has the application's r11 at home (r11.h) from its first instruction on.
 *  (4) It says who it is before it leaves, if that matters: the CPU faults at a branch to an address that cannot be one
 *      (branch.c). */
#include "base/panic.h"
#include "arch/x86/cpu.h"
#include "arch/x86/junction.h"
#include "arch/x86/park.h"
#include "arch/x86/r11.h"
#include "arch/x86/returns.h"
#include "engine/cache/trace.h"
#include "engine/engine.h"

/* Stub: says which exit it is, in r11, which is at home by then, and leaves. A large program has hundreds of thousands of them, so
 * they say it in one byte, as the distance from an exit near by, and leave through code that they share (put_way_out). A call exit
 * first drops the word that the call pushed. An exit with r11 in place first takes it home, one of a bound trace (park.h) fetches the
 * parked register, one of a loop that counts stores the count; then comes a jump that leads on to the rest, or to a trace that wants it so. */
enum { BYTE_LEN = 3, NEAR_LEN = BYTE_LEN + 2, FAR_LEN = BYTE_LEN + 4 + 8 + 5, CONST_LEN = 8 + 7, SITE_LEN = 40 };
enum { HOME_LEN = 9, LOAD_LEN = 9, JUMP_LEN = 5 };       /* what is done first, then the jump */

static void put_exit_id(struct emit *e, const struct exit *x) { put_store_const(e, ptr_ref(x), AT_EXIT_ID); }

/* References to exits are even. */
static u32 distance(const struct way_out *w, const struct exit *x) { return (ptr_ref(x) - w->base) / 2; }

static bool has_way_out(const struct emit *e, const struct exit *x)
{
    enum { NEAR = 100 };
    return e->way_out.code && e->way_out.code - e->stub < NEAR && distance(&e->way_out, x) <= 255;
}

static void put_way_out(struct emit *s, struct emit *e, const struct exit *x)
{
    e->way_out = (struct way_out){ s->p, ptr_ref(x) };
    put_code(s, 0xdbb60f45, 4);                   /* movzx r11d, r11b */
    put_code(s, 0x5d1c8d46ull | (u64)ptr_ref(x) << 32, 8);      /* lea r11d, [r11*2+x] */
    put_jump(s, x86_leave_named);
}

/* The end of each stub. */
static void put_name(struct emit *s, struct emit *e, const struct exit *x)
{
    bool is_near = s->end - s->p == NEAR_LEN;
    u32 mov_r11b = 0xb341 | (is_near ? distance(&e->way_out, x) : 0) << 16;
    if (!is_near) {
        put_code(s, mov_r11b, BYTE_LEN);
        put_way_out(s, e, x);
        return;
    }
    u32 start = mov_r11b | 0xebu << 24;           /* and a short jump; there is room for five bytes, and no more */
    memcpy(s->p, &start, 4);
    s->p[4] = (u8)(e->way_out.code - (s->p + NEAR_LEN));
    s->p += NEAR_LEN;
}

/* The displacement of the stub's jump lies in one aligned word. */
static u8 *put_home_stub(struct emit *e, struct exit *x)
{
    u32 first = x86_counts(e) ? COUNT_LEN : x86_is_bound(e) ? count_parked(e->binding) * LOAD_LEN : HOME_LEN, len = first + JUMP_LEN + (has_way_out(e, x) ? NEAR_LEN : FAR_LEN);
    u32 slack = (u32)((addr_t)(e->stub - len + first + 1) & 3);
    u8 *at = take_stub(e, len + slack);
    if (!at)
        return e->p;
    struct emit s = { .p = at, .end = at + len, .arch_flags = e->arch_flags };
    s.parked = e->binding;
    if (x86_is_bound(e))
        put_parked(&s, ~0u);
    else if (x86_counts(e))
        put_count_store(&s);
    else
        put_r11_home(&s);
    ct_assert(s.p == at + first, "a stub begins with %ld bytes", (long)(s.p - at));
    put_jump(&s, at + first + JUMP_LEN);
    put_name(&s, e, x);
    exit_note_stub(x, cache_offset(at));
    return at;
}

static u8 *put_stub(struct emit *e, struct exit *x, bool is_call)
{
    if ((!x86_owns_r11(e) || x86_is_bound(e) || x86_counts(e)) && !is_call)
        return put_home_stub(e, x);
    bool drops = is_call && x86_precall;
    u32 len = (drops ? CALL_PREFIX_LEN : 0u) + (has_way_out(e, x) ? NEAR_LEN : FAR_LEN);
    u8 *at = take_stub(e, len);
    if (!at)
        return e->p;
    struct emit s;                                /* of which nothing but its place is looked at: there are many stubs */
    s.p = at;
    s.end = at + len;
    if (drops)
        put_drop_word(&s);
    put_name(&s, e, x);
    exit_note_stub(x, cache_offset(at));
    return at;
}

/* A jump or branch of which the displacement is patched: its opcode of n bytes, then that. */
static void put_exit(struct emit *e, u32 opcode, u32 n, struct exit *x, const u8 *stub)
{
    exit_note_site(x, cache_offset(e->p + n));
    put_code(e, opcode | (u64)(u32)((addr_t)stub - ((addr_t)e->p + n + 4)) << 8 * n, n + 4);
}

void arch_emit_jump(struct emit *e, struct exit *x)
{
    put_exit_state(e, NULL);
    u8 *stub = put_stub(e, x, false);
    put_patch_padding(e, 1);
    put_exit(e, 0xe9, 1, x, stub);
}

/* loop, jrcxz: only an 8-bit displacement exists, so they hop over a hop. */
static void emit_jrcxz(struct emit *e, const struct insn *in, struct exit *x)
{
    u8 *stub = put_stub(e, x, false);
    put_patch_padding(e, in->len + 2u + 1u);
    put_bytes(e, in->bytes, in->len - 1u);
    put8(e, 2);
    put8(e, 0xeb);
    put8(e, 5);
    put_exit(e, 0xe9, 1, x, stub);
}

void arch_emit_cond(struct emit *e, const struct insn *in, struct exit *x)
{
    put_exit_state(e, in);
    if (in->a.x.kind == X86_JRCXZ) {
        emit_jrcxz(e, in, x);
        return;
    }
    u8 *stub = put_stub(e, x, false);
    put_patch_padding(e, 2);
    put_exit(e, 0x800f | (u32)in->a.x.cc << 8, 2, x, stub);
}

/* push qword [rip+constant], or an immediate if it is short enough: no register, no flags, and one 8-byte store, which the
 * return's load can forward from. */
void put_push_const(struct emit *e, u64 v)
{
    if (v == (u64)(s64)(s32)v) {
        put8(e, 0x68);
        put32(e, (u32)v);
        return;
    }
    u8 *at = take_const(e, v);
    if (!at)
        return;
    put8(e, 0xff);
    put8(e, 0x35);
    put_rel32(e, at);
}

bool arch_follows_calls(void) { return x86_has_sites; }
bool arch_counts_calls(void) { return opt->count_calls || x86_has_adapted; }

/* The place behind a call: what a return comes to, then the instruction that follows in the application. */
static void put_return_site(struct emit *e, const struct insn *list, u32 i, u32 n)
{
    addr_t back = insn_next(&list[i]);
    u32 restore = e->restore;
    e->parked = 0;                                /* the callee has registers of its own */
    e->arch_flags &= (u8)~TF_BOUND;
    x86_forget_held(e);
    jit_note_map(e, back, MAP_NOT_A_START);
    if (x86_precall)
        put_site(e, back);
    else
        put_return_landing(e, back);
    put_r11_load(e);
    e->restore = restore;
}

void arch_emit_call(struct emit *e, const struct insn *list, u32 i, u32 n, struct exit *x)
{
    const struct insn *in = &list[i];
    if (!x86_has_sites) {
        put_push_const(e, insn_next(in));
        arch_emit_jump(e, x);
        return;
    }
    put_parked_back(e);
    put_push_const(e, insn_next(in));
    put_r11_home(e);
    u8 *stub = put_stub(e, x, true);
    put_patch_padding(e, 1);
    jit_note_map(e, in->pc, MAP_NOT_A_START | RESTORE_RSP_MOVED);
    put_exit(e, x86_precall ? 0xe8 : 0xe9, 1, x, stub);
    put_return_site(e, list, i, n);
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

static enum branch_kind branch_kind(u8 insn_kind)
{
    return insn_kind == INSN_RET ? BRANCH_RETURN : insn_kind == INSN_CALL_IND ? BRANCH_CALL : BRANCH_JUMP;
}

/* The branch's own memory of its targets; NULL: it has none. */
static struct junction *junction_for(struct emit *e, u8 insn_kind, u32 context)
{
    enum branch_kind kind = branch_kind(insn_kind);
    return e->is_alone || x86_chain[kind] == NO_JUNCTION ? NULL : x86_junction_new(e, kind, context);
}

/* Jump to the application address in r11. */
static void put_go(struct emit *e, struct junction *j)
{
    if (e->is_alone) {
        put_jump(e, x86_miss_target);
        return;
    }
    if (j) {
        put_junction(e, j);
        return;
    }
    if (!x86_has_tables) {
        put_jump(e, x86_find_target);
        return;
    }
    put_store_tls(e, RCX, AT_SLOT(1));
    put_bytes(e, "\x41\x0f\xb7\xcb", 4);          /* movzx ecx, r11w */
    put_bytes(e, "\xff\x24\xcd", 3);              /* jmp [table + rcx*8] */
    put32(e, (u32)TABLE_JUMP);
}

/* rcx = the table index of the return address in r11. */
static void put_return_index(struct emit *e)
{
    put_store_tls(e, RCX, AT_SLOT(1));
    if (x86_fast_pext()) {
        put_bytes(e, "\xc4\xe2\x22\xf5\x0c\x25", 6);   /* pext ecx, r11d, [mask] */
        put32(e, (u32)TABLE_MASK);
    } else {
        put_bytes(e, "\x41\x0f\xb7\xcb", 4);      /* movzx ecx, r11w */
    }
}

/* To p->pc, if r11 is that. Else to what the junction knows, or to where all look. */
static void put_expected(struct emit *e, const struct prospect *p, struct junction *j)
{
    u8 *minus_pc = take_const(e, -p->pc), *stub = put_stub(e, p->x, true);
    if (!minus_pc)
        return;
    put_store_tls(e, RCX, AT_SLOT(1));
    put_compare_at(e, minus_pc, j);
    put_found(e, FOUND_CLONE);
    put_patch_padding(e, 1);
    put_exit(e, 0xe9, 1, p->x, stub);
}

static void emit_return_by_pop(struct emit *e, const struct insn *in, const struct prospect *p)
{
    put_bytes(e, "\x41\x5b", 2);                  /* pop r11 */
    u32 extra = in->a.x.imm_size ? (u16)in->a.x.imm : 0;
    if (extra) {                                  /* lea rsp, [rsp+imm] */
        put8(e, 0x48);
        put8(e, 0x8d);
        put8(e, modrm(2, RSP, 4));
        put8(e, 0x24);
        put32(e, extra);
    }
    if (!x86_has_sites || x86_precall || e->is_alone) {
        struct junction *j = junction_for(e, INSN_RET, p->context);
        if (p->pc && !e->is_alone)
            put_expected(e, p, j);
        else
            put_go(e, j);
        return;
    }
    put_return_index(e);
    put_bytes(e, "\xff\x24\xcd", 3);              /* jmp [table + rcx*8] */
    put32(e, (u32)TABLE_RETURN);
}

static void emit_call_ind(struct emit *e, const struct insn *list, u32 i, u32 n, u32 context)
{
    const struct insn *in = &list[i];
    put_push_const(e, insn_next(in));
    if (!x86_precall) {
        if (x86_has_sites)
            jit_note_map(e, in->pc, MAP_NOT_A_START | RESTORE_RSP_MOVED | e->restore);
        put_go(e, junction_for(e, in->kind, context));
        if (x86_has_sites)
            put_return_site(e, list, i, n);
        return;
    }
    /* The search itself is out of line, so that there is one call instruction and one return address to predict. */
    struct junction *j = junction_for(e, in->kind, context);
    u8 *site = take_stub(e, SITE_LEN);
    if (!site)
        return;
    struct emit s = { .p = site, .end = site + SITE_LEN, .is_alone = e->is_alone };
    put_drop_word(&s);
    put_go(&s, j);
    jit_note_map(e, in->pc, MAP_NOT_A_START | RESTORE_RSP_MOVED | e->restore);
    put8(e, 0xe8);
    put_rel32(e, site);
    put_return_site(e, list, i, n);
}

static void emit_jump_ind(struct emit *e, const struct insn *list, u32 i, u32 context)
{
    struct junction *j = junction_for(e, INSN_JUMP_IND, context);
    if (x86_has_shadows)
        x86_junction_shadow(j, x86_jump_index(list, i));
    put_go(e, j);
}

/* r11 is at home, and its value may still be wanted. */
static void put_count(struct emit *e, u8 kind)
{
    u32 which = branch_kind(kind);
    put_load_tls(e, R11, AT_BRANCHES + (s32)which * 8);
    put_bytes(e, "\x4d\x8d\x5b\x01", 4);          /* lea r11, [r11+1] */
    put_store_tls(e, R11, AT_BRANCHES + (s32)which * 8);
    put_r11_load(e);
}

void arch_emit_indirect(struct emit *e, const struct insn *list, u32 i, u32 n, const struct prospect *p)
{
    const struct insn *in = &list[i];
    e->restore = RESTORE_R11;
    put_parked_back(e);
    put_branch_name(e);
    put_r11_home(e);
    if (opt->stats)
        put_count(e, in->kind);
    if (in->kind == INSN_RET) {
        if (x86_precall && !in->a.x.imm_size && !e->is_alone) {
            put_return(e);
        } else {
            emit_return_by_pop(e, in, p);
        }
        return;
    }
    put_target(e, in);
    if (in->kind == INSN_CALL_IND)
        emit_call_ind(e, list, i, n, p->context);
    else
        emit_jump_ind(e, list, i, p->context);
}

void arch_emit_leave(struct emit *e, struct exit *x)
{
    put_parked_back(e);
    put_r11_home(e);
    put_exit_id(e, x);
    put_jump(e, x86_leave);
}

void arch_emit_trap(struct emit *e, const struct insn *in)
{
    e->restore = 0;
    put_bytes(e, in->bytes, in->len);
}

void arch_fill(u8 *p, size_t n) { memset(p, 0xcc, n); }

static void aim(u32 site, const u8 *to)
{
    u8 *p = cache_ptr(site);
    __atomic_store_n((u32 *)p, (u32)((addr_t)to - ((addr_t)p + 4)), __ATOMIC_RELEASE);
}

static bool uses_r11(const struct trace *t) { return t->arch_flags & TF_R11; }

/* Does it leave with something else than the application's registers in place, r11 at home? Its stub tells: it begins by
 * storing r11 at home (64 4c 89), fetching a parked register (64 .. 8b) or storing a count (4c 89). The scheme for calls, which
 * also matters, may have changed since. */
static bool counts(const struct exit *x) { return cache_ptr(exit_stub(x))[0] == 0x4c; }
static bool has_home(const struct exit *x) { return cache_ptr(exit_stub(x))[0] == 0x64 || counts(x); }
static bool is_bound(const struct exit *x) { return has_home(x) && !counts(x) && cache_ptr(exit_stub(x))[2] == 0x8b; }

static u32 stub_jump(const struct exit *x)
{
    u32 bound_len = is_bound(x) ? count_parked(trace_binding(exit_trace(x))) * LOAD_LEN : 0;
    return exit_stub(x) + (counts(x) ? COUNT_LEN : bound_len ? bound_len : HOME_LEN);
}

static bool is_as_left(const struct exit *x, const struct trace *to)
{
    if (is_bound(x))
        return to->arch_flags & TF_BOUND && trace_binding(to) == trace_binding(exit_trace(x));
    if (counts(x))
        return to->arch_flags & TF_COUNTS && trace_binding(to) == trace_binding(exit_trace(x));
    return uses_r11(to);
}

bool arch_link(struct exit *x, struct trace *to)
{
    if (has_home(x)) {
        if (is_as_left(x, to))
            aim(exit_site(x), trace_code(to));
        else
            aim(stub_jump(x) + 1, x86_entry(to));
        return true;
    }
    const u8 *code = x->kind == EXIT_CALL && x86_precall ? x86_call_entry(to) : x86_entry(to);
    if (code)
        aim(exit_site(x), code);
    return code != NULL;
}

void arch_unlink(struct exit *x)
{
    aim(exit_site(x), cache_ptr(exit_stub(x)));
    if (has_home(x))
        aim(stub_jump(x) + 1, cache_ptr(stub_jump(x) + JUMP_LEN));
}

const struct arch_info arch_info = {
    .name = "x86-64",
    .max_insn_len = 15,
    .fetch_align = 64,
    .check_len = 1000,
    .max_emit_len = 192,
    .stub_len = COUNT_LEN + JUMP_LEN + FAR_LEN + CONST_LEN + SITE_LEN + 36 + 32,
};
