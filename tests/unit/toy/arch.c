/* arch.c: arch/arch.h for the toy CPU: decoding, emission, linking. */
#include "base/heap.h"
#include "engine/jit/promote.h"
#include "toy.h"

bool toy_follows_calls;

const struct arch_info arch_info = { .name = "toy", .max_insn_len = 3, .max_emit_len = 48, .stub_len = 16, .fetch_align = 1 };

/* ---- decode ---- */
static const struct shape { u8 op, mask, len, kind; } shapes[] = {
    { OP_NOP, 0xff, 1, INSN_PLAIN },      { OP_INC, 0xfc, 1, INSN_PLAIN },       { OP_MOV, 0xfc, 2, INSN_PLAIN },
    { OP_ADD, 0xff, 2, INSN_PLAIN },      { OP_JMP, 0xff, 3, INSN_JUMP },        { OP_CALL, 0xff, 3, INSN_CALL },
    { OP_JZ, 0xfc, 2, INSN_COND },        { OP_JMP_IND, 0xff, 1, INSN_JUMP_IND },
    { OP_CALL_IND, 0xff, 1, INSN_CALL_IND }, { OP_RET, 0xff, 1, INSN_RET },
    { OP_SYS, 0xff, 2, INSN_SYSCALL },    { OP_EMU, 0xff, 1, INSN_EMULATE },
    { OP_WAIT, 0xff, 1, INSN_PLAIN },     { OP_FAR, 0xff, 2, INSN_JUMP },
};

static const struct shape *shape_of(u8 byte)
{
    static const struct shape bad = { OP_BAD, 0, 1, INSN_TRAP };
    for (u32 i = 0; i < ARRAY_LEN(shapes); i++)
        if ((byte & shapes[i].mask) == shapes[i].op)
            return &shapes[i];
    return &bad;
}

enum decode_status arch_decode(const u8 *bytes, u32 avail, addr_t pc, struct insn *out)
{
    const struct shape *s = shape_of(bytes[0]);
    if (avail < s->len)
        return DECODE_TRUNCATED;
    *out = (struct insn){ .pc = pc, .len = s->len, .kind = s->kind, .count = 1, .bytes = bytes };
    out->a = (struct arch_insn){ s->op, bytes[0] & 3, 0 };
    if (s->len == 2)
        out->a.imm = s->kind == INSN_COND ? (int8_t)bytes[1] : bytes[1];
    if (s->len == 3)
        out->a.imm = (int16_t)(bytes[1] | bytes[2] << 8);
    out->target = s->op == OP_FAR ? toy_place[out->a.imm] : pc + s->len + (addr_t)(s64)out->a.imm;
    return DECODE_OK;
}

u32 arch_skim(const u8 *bytes, u32 avail, u32 most, u32 *n, u32 *branch) { return *n = *branch = 0; }
bool arch_skim_branch(u32 branch, const u8 *bytes, u32 avail, addr_t pc, struct insn *out) { return false; }
enum decode_status arch_decode_padded(const u8 *bytes, u32 avail, addr_t pc, struct insn *out) { return arch_decode(bytes, avail, pc, out); }


enum leaf_part arch_leaf_part(const struct insn *in) { return LEAF_NO; }
bool arch_begins_frame(const u8 *code) { return false; }
bool arch_transfer_slot(const struct insn *in, addr_t *slot) { return false; }
void arch_unresolve(struct insn *in) { }
bool arch_is_return(const struct insn *in) { return in->kind == INSN_RET; }
void arch_emit_followed(struct emit *e, const struct insn *in) { }

/* ---- emission ---- */
static u8 *take(struct emit *e, u32 n)
{
    if (e->p + n > e->stub) {
        e->is_full = true;
        return NULL;
    }
    e->p += n;
    return e->p - n;
}

static void put_bytes(struct emit *e, const u8 *bytes, u32 n)
{
    u8 *p = take(e, n);
    if (p)
        memcpy(p, bytes, n);
}

static void put_constant(struct emit *e, u8 op, u64 v)
{
    u8 *p = take(e, 9);
    if (!p)
        return;
    p[0] = op;
    memcpy(p + 1, &v, 8);
}

