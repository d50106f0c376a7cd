/* landing.c: see landing.h.
 *  (1) The newest landing of a slot is its head, and the table holds the head's code; each landing's miss leads to the next
 *      one's code; the last one's to the dispatcher.
 *  (2) Table entries and misses change by one aligned store, under the cache lock; branches read them without.
 *  (3) A landing's code stays until its trace is reclaimed, so a branch that has read an entry can still go there. */
#include "arch/x86/cpu.h"
#include "arch/x86/context.h"
#include "arch/x86/junction.h"
#include "arch/x86/park.h"
#include "arch/x86/r11.h"
#include "arch/x86/restore.h"
#include "arch/x86/returns.h"
#include "base/heap.h"
#include "base/panic.h"
#include "base/sys.h"
#include "engine/cache/cache.h"
#include "engine/engine.h"
#include "engine/thread.h"
#include "engine/jit/promote.h"

bool x86_has_tables, x86_has_sites, x86_precall;

bool x86_has_adapted, x86_has_shadows;
static bool may_adapt;
static u32 n_landings;
static u64 started;                    /* CPU time of the process then */

extern u8 x86_table_miss[], x86_return_miss[], x86_junction_hash[];

/* Where a landing goes on that is not the right one: a jump that changes by one aligned store, and whose it is. */
struct miss { u8 jump[8]; ref_t landing; } __attribute__((packed));

/* A landing compares by adding: rcx = r11 - pc. An address below 2 GB is part of the one instruction, any other takes two.
 *
 * jrcxz is the only branch that looks at no flag, and it is taken if the landing is the right one. For Intel's CPUs a branch that is
 * taken is two cycles, a third of a small interpreter's round. There another form is *straight*: adox changes no flag but OF, and adds
 * it to its sum, where it can be found again.
 *     mov rcx, -2 * pc; lea rcx, [rcx+r11*2]         twice the difference: even
 *     adox rcx, [-2]; jo miss                        rcx = -2 + OF, without a carry, if there is none
 *     adox rcx, [1]                                  a carry, if OF was set
 * and where it is missed: rorx rcx, rcx, 1; adox rcx, rcx, for OF is the lowest bit. It is
 * twice as long, so a short program has none. */
enum { LOW_LEN = 7, FAR_ADD_LEN = 10 + 4, TEST_LEN = 2, JUMP_LEN = 5, RELOAD_LEN = 9 };
enum { LOW_TWICE_LEN = 7 + 4, ADOX_LEN = 10, JO_LEN = 6, MEND_LEN = 12 };
static bool has_straight;
static bool is_low(addr_t pc) { return pc <= 0x7fffffff; }
static bool is_low_twice(addr_t pc) { return pc <= 0x3fffffff; }
static u32 add_len(addr_t pc) { return is_low(pc) ? LOW_LEN : FAR_ADD_LEN; }
static u32 straight_len(addr_t pc) { return (is_low_twice(pc) ? LOW_TWICE_LEN : FAR_ADD_LEN) + 2 * ADOX_LEN + JO_LEN + RELOAD_LEN; }
static u32 landing_len(addr_t pc) { return has_straight ? straight_len(pc) : add_len(pc) + TEST_LEN + JUMP_LEN + RELOAD_LEN; }

static const u8 *default_miss(u32 kind)
{
    if (kind == LAND_JUMP)
        return x86_hash_is_used() ? x86_junction_hash : x86_table_miss;
    return x86_return_miss;
}
/* An empty entry for returns is 0, since few are ever used, and a return through it faults (arch_mend_stray_pc). */
static bool is_return_table_full;
static u64 empty_entry(u32 kind)
{
    return kind == LAND_JUMP ? (u64)x86_table_miss : is_return_table_full ? (u64)default_miss(kind) : 0;
}

