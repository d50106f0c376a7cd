/* light.c: inlined routines: load the arguments that are no constants, then the body; keep what the application needs. */
#include "arch/x86/inline.h"
#include "arch/x86/park.h"
#include "engine/engine.h"
#include "engine/jit/optreport.h"

enum { FIRST_SLOT = 3, FLAGS_SLOT = X86_SLOTS - 1 };

/* ---- may it be inlined? ---- */
static bool arg_is_light(const struct site *s, const struct arg *a)
{
    if (a->kind == ARG_REG_REF)
        return a->reg.file == RF_TOOL;
    return x86_arg_is_fast(s, a);
}

/* Why not; NULL: it can be. */
static const char *obstacle(const struct site *s, const struct call *c)
{
    if (opt->opt_level < OPT_INLINE)
        return "--opt=none";
    if (c->flags & CALL_BUFFER || !c->fn)
        return "a record that C code writes";
    if (c->flags & CALL_PREDICATED)
        return "only if the instruction's predicate is true";
    if (c->n_args > ABI_REGS)
        return "more than six arguments";
    if (!x86_body(c->fn))
        return x86_why_no_body(c->fn);
    if (c->flags & CALL_RETURNS && c->result.file != RF_GPR && c->result.file != RF_TOOL)
        return "its result goes to a register that is no general one";
    for (u32 k = 0; k < c->n_args; k++)
        if (!arg_is_light(s, &c->arg[k]))
            return "an argument that takes C code to work out, or a reference to a register";
    return NULL;
}

/* ---- the plan ---- */
struct light {
    struct visit s;
    const struct call *c;
    const struct body *body;
    u8 map[16];                             /* which registers it has in the place of its own */
    const char *why_not;
    struct constants constants;
    struct body_result r;
    enum wanted_result want;
    bool keeps_flags, flags_in_rax;
    u32 parkable, lends;                    /* park.h; of these, those that are among them: bit k */
};

static u32 reg_of(const struct light *l, u32 k) { return l->map[x86_abi_reg[k]]; }          /* of argument k */
static bool is_wanted(const struct light *l, u32 k) { return l->r.wanted >> reg_of(l, k) & 1; }

static void find_constants(struct light *l)
{
    l->constants = (struct constants){ 0 };
    for (u32 k = 0; k < l->c->n_args; k++)
        if (l->c->arg[k].kind == ARG_CONST) {
            l->constants.known |= BIT(reg_of(l, k));
            l->constants.value[reg_of(l, k)] = l->c->arg[k].value;
        }
}

/* Registers that an argument is made from. */
static u16 sources(const struct arg *a)
{
    u16 set = 0;
    if (a->kind == ARG_REG && a->reg.file == RF_GPR)
        set |= BIT(a->reg.num);
    if (a->kind == ARG_ADDRESS)
        set |= (u16)((a->address.base >= 0 ? BIT(a->address.base) : 0) | (a->address.index >= 0 ? BIT(a->address.index) : 0));
    return set;
}

static u16 all_sources(const struct light *l)
{
    u16 set = 0;
    for (u32 k = 0; k < l->c->n_args; k++)
        set |= is_wanted(l, k) ? sources(&l->c->arg[k]) : 0;
    return set;
}

static u16 all_scratch(const struct light *l)
{
    u16 set = 0;
    for (u32 k = 0; k < l->c->n_args; k++)
        set |= is_wanted(l, k) ? x86_arg_scratch(&l->c->arg[k]) : 0;
    return set;
}

static bool assign_slots(struct light *l)
{
    u32 slot = FIRST_SLOT;
    for (u32 r = 0; r < 16; r++)
        if (l->s.save >> r & 1) {
            while (slot >= PARKED_SLOT && has_parked(l->parkable, slot - PARKED_SLOT))
                slot++;
            if (slot == FLAGS_SLOT)
                return false;
            l->s.slot[r] = (u8)slot++;
        }
    return true;
}

static u16 result_bit(const struct light *l)
{
    return l->c->flags & CALL_RETURNS && l->c->result.file == RF_GPR ? BIT(l->c->result.num) : 0;
}