static u8 *put_stub(struct emit *e, struct exit *x)
{
    u32 id = ptr_ref(x);
    e->stub = (u8 *)ROUND_DOWN((addr_t)e->stub - 8, 4);
    if (e->stub < e->p) {
        e->is_full = true;
        return NULL;
    }
    memcpy(e->stub, (u8[]){ OP_X_LEAVE, 0, 0, 0 }, 4);
    memcpy(e->stub + 4, &id, 4);
    return e->stub;
}

static void aim(u8 *at, const u8 *to)
{
    u32 *site = (u32 *)at;
    __atomic_store_n(site, (u32)(to - (u8 *)site), __ATOMIC_RELEASE);
}

/* A transfer with a displacement that can be patched: it lies aligned, behind padding that is jumped over as nops. */
static void put_transfer(struct emit *e, u8 op, u8 reg, struct exit *x)
{
    while ((addr_t)e->p % 4)
        put_bytes(e, (u8[]){ OP_NOP }, 1);
    u8 *stub = put_stub(e, x), *p = take(e, 8);
    if (!stub || !p)
        return;
    memcpy(p, (u8[]){ op, reg, 0, 0 }, 4);
    exit_note_site(x, cache_offset(p + 4));
    exit_note_stub(x, cache_offset(stub));
    aim(p + 4, stub);
}

struct landing { struct landing *next, *next_found; addr_t pc; u8 *code; struct trace *trace; };
static struct landing *found;                      /* all that can be found */

static struct landing *new_landing(addr_t pc, u8 *code, struct landing *next)
{
    struct landing *l = heap_alloc(sizeof *l);
    *l = (struct landing){ .next = next, .pc = pc, .code = code };
    return l;
}

void arch_emit_prefix(struct emit *e, const struct insn *list, u32 n, enum entry_kind why)
{
    if (why != ENTRY_JUMP)
        put_bytes(e, (u8[]){ OP_NOP, OP_NOP }, 2);
}

u32 arch_prefix_len(const struct emit *e, addr_t pc, enum entry_kind why) { return why != ENTRY_JUMP ? 2 : 0; }
bool arch_follows_calls(void) { return toy_follows_calls; }
u8 *arch_entry(const struct trace *t) { return trace_code(t); }
u8 arch_trace_flags(struct emit *e, const struct insn *list, u32 n, enum entry_kind why, bool has_calls, bool has_changes,
                    const struct trace *from)
{
    return (u8)why;
}
bool arch_counts_in_register(u8 arch_flags) { return false; }
bool arch_suits(const struct trace *t, const struct trace *from) { return true; }

void arch_emit_plain(struct emit *e, const struct insn *list, u32 i, u32 n)
{
    CHECK(!arch_ends_trace(&list[i]) || i + 1 == n);
    put_bytes(e, list[i].bytes, list[i].len);
    e->restore = list[i].a.op == OP_ADD ? 5 : 0;    /* anything, to be found again by cache_locate */
}

void arch_emit_cond(struct emit *e, const struct insn *in, struct exit *x) { put_transfer(e, OP_X_JZ, in->a.reg, x); }
void arch_emit_jump(struct emit *e, struct exit *x) { put_transfer(e, OP_X_JMP, 0, x); }

static void note_return(struct emit *e, addr_t back)
{
    jit_note_map(e, back, MAP_NOT_A_START);
    put_bytes(e, (u8[]){ OP_NOP }, 1);
    e->landings = new_landing(back, e->p - 1, e->landings);
}

void arch_emit_call(struct emit *e, const struct insn *list, u32 i, u32 n, struct exit *x)
{
    put_constant(e, OP_X_PUSH, insn_next(&list[i]));
    if (toy_follows_calls)
        jit_note_map(e, list[i].pc, MAP_NOT_A_START);
    put_transfer(e, OP_X_JMP, 0, x);
    if (toy_follows_calls)
        note_return(e, insn_next(&list[i]));
}

