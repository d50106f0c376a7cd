/* trace.c: make a trace: a straight line of application code with one entry and many exits. What it needs, the order of things,
 * and its entry into the cache. */
#include "base/panic.h"
#include "engine/cache/cache.h"
#include "engine/hooks.h"
#include "engine/jit/build.h"
#include "engine/jit/promote.h"
#include "engine/log.h"
#include "engine/stats.h"

struct build build;

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
        finish_exit(t, &trace_exits(t)[i], i < build.n_exits ? &build.exit[i] : &none);
}

static void finish_annex(struct annex *a, u32 binding, u8 arch_flags)
{
    a->version = build.version;
    a->binding = binding;
    a->moved = ptr_ref(build.has_calls ? promote_keep(build.entry, arch_counts_in_register(arch_flags)) : NULL);
}

static void finish_pages(struct trace *t)
{
    addr_t first = ROUND_DOWN(t->pc, PAGE_SIZE);
    for (u32 i = 1; i < t->n_pages; i++)
        trace_page(t, i)->place = (u32)(build.page[i] - first) | i;
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
    n->maps += (r->is_at_once ? 1 : 0) + (r->is_by_budget ? 4 : 0);
    n->maps += 1 + (r->call[POINT_AFTER] != NULL) + (build.insn[i].kind == INSN_COND && r->call[POINT_TAKEN] ? 2 : 0);
}

static void add_insn(struct needs *n, const struct insn *in)
{
    bool is_direct = in->kind == INSN_COND || in->kind == INSN_CALL;
    n->exits += is_direct || in->kind == INSN_SYSCALL || in->kind == INSN_EMULATE || in->kind == INSN_REPLACED;
    n->exits += has_expected_return(in->kind);
    n->maps += returns_here(in->kind) ? 2 : 0;           /* a call changes the state twice on its way */
    n->has_far |= is_direct && !is_near(in->target);
    n->is_loop |= in->target == build.pc && (in->kind == INSN_COND || in->kind == INSN_JUMP);
}

static struct needs survey(void)
{
    struct needs n = { .exits = build.falls, .maps = build.n + build.falls + (opt->check_state ? build.n : 0) };
    n.is_loop = build.falls && build.fall == build.pc;
    n.has_far = build.falls && !is_near(build.fall);
    for (u32 i = 0; i < build.n; i++)
        if (build.insn[i].kind != INSN_PLAIN)
            add_insn(&n, &build.insn[i]);
    for (u32 i = 0; build.has_calls && i < build.n; i++)
        add_requests(&n, i);
    return n;
}

/* See struct annex. */
static bool needs_annex(const struct needs *n) { return build.has_calls || build.version || opt->returns == RETURNS_CLONE || n->has_far; }

static u64 code_made;                   /* bytes of all bodies so far */

/* A loop's body begins at a boundary of the CPU's fetch, as compilers do it. Any other begins in the first half of what the CPU
 * fetches at once, or at the next boundary, so that fewer traces share a line (docs/performance.md tells what that brought). While code
 * is small, that is: programs with much of it gain nothing, and would pay in memory. */
static void align_body(struct emit *e, enum entry_kind why, bool is_loop)
{
    enum { SMALL = 1 << 20 };
    u32 line = arch_info.fetch_align;
    addr_t body = (addr_t)e->p + arch_prefix_len(e, build.pc, why), missing = ROUND_UP(body, (addr_t)line) - body;
    if (e->end - e->p < 2 * (s64)line || (!is_loop && (missing > line / 2 || code_made > SMALL)))
        return;
    e->p += missing;
}