/* Go through the body once to learn what it needs; what was emitted is thrown away. */
static void measure(struct light *l)
{
    struct emit *e = l->s.e;
    u8 *at = e->p;
    find_constants(l);
    x86_emit_body(e, l->body, l->constants, l->want, &l->r);
    e->p = at;
    u16 written = (u16)(l->r.touched | all_scratch(l));
    for (u32 k = 0; k < l->c->n_args; k++)
        written |= is_wanted(l, k) ? BIT(reg_of(l, k)) : 0;
    if (l->want != WANTS_NONE && !l->r.is_condition)
        written |= BIT(RAX);
    bool clobbers = l->r.clobbers_flags || l->c->flags & CALL_IF;
    l->keeps_flags = clobbers && !x86_flags_dead_at(l->s.site);
    l->flags_in_rax = l->keeps_flags && !(written & BIT(RAX));
    if (l->keeps_flags)
        written |= BIT(RAX);
    /* A source that is overwritten is read from its slot, even if it is dead afterwards. */
    l->s.save = (u16)((written & (all_sources(l) | ~x86_dead_regs_at(l->s.site))) | result_bit(l));
    if (x86_owns_r11(e))
        l->s.save &= (u16)~BIT(R11);
    for (u32 k = 0; k < MOST_PARKED; k++)
        if (l->lends >> k & 1)
            l->s.save &= (u16)~BIT(parked_reg(l->parkable, k));
}

static u16 registers_of(const struct body *b)
{
    u16 set = b->reads;
    for (u32 i = 0; i < b->n; i++)
        set |= (u16)(b->insn[i].u.reads | b->insn[i].u.writes);
    return set;
}

static u32 slot_of(u32 parked, u16 set)          /* of the first of these registers; MOST_PARKED: none has one */
{
    u32 k = 0;
    while (k < MOST_PARKED && !(has_parked(parked, k) && set >> parked_reg(parked, k) & 1))
        k++;
    return k;
}

/* The next one of those that are free: first what costs nothing, then what is parked already, then what may be. */
static u32 take_free(struct light *l, u16 *free)
{
    u16 first = *free & (u16)~x86_registers_of(l->parkable);
    u32 r = first ? (u32)__builtin_ctz(first) : 0;
    if (!first) {
        u32 k = slot_of(l->s.e->parked, *free);
        if (k == MOST_PARKED)
            k = slot_of(l->parkable, *free);
        r = parked_reg(l->parkable, k);
        l->lends |= BIT(k);
    }
    *free &= (u16)~BIT(r);
    return r;
}

static bool shows_faults;
void arch_show_faults(void) { shows_faults = true; }

/* Those that would have to be kept, and need not be: not rax if it has the result. */
static u16 avoidable(const struct light *l)
{
    u16 own = (u16)(registers_of(l->body) & l->s.save & ~result_bit(l));
    return shows_faults || opt->opt_level < OPT_REGALLOC ? 0 : l->want != WANTS_NONE ? own & (u16)~BIT(RAX) : own;
}

/* Of these, those that could give way to others. */
static u16 movable(const struct light *l) { return x86_can_rename(l->body) ? avoidable(l) : 0; }

/* They do, to such as are free here. */
static bool move_away(struct light *l, u16 moves)
{
    static const u16 other_encoding = BIT(RSP) | BIT(RBP) | BIT(R12) | BIT(R13);
    u16 free = (u16)(x86_dead_regs_at(l->s.site) | (x86_owns_r11(l->s.e) ? BIT(R11) : 0) | x86_registers_of(l->parkable));
    free &= (u16)~(registers_of(l->body) | all_sources(l) | all_scratch(l) | result_bit(l) | BIT(RAX) | other_encoding);
    for (u32 k = 0; k < l->c->n_args; k++)
        free &= (u16)~BIT(reg_of(l, k));
    if (!free || !moves)
        return false;
    for (u32 r = 0; r < 16 && free; r++)
        if (moves >> r & 1)
            l->map[r] = (u8)take_free(l, &free);
    l->body = x86_rename(l->body, l->map);
    return true;
}

/* What may be parked here need not be kept. The rest gives way. If the flags are in rax meanwhile, it is kept, but they need no other
 * place. */
static void rename(struct light *l)
{
    u16 stay = avoidable(l) & x86_registers_of(l->parkable), moves = movable(l) & (u16)~stay;
    for (u32 k = 0; k < MOST_PARKED; k++)
        if (has_parked(l->parkable, k) && stay >> parked_reg(l->parkable, k) & 1)
            l->lends |= BIT(k);
    if (move_away(l, moves) || stay)
        measure(l);
}

static bool plan(struct light *l)
{
    for (u32 r = 0; r < 16; r++)
        l->map[r] = (u8)r;
    measure(l);
    rename(l);
    return !(l->s.save & BIT(RSP)) && assign_slots(l);
}