void arch_emit_indirect(struct emit *e, const struct insn *list, u32 i, u32 n, const struct prospect *p)
{
    bool goes_on = list[i].kind == INSN_CALL_IND && toy_follows_calls;
    if (list[i].kind == INSN_CALL_IND)
        put_constant(e, OP_X_PUSH, insn_next(&list[i]));
    if (goes_on)
        jit_note_map(e, list[i].pc, MAP_NOT_A_START);
    put_bytes(e, (u8[]){ OP_X_FIND, list[i].kind == INSN_RET, 0, 0, 0, 0, 0, 0 }, 8);
    if (goes_on)
        note_return(e, insn_next(&list[i]));
}

void arch_emit_trap(struct emit *e, const struct insn *in) { put_bytes(e, (u8[]){ OP_BAD }, 1); }

void arch_emit_leave(struct emit *e, struct exit *x)
{
    u32 id = ptr_ref(x);
    put_bytes(e, (u8[]){ OP_X_LEAVE, 0, 0, 0 }, 4);
    put_bytes(e, (u8 *)&id, 4);
}

void arch_fill(u8 *p, size_t n) { memset(p, OP_X_FILL, n); }
void arch_code_goes(addr_t lo, addr_t hi) { }
void arch_emit_between(struct emit *e, const struct insn *list, u32 i, u32 n) { }

bool arch_link(struct exit *x, struct trace *to)
{
    aim(cache_ptr(exit_site(x)), trace_code(to));
    return true;
}

void arch_unlink(struct exit *x) { aim(cache_ptr(exit_site(x)), cache_ptr(exit_stub(x))); }

/* ---- analysis calls: each adds one to a counter ---- */
u32 arch_calls_size(const struct call *list)
{
    u32 n = 0;
    for (; list; list = list->next)
        n += 17;
    return n;
}

void arch_emit_calls(struct emit *e, const struct site *s)
{
    for (const struct call *c = s->calls; c; c = c->next) {
        if (c->flags & CALL_COUNT) {
            put_constant(e, OP_X_ADD, count_at(c));
            put_bytes(e, (u8 *)&c->arg[1].value, 8);
        } else if (c->fn == &toy_look) {
            put_bytes(e, (u8[]){ OP_X_LOOK }, 1);
        } else {
            put_constant(e, OP_X_COUNT, (u64)c->fn);
        }
    }
}

/* Every call is one to a counter, but for toy_look. */
bool arch_counts(const struct call *c, struct count *out, u32 *n)
{
    *n = 1;
    *out = (struct count){ (u64)c->fn, 1, 8, false };
    return c->fn != &toy_look;
}
bool arch_records(const struct view *v, u32 i, enum point p, const struct call *c) { return false; }
void arch_record_place(const struct call *c, struct count *out) { }
bool arch_reaches(u64 at) { return true; }
void *arch_near_memory(size_t size) { return NULL; }
bool arch_sees_words_only(const void *fn, bool (*is_blind)(const void *fn), struct sight *s) { return false; }
enum arch_sight arch_sight(const struct call *c, u64 *words, u32 *n) { return SEES_NONE; }

u8 *arch_emit_taken(struct emit *e, const struct insn *in)
{
    put_bytes(e, (u8[]){ OP_X_SKIP_NZ, in->a.reg, 0, 0 }, 4);
    return e->p - 4;
}

void arch_emit_untaken(struct emit *e, u8 *from)
{
    u16 distance = (u16)(e->p - from);
    memcpy(from + 2, &distance, 2);
}