static struct trace *emit_trace(addr_t pc, enum entry_kind why)
{
    struct emit e;
    cache_begin(&e, build.space);
    e.is_alone = build.is_once || build.is_foreign;
    if (opt->random_layout && e.p + 64 < e.end)
        e.p += build_random(64);
    struct needs n = survey();
    struct trace *t = cache_new_trace(build.n_pages, n.exits, needs_annex(&n), MAP_HEAD + n.maps * (MAP_LONGEST + (build.has_calls ? MAP_CHANGE : 0)));
    t->pc = pc;
    t->n_insns = build.n_insns;
    stats_phase(PHASE_REGALLOC);
    t->arch_flags = e.arch_flags = arch_trace_flags(&e, build.insn, build.n, why, build.has_calls, build.has_changes, build.from);
    stats_phase(PHASE_EMIT);
    align_body(&e, why, n.is_loop);
    u8 *start = e.p, *stubs_end = e.stub;
    arch_emit_prefix(&e, build.insn, build.n, why);
    t->prefix = (u8)(e.p - start);
    t->code = cache_offset(e.p);
    build_emit(&e, trace_exits(t));
    if (e.p - build.code > MAP_REACH || stubs_end - e.stub > MAP_REACH)
        ct_fatal("the tool's calls at the instruction at 0x%lx take %ld bytes of code; a trace may have %d: insert fewer there", pc,
                 (long)MAX(e.p - build.code, stubs_end - e.stub), MAP_REACH);
    ct_assert(!e.is_full, "a trace of %u instructions at %lx outgrew its space", build.n, pc);
    ct_assert(build.n_map <= n.maps && build.n_exits <= n.exits, "%u map records and %u exits in a trace planned for %u and %u",
              build.n_map, build.n_exits, n.maps, n.exits);
    t->size = (u16)(cache_offset(e.p) - t->code);
    code_made += t->size;
    t->stub_lo = cache_offset(e.stub);
    finish_exits(t);
    if (t->has_annex)
        finish_annex(trace_annex(t), e.binding, t->arch_flags);
    instr_keep_for(t);
    t->map_size = (u16)map_write(trace_map(t), build.map, build.n_map, (u16)e.at_rest, build.change);
    finish_pages(t);
    t->app_bytes = (u16)build.app_bytes;
    cache_commit(&e, t, build.is_once);
    if (build.is_foreign)
        cache_check_later(t, build.insn[0].bytes);
    if (e.is_alone)
        arch_landings_discard(e.landings);
    else
        arch_landings_commit(t, e.landings);
    return t;
}

/* A trace that its calls make too long is chosen again, shorter: the tool sees each trace as it will run. */
static bool plan(addr_t pc, struct fetch_fault *fault)
{
    enum { LONGEST = MAP_REACH - 0xfff };
    u32 most = (u32)MIN(opt->cache_block, (u64)LONGEST);
    for (u32 limit = build_limit();; limit = MIN(limit, build.n_insns) / 2) {
        if (!build_choose(pc, limit, fault))
            return false;
        enum stats_phase was = stats_phase(PHASE_INSTRUMENT);
        build_instrument();
        stats_phase(was);
        build.space = build_space();
        if (build.n_insns == 1 || limit <= 1 || build.space <= most)
            return true;
    }
}

/* A loop of several traces may be worth to make one of them anew, so that they suit each other; what is passed once is not. */
static bool is_good_enough(const struct trace *to, const struct trace *from)
{
    return !from || to->pc > from->pc || arch_suits(to, from);
}

/* Exits to traces that are there already need not wait for their first use; but for those that would have them made anew. */
static void link_exit(struct exit *x, const struct trace *from)
{
    struct trace *to = cache_find_version(exit_target(x), exit_version(x));
    if (to && is_good_enough(to, x->kind == EXIT_JUMP ? from : NULL))
        cache_link(x, to);
}

void jit_link_exits(struct trace *t)
{
    struct exit *x = trace_exits(t);
    for (u32 i = 0; i < t->n_exits; i++)
        if (x[i].kind == EXIT_JUMP || x[i].kind == EXIT_CALL)
            link_exit(&x[i], t);
}

static struct trace *compile(addr_t pc, enum entry_kind why, struct fetch_fault *fault)
{
    build.serial++;
    stats_phase(PHASE_DECODE);
    bool ok = plan(pc, fault);
    stats_phase(PHASE_EMIT);
    if (!ok)
        return NULL;
    bool dump = dump_wants(pc, build.insn, build.n);
    if (dump)
        dump_insns("application", build.insn, build.n);
    struct trace *t = emit_trace(pc, why);
    if (dump)
        dump_code("cache", t, build.serial);
    struct view v = build_view();
    if (!build.is_once)
        hook_trace_inserted(&v, t);
    if (!build.is_once && !build.is_foreign)
        jit_link_exits(t);
    log_event("trace %u at 0x%lx: %u instructions, %u bytes", build.serial, pc, build.n_insns, t->size);
    stats.traces++;
    stats.insns += build.n_insns;
    stats.app_bytes += t->app_bytes;
    stats.exits += t->n_exits;
    return t;
}

struct trace *jit_get(addr_t pc, u32 version, enum entry_kind why, const struct trace *from, struct fetch_fault *fault)
{
    cache_check(pc);
    struct trace *t = cache_find_version(pc, version);
    if (t && is_good_enough(t, from))
        return t;
    if (t)
        cache_invalidate_at(pc);
    build.is_once = build.is_as_plain = false;
    build.version = version;
    build.from = from;
    return compile(pc, why, fault);
}

struct trace *jit_once(addr_t pc, bool as_plain, struct fetch_fault *fault)
{
    build.is_once = true;
    build.is_as_plain = as_plain;
    build.version = 0;
    build.from = NULL;
    struct trace *t = compile(pc, ENTRY_JUMP, fault);
    build.is_once = build.is_as_plain = false;
    return t;
}