static u32 index_of(u32 kind, addr_t pc)
{
    return kind == LAND_RETURN && x86_fast_pext() ? (u32)(pc >> 2) & (MAX_RETURN_SLOTS - 1) : (u16)pc;
}
static u64 *slot_of(u32 kind, addr_t pc)
{
    return (u64 *)(kind == LAND_JUMP ? TABLE_JUMP : TABLE_RETURN) + index_of(kind, pc);
}
/* The record of a landing is found from its code, by the way that it goes when it is not the right one. */
static ref_t head_of(u32 kind, addr_t pc)
{
    u64 entry = *slot_of(kind, pc);
    if (!entry || entry == empty_entry(kind))
        return 0;
    enum { LOW_FIRST = 0x49, LOW_TWICE_SECOND = 0xc7, TWICE = 0x59 };   /* bytes: of lea, of mov, the last one of lea */
    const u8 *code = (const u8 *)entry, *end = code + (code[0] == LOW_FIRST ? LOW_LEN : code[1] == LOW_TWICE_SECOND ? LOW_TWICE_LEN : FAR_ADD_LEN);
    bool is_straight = code[0] != LOW_FIRST && end[-1] == TWICE;
    end += is_straight ? ADOX_LEN + JO_LEN : TEST_LEN + JUMP_LEN;
    s32 rel;
    memcpy(&rel, end - 4, 4);
    return ((const struct miss *)(end + rel + (is_straight ? MEND_LEN : 0)))->landing;
}

static void fill_jump_table(void)
{
    u64 *t = (u64 *)TABLE_JUMP;
#pragma GCC unroll 8
    for (u32 i = 0; i < JUMP_SLOTS; i++)
        __atomic_store_n(&t[i], (u64)x86_table_miss, __ATOMIC_RELEASE);
}

static addr_t tables_end = TABLE_SHARED_END;

/* local, guard, chain, in this order; what comes behind it has chains, too. */
static s32 chain_length(u32 scheme, u32 local)
{
    return scheme < local ? NO_JUNCTION : scheme == local ? 0 : scheme == local + 1 ? 1 : (s32)opt->chain;
}

static void choose_junctions(void)
{
    x86_has_shadows = opt->indirect == INDIRECT_SHADOW;
    u32 jumps = x86_has_shadows ? INDIRECT_GUARD : opt->indirect;
    x86_chain[BRANCH_JUMP] = x86_chain[BRANCH_CALL] = chain_length(jumps, INDIRECT_LOCAL);
    x86_chain[BRANCH_RETURN] = chain_length(opt->returns, RETURNS_LOCAL);
    if (x86_chain[BRANCH_JUMP] != NO_JUNCTION || x86_chain[BRANCH_RETURN] != NO_JUNCTION)
        tables_end = TABLES_LOCAL_END;
}

static u64 cpu_time(void)
{
    enum { OF_PROCESS = 2 };
    u64 t[2] = { 0, 0 };                          /* seconds, nanoseconds */
    sys2(__NR_clock_gettime, OF_PROCESS, t);
    return t[0] * 1000000000 + t[1];
}

/* A launcher that gives up an attach unmaps what is on record. */
static bool map_tables(void)
{
    struct handoff *h = engine_handoff;
    __atomic_store_n(&h->is_mapping, 1, __ATOMIC_SEQ_CST);
    bool ok = !sys_failed(sys_mmap_fixed(TABLE_JUMP, tables_end - TABLE_JUMP, K_PROT_READ | K_PROT_WRITE));
    if (ok) {
        h->tables_lo = TABLE_JUMP;
        h->tables_hi = tables_end;
    }
    __atomic_store_n(&h->is_mapping, 0, __ATOMIC_SEQ_CST);
    return ok;
}