/* Nothing here has flags, and no routine of the tool is ever called. */
bool arch_flags_are_dead(const struct insn *list, u32 i, u32 n) { return true; }
void arch_expect_odd_flags(const struct thread *t) { }
bool arch_name_branches(void) { return false; }
void arch_show_faults(void) { }
bool arch_counts_calls(void) { return false; }
bool arch_adapts(bool is_worth_it) { return false; }
void arch_emit_goto(struct emit *e, struct reg_id reg) { }
void arch_emit_version(struct emit *e, u32 version) { }
bool arch_can_transfer(const struct insn *in) { return false; }
void arch_emit_case(struct emit *e, u32 tool_reg, s32 value, struct exit *x) { }
bool arch_can_move(const struct insn *in, enum memory_part p) { return false; }
void arch_emit_moved(struct emit *e, const struct insn *list, u32 i, u32 n, const u8 *moved, struct exit *x) { }
void *arch_keep_calls(const struct site *s) { return instr_keep(8); }
void arch_call_in_place(struct thread *t, const void *fn) { }
void arch_call_with_signature(struct thread *t, const struct call *c, bool returns_float) { }
void arch_return_from_routine(struct thread *t) { }
void arch_emit_iteration(struct emit *e, const struct insn *in) { }
void arch_emit_repeat(struct emit *e, const struct insn *in, struct exit *x) { }
bool arch_is_hosted(void) { return false; }
long arch_call_hosted(long (*f)(void *), void *arg) { return f(arg); }
bool arch_repeats_counted(const struct insn *in) { return false; }
void arch_emit_repeated(struct emit *e) {}
void arch_emit_at_once(struct emit *e, const struct site *s, struct by_budget *b) {}
void arch_emit_if_all(struct emit *e, const struct site *s, struct by_budget *b) {}
void arch_emit_one_by_one(struct emit *e, const struct site *s, struct by_budget *b) {}
void arch_emit_behind_both(struct emit *e, struct by_budget *b) {}
long arch_call_briefly(long (*f)(void *), void *arg, bool is_simple) { return f(arg); }

/* ---- landings ---- */
static void let_find(struct trace *t, struct landing *l)
{
    l->trace = t;
    l->next_found = found;
    found = l;
}

void arch_landings_commit(struct trace *t, struct landing *list)
{
    t->landings = ptr_ref(list);
    for (; list; list = list->next)
        let_find(t, list);
}

void arch_landing_add(struct arch_thread *by, struct trace *t, enum entry_kind why)
{
    for (struct landing *l = ref_ptr(t->landings); l; l = l->next)
        if (l->code == trace_code(t))
            return;
    struct landing *l = new_landing(t->pc, trace_code(t), ref_ptr(t->landings));
    t->landings = ptr_ref(l);
    let_find(t, l);
}

void arch_landings_remove(struct trace *t)
{
    for (struct landing **p = &found; *p;)
        if ((*p)->trace == t)
            *p = (*p)->next_found;
        else
            p = &(*p)->next_found;
}

void arch_landings_forget(struct trace *t) { }
void arch_landings_clear(void) { found = NULL; }
void arch_landings_wipe(void) { found = NULL; }

void arch_landings_discard(struct landing *l)
{
    for (struct landing *next; l; l = next) {
        next = l->next;
        heap_free(l, sizeof *l);
    }
}

void arch_landings_free(struct trace *t) { arch_landings_discard(ref_ptr(t->landings)); }

/* ---- execution ---- */
/* Behind a call only a return comes in. */
static struct landing *search(addr_t pc, bool is_return)
{
    for (struct landing *l = found; l; l = l->next_found)
        if (l->pc == pc && (is_return || l->code == trace_code(l->trace)))
            return l;
    return NULL;
}

void check_landings(void)
{
    for (struct landing *l = found; l; l = l->next_found)
        CHECK(!l->trace->is_retired);
}

static void push(struct arch_regs *r, addr_t back) { r->stack[r->depth++ % TOY_STACK] = back; }
static addr_t pop(struct arch_regs *r) { return r->stack[--r->depth % TOY_STACK]; }

/* What is the same by the book and in the cache. */
static bool run_plain(struct arch_regs *r, const struct insn *in)
{
    switch (in->a.op) {
    case OP_NOP: case OP_WAIT: return true;
    case OP_INC: r->r[in->a.reg]++; return true;
    case OP_MOV: r->r[in->a.reg] = (u32)in->a.imm; return true;
    case OP_ADD: r->r[in->a.imm >> 2 & 3] += r->r[in->a.imm & 3]; return true;
    default: return false;
    }
}

