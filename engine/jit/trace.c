/* trace.c: make a trace: a straight line of application code with one entry and many exits.
 *
 * It ends at a transfer that has no fall-through, at a limit of conditional branches, or of instructions. Direct jumps
 * are followed into code that has no trace yet, so that the line goes on without a taken branch. */
#include "base/heap.h"
#include "base/panic.h"
#include "engine/cache/cache.h"
#include "engine/emulate/memory.h"
#include "engine/emulate/planted.h"
#include "engine/emulate/smc.h"
#include "engine/engine.h"
#include "engine/hooks.h"
#include "engine/jit/context.h"
#include "engine/jit/instrument.h"
#include "engine/jit/jit.h"
#include "engine/jit/promote.h"
#include "engine/jit/replace.h"
#include "engine/log.h"
#include "engine/stats.h"

enum { MAX_INSNS = 512, MAX_EXITS = MAX_INSNS + 2, MAX_PAGES = 64 };
enum { MAX_TRAP = 8 };                     /* bytes of a breakpoint, on any CPU */
enum { MAP_REACH = 0xffff };               /* map entries have 16 bits for a place in the code */

/* The trace under construction; guarded by the cache lock. */
static struct {
    struct insn insn[MAX_INSNS];
    u32 n;
    addr_t fall;                           /* where control goes after the last instruction */
    bool falls;                            /* it does go somewhere */
    struct planned_exit { addr_t target; u32 version; ref_t calls; u8 kind, insn_len; } exit[MAX_EXITS];
    u32 n_exits;
    u32 version;
    u32 exit_version;                      /* of what the instruction being emitted leads to */
    bool has_jumps;                        /* the line is not straight */
    bool has_calls;                        /* a tool asked for something */
    bool has_changes;                      /* ... that changes instructions or where they lead to; calls do not */
    const struct trace *from;              /* jumps here; NULL: none does */
    struct map_entry map[8 * MAX_INSNS + 2];
    addr_t pc;
    u8 *code;
    u32 n_map, app_bytes;
    u16 entry[MAX_INSNS];                  /* the map record where each instruction starts */
    addr_t page[MAX_PAGES];
    u32 n_pages;
    struct { u16 call, ret; } leaf[MAX_INSNS / 2];     /* see "short routines" */
    u32 n_leaves;
} b;

static u32 serial;
static bool is_once, is_as_plain;          /* see jit_once */
static bool is_foreign;                    /* of code that others may write: a block at a time, and only from there */
static u64 random_state;

static u32 random_below(u32 n)
{
    random_state = random_state * 6364136223846793005ull + 1442695040888963407ull;
    return (u32)(random_state >> 33) % n;
}

/* ---- choosing the instructions ---- */
static bool is_in_trace(addr_t pc)
{
    for (u32 i = 0; i < b.n; i++)
        if (b.insn[i].pc == pc)
            return true;
    return false;
}

/* How many fit into a block. Worked out once: a division for each trace is one too many. */
static u64 most_that_fit(void)
{
    static u64 block, fits;
    if (block != opt->cache_block) {
        block = opt->cache_block;
        fits = block / (arch_info.max_emit_len + arch_info.stub_len) - 4;
    }
    return fits;
}

static u32 insn_limit(void)
{
    if (serial < opt->trace_from || serial > opt->trace_to)
        return 1;
    if (is_once)
        return 1;
    u32 limit = (u32)MIN(MIN(opt->max_trace_ins, (u64)MAX_INSNS), most_that_fit());
    return opt->random_layout ? 1 + random_below(limit) : limit;
}

/* A callee returns to code of its own version: that is not where a trace with a version goes on. */
static bool returns_here(u8 kind) { return (kind == INSN_CALL || kind == INSN_CALL_IND) && arch_follows_calls() && !b.version; }
static bool ends_trace(u8 kind) { return kind != INSN_PLAIN && kind != INSN_COND && !returns_here(kind); }

static bool note_page(addr_t page)
{
    if (LIKELY(b.n_pages && b.page[b.n_pages - 1] == page))
        return true;
    for (u32 i = 0; i < b.n_pages; i++)
        if (b.page[i] == page)
            return true;
    if (b.n_pages == MAX_PAGES)
        return false;
    b.page[b.n_pages++] = page;
    return true;
}

/* A transfer through a word that cannot change goes where the word says: calls of other libraries in a program that is linked
 * when it starts. */
static bool resolve(struct insn *in)
{
    addr_t slot, to;
    if (b.version || is_once || opt->no_leaves || !arch_transfer_slot(in, &slot) || !mem_constant(slot, &to))
        return true;
    in->kind = in->kind == INSN_CALL_IND ? INSN_CALL : INSN_JUMP;
    in->target = to;
    return note_page(ROUND_DOWN(slot, PAGE_SIZE)) && note_page(ROUND_DOWN(slot + sizeof to - 1, PAGE_SIZE));
}

static const u8 *decode_bytes(addr_t pc, struct insn *in, struct fetch_fault *fault)
{
    addr_t at = pc - fetch_window.pc;
    u32 avail = fetch_window.len - (u32)at;
    const u8 *bytes = LIKELY(at < fetch_window.len) ? fetch_window.bytes + at : fetch_at(pc, &avail, fault);
    while (bytes && arch_decode_padded(bytes, avail, pc, in) == DECODE_TRUNCATED)
        bytes = fetch_more(pc, &avail, fault);
    return bytes;
}

