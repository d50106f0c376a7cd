/* emit.c: the code of a trace, instruction by instruction, with the tool's calls around them. */
#include "base/panic.h"
#include "engine/cache/cache.h"
#include "engine/hooks.h"
#include "engine/jit/build.h"
#include "engine/jit/promote.h"

/* ---- exits and records ---- */
static struct planned_exit *new_exit(u8 kind, addr_t target, u32 insn_len)
{
    struct planned_exit *x = &build.exit[build.n_exits++];
    cache_expect(target);                      /* jit_link_exits */
    *x = (struct planned_exit){ .target = target, .kind = kind, .insn_len = (u8)insn_len, .version = build.exit_version };
    return x;
}

/* Has the arch parked something, or fetched it? */
static void note_change(const struct emit *e)
{
    if (LIKELY(e->parked == build.parked))
        return;
    build.parked = e->parked;
    build.change[build.n_changes++] = (struct map_change){ build.n_map, e->parked };
}

void jit_note_map(struct emit *e, addr_t pc, u32 restore)
{
    note_change(e);
    build.map[build.n_map++] = (struct map_entry){ (s32)(pc - build.pc), (u16)(e->p - build.code), (u16)(restore | e->at_rest), false };
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
    const struct insn *in = &build.insn[i];
    bool is_transfer = in->kind == INSN_CALL || in->kind == INSN_CALL_IND || in->kind == INSN_JUMP_IND || in->kind == INSN_RET;
    if (!is_transfer || !(tool_version(build.exit_version) || tool_version(build.version)) || !arch_can_transfer(in))
        return false;
    if (in->kind != INSN_CALL)
        arch_emit_version(e, build.exit_version);
    arch_emit_moved(e, build.insn, i, build.n, nothing_moved, &final[build.n_exits]);
    if (in->kind == INSN_CALL)
        new_exit(EXIT_JUMP, in->target, in->len);
    return true;
}

/* ---- where calls and returns lead, by the call stack ---- */
static void emit_call(struct emit *e, u32 i, struct exit *final)
{
    const struct insn *in = &build.insn[i];
    arch_emit_call(e, build.insn, i, build.n, &final[build.n_exits]);
    struct planned_exit *x = new_exit(EXIT_CALL, in->target, in->len);
    if (!tool_version(build.exit_version))
        x->version = context_push(build.version, insn_next(in));
}

static void emit_indirect(struct emit *e, u32 i, struct exit *final)
{
    const struct insn *in = &build.insn[i];
    struct prospect p = { context_of(build.version), 0, NULL };
    if (in->kind == INSN_CALL_IND) {
        p.context = context_push(build.version, insn_next(in));
    } else if (in->kind == INSN_RET) {
        u32 caller = caller_of(&p.pc);
        p.context = 0;
        p.x = &final[build.n_exits];
        if (p.pc)
            new_exit(EXIT_GUARD, p.pc, in->len)->version = caller;
    }
    arch_emit_indirect(e, build.insn, i, build.n, &p);
}

static void emit_insn(struct emit *e, u32 i, struct exit *final)
{
    const struct insn *in = &build.insn[i];
    e->restore = 0;
    if (emit_version_transfer(e, i, final))
        return;
    switch ((enum insn_kind)in->kind) {
    case INSN_PLAIN: arch_emit_plain(e, build.insn, i, build.n); break;
    case INSN_COND: arch_emit_cond(e, in, &final[build.n_exits]); new_exit(EXIT_JUMP, in->target, in->len); break;
    case INSN_JUMP: arch_emit_followed(e, in); break;
    case INSN_CALL: emit_call(e, i, final); break;
    case INSN_JUMP_IND: case INSN_CALL_IND: case INSN_RET: emit_indirect(e, i, final); break;
    case INSN_SYSCALL: arch_emit_leave(e, &final[build.n_exits]); new_exit(EXIT_SYSCALL, in->pc, in->len); break;
    case INSN_EMULATE: arch_emit_leave(e, &final[build.n_exits]); new_exit(EXIT_EMULATE, in->pc, in->len); break;
    case INSN_REPLACED: arch_emit_leave(e, &final[build.n_exits]); new_exit(EXIT_REPLACE, in->pc, in->len); break;
    case INSN_TRAP: arch_emit_trap(e, in); break;
    }
}

/* ---- analysis calls ---- */