bool toy_same(const struct arch_regs *a, const struct arch_regs *b)
{
    return !memcmp(a->r, b->r, sizeof a->r) && a->depth == b->depth && !memcmp(a->stack, b->stack, sizeof a->stack);
}

static void book_transfer(struct arch_regs *r, const struct insn *in)
{
    switch (in->a.op) {
    case OP_CALL: push(r, r->pc); r->pc = in->target; break;
    case OP_JMP: case OP_FAR: r->pc = in->target; break;
    case OP_JZ: r->pc = r->r[in->a.reg] ? r->pc : in->target; break;
    case OP_CALL_IND: push(r, r->pc); r->pc = toy_place[r->r[0] % N_PLACES]; break;
    case OP_JMP_IND: r->pc = toy_place[r->r[0] % N_PLACES]; break;
    case OP_RET: r->pc = pop(r); break;
    case OP_SYS: r->r[0] += (u32)in->a.imm; break;
    case OP_EMU: r->r[1] = ~r->r[1]; break;
    }
}

bool toy_step(struct arch_regs *r)
{
    struct insn in;
    u8 bytes[3] = { 0 };
    u32 n = 0;
    for (; n < 3 && toy_at(r->pc + n); n++)
        bytes[n] = *toy_at(r->pc + n);
    if (!n || arch_decode(bytes, n, r->pc, &in) != DECODE_OK || in.kind == INSN_TRAP)
        return false;
    r->pc = insn_next(&in);
    if (!run_plain(r, &in))
        book_transfer(r, &in);
    return true;
}

static u8 *find_target(struct arch_thread *t, bool is_return)
{
    addr_t to = is_return ? pop(&t->regs) : toy_place[t->regs.r[0] % N_PLACES];
    struct landing *l = search(to, is_return);
    if (l)
        return l->code;
    t->indirect_target = to;
    t->exit_id = is_return ? ARCH_EXIT_RETURN : ARCH_EXIT_INDIRECT;
    return NULL;
}

static u64 constant(const u8 *code)
{
    u64 v;
    memcpy(&v, code + 1, 8);
    return v;
}

static u32 word(const u8 *code) { return __atomic_load_n((const u32 *)(code + 4), __ATOMIC_ACQUIRE); }
static u8 *jump(u8 *code) { return code + 4 + (s32)word(code); }

u32 toy_length(const u8 *code)
{
    struct insn in;
    switch (*code) {
    case OP_X_JMP: case OP_X_JZ: case OP_X_LEAVE: case OP_X_FIND: return 8;
    case OP_X_PUSH: case OP_X_COUNT: return 9;
    case OP_X_ADD: return 17;
    case OP_X_LOOK: return 1;
    case OP_X_SKIP_NZ: return 4;
    }
    arch_decode(code, 3, 0, &in);
    return in.len;
}

u8 *toy_run(struct arch_thread *t, u8 *code, bool *trapped)
{
    struct insn in;
    CHECK(*code != OP_X_FILL);
    switch (*code) {
    case OP_X_JMP: return jump(code);
    case OP_X_JZ: return t->regs.r[code[1]] ? code + 8 : jump(code);
    case OP_X_PUSH: push(&t->regs, constant(code)); return code + 9;
    case OP_X_FIND: return find_target(t, code[1]);
    case OP_X_LEAVE: memcpy(&t->exit_id, code + 4, 4); return NULL;
    case OP_X_COUNT: ++*(u64 *)constant(code); return code + 9;
    case OP_X_ADD: *(u64 *)constant(code) += constant(code + 8); return code + 17;
    case OP_X_LOOK: toy_look(); return code + 1;
    case OP_X_SKIP_NZ: return t->regs.r[code[1]] ? code + (code[2] | code[3] << 8) : code + 4;
    }
    arch_decode(code, 3, 0, &in);
    if (run_plain(&t->regs, &in))
        return code + in.len;
    *trapped = true;
    return NULL;
}

/* Its registers are never anywhere else: there is nothing to check. */
void arch_emit_check(struct emit *e, const struct site *s) { }
bool arch_counts_down(const struct call *c, struct count *out) { return false; }