void x86_landing_init(void)
{
    may_adapt = opt->returns == RETURNS_AUTO && !opt->strict;
    started = may_adapt ? cpu_time() : 0;
    x86_names_branches = opt->strict || opt->stats;
    choose_junctions();
    if (opt->indirect == INDIRECT_HASH)
        return;
    if (!map_tables())
        return;                                   /* the program itself lives there: the hash serves */
    x86_has_tables = true;
    x86_precall = opt->returns == RETURNS_PRECALL && !opt->strict && x86_returns_init();
    x86_has_sites = x86_precall || opt->returns == RETURNS_SITE;
    sys3(__NR_madvise, TABLE_JUMP, JUMP_SLOTS * 8, K_MADV_POPULATE_WRITE);
    fill_jump_table();
    *(u32 *)TABLE_MASK = (u32)(MAX_RETURN_SLOTS - 1) << 2;
    if (tables_end == TABLES_LOCAL_END)
        x86_junction_init();
}

/* CPU time, since a program that waits for the CPU has not run; asked for now and then. */
static bool has_run_long(void)
{
    enum { LONG = 150000000, SOMETIMES = 1 << 24 };                   /* nanoseconds; ticks */
    static u64 asked;
    if (clock_ticks() - asked < SOMETIMES)
        return false;
    asked = clock_ticks();
    return cpu_time() - started >= LONG;
}

/* Too many places behind calls for their table. */
static bool gives_up_sites(void)
{
    if (LIKELY(!x86_precall || !x86_returns_overflowed()))
        return false;
    x86_has_sites = x86_precall = x86_has_adapted = false;
    return true;
}

/* More than any CPU's indirect predictor holds, in a program that will run long enough for a second translation: it has run for a while,
 * or it has so many that it is a large one at work and not one that starts (Python, node: 14,000 to 19,000). */
static bool has_many_targets(void)
{
    enum { MANY = 8192, VERY_MANY = 20000 };
    if (opt->adapt_after)
        return n_landings >= opt->adapt_after;
    return n_landings >= VERY_MANY || (n_landings >= MANY && has_run_long());
}

bool arch_adapts(bool is_worth_it)
{
    if (gives_up_sites())
        return true;
    if (!may_adapt || !is_worth_it || !x86_has_tables || !has_many_targets())
        return false;
    may_adapt = false;
    return x86_has_sites = x86_precall = x86_has_adapted = x86_returns_init();
}

/* A tracer would see the fault: from now on there is none. */
void arch_avoid_faults(void)
{
    u64 *t = (u64 *)TABLE_RETURN;
    if (!x86_has_tables || is_return_table_full || opt->returns != RETURNS_SITE)
        return;
    is_return_table_full = true;
    for (u32 i = 0; i < MAX_RETURN_SLOTS; i++)
        if (!t[i])
            __atomic_store_n(&t[i], empty_entry(LAND_RETURN), __ATOMIC_RELEASE);
}

/* ---- records ---- */
static void patch(u32 site, const u8 *to)
{
    u8 *p = cache_ptr(site);
    __atomic_store_n((u32 *)p, (u32)((addr_t)to - ((addr_t)p + 4)), __ATOMIC_RELEASE);
}

static const u8 *code_of(ref_t landing, u32 kind)
{
    struct landing *l = ref_ptr(landing);
    return l ? cache_ptr(l->code) : default_miss(kind);
}

/* A slot may have many: addresses that differ in their upper bits only, such as those of a routine on each page. From some number on
 * they are looked for in the hash, behind the last one. */
static void lead_to_hash(struct landing *head)
{
    struct landing *last = head;
    while (last->next)
        last = ref_ptr(last->next);
    patch(last->miss, x86_junction_hash);
    head->leads_to_hash = true;
}

static void publish(struct trace *t, struct landing *l)
{
    enum { MANY = 12 };
    struct landing *head = ref_ptr(head_of(l->kind, l->pc));
    if (head && head->depth >= MANY && l->kind == LAND_JUMP) {
        l->target = ptr_ref(x86_hash_add(t));
        if (!head->leads_to_hash)
            lead_to_hash(head);
        return;
    }
    l->depth = head ? (u8)MIN(head->depth + 1, 255) : 1;
    l->next = ptr_ref(head);
    patch(l->miss, code_of(l->next, l->kind));
    __atomic_store_n(slot_of(l->kind, l->pc), (u64)cache_ptr(l->code), __ATOMIC_RELEASE);
}