/* A breakpoint that is not the program's own: the instruction that it covers. */
static const u8 *uncover(addr_t pc, const u8 *bytes, struct insn *in, struct fetch_fault *fault)
{
    u8 original[MAX_TRAP];
    if (in->len > MAX_TRAP || !planted_over(pc, bytes, original, in->len))
        return bytes;
    fetch_correct(pc, original, in->len);
    return decode_bytes(pc, in, fault);
}

static bool decode_one(addr_t pc, struct insn *in, struct fetch_fault *fault)
{
    const u8 *bytes = decode_bytes(pc, in, fault);
    if (bytes && UNLIKELY(in->kind == INSN_TRAP))
        bytes = uncover(pc, bytes, in, fault);
    if (bytes && is_as_plain && in->kind == INSN_EMULATE)
        in->kind = INSN_PLAIN;
    if (!bytes || !note_page(ROUND_DOWN(pc, PAGE_SIZE)) || !note_page(ROUND_DOWN(pc + in->len - 1, PAGE_SIZE)))
        return false;
    return (in->kind != INSN_JUMP_IND && in->kind != INSN_CALL_IND) || resolve(in);
}

static bool may_follow(addr_t target, u32 limit)
{
    return b.n < limit && limit > 1 && !is_foreign && !is_in_trace(target) &&
           !cache_find_version(target, context_of(b.version));
}

/* Code that others may write and code that they may not are never in one trace. */
static bool leaves_kind(addr_t pc)
{
    const struct insn *last = &b.insn[b.n - 1];
    return pc / PAGE_SIZE != last->pc / PAGE_SIZE && smc_is_foreign(pc) != is_foreign;
}

/* ---- short routines ----
 * A call of a short routine that calls nothing and writes no memory need not be left: the routine stands in the trace, and
 * behind it what the call returns to. The return address is pushed and popped as always. Nothing can have changed it
 * meanwhile, so the return need not look at it: a signal or a fault on the way goes on in a trace that begins there, and that
 * one looks. A tool could change it: where it asks for more than sums and records, the trace ends at the call after all. A
 * program that is translated for real calls has none: there it did not pay. */
enum { LEAF_MOST = 12, REFUSED_MOST = 64 };
static u32 n_refused;                      /* calls that ended their trace after all; a tool with many is not shown any more */

static bool may_have_leaves(u32 limit)
{
    return n_refused < REFUSED_MOST && !b.version && !opt->no_leaves && !arch_ends_at_calls() && !is_foreign && b.n + 1 < limit;
}

/* The last instruction is a call: is it of such a routine? Then it and the routine's return are jumps from here to there. */
static bool read_leaf(u32 limit, struct fetch_fault *fault)
{
    struct insn *call = &b.insn[b.n - 1], *in = call + 1, *end = in + MIN((u32)LEAF_MOST, limit - b.n);
    for (addr_t pc = call->target; in < end && !smc_is_foreign(pc) && !replace_is_at(pc) && decode_one(pc, in, fault); in++) {
        enum leaf_part part = arch_leaf_part(in);
        if (part == LEAF_RETURN) {
            b.has_jumps = true;
            call->kind = in->kind = INSN_JUMP;
            in->target = insn_next(call);
            b.leaf[b.n_leaves].call = (u16)(b.n - 1);
            b.leaf[b.n_leaves++].ret = (u16)(in - b.insn);
            b.n = (u32)(in + 1 - b.insn);
            return true;
        }
        if (part == LEAF_NO && in->kind != INSN_COND && in->kind != INSN_JUMP)
            return false;
        pc = in->kind == INSN_JUMP ? in->target : insn_next(in);
    }
    return false;
}

/* Most routines are none, and are called from several places: what was found is kept. A wrong answer costs time, not more. */
static bool take_leaf(u32 limit, struct fetch_fault *fault)
{
    enum { KNOWN = 512 };                  /* a page */
    static addr_t other[KNOWN];
    addr_t target = b.insn[b.n - 1].target, *known = &other[(target >> 4 ^ target >> 16) % KNOWN];
    u32 n_pages = b.n_pages;
    if (*known == target)
        return false;
    if (read_leaf(limit, fault))
        return true;
    *known = target;
    b.n_pages = n_pages;
    return false;
}

