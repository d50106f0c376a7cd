/* choose.c: which instructions make a trace: a straight line of application code.
 *
 * It ends at a transfer that has no fall-through, at a limit of conditional branches, or of instructions. Direct jumps
 * are followed into code that has no trace yet, so that the line goes on without a taken branch. */
#include "base/panic.h"
#include "engine/cache/cache.h"
#include "engine/emulate/memory.h"
#include "engine/emulate/planted.h"
#include "engine/emulate/signal.h"
#include "engine/emulate/smc.h"
#include "engine/hooks.h"
#include "engine/jit/build.h"

enum { MAX_TRAP = 8 };                     /* bytes of a breakpoint, on any CPU */

u32 build_random(u32 n)
{
    static u64 state;
    if (!state)
        state = opt->random_layout;
    state = state * 6364136223846793005ull + 1442695040888963407ull;
    return (u32)(state >> 33) % n;
}

static bool is_in_trace(addr_t pc)
{
    for (u32 i = 0; i < build.n; i++)
        if (pc - build.insn[i].pc < build.insn[i].len)
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

u32 build_limit(void)
{
    if (build.serial < opt->trace_from || build.serial > opt->trace_to)
        return 1;
    if (build.is_once)
        return 1;
    u32 limit = (u32)MIN(MIN(opt->max_trace_ins, (u64)MAX_INSNS), most_that_fit());
    return opt->random_layout ? 1 + build_random(limit) : limit;
}

static bool ends_trace(u8 kind) { return kind != INSN_PLAIN && kind != INSN_COND && !returns_here(kind); }

static bool note_page(addr_t page)
{
    if (LIKELY(build.n_pages && build.page[build.n_pages - 1] == page))
        return true;
    for (u32 i = 0; i < build.n_pages; i++)
        if (build.page[i] == page)
            return true;
    if (build.n_pages == MAX_PAGES)
        return false;
    build.page[build.n_pages++] = page;
    return true;
}

static bool note_pages(addr_t first, addr_t last)
{
    if (LIKELY(build.n_pages && ((first - build.page[build.n_pages - 1]) | (last - build.page[build.n_pages - 1])) < PAGE_SIZE))
        return true;
    return note_page(ROUND_DOWN(first, PAGE_SIZE)) && note_page(ROUND_DOWN(last, PAGE_SIZE));
}

/* A transfer through a word that cannot change goes where the word says: calls of other libraries in a program that is linked
 * when it starts. */
static bool resolve(struct insn *in)
{
    addr_t slot, to;
    if (build.version || build.is_once || opt->no_leaves || !arch_transfer_slot(in, &slot) || !mem_constant(slot, &to))
        return true;
    in->kind = in->kind == INSN_CALL_IND ? INSN_CALL : INSN_JUMP;
    in->target = to;
    return note_pages(slot, slot + sizeof to - 1);
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
    if (bytes && build.is_as_plain && in->kind == INSN_EMULATE)
        in->kind = INSN_PLAIN;
    if (!bytes || !note_pages(pc, pc + in->len - 1))
        return false;
    return (in->kind != INSN_JUMP_IND && in->kind != INSN_CALL_IND) || resolve(in);
}

static bool may_follow(addr_t target, u32 limit)
{
    return build.n_insns < limit && limit > 1 && !build.is_foreign && !is_in_trace(target) &&
           !cache_find_version(target, context_of(build.version));
}

/* Code that others may write and code that they may not are never in one trace. */
static bool leaves_kind(addr_t pc)
{
    const struct insn *last = &build.insn[build.n - 1];
    return pc / PAGE_SIZE != last->pc / PAGE_SIZE && smc_is_foreign(pc) != build.is_foreign;
}

/* ---- short routines ----
 * A call of a short routine that calls nothing and writes no memory need not be left: the routine stands in the trace, and
 * behind it what the call returns to. The return address is pushed and popped as always. Nothing can have changed it
 * meanwhile, so the return need not look at it: a signal or a fault on the way goes on in a trace that begins there, and that
 * one looks. A tool could change it: where it asks for more than sums and records, the trace ends at the call after all. A
 * program that is translated for real calls has none: there it did not pay. */
enum { LEAF_MOST = 12, REFUSED_MOST = 64 };

static bool may_have_leaves(u32 limit)
{
    return build.n_refused < REFUSED_MOST && !build.version && !opt->no_leaves && !arch_counts_calls() && !build.is_foreign &&
           build.n_insns + 1 < limit;
}

/* The last instruction is a call: is it of such a routine? Then it and the routine's return are jumps from here to there. */
static bool read_leaf(u32 limit, struct fetch_fault *fault)
{
    struct insn *call = &build.insn[build.n - 1], *in = call + 1, *end = in + MIN((u32)LEAF_MOST, limit - build.n_insns);
    for (addr_t pc = call->target; in < end && !smc_is_foreign(pc) && !replace_is_at(pc) && decode_one(pc, in, fault); in++) {
        enum leaf_part part = arch_leaf_part(in);
        if (part == LEAF_RETURN) {
            build.has_jumps = true;
            call->kind = in->kind = INSN_JUMP;
            in->target = insn_next(call);
            build.leaf[build.n_leaves].call = (u16)(build.n - 1);
            build.leaf[build.n_leaves++].ret = (u16)(in - build.insn);
            build.n_insns += (u32)(in - call);
            build.n = (u32)(in + 1 - build.insn);
            return true;
        }
        if (part == LEAF_NO && in->kind != INSN_COND && in->kind != INSN_JUMP)
            return false;
        pc = in->kind == INSN_JUMP ? in->target : insn_next(in);
    }
    return false;
}

/* A look at its first bytes spares most routines the rest. If they change meanwhile, that is no harm. */
static bool has_frame(addr_t routine)
{
    u8 beginning[FRAME_BYTES];
    return mem_copy_safely(beginning, (void *)routine, sizeof beginning) && arch_begins_frame(beginning);
}

/* Most routines are none, and are called from several places: what was found is kept. A wrong answer costs time, not more. */
static bool take_leaf(u32 limit, struct fetch_fault *fault)
{
    enum { KNOWN = 512 };                  /* a page */
    static addr_t other[KNOWN];
    addr_t target = build.insn[build.n - 1].target, *known = &other[(target >> 4 ^ target >> 16) % KNOWN];
    u32 n_pages = build.n_pages;
    if (*known == target)
        return false;
    if (!has_frame(target) && read_leaf(limit, fault))
        return true;
    *known = target;
    build.n_pages = n_pages;
    return false;
}

/* An application offset must fit a map entry: a trace that follows jumps too far is cut before them. */
static void cut_far_jumps(void)
{
    for (u32 i = 0; build.has_jumps && i < build.n; i++) {
        if (!is_near(build.insn[i].pc)) {
            for (u32 k = i; k < build.n; k++)
                build.n_insns -= build.insn[k].count;
            build.n = i;
            build.fall = build.insn[i].pc;
            build.falls = true;
            return;
        }
    }
}

/* ---- plain code ----
 * Without a tool nobody asks about it: a piece of it is one entry. */
static bool may_skim(void)
{
    return !hooks.instrument && !hooks.trace_inserted && !replace_count && !opt->check_state && !opt->dump_trace[0] && opt->indirect != INDIRECT_SHADOW &&
           !build.is_once;
}

/* As much of it as follows, and the branch behind it. The last of what was taken; NULL: there is none here. */
static struct insn *skim(addr_t pc, u32 limit, struct fetch_fault *fault)
{
    enum { MOST = 255 };                   /* bytes, and so instructions */
    addr_t at = pc - fetch_window.pc;
    u32 avail = fetch_window.len - (u32)at, to_page = (u32)(PAGE_SIZE - pc % PAGE_SIZE), n, branch;
    const u8 *bytes = LIKELY(at < fetch_window.len) ? fetch_window.bytes + at : fetch_at(pc, &avail, fault);
    if (!bytes)
        return NULL;
    avail = MIN(MIN(avail, to_page), (u32)MOST);
    u32 len = arch_skim(bytes, avail, limit - build.n_insns, &n, &branch);
    if (!(len | branch) || !note_page(ROUND_DOWN(pc, PAGE_SIZE)))
        return NULL;
    struct insn *in = &build.insn[build.n], *last = NULL;
    if (len) {
        *in = (struct insn){ .pc = pc, .len = (u8)len, .kind = INSN_PLAIN, .is_as_is = true, .count = (u8)n, .bytes = bytes };
        build.n_insns += n;
        last = in++;
    }
    if (branch && arch_skim_branch(branch, bytes + len, avail - len, pc + len, in)) {
        build.n_insns++;
        last = in++;
    }
    build.n = (u32)(in - build.insn);
    return last;
}

/* ---- any other code ---- */
static struct insn *decode_next(addr_t pc, struct fetch_fault *fault)
{
    struct insn *in = &build.insn[build.n];
    bool is_replaced = replace_is_at(pc) && !(build.n == 0 && build.version == VERSION_ORIGINAL);
    if ((is_replaced && build.n) || !decode_one(pc, in, fault))
        return NULL;
    if (is_replaced) {
        in->kind = INSN_REPLACED;
        in->is_as_is = false;
    }
    if (UNLIKELY(arch_sets_odd_flags(in))) {
        arch_expect_odd_flags(NULL);
        cache_flush_all();                 /* before anything of this trace is placed */
    }
    build.n++;
    build.n_insns++;
    return in;
}

bool build_choose(addr_t pc, u32 limit, struct fetch_fault *fault)
{
    u32 conds = 0;      /* a call that comes back here makes room for new branches, unless code is to stay small */
    bool is_block_start = false;
    build.n = build.n_insns = build.n_pages = build.n_leaves = 0;
    build.pc = pc;
    build.falls = true;
    build.has_jumps = false;
    fetch_start(!build.is_once);
    build.is_foreign = !build.is_once && smc_is_foreign(pc);
    if (build.is_foreign && smc_is_unwatched(pc))
        limit = 1;                         /* it may change its own next instruction */
    bool skims = limit > 1 && may_skim();
    while (build.n_insns < limit) {
        if (build.n && leaves_kind(pc))
            break;
        if (build.n && is_block_start && cache_find_version(pc, context_of(build.version)))
            break;                         /* go on in the trace that is there already: hot code stays small */
        struct insn *in = skims ? skim(pc, limit, fault) : NULL;
        if (!in && !(in = decode_next(pc, fault)))
            break;
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
            build.has_jumps = true;
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
            build.falls = in->kind == INSN_TRAP;
            break;
        }
        if (build.is_foreign && in->kind != INSN_PLAIN)
            break;
        if (returns_here(in->kind)) {
            conds = arch_counts_calls() ? conds + 1 : 0;
            if (conds >= opt->max_trace_bbl)
                break;
        }
        if (in->kind == INSN_COND && (++conds >= opt->max_trace_bbl || (in->target == build.pc && instr_is_on())))
            break;                         /* under a tool a loop is a trace by itself: promote.h */
    }
    build.fall = pc;
    cut_far_jumps();
    return build.n > 0;
}