/* ---- emission ---- */
static void save(struct light *l)
{
    struct emit *e = l->s.e;
    for (u32 r = 0; r < 16; r++)
        if (l->s.save >> r & 1)
            put_store_tls(e, r, AT_SLOT(l->s.slot[r]));
    if (!l->keeps_flags)
        return;
    put_bytes(e, "\x9f\x0f\x90\xc0", 4);          /* lahf; seto al */
    if (!l->flags_in_rax)
        put_store_tls(e, RAX, AT_SLOT(FLAGS_SLOT));
}

static void restore(struct light *l)
{
    struct emit *e = l->s.e;
    if (l->keeps_flags) {
        if (!l->flags_in_rax)
            put_load_tls(e, RAX, AT_SLOT(FLAGS_SLOT));
        put_bytes(e, "\x04\x7f\x9e", 3);          /* add al, 0x7f; sahf */
    }
    for (u32 r = 0; r < 16; r++)
        if (l->s.save >> r & 1)
            put_load_tls(e, r, AT_SLOT(l->s.slot[r]));
}

static void store_result(struct light *l)
{
    struct reg_id to = l->c->result;
    if (to.file == RF_TOOL) {
        put_fs_store_size(l->s.e, RAX, (s32)offsetof(struct arch_thread, tool_reg) + 8 * to.num + to.offset, to.size);
        return;
    }
    u32 size = to.size;
    if (size == 4) {
        put_move32(l->s.e, RAX, RAX);
        size = 8;
    }
    put_fs_store_size(l->s.e, RAX, AT_SLOT(l->s.slot[to.num]) + to.offset, size);
}

static void put_body(struct light *l)
{
    for (u32 k = 0; k < l->c->n_args; k++)
        if (is_wanted(l, k))
            x86_load_arg(&l->s, &l->c->arg[k], reg_of(l, k));
    x86_emit_body(l->s.e, l->body, l->constants, l->want, &l->r);
    if (l->c->flags & CALL_RETURNS)
        store_result(l);
}

/* The Then stands behind the If, on a detour that is rarely taken. */
static void put_then(struct light *l)
{
    struct emit *e = l->s.e;
    if (!l->r.is_condition)
        put_bytes(e, "\x48\x85\xc0", 3);          /* test rax, rax */
    u8 *no = put_jcc_forward(e, l->r.is_condition ? l->r.cc ^ 1u : CC_E);
    restore(l);
    put_parked(e, e->held.lent);
    x86_emit_visit(e, l->s.site, l->c->next, l->c->next->next);
    u8 *end = put_jump_forward(e);
    patch_forward(e, no);
    restore(l);
    patch_forward(e, end);
}

static bool prepare(struct light *l, struct emit *e, const struct site *site, const struct call *c)
{
    *l = (struct light){ .s = { .e = e, .site = site, .is_light = true }, .c = c };
    if ((l->why_not = obstacle(site, c)))
        return false;
    l->body = x86_body(c->fn);
    l->parkable = x86_parkable(e, site->i);
    l->want = c->flags & CALL_RETURNS ? WANTS_VALUE : c->flags & CALL_IF ? WANTS_TRUTH : WANTS_NONE;
    if (plan(l))
        return true;
    l->why_not = "it needs more registers than there are spill slots, or the stack pointer";
    return false;
}

bool x86_can_inline(struct emit *e, const struct site *site, const struct call *c, u32 *keeps)
{
    struct light l;
    bool can = prepare(&l, e, site, c);
    *keeps = 0;
    for (u16 rest = can ? movable(&l) : 0; rest; rest &= (u16)(rest - 1))
        ++*keeps;
    return can;
}

bool x86_inlines(struct emit *e, const struct site *site, const struct call *c)
{
    struct light l;
    bool can = prepare(&l, e, site, c);
    if (can)
        optreport_inlined(c);
    else
        optreport_called(c, l.why_not);
    return can;
}

void x86_emit_inline(struct emit *e, const struct site *site, const struct call *c)
{
    struct light l;
    prepare(&l, e, site, c);
    for (u32 k = 0; k < MOST_PARKED; k++)
        if (l.lends >> k & 1)
            x86_lend(e, k, parked_reg(l.parkable, k));
    save(&l);
    put_body(&l);
    if (c->flags & CALL_IF && c->next)
        put_then(&l);
    else
        restore(&l);
}