/* Fills b.insn. False: not even the first instruction can be had. */
static bool choose(addr_t pc, u32 limit, struct fetch_fault *fault)
{
    u32 conds = 0;      /* a call makes room for new branches: its return starts afresh */
    bool is_block_start = false;
    b.n = b.n_pages = b.n_leaves = 0;
    b.pc = pc;
    b.falls = true;
    b.has_jumps = false;
    fetch_start(!is_once);
    is_foreign = !is_once && smc_is_foreign(pc);
    if (is_foreign && smc_is_unwatched(pc))
        limit = 1;                         /* it may change its own next instruction */
    while (b.n < limit) {
        struct insn *in = &b.insn[b.n];
        if (b.n && leaves_kind(pc))
            break;
        if (b.n && is_block_start && cache_find_version(pc, context_of(b.version)))
            break;                         /* go on in the trace that is there already: hot code stays small */
        bool is_replaced = replace_is_at(pc) && !(b.n == 0 && b.version == VERSION_ORIGINAL);
        if ((is_replaced && b.n) || !decode_one(pc, in, fault))
            break;
        if (is_replaced) {
            in->kind = INSN_REPLACED;
            in->is_as_is = false;
        }
        if (UNLIKELY(arch_sets_odd_flags(in))) {
            arch_expect_odd_flags(NULL);
            cache_flush_all();             /* before anything of this trace is placed */
        }
        b.n++;
        pc = insn_next(in);
        if (LIKELY(in->is_as_is)) {
            is_block_start = false;
            continue;
        }
        is_block_start = in->kind != INSN_PLAIN;
        if (arch_ends_trace(in))
            break;
        if (in->kind == INSN_JUMP) {
            pc = in->target;
            b.has_jumps = true;
            if (may_follow(pc, limit))
                continue;
            break;
        }
        if (in->kind == INSN_CALL && may_have_leaves(limit) && take_leaf(limit, fault)) {
            if (++conds >= opt->max_trace_bbl)
                break;
            continue;
        }
        if (ends_trace(in->kind)) {
            b.falls = in->kind == INSN_TRAP;
            break;
        }
        if (is_foreign && in->kind != INSN_PLAIN)
            break;
        if (returns_here(in->kind)) {
            if (arch_ends_at_calls())
                break;
            conds = 0;
        }
        if (in->kind == INSN_COND && (++conds >= opt->max_trace_bbl || (in->target == b.pc && instr_is_on())))
            break;                         /* under a tool a loop is a trace by itself: promote.h */
    }
    b.fall = pc;
    return b.n > 0;
}

/* ---- emission ---- */
static struct planned_exit *new_exit(u8 kind, addr_t target, u32 insn_len)
{
    struct planned_exit *x = &b.exit[b.n_exits++];
    *x = (struct planned_exit){ .target = target, .kind = kind, .insn_len = (u8)insn_len, .version = b.exit_version };
    return x;
}

void jit_note_map(struct emit *e, addr_t pc, u32 restore)
{
    b.map[b.n_map++] = (struct map_entry){ (s32)(pc - b.pc), (u16)(e->p - b.code), (u16)(restore | e->at_rest) };
}

/* Within 32 bits, and so is the page it lies in. */
static bool is_near(addr_t pc)
{
    enum { REACH = 0x7fffe000 };
    return pc - b.pc + REACH < 2ul * REACH;
}

/* Control is on its way out to `to`. If that is too far away for a record, no signal is delivered here: the thread goes
 * on to the next place that has one. */
static void note_way_out(struct emit *e, const struct insn *from, addr_t to, u32 restore)
{
    if (is_near(to))
        jit_note_map(e, to, restore);
    else
        jit_note_map(e, from->pc, MAP_NOT_A_START);
}

/* A transfer that finds its target by itself finds version 0. With another version it is written out. */
static bool emit_version_transfer(struct emit *e, u32 i, struct exit *final)
{
    static const u8 nothing_moved[N_PARTS];
    const struct insn *in = &b.insn[i];
    bool is_transfer = in->kind == INSN_CALL || in->kind == INSN_CALL_IND || in->kind == INSN_JUMP_IND || in->kind == INSN_RET;
    if (!is_transfer || !(tool_version(b.exit_version) || tool_version(b.version)) || !arch_can_transfer(in))
        return false;
    if (in->kind != INSN_CALL)
        arch_emit_version(e, b.exit_version);
    arch_emit_moved(e, b.insn, i, b.n, nothing_moved, &final[b.n_exits]);
    if (in->kind == INSN_CALL)
        new_exit(EXIT_JUMP, in->target, in->len);
    return true;
}

/* ---- where calls and returns lead, by the call stack ---- */
static void emit_call(struct emit *e, u32 i, struct exit *final)
{
    const struct insn *in = &b.insn[i];
    arch_emit_call(e, b.insn, i, b.n, &final[b.n_exits]);
    struct planned_exit *x = new_exit(EXIT_CALL, in->target, in->len);
    if (!tool_version(b.exit_version))
        x->version = context_push(b.version, insn_next(in));
}

/* The caller's context and where it goes on. */
static u32 caller_of(addr_t *back) { return context_pop(b.version, back); }

static void emit_indirect(struct emit *e, u32 i, struct exit *final)
{
    const struct insn *in = &b.insn[i];
    struct prospect p = { context_of(b.version), 0, NULL };
    if (in->kind == INSN_CALL_IND) {
        p.context = context_push(b.version, insn_next(in));
    } else if (in->kind == INSN_RET) {
        u32 caller = caller_of(&p.pc);
        p.context = 0;
        p.x = &final[b.n_exits];
        if (p.pc)
            new_exit(EXIT_GUARD, p.pc, in->len)->version = caller;
    }
    arch_emit_indirect(e, b.insn, i, b.n, &p);
}