static void withdraw(struct landing *l)
{
    const u8 *next = code_of(l->next, l->kind);
    struct landing *head = ref_ptr(head_of(l->kind, l->pc));
    if (head == l) {
        u64 entry = l->next ? (u64)next : empty_entry(l->kind);
        __atomic_store_n(slot_of(l->kind, l->pc), entry, __ATOMIC_RELEASE);
        return;
    }
    for (struct landing *p = head; p; p = ref_ptr(p->next))
        if (ref_ptr(p->next) == l) {
            p->next = l->next;
            patch(p->miss, next);
            return;
        }
}

static void give_to_trace(struct trace *t, struct landing *l)
{
    l->next_of_trace = t->landings;
    __atomic_store_n(&t->landings, ptr_ref(l), __ATOMIC_RELEASE);
}

/* Not while a trace is being made: how long a landing is, is asked before it is emitted. */
static void consider_straight(void)
{
    enum { MANY = 512 };                          /* /bin/true has 440 */
    static bool is_known;
    bool is_tested = opt->random_layout & 4;
    if (LIKELY(is_known || (n_landings < MANY && !is_tested)))
        return;
    is_known = true;
    has_straight = (x86_has_slow_jumps() || is_tested) && x86_has_adx();
}

void arch_landings_commit(struct trace *t, struct landing *list)
{
    consider_straight();
    for (struct landing *l = list, *next; l; l = next) {
        next = ref_ptr(l->next_of_trace);
        give_to_trace(t, l);
        if (l->kind == LAND_JUNCTION)
            x86_junction_commit(l, t);
        else
            publish(t, l);
    }
    x86_sites_commit(t);
}

static void free_record(struct landing *l)
{
    if (l->kind == LAND_JUNCTION)
        x86_junction_free(l);
    else {
        x86_hash_free(ref_ptr(l->target));
        heap_free(l, sizeof *l);
    }
}

void arch_landings_discard(struct landing *list)
{
    for (struct landing *l = list, *next; l; l = next) {
        next = ref_ptr(l->next_of_trace);
        if (l->kind != LAND_JUNCTION)
            patch(l->miss, default_miss(l->kind));
        free_record(l);
    }
}

void arch_landings_remove(struct trace *t)
{
    x86_hash_remove(t);
    x86_returns_remove(t);
    for (struct landing *l = ref_ptr(t->landings); l; l = ref_ptr(l->next_of_trace)) {
        if (l->kind == LAND_JUNCTION)
            x86_junction_remove(l);
        else if (l->kind != LAND_PIECE)
            withdraw(l);
        if (l->is_piece)
            cache_piece_release(cache_ptr(l->code));
        l->is_piece = false;
    }
}

void arch_landings_free(struct trace *t)
{
    for (struct landing *l = ref_ptr(t->landings), *next; l; l = next) {
        next = ref_ptr(l->next_of_trace);
        free_record(l);
    }
    t->landings = 0;
}

/* A flush takes the landings of each trace that it retires. */
void arch_landings_forget(struct trace *t)
{
    for (struct landing *l = ref_ptr(t->landings); l; l = ref_ptr(l->next_of_trace)) {
        l->is_piece = false;
        if (l->kind == LAND_JUNCTION)
            x86_junction_forget(l);
        if (l->kind >= N_TABLES)
            continue;
        __atomic_store_n(slot_of(l->kind, l->pc), empty_entry(l->kind), __ATOMIC_RELEASE);
        patch(l->miss, default_miss(l->kind));
    }
}

void arch_landings_clear(void)
{
    x86_hash_clear();
    x86_returns_clear();
}

void arch_landings_wipe(void)
{
    u64 *t = (u64 *)TABLE_RETURN;
    if (!x86_has_tables)
        return;
    fill_jump_table();
    if (opt->returns != RETURNS_SITE)
        return;
    for (u32 i = 0; i < MAX_RETURN_SLOTS; i++)
        if (t[i])
            __atomic_store_n(&t[i], empty_entry(LAND_RETURN), __ATOMIC_RELEASE);
}