/* Of what is behind instruction i, where the way out of the trace has this version so far. */
static u32 version_behind(u32 i, u32 so_far)
{
    const struct insn_request *r = instr_of(i);
    return r && r->has_version ? r->version : so_far;
}

static void emit_list(struct emit *e, u32 i, enum point p, const struct call *calls)
{
    struct site s = { build.insn, i, build.n, p, calls };
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
            arch_emit_case(e, c->result.num, c->value, &exits[build.n_exits]);
            new_exit(EXIT_JUMP, build.insn[i].pc, 0)->version = c->version;
            c = c->next;
        }
        list = c;
    }
}

/* A branch out of the trace with calls on its way: they stand in the trace, on a detour around the rest. */
static void emit_taken(struct emit *e, u32 i, struct exit *exits)
{
    const struct insn *in = &build.insn[i];
    u8 *from = arch_emit_taken(e, in);
    note_way_out(e, in, in->target, MAP_NOT_A_START | MAP_CALLS);
    emit_calls(e, i, POINT_TAKEN, exits);
    note_way_out(e, in, in->target, 0);
    arch_emit_jump(e, &exits[build.n_exits]);
    new_exit(EXIT_JUMP, in->target, in->len);
    arch_emit_untaken(e, from);
}

static void emit_body(struct emit *e, u32 i, struct exit *exits)
{
    const struct insn *in = &build.insn[i];
    if (is_deleted(i)) {
        e->restore = 0;
    } else if (is_moved(i)) {
        if (in->kind != INSN_CALL && in->kind != INSN_PLAIN && tool_version(build.exit_version))
            arch_emit_version(e, build.exit_version);
        arch_emit_moved(e, build.insn, i, build.n, instr_of(i)->moved, &exits[build.n_exits]);
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
    arch_emit_repeat(e, &build.insn[i], &exits[build.n_exits]);
    new_exit(EXIT_JUMP, build.insn[i].pc, build.insn[i].len)->version = own_version();
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
    arch_emit_jump(e, &exits[build.n_exits]);
    new_exit(EXIT_JUMP, j->to, 0);
    return true;
}

/* What the dispatcher performs comes back through it: it makes the calls behind the instruction, too. */
static bool is_performed(u8 kind) { return kind == INSN_SYSCALL || kind == INSN_EMULATE; }

static void keep_calls_after(u32 i, struct planned_exit *x)
{
    struct site s = { build.insn, i, build.n, POINT_AFTER, instr_calls(i, POINT_AFTER) };
    if (s.calls)
        x->calls = ptr_ref(arch_keep_calls(&s));
}

/* As many iterations at once as a budget is good for; what is emitted next makes one, if they are not all. */
static void emit_at_once(struct emit *e, u32 i, struct exit *exits, struct by_budget *way)
{
    struct site s = { build.insn, i, build.n, POINT_BEFORE, instr_calls(i, POINT_BEFORE) };
    arch_emit_at_once(e, &s, way);
    build.entry[i] = (u16)build.n_map;
    jit_note_map(e, build.insn[i].pc, 0);
    emit_insn(e, i, exits);
    build.map[build.entry[i]].restore |= (u16)e->restore;
    jit_note_map(e, build.insn[i].pc, MAP_NOT_A_START);
    arch_emit_if_all(e, &s, way);
    jit_note_map(e, insn_next(&build.insn[i]), 0);
    arch_emit_repeated(e);
    arch_emit_one_by_one(e, &s, way);
    jit_note_map(e, build.insn[i].pc, 0);
}

/* Calls, the instruction, calls. Behind the first call the instruction has begun: no signal is delivered between. Calls on
 * the only way out of an unconditional transfer are made before it. */
static void emit_with_calls(struct emit *e, u32 i, struct exit *exits)
{
    const struct insn *in = &build.insn[i];
    struct by_budget way;
    bool is_by_budget = instr_of(i)->is_by_budget;
    if (is_by_budget)
        emit_at_once(e, i, exits, &way);
    u8 *start = e->p;
    u32 first = build.n_map - 1;
    emit_calls(e, i, POINT_BEFORE, exits);
    if (in->kind != INSN_COND)
        emit_calls(e, i, POINT_TAKEN, exits);
    u32 record = build.n_map, inner = e->p == start ? 0 : MAP_NOT_A_START;
    if (inner)
        build.map[first].restore |= MAP_CALLS;
    if (!inner || is_at_once(i)) {         /* the latter may be left in the middle: promote_settle */
        inner = 0;
        build.entry[i] = (u16)record;
    }
    jit_note_map(e, in->pc, inner);
    if (emit_jump_request(e, i, POINT_BEFORE, exits))
        return;
    emit_body(e, i, exits);
    build.map[record].restore |= (u16)e->restore;
    if (is_performed(in->kind) && !is_moved(i)) {
        keep_calls_after(i, &build.exit[build.n_exits - 1]);
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

static void emit_check(struct emit *e, u32 i)
{
    struct site s = { build.insn, i, build.n, POINT_BEFORE, NULL };
    jit_note_map(e, build.insn[i].pc, MAP_CALLS);
    arch_emit_check(e, &s);
}

/* Where the neighbours end that are emitted as they are, and that nobody asked about. */
static u32 run_end(u32 i, u32 end)
{
    const u8 *p = build.insn[i].bytes;
    if (instr_count)
        end = instr_next(i, end);
    while (i < end && build.insn[i].is_as_is && build.insn[i].bytes == p)
        p += build.insn[i++].len;
    return i;
}

/* Each needs a record of its own in a trace with calls (promote_settle), and where the tool asks for places in the cache. */
static void note_each(struct emit *e, u32 i, u32 end)
{
    s32 moved = (s32)(e->p - build.code) - (s32)build.insn[i].pc;
    note_change(e);
    for (; i < end; i++) {
        build.entry[i] = (u16)build.n_map;
        build.map[build.n_map++] =
            (struct map_entry){ (s32)(build.insn[i].pc - build.pc), (u16)(moved + (s32)build.insn[i].pc), (u16)e->at_rest, false };
    }
}

/* One copy for all. Where it ends. */
static u32 emit_run(struct emit *e, u32 i)
{
    const u8 *from = build.insn[i].bytes;
    u32 first = i;
    i = run_end(i, MIN(build.n, e->next_end));
    size_t n = (size_t)(build.insn[i - 1].bytes + build.insn[i - 1].len - from);
    if (build.has_calls || hooks.trace_inserted) {
        note_each(e, first, i);
    } else {
        jit_note_map(e, build.insn[first].pc, 0);
        build.map[build.n_map - 1].is_run = i - first > 1 || build.insn[first].count > 1;
    }
    if (e->p + n > e->end) {
        e->is_full = true;
        return i;
    }
    memcpy(e->p, from, n);
    e->p += n;
    build.app_bytes += (u32)n;
    return i;
}

void build_emit(struct emit *e, struct exit *exits)
{
    build.code = e->p;
    build.n_exits = build.n_map = build.app_bytes = build.n_changes = build.parked = 0;
    build.exit_version = own_version();
    for (u32 i = 0; i < build.n; i++) {
        if (UNLIKELY(i == e->next_end))
            arch_emit_between(e, build.insn, i, build.n);
        if (LIKELY(build.insn[i].is_as_is) && !instr_of(i) && !opt->check_state) {
            i = emit_run(e, i) - 1;
            continue;
        }
        if (UNLIKELY(opt->check_state))
            emit_check(e, i);
        u32 record = build.n_map;
        build.app_bytes += build.insn[i].len;
        build.exit_version = version_behind(i, build.exit_version);
        build.entry[i] = (u16)build.n_map;
        jit_note_map(e, build.insn[i].pc, 0);
        if (instr_of(i)) {
            emit_with_calls(e, i, exits);
            continue;
        }
        if (build.has_calls)
            emit_body(e, i, exits);
        else
            emit_insn(e, i, exits);
        build.map[record].restore |= (u16)e->restore;
        emit_repeat(e, i, exits);
    }
    if (build.falls) {
        note_way_out(e, &build.insn[build.n - 1], build.fall, 0);
        arch_emit_jump(e, &exits[build.n_exits]);
        new_exit(EXIT_JUMP, build.fall, 0);
    }
    build.change[build.n_changes].at = build.n_map;
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

u32 build_space(void)
{
    u32 n = (build.n_insns + 2) * (arch_info.max_emit_len + arch_info.stub_len) + 64;
    FOR_EACH_REQUEST(i, build.n)
        n += calls_size(i);
    return n + (opt->check_state ? build.n * arch_info.check_len : 0);
}