static void emit_insn(struct emit *e, u32 i, struct exit *final)
{
    const struct insn *in = &b.insn[i];
    e->restore = 0;
    if (emit_version_transfer(e, i, final))
        return;
    switch ((enum insn_kind)in->kind) {
    case INSN_PLAIN: arch_emit_plain(e, b.insn, i, b.n); break;
    case INSN_COND: arch_emit_cond(e, in, &final[b.n_exits]); new_exit(EXIT_JUMP, in->target, in->len); break;
    case INSN_JUMP: arch_emit_followed(e, in); break;
    case INSN_CALL: emit_call(e, i, final); break;
    case INSN_JUMP_IND: case INSN_CALL_IND: case INSN_RET: emit_indirect(e, i, final); break;
    case INSN_SYSCALL: arch_emit_leave(e, &final[b.n_exits]); new_exit(EXIT_SYSCALL, in->pc, in->len); break;
    case INSN_EMULATE: arch_emit_leave(e, &final[b.n_exits]); new_exit(EXIT_EMULATE, in->pc, in->len); break;
    case INSN_REPLACED: arch_emit_leave(e, &final[b.n_exits]); new_exit(EXIT_REPLACE, in->pc, in->len); break;
    case INSN_TRAP: arch_emit_trap(e, in); break;
    }
}

/* ---- analysis calls ---- */
/* A tool is called at each iteration of a repeated instruction: those behind the first are made by the trace that begins there. */
static bool is_at_once(u32 i) { return instr_of(i) && instr_of(i)->is_at_once; }
static bool is_iterated(u32 i) { return b.has_calls && arch_is_repeated(&b.insn[i]) && !is_at_once(i); }

/* The original of a replaced routine goes on as all code does. */
static u32 own_version(void) { return b.version == VERSION_ORIGINAL ? 0 : b.version; }

/* Of what is behind instruction i, where the way out of the trace has this version so far. */
static u32 version_behind(u32 i, u32 so_far)
{
    const struct insn_request *r = instr_of(i);
    return r && r->has_version ? r->version : so_far;
}

static void emit_list(struct emit *e, u32 i, enum point p, const struct call *calls)
{
    struct site s = { b.insn, i, b.n, p, calls };
    if (calls)
        arch_emit_calls(e, &s);
}

/* The calls in their order, with the cases among them: those of another version begin the instruction anew. */
static void emit_calls(struct emit *e, u32 i, enum point p, struct exit *exits)
{
    struct call *list = (struct call *)instr_calls(i, p);
    while (list) {
        struct call *last = NULL, *c = list;
        while (c && !c->is_case)
            last = c, c = c->next;
        if (last) {
            last->next = NULL;
            emit_list(e, i, p, list);
            last->next = c;
        }
        if (c) {
            arch_emit_case(e, c->result.num, c->value, &exits[b.n_exits]);
            new_exit(EXIT_JUMP, b.insn[i].pc, 0)->version = c->version;
            c = c->next;
        }
        list = c;
    }
}

/* A branch out of the trace with calls on its way: they stand in the trace, on a detour around the rest. */
static void emit_taken(struct emit *e, u32 i, struct exit *exits)
{
    const struct insn *in = &b.insn[i];
    u8 *from = arch_emit_taken(e, in);
    note_way_out(e, in, in->target, MAP_NOT_A_START | MAP_CALLS);
    emit_calls(e, i, POINT_TAKEN, exits);
    note_way_out(e, in, in->target, 0);
    arch_emit_jump(e, &exits[b.n_exits]);
    new_exit(EXIT_JUMP, in->target, in->len);
    arch_emit_untaken(e, from);
}

static bool is_moved(u32 i) { return b.has_changes && instr_of(i) && instr_of(i)->is_moved; }
static bool is_deleted(u32 i) { return b.has_changes && instr_of(i) && instr_of(i)->is_deleted; }

static void emit_body(struct emit *e, u32 i, struct exit *exits)
{
    const struct insn *in = &b.insn[i];
    if (is_deleted(i)) {
        e->restore = 0;
    } else if (is_moved(i)) {
        if (in->kind != INSN_CALL && in->kind != INSN_PLAIN && tool_version(b.exit_version))
            arch_emit_version(e, b.exit_version);
        arch_emit_moved(e, b.insn, i, b.n, instr_of(i)->moved, &exits[b.n_exits]);
        if (in->kind == INSN_CALL)
            new_exit(EXIT_JUMP, in->target, in->len);
    } else if (is_iterated(i)) {
        e->restore = 0;
        arch_emit_iteration(e, in);
    } else if (in->kind == INSN_COND && instr_calls(i, POINT_TAKEN)) {
        emit_taken(e, i, exits);
        e->restore = 0;
    } else {
        emit_insn(e, i, exits);
    }
}

static void emit_repeat(struct emit *e, u32 i, struct exit *exits)
{
    if (!is_iterated(i) || is_deleted(i))
        return;
    arch_emit_repeat(e, &b.insn[i], &exits[b.n_exits]);
    new_exit(EXIT_JUMP, b.insn[i].pc, b.insn[i].len)->version = own_version();
}

/* A jump that the tool inserted: the trace ends there. */
static bool emit_jump_request(struct emit *e, u32 i, enum point p, struct exit *exits)
{
    const struct inserted_jump *j = instr_jump(i, p);
    if (!j)
        return false;
    if (j->is_indirect) {
        arch_emit_goto(e, j->reg);
        return true;
    }
    arch_emit_jump(e, &exits[b.n_exits]);
    new_exit(EXIT_JUMP, j->to, 0);
    return true;
}