/* ---- code ---- */
static struct miss *new_landing(struct emit *e, u32 kind, addr_t pc)
{
    struct landing *l = heap_alloc(sizeof *l);
    n_landings++;
    l->pc = pc;
    l->kind = (u8)kind;
    l->code = cache_offset(e->p);
    l->next_of_trace = ptr_ref(e->landings);
    e->landings = l;
    u32 slack = (u32)((addr_t)e->stub - sizeof(struct miss)) & 7, mend = has_straight ? MEND_LEN : 0;
    u8 *at = take_stub(e, mend + (u32)sizeof(struct miss) + slack);
    struct miss *m = (struct miss *)(at + mend);
    if (at) {
        memcpy(at, "\xc4\xe3\xfb\xf0\xc9\x01\xf3\x48\x0f\x38\xf6\xc9", mend);   /* rorx rcx, rcx, 1; adox rcx, rcx */
        *m = (struct miss){ { 0xe9 }, ptr_ref(l) };
        l->miss = cache_offset(m->jump + 1);
        patch(l->miss, default_miss(kind));
    }
    return at ? m : NULL;
}

/* rcx = r11 - pc, and no flag changes. */
static void put_difference(struct emit *e, addr_t pc)
{
    if (is_low(pc)) {
        put_bytes(e, "\x49\x8d\x8b", 3);          /* lea rcx, [r11-pc] */
        put32(e, (u32)-pc);
    } else {
        put_bytes(e, "\x48\xb9", 2);              /* mov rcx, -pc */
        put64(e, -pc);
        put_bytes(e, "\x4a\x8d\x0c\x19", 4);      /* lea rcx, [rcx+r11] */
    }
}

static void put_twice_difference(struct emit *e, addr_t pc)
{
    if (is_low_twice(pc)) {
        put_bytes(e, "\x48\xc7\xc1", 3);          /* mov rcx, -2 * pc */
        put32(e, (u32)(-2 * pc));
    } else {
        put_bytes(e, "\x48\xb9", 2);
        put64(e, -2 * pc);
    }
    put_bytes(e, "\x4a\x8d\x0c\x59", 4);          /* lea rcx, [rcx+r11*2] */
}

static void put_adox(struct emit *e, const u64 *constant)
{
    put_bytes(e, "\xf3\x48\x0f\x38\xf6\x0d", 6);  /* adox rcx, [rip+constant] */
    put_rel32(e, (const u8 *)constant);
}

static void put_straight(struct emit *e, addr_t pc, const u8 *miss)
{
    static const u64 minus_2 = -2ull, plus_1 = 1;
    put_twice_difference(e, pc);
    put_adox(e, &minus_2);
    put_bytes(e, "\x0f\x80", 2);                  /* jo */
    put_rel32(e, miss);
    put_adox(e, &plus_1);
}

/* The address that the branch wants is in r11; rcx is free, it is parked in slot 1. Flags may be live: those of the right target,
 * and those of a target that is not known yet. */
static void put_landing(struct emit *e, u32 kind, addr_t pc)
{
    struct miss *miss = new_landing(e, kind, pc);
    if (e->is_full)
        return;
    if (has_straight) {
        put_straight(e, pc, miss->jump - MEND_LEN);
    } else {
        put_difference(e, pc);
        put8(e, 0xe3);                            /* jrcxz over the miss */
        put8(e, JUMP_LEN);
        put_jump(e, miss->jump);
    }
    put_load_tls(e, RCX, AT_SLOT(1));
}

void put_jump_landing(struct emit *e, addr_t pc) { put_landing(e, LAND_JUMP, pc); }

void put_return_landing(struct emit *e, addr_t pc) { put_landing(e, LAND_RETURN, pc); }

void put_drop_word(struct emit *e) { put_bytes(e, "\x48\x8d\x64\x24\x08", CALL_PREFIX_LEN); }