/* What the dispatcher performs comes back through it: it makes the calls behind the instruction, too. */
static bool is_performed(u8 kind) { return kind == INSN_SYSCALL || kind == INSN_EMULATE; }

static void keep_calls_after(u32 i, struct planned_exit *x)
{
    struct site s = { b.insn, i, b.n, POINT_AFTER, instr_calls(i, POINT_AFTER) };
    if (s.calls)
        x->calls = ptr_ref(arch_keep_calls(&s));
}

/* The iterations at once, if a budget is good for all; what is emitted next is the other way. */
static void emit_at_once(struct emit *e, u32 i, struct exit *exits, struct by_budget *way)
{
    struct site s = { b.insn, i, b.n, POINT_BEFORE, instr_calls(i, POINT_BEFORE) };
    arch_emit_at_once(e, &s, way);
    b.entry[i] = (u16)b.n_map;
    jit_note_map(e, b.insn[i].pc, 0);
    emit_insn(e, i, exits);
    b.map[b.entry[i]].restore |= (u16)e->restore;
    jit_note_map(e, insn_next(&b.insn[i]), 0);
    arch_emit_repeated(e);
    arch_emit_one_by_one(e, &s, way);
    jit_note_map(e, b.insn[i].pc, 0);
}

/* Calls, the instruction, calls. Behind the first call the instruction has begun: no signal is delivered between. Calls on
 * the only way out of an unconditional transfer are made before it. */
static void emit_with_calls(struct emit *e, u32 i, struct exit *exits)
{
    const struct insn *in = &b.insn[i];
    struct by_budget way;
    bool is_by_budget = instr_of(i)->is_by_budget;
    if (is_by_budget)
        emit_at_once(e, i, exits, &way);
    u8 *start = e->p;
    u32 first = b.n_map - 1;
    emit_calls(e, i, POINT_BEFORE, exits);
    if (in->kind != INSN_COND)
        emit_calls(e, i, POINT_TAKEN, exits);
    u32 record = b.n_map, inner = e->p == start ? 0 : MAP_NOT_A_START;
    if (inner)
        b.map[first].restore |= MAP_CALLS;
    if (!inner || is_at_once(i)) {         /* the latter may be left in the middle: promote_settle */
        inner = 0;
        b.entry[i] = (u16)record;
    }
    jit_note_map(e, in->pc, inner);
    if (emit_jump_request(e, i, POINT_BEFORE, exits))
        return;
    emit_body(e, i, exits);
    b.map[record].restore |= (u16)e->restore;
    if (is_performed(in->kind) && !is_moved(i)) {
        keep_calls_after(i, &b.exit[b.n_exits - 1]);
    } else if (instr_calls(i, POINT_AFTER)) {
        jit_note_map(e, insn_next(in), MAP_NOT_A_START | MAP_CALLS);
        emit_calls(e, i, POINT_AFTER, exits);
    }
    if (is_at_once(i)) {
        jit_note_map(e, insn_next(in), 0);
        arch_emit_repeated(e);
    }
    emit_repeat(e, i, exits);
    if (is_by_budget)
        arch_emit_behind_both(e, &way);
    emit_jump_request(e, i, POINT_AFTER, exits);
}

static bool is_changed(const struct insn_request *r)
{
    return r->is_deleted || r->is_moved || r->has_version || r->jump[0].is_on || r->jump[1].is_on;
}

static u32 calls_size(u32 i)
{
    enum { CASE_SIZE = 640 };                  /* with its exit; the calls behind it are a visit of their own */
    const struct insn_request *r = instr_of(i);
    u32 n = 0;
    for (u32 p = 0; r && p < N_POINTS; p++)
        n += r->call[p] ? arch_calls_size(r->call[p]) : 0;
    for (const struct call *c = r ? r->call[POINT_BEFORE] : NULL; c; c = c->next)
        n += c->is_case ? CASE_SIZE : 0;
    return n;
}

static void emit_check(struct emit *e, u32 i)
{
    struct site s = { b.insn, i, b.n, POINT_BEFORE, NULL };
    jit_note_map(e, b.insn[i].pc, MAP_CALLS);
    arch_emit_check(e, &s);
}

/* Neighbours that are emitted as they are, and that nobody asked about: one copy, and a record for each. Where it ends. */
static u32 emit_run(struct emit *e, u32 i)
{
    const u8 *from = b.insn[i].bytes, *p = from;
    s32 moved = (s32)(e->p - b.code);
    for (; i < b.n && b.insn[i].is_as_is && b.insn[i].bytes == p && !instr_of(i); p += b.insn[i++].len) {
        b.entry[i] = (u16)b.n_map;
        b.map[b.n_map++] = (struct map_entry){ (s32)(b.insn[i].pc - b.pc), (u16)(moved + (p - from)), (u16)e->at_rest };
    }
    size_t n = (size_t)(p - from);
    if (e->p + n > e->end) {
        e->is_full = true;
        return i;
    }
    memcpy(e->p, from, n);
    e->p += n;
    b.app_bytes += (u32)n;
    return i;
}

static void emit_all(struct emit *e, struct exit *exits)
{
    b.code = e->p;
    b.n_exits = b.n_map = b.app_bytes = 0;
    b.exit_version = own_version();
    for (u32 i = 0; i < b.n; i++) {
        if (LIKELY(b.insn[i].is_as_is) && !instr_of(i) && !opt->check_state) {
            i = emit_run(e, i) - 1;
            continue;
        }
        if (UNLIKELY(opt->check_state))
            emit_check(e, i);
        u32 record = b.n_map;
        b.app_bytes += b.insn[i].len;
        b.exit_version = version_behind(i, b.exit_version);
        b.entry[i] = (u16)b.n_map;
        jit_note_map(e, b.insn[i].pc, 0);
        if (instr_of(i)) {
            emit_with_calls(e, i, exits);
            continue;
        }
        if (b.has_calls)
            emit_body(e, i, exits);
        else
            emit_insn(e, i, exits);
        b.map[record].restore |= (u16)e->restore;
        emit_repeat(e, i, exits);
    }
    if (b.falls) {
        note_way_out(e, &b.insn[b.n - 1], b.fall, 0);
        arch_emit_jump(e, &exits[b.n_exits]);
        new_exit(EXIT_JUMP, b.fall, 0);
    }
}

/* Emission noted site and stub in the exits; the rest comes from the plan. */
static void finish_exit(struct trace *t, struct exit *x, const struct planned_exit *plan)
{
    u32 site = (u32)x->target, stub = x->next_in;
    x->target = (s32)(plan->target - t->pc);
    x->next_in = 0;
    x->site = (u16)(site ? site - t->code : 0);
    x->stub = (u16)(stub ? stub - t->stub_lo : 0);
    x->kind = plan->kind;
    x->insn_len = plan->insn_len;
    if (t->has_annex)
        *exit_annex(x) = (struct annexed_exit){ plan->target, plan->version, plan->calls };
}

static void finish_exits(struct trace *t)
{
    static const struct planned_exit none;
    for (u32 i = 0; i < t->n_exits; i++)
        finish_exit(t, &trace_exits(t)[i], i < b.n_exits ? &b.exit[i] : &none);
}

static void finish_annex(struct annex *a, u32 parked, u8 arch_flags)
{
    a->version = b.version;
    a->parked = parked;
    a->moved = ptr_ref(b.has_calls ? promote_keep(b.entry, arch_counts_in_register(arch_flags)) : NULL);
}

static void finish_pages(struct trace *t)
{
    addr_t first = ROUND_DOWN(t->pc, PAGE_SIZE);
    for (u32 i = 0; i < t->n_pages; i++)
        trace_pages(t)[i].place = (u32)(b.page[i] - first) | (t->n_pages - i);
}

static u32 space_needed(void)
{
    u32 n = (b.n + 2) * (arch_info.max_emit_len + arch_info.stub_len) + 64;
    FOR_EACH_REQUEST(i, b.n)
        n += calls_size(i);
    return n + (opt->check_state ? b.n * arch_info.check_len : 0);
}

/* An application offset must fit a map entry: a trace that follows jumps too far is cut before them. */
static void cut_far_jumps(void)
{
    for (u32 i = 0; b.has_jumps && i < b.n; i++) {
        if (!is_near(b.insn[i].pc)) {
            b.n = i;
            b.fall = b.insn[i].pc;
            b.falls = true;
            return;
        }
    }
}

/* ---- what the trace will need ---- */
struct needs {
    u32 exits, maps;                       /* maps: at most */
    bool is_loop, has_far;                 /* leads back to itself; leads to a place out of reach of an exit record */
};

static bool has_expected_return(u8 kind)
{
    addr_t back = 0;
    if (kind == INSN_RET)
        caller_of(&back);
    return back != 0;
}

/* What a tool's requests at an instruction add. */
static void add_requests(struct needs *n, u32 i)
{
    const struct insn_request *r = instr_of(i);
    n->exits += is_iterated(i);
    if (!r)
        return;
    for (const struct call *c = r->call[POINT_BEFORE]; c; c = c->next)
        n->exits += c->is_case;
    n->exits += (instr_jump(i, POINT_BEFORE) != NULL) + (instr_jump(i, POINT_AFTER) != NULL);
    n->maps += (r->is_at_once ? 1 : 0) + (r->is_by_budget ? 3 : 0);
    n->maps += 1 + (r->call[POINT_AFTER] != NULL) + (b.insn[i].kind == INSN_COND && r->call[POINT_TAKEN] ? 2 : 0);
}

static void add_insn(struct needs *n, const struct insn *in)
{
    bool is_direct = in->kind == INSN_COND || in->kind == INSN_CALL;
    n->exits += is_direct || in->kind == INSN_SYSCALL || in->kind == INSN_EMULATE || in->kind == INSN_REPLACED;
    n->exits += has_expected_return(in->kind);
    n->maps += returns_here(in->kind) ? 2 : 0;           /* a call changes the state twice on its way */
    n->has_far |= is_direct && !is_near(in->target);
    n->is_loop |= in->target == b.pc && (in->kind == INSN_COND || in->kind == INSN_JUMP);
}