/* ---- landings made later, out of line ---- */
enum { PIECE_LEN = 96 };

static void finish_piece(struct trace *t, struct emit *e, u8 *at)
{
    put_jump(e, x86_entry(t));
    ct_assert(!e->is_full, "a landing of %lu bytes is too long", (unsigned long)(e->p - at));
    struct landing *l = e->landings;
    l->is_piece = true;
    give_to_trace(t, l);
    if (l->kind != LAND_PIECE)
        publish(t, l);
}

static void add_return(struct trace *t)
{
    const u8 *code = x86_call_entry(t);
    if (code)
        x86_return_add(t, code);
}

void arch_landing_add(struct arch_thread *by, struct trace *t, enum entry_kind why)
{
    u8 bit = why == ENTRY_RETURN ? TF_LAND_RETURN : TF_LAND_JUMP;
    if (why == ENTRY_GUARDED) {
        x86_junction_add(ref_ptr(by->junction), &by->regs, t);
        return;
    }
    if (!x86_has_tables) {
        x86_hash_add(t);
        return;
    }
    if (why == ENTRY_RETURN && x86_precall) {
        add_return(t);
        return;
    }
    if (t->arch_flags & bit)
        return;
    u8 *at = cache_piece(PIECE_LEN);
    if (!at)
        return;
    struct emit e = { .p = at, .end = at + PIECE_LEN, .stub = at + PIECE_LEN };
    if (why == ENTRY_RETURN)
        put_return_landing(&e, t->pc);
    else
        put_jump_landing(&e, t->pc);
    finish_piece(t, &e, at);
    t->arch_flags |= bit;
}

const u8 *x86_call_piece(const struct trace *t)
{
    struct landing *l = t->arch_flags & TF_CALL_PIECE ? ref_ptr(t->landings) : NULL;
    while (l && l->kind != LAND_PIECE)
        l = ref_ptr(l->next_of_trace);
    return l ? cache_ptr(l->code) : NULL;
}

const u8 *x86_call_entry(struct trace *t)
{
    if (t->arch_flags & TF_CALL_PREFIX)
        return x86_entry(t) - CALL_PREFIX_LEN;
    const u8 *piece = x86_call_piece(t);
    if (piece)
        return piece;
    enum { LEN = CALL_PREFIX_LEN + 5 };
    u8 *at = cache_piece(LEN);
    if (!at)
        return NULL;
    struct emit e = { .p = at, .end = at + LEN, .stub = at + LEN };
    struct landing *l = e.landings = heap_alloc(sizeof *l);
    l->pc = t->pc;
    l->kind = LAND_PIECE;
    l->code = cache_offset(at);
    put_drop_word(&e);
    finish_piece(t, &e, at);
    t->arch_flags |= TF_CALL_PIECE;
    return at;
}

/* ---- the front of a trace ---- */
static bool has_jump_prefix(enum entry_kind why) { return x86_has_tables && why == ENTRY_INDIRECT; }
static bool has_call_prefix(enum entry_kind why) { return x86_precall && (why == ENTRY_CALL || why == ENTRY_RETURN); }

u32 arch_prefix_len(const struct emit *e, addr_t pc, enum entry_kind why)
{
    return x86_entry_len(e->arch_flags, e->binding) + (has_jump_prefix(why) ? landing_len(pc) : has_call_prefix(why) ? CALL_PREFIX_LEN : 0);
}

void arch_emit_prefix(struct emit *e, const struct insn *list, u32 n, enum entry_kind why)
{
    x86_sites_begin();
    if (has_jump_prefix(why))
        put_jump_landing(e, list[0].pc);
    else if (has_call_prefix(why))
        put_drop_word(e);
    put_r11_load(e);
    if (x86_counts(e))
        put_count_load(e);
    e->at_rest = x86_owns_r11(e) ? RESTING_R11 : 0;
    x86_bind(e, list, n);
}