static struct needs survey(void)
{
    struct needs n = { .exits = b.falls, .maps = b.n + b.falls + (opt->check_state ? b.n : 0) };
    n.is_loop = b.falls && b.fall == b.pc;
    n.has_far = b.falls && !is_near(b.fall);
    for (u32 i = 0; i < b.n; i++)
        if (b.insn[i].kind != INSN_PLAIN)
            add_insn(&n, &b.insn[i]);
    for (u32 i = 0; b.has_calls && i < b.n; i++)
        add_requests(&n, i);
    return n;
}

/* See struct annex. */
static bool needs_annex(const struct needs *n) { return b.has_calls || b.version || opt->returns == RETURNS_CLONE || n->has_far; }

/* A loop's body begins at a boundary of the CPU's fetch, as compilers do it. */
static void align_loop(struct emit *e, enum entry_kind why)
{
    if (e->end - e->p < 2 * (s64)arch_info.fetch_align)
        return;
    u32 prefix = arch_prefix_len(b.pc, why, e->arch_flags);
    addr_t body = ROUND_UP((addr_t)e->p + prefix, (addr_t)arch_info.fetch_align);
    arch_fill(e->p, body - prefix - (addr_t)e->p);
    e->p = (u8 *)(body - prefix);
}

static struct trace *emit_trace(addr_t pc, enum entry_kind why)
{
    struct emit e;
    cache_begin(&e, space_needed());
    e.is_alone = is_once || is_foreign;
    if (opt->random_layout && e.p + 64 < e.end)
        e.p += random_below(64);
    struct needs n = survey();
    struct trace *t = cache_new_trace(b.n_pages, n.exits, needs_annex(&n), MAP_HEAD + n.maps * MAP_LONGEST);
    t->pc = pc;
    t->n_insns = b.n;
    stats_phase(PHASE_REGALLOC);
    t->arch_flags = e.arch_flags = arch_trace_flags(&e, b.insn, b.n, why, b.has_calls, b.has_changes, b.from);
    stats_phase(PHASE_EMIT);
    if (n.is_loop)
        align_loop(&e, why);
    u8 *start = e.p, *stubs_end = e.stub;
    arch_emit_prefix(&e, b.insn, b.n, why);
    t->prefix = (u8)(e.p - start);
    t->code = cache_offset(e.p);
    emit_all(&e, trace_exits(t));
    if (e.p - b.code > MAP_REACH || stubs_end - e.stub > MAP_REACH)
        ct_fatal("the tool's calls at the instruction at 0x%lx take %ld bytes of code; a trace may have %d: insert fewer there", pc,
                 (long)MAX(e.p - b.code, stubs_end - e.stub), MAP_REACH);
    ct_assert(!e.is_full, "a trace of %u instructions at %lx outgrew its space", b.n, pc);
    ct_assert(b.n_map <= n.maps && b.n_exits <= n.exits, "%u map records and %u exits in a trace planned for %u and %u", b.n_map,
              b.n_exits, n.maps, n.exits);
    t->size = (u16)(cache_offset(e.p) - t->code);
    t->stub_lo = cache_offset(e.stub);
    finish_exits(t);
    if (t->has_annex)
        finish_annex(trace_annex(t), e.parked, t->arch_flags);
    instr_keep_for(t);
    t->map_size = (u16)map_write(trace_map(t), b.map, b.n_map, (u16)e.at_rest);
    finish_pages(t);
    t->app_bytes = (u16)b.app_bytes;
    cache_commit(&e, t, is_once);
    if (is_foreign)
        cache_check_later(t, b.insn[0].bytes);
    if (e.is_alone)
        arch_landings_discard(e.landings);
    else
        arch_landings_commit(t, e.landings);
    return t;
}

static void cut(u32 n, bool falls)
{
    const struct insn *last = &b.insn[n - 1];
    b.n = n;
    b.falls = falls;
    b.fall = last->kind == INSN_JUMP ? last->target : insn_next(last);
}

/* A routine that is told nothing of the application's registers and memory does not know where a return address is. */
static bool is_told_nothing(const struct call *c)
{
    if (c->flags & (CALL_RETURNS | CALL_BUFFER) || c->is_case)
        return false;
    for (u32 i = 0; i < c->n_args; i++)
        switch (c->arg[i].kind) {
        case ARG_CONST: case ARG_HERE: case ARG_THREAD: case ARG_CLOCK: break;
        default: return false;
        }
    return true;
}

/* May the tool change what the instruction does, or a return address? */
static bool is_heavy(const struct view *v, u32 i)
{
    const struct insn_request *r = instr_of(i);
    if (!r)
        return false;
    for (u32 p = 0; p < N_POINTS; p++)
        for (const struct call *c = r->call[p]; c; c = c->next)
            if (!is_told_nothing(c) && !promote_takes(v, i, (enum point)p, c))
                return true;
    return is_changed(r);
}

static bool has_heavy(const struct view *v, u32 first, u32 last)
{
    for (u32 i = first; i <= last; i++)
        if (is_heavy(v, i))
            return true;
    return false;
}

static void cut_at_leaves(const struct view *v)
{
    for (u32 k = 0; k < b.n_leaves; k++) {
        if (!has_heavy(v, b.leaf[k].call, b.leaf[k].ret))
            continue;
        b.insn[b.leaf[k].call].kind = INSN_CALL;
        cut(b.leaf[k].call + 1u, returns_here(INSN_CALL));
        b.n_leaves = k;
        n_refused++;
    }
}

/* What was to go where a fixed word says (see resolve) and is changed by the tool is an indirect transfer again. */
static void resolve_no_changes(void)
{
    for (u32 i = 0; i < b.n; i++)
        if (instr_of(i) && (instr_of(i)->is_moved || instr_of(i)->is_deleted))
            arch_unresolve(&b.insn[i]);
}

/* A block's version holds for all ways out of the trace behind it; a trace goes on behind a conditional branch, but not with what
 * another transfer leads to. */
static bool ends_for_version(u32 i)
{
    return instr_of(i) && instr_of(i)->has_version && b.insn[i].kind != INSN_PLAIN && b.insn[i].kind != INSN_COND && i + 1 < b.n;
}

/* Where the tool leaves out a transfer or inserts one, the line goes on differently. */
static void cut_at_changes(void)
{
    for (u32 i = 0; i < b.n; i++) {
        u8 kind = b.insn[i].kind;
        if (instr_jump(i, POINT_BEFORE) || instr_jump(i, POINT_AFTER))
            cut(i + 1, false);
        else if (ends_for_version(i))
            cut(i + 1, kind == INSN_JUMP);
        else if (is_moved(i) && !is_deleted(i) && kind != INSN_PLAIN)
            cut(i + 1, kind == INSN_EMULATE);
        else if (is_deleted(i) && kind != INSN_PLAIN && kind != INSN_COND) {
            cut(i + 1, true);
            b.fall = insn_next(&b.insn[i]);      /* of a jump, too: it is not made */
        }
    }
}

/* Let the tool look at the trace. A trace that runs once is at an instruction that has begun already (it wrote to a
 * watched page): its calls have been made. */
static struct view view_of_trace(void) 
{
    return (struct view){ .insn = b.insn, .n = b.n, .fall = b.fall, .falls = b.falls, .version = tool_version(own_version()) };
}

static void note_requests(void)
{
    FOR_EACH_REQUEST(i, b.n) {
        b.has_calls = true;
        b.has_changes |= is_changed(instr_of(i));
    }
}

static void instrument(void)
{
    struct view v = view_of_trace();
    b.has_calls = b.has_changes = false;
    if (!instr_run(&v))
        return;
    if (is_once)
        instr_forget_before();
    note_requests();
    cut_at_leaves(&v);
    if (b.has_changes) {
        resolve_no_changes();
        cut_at_changes();
    }
    v.n = b.n;
    bool dump = b.has_calls && dump_wants(b.pc, b.insn, b.n);
    if (dump)
        dump_calls("instrumented", b.insn, b.n);
    instr_schedule(&v);
    promote_run(&v);
    if (dump)
        dump_calls("scheduled", b.insn, b.n);
}

/* A trace that its calls make too long is chosen again, shorter: the tool sees each trace as it will run. */
static bool plan(addr_t pc, struct fetch_fault *fault)
{
    enum { LONGEST = MAP_REACH - 0xfff };
    u32 most = (u32)MIN(opt->cache_block, (u64)LONGEST);
    for (u32 limit = insn_limit();; limit = MIN(limit, b.n) / 2) {
        if (!choose(pc, limit, fault))
            return false;
        cut_far_jumps();
        enum stats_phase was = stats_phase(PHASE_INSTRUMENT);
        instrument();
        stats_phase(was);
        if (b.n == 1 || limit <= 1 || space_needed() <= most)
            return true;
    }
}

static struct trace *compile(addr_t pc, enum entry_kind why, struct fetch_fault *fault)
{
    if (opt->random_layout && !random_state)
        random_state = opt->random_layout;
    serial++;
    stats_phase(PHASE_DECODE);
    bool ok = plan(pc, fault);
    stats_phase(PHASE_EMIT);
    if (!ok)
        return NULL;
    bool dump = dump_wants(pc, b.insn, b.n);
    if (dump)
        dump_insns("application", b.insn, b.n);
    struct trace *t = emit_trace(pc, why);
    if (dump)
        dump_code("cache", t, serial);
    struct view v = view_of_trace();
    if (!is_once)
        hook_trace_inserted(&v, t);
    log_event("trace %u at 0x%lx: %u instructions, %u bytes", serial, pc, b.n, t->size);
    stats.traces++;
    stats.insns += b.n;
    stats.app_bytes += t->app_bytes;
    stats.exits += t->n_exits;
    return t;
}

struct trace *jit_get(addr_t pc, u32 version, enum entry_kind why, const struct trace *from, struct fetch_fault *fault)
{
    cache_check(pc);
    struct trace *t = cache_find_version(pc, version);
    if (t && (!from || arch_suits(t, from)))
        return t;
    if (t)
        cache_invalidate_at(pc);
    is_once = is_as_plain = false;
    b.version = version;
    b.from = from;
    return compile(pc, why, fault);
}

struct trace *jit_once(addr_t pc, bool as_plain, struct fetch_fault *fault)
{
    is_once = true;
    is_as_plain = as_plain;
    b.version = 0;
    b.from = NULL;
    struct trace *t = compile(pc, ENTRY_JUMP, fault);
    is_once = is_as_plain = false;
    return t;
}