bool arch_suits(const struct trace *t, const struct trace *from)
{
    return t->arch_flags & (TF_R11 | TF_RECORDS | TF_COUNTS) || !(from->arch_flags & TF_R11);
}

/* Whatever changed the application's FS base did so outside of the cache, but for an instruction of its own (lower.c) and an
 * analysis call (slow.c). */
u8 *arch_entry(const struct trace *t)
{
    if (instr_is_on())
        thr_self.arch.fs_copy = x86_app_fs();
    return x86_entry(t);
}

static u8 entry_flags(enum entry_kind why) { return has_jump_prefix(why) ? TF_LAND_JUMP : has_call_prefix(why) ? TF_CALL_PREFIX : 0; }

bool arch_counts_in_register(u8 arch_flags) { return arch_flags & TF_COUNTS; }

/* A part of a loop that counts? It comes from one, or leads back to what may be one. */
static bool is_part(const struct insn *list, u32 n, enum entry_kind why, const struct trace *from, u32 word)
{
    if (why != ENTRY_JUMP)
        return false;
    if (from && from->arch_flags & TF_COUNTS && trace_binding(from) == word)
        return true;
    for (u32 i = 0; i < n; i++) {
        if (list[i].kind != INSN_COND || list[i].target > list[i].pc)
            continue;
        const struct trace *to = cache_find(list[i].target);
        if (!to || (to->arch_flags & TF_COUNTS && trace_binding(to) == word))
            return true;
    }
    return false;
}

static bool may_count(const struct emit *e, const struct insn *list, u32 n, enum entry_kind why, const struct trace *from)
{
    enum loop_kind kind = promote_loop();
    return kind != LOOP_NONE && !e->is_alone && (kind == LOOP_WHOLE || is_part(list, n, why, from, (u32)promote_loop_word())) &&
           x86_leaves_r11(list, n);
}

u8 arch_trace_flags(struct emit *e, const struct insn *list, u32 n, enum entry_kind why, bool has_calls, bool has_changes,
                    const struct trace *from)
{
    u16 named = x86_named_by_calls(list, has_calls ? n : 0);
    bool is_used = x86_uses_r11(list, n) || has_changes || named >> R11 & 1;
    u8 records = x86_has_records() && opt->opt_level >= OPT_REGALLOC ? TF_RECORDS : 0;
    if (!is_used && !records && has_calls && may_count(e, list, n, why, from)) {
        e->binding = (u32)promote_loop_word();
        return (u8)(TF_COUNTS | entry_flags(why));
    }
    u8 r11 = is_used || (!records && from && from->arch_flags & TF_R11) ? TF_R11 : 0;
    e->arch_flags = r11;
    bool parks = !has_changes && (records || (has_calls && x86_has_inlinable() && opt->opt_level >= OPT_REGALLOC));
    u8 bound = parks && x86_choose_parked(e, list, n, from) ? TF_BOUND : 0;
    return (u8)(r11 | records | bound | entry_flags(why));
}

void *arch_near_memory(size_t size)
{
    static addr_t next = NEAR_LO;
    if (!x86_has_tables || TABLE_RETURN - next < size)
        return NULL;
    void *at = (void *)next;
    next += ROUND_UP(size, 64ul);
    return at;
}

/* ---- the tables lie where a program may want to map something itself ---- */
bool arch_owns_range(addr_t lo, addr_t hi) { return x86_has_tables && lo < tables_end && hi > TABLE_JUMP; }

bool arch_yield_range(addr_t lo, addr_t hi)
{
    if (!arch_owns_range(lo, hi))
        return true;
    if (!thr_alone())
        return false;                             /* another thread may be on its way through them */
    cache_flush_all();
    promote_come_home();
    x86_has_tables = x86_has_sites = x86_precall = false;
    x86_returns_end();
    engine_handoff->tables_lo = engine_handoff->tables_hi = 0;
    sys2(__NR_munmap, TABLE_JUMP, tables_end - TABLE_JUMP);
    return true;
}
