/* junction.c: see junction.h. */
#include "arch/x86/cpu.h"
#include "arch/x86/junction.h"
#include "base/heap.h"
#include "engine/cache/cache.h"
#include "engine/engine.h"

enum { MOST_GUARDS = 512 };

struct junction {
    struct landing base;                /* code: the displacement of its jump; miss: of the one that leads from its end on */
    ref_t from;                         /* its trace */
    ref_t guards;
    u32 last;                           /* the displacement that leads from the end of the chain on */
    u32 end;                            /* its end */
    u32 lookup;                         /* the code that looks into its table; 0: it has none */
    u16 n_guards;
    u8 branch;                          /* enum branch_kind */
    bool is_full;
    u8 index_reg;                       /* what indexes the table: this register + 1; 0: bits of the target */
    u64 *table;
};

struct guard {
    struct loose_exit way;
    ref_t next;                         /* of the junction */
    u32 code;
    u32 slot;                           /* of the table; IN_CHAIN */
};
enum { IN_CHAIN = LOCAL_SLOTS };

s32 x86_chain[N_BRANCHES] = { NO_JUNCTION, NO_JUNCTION, NO_JUNCTION };
extern u8 x86_junction_miss[], x86_junction_table[], x86_junction_hash[];

static void aim(u32 site, const u8 *to)
{
    u8 *p = cache_ptr(site);
    __atomic_store_n((u32 *)p, (u32)((addr_t)to - ((addr_t)p + 4)), __ATOMIC_RELEASE);
}

/* ---- tables: a heap of equal pieces in low memory ---- */
static u64 *free_tables;                /* chained through their first words */
static u64 *fresh_table = (u64 *)TABLES_LOCAL;

static u64 *take_table(void)
{
    u64 *t = free_tables;
    if (!x86_has_tables)
        return NULL;
    if (t) {
        free_tables = (u64 *)t[0];
        return t;
    }
    if ((addr_t)(fresh_table + LOCAL_SLOTS) > TABLES_LOCAL_END)
        return NULL;
    t = fresh_table;
    fresh_table += LOCAL_SLOTS;
    return t;
}

static void give_table(u64 *t)
{
    if (!t || !x86_has_tables)
        return;                         /* the program wanted the memory: none is used any more */
    t[0] = (u64)free_tables;
    free_tables = t;
}

/* Functions begin at multiples of 16, other code anywhere. */
static u32 index_shift(u8 branch) { return branch == BRANCH_CALL && x86_fast_pext() ? 4 : 0; }
static u32 index_of(const struct junction *j, const struct arch_regs *r, addr_t pc)
{
    return (u8)(j->index_reg ? r->gpr[j->index_reg - 1] : pc >> index_shift(j->branch));
}

void x86_junction_init(void)
{
    for (u32 i = 0; i < N_BRANCHES; i++)
        *(u32 *)(LOCAL_MASK + i * 4) = 0xffu << index_shift((u8)i);
}

/* ---- code ---- */
/* Compare r11 with the address whose complement is at `minus_pc`. Equal: falls through, with rcx back in place. Else: to
 * `other`, by a jump that can be aimed anew, whose displacement is the result. */
static u8 *put_compare(struct emit *e, const u8 *minus_pc, const u8 *other)
{
    put_bytes(e, "\x48\x8b\x0d", 3);              /* mov rcx, [rip+constant] */
    put_rel32(e, minus_pc);
    put_bytes(e, "\x4a\x8d\x0c\x19", 4);          /* lea rcx, [rcx+r11] */
    put_bytes(e, "\xe3\x00", 2);                  /* jrcxz over the jump */
    u8 *skip = e->p;
    put_patch_padding(e, 1);
    put_jump(e, other);
    if (!e->is_full)
        skip[-1] = (u8)(e->p - skip);
    u8 *displacement = e->p - 4;
    put_load_tls(e, RCX, AT_SLOT(1));
    return displacement;
}

void put_found(struct emit *e, enum found_by how)
{
    s32 field = (s32)offsetof(struct arch_thread, found) + (s32)how * 8;
    if (!opt->stats)
        return;
    put_load_tls(e, R11, field);
    put_bytes(e, "\x4d\x8d\x5b\x01", 4);          /* lea r11, [r11+1] */
    put_store_tls(e, R11, field);
}

struct junction *x86_junction_new(struct emit *e, enum branch_kind kind, u32 context)
{
    enum { END_LEN = 12 + 12 + 5 + 3 };
    u8 *at = take_stub(e, END_LEN);
    if (!at)
        return NULL;
    struct junction *j = heap_alloc(sizeof *j);
    struct emit s = { .p = at, .end = at + END_LEN };
    if (context)
        arch_emit_version(&s, context);
    put_store_const(&s, ptr_ref(j), AT_JUNCTION);
    put_patch_padding(&s, 1);
    put_jump(&s, x86_junction_miss);
    j->branch = (u8)kind;
    j->end = cache_offset(at);
    j->base.kind = LAND_JUNCTION;
    j->base.miss = cache_offset(s.p - 4);
    j->base.next_of_trace = ptr_ref(e->landings);
    e->landings = &j->base;
    return j;
}

static void put_jump_by_table(struct emit *e, const u64 *table)
{
    put_bytes(e, "\xff\x24\xcd", 3);              /* jmp [table + rcx*8] */
    put32(e, (u32)(addr_t)table);
}

static void fill_table(struct junction *j, u64 *table)
{
    for (u32 i = 0; i < LOCAL_SLOTS; i++)
        table[i] = (u64)cache_ptr(j->end);
    j->table = table;
}

void x86_junction_shadow(struct junction *j, s32 index)
{
    u64 *table = j && index >= 0 ? take_table() : NULL;
    if (!table)
        return;
    fill_table(j, table);
    j->index_reg = (u8)(index + 1);
}

void put_junction(struct emit *e, struct junction *j)
{
    if (!j)
        return;
    put_store_tls(e, RCX, AT_SLOT(1));
    if (j->index_reg) {
        u32 index = j->index_reg - 1u;
        put8(e, rex(0, RCX, 0, index));
        put_bytes(e, "\x0f\xb6", 2);              /* movzx ecx, low byte of the index */
        put8(e, modrm(3, RCX, index));
        put_jump_by_table(e, j->table);
        return;
    }
    put_patch_padding(e, 1);
    put_jump(e, cache_ptr(j->end));
    j->base.code = j->last = cache_offset(e->p - 4);
}

/* Where branches without a junction, or with a full one, look: rcx is parked. */
static const u8 *shared_search(void) { return x86_has_tables ? x86_junction_table : x86_junction_hash; }

void put_compare_at(struct emit *e, const u8 *minus_pc, struct junction *j)
{
    u8 *way_on = put_compare(e, minus_pc, j ? cache_ptr(j->end) : shared_search());
    if (j)
        j->base.code = j->last = cache_offset(way_on);
}

/* rcx = the index of r11; to the entry. */
static u8 *make_lookup(const struct junction *j, const u64 *table)
{
    enum { LEN = 10 + 7 };
    u8 *at = cache_piece(LEN);
    if (!at)
        return NULL;
    struct emit e = { .p = at, .end = at + LEN };
    if (x86_fast_pext()) {
        put_bytes(&e, "\xc4\xe2\x22\xf5\x0c\x25", 6);   /* pext ecx, r11d, [mask] */
        put32(&e, (u32)LOCAL_MASK + j->branch * 4u);
    } else {
        put_bytes(&e, "\x41\x0f\xb6\xcb", 4);     /* movzx ecx, r11b */
    }
    put_jump_by_table(&e, table);
    return at;
}

static bool make_table(struct junction *j)
{
    u64 *table = take_table();
    u8 *lookup = table ? make_lookup(j, table) : NULL;
    if (!lookup) {
        give_table(table);
        return false;
    }
    fill_table(j, table);
    j->lookup = cache_offset(lookup);
    aim(j->last, lookup);
    return true;
}

/* A guard, behind which comes `next`. */
static struct guard *make_guard(struct junction *j, const struct trace *to, const u8 *next, enum found_by how, u32 *way_on)
{
    enum { LEN = 112 + 7 };
    u8 *at = cache_piece(LEN);
    if (!at)
        return NULL;
    struct guard *g = heap_alloc(sizeof *g);
    struct emit e = { .p = at, .end = at + LEN, .stub = at + LEN };
    *way_on = cache_offset(put_compare(&e, take_const(&e, -to->pc), next));
    put_found(&e, how);
    put_patch_padding(&e, 1);
    put_jump(&e, e.p + 5);                        /* the exit; its stub comes next */
    u32 site = cache_offset(e.p - 4), stub = cache_offset(e.p);
    put_const(&e, R11, ptr_ref(&g->way));
    put_jump(&e, x86_leave_named);
    g->way = (struct loose_exit){ .x = { .index = LOOSE, .kind = EXIT_GUARD }, .annex = { to->pc, trace_version(to), 0 },
                                  .from = j->from, .site = site, .stub = stub };
    g->code = cache_offset(at);
    g->next = j->guards;
    __atomic_store_n(&j->guards, ptr_ref(g), __ATOMIC_RELEASE);
    j->n_guards++;
    return g;
}

static struct guard *add_to_chain(struct junction *j, const struct trace *to)
{
    u32 way_on;
    struct guard *g = make_guard(j, to, cache_ptr(j->end), FOUND_CHAIN, &way_on);
    if (!g)
        return NULL;
    g->slot = IN_CHAIN;
    aim(j->last, cache_ptr(g->code));
    j->last = way_on;
    return g;
}

static struct guard *add_to_table(struct junction *j, const struct trace *to, u32 slot)
{
    u32 way_on;
    struct guard *g = make_guard(j, to, (const u8 *)j->table[slot], j->index_reg ? FOUND_SHADOW : FOUND_LOCAL, &way_on);
    if (!g)
        return NULL;
    g->slot = slot;
    __atomic_store_n(&j->table[slot], (u64)cache_ptr(g->code), __ATOMIC_RELEASE);
    return g;
}

/* In a shadow, several entries may lead to one target. */
static struct guard *find(const struct junction *j, addr_t pc, u32 slot)
{
    struct guard *g = ref_ptr(j->guards);
    while (g && (g->way.annex.target != pc || (g->slot != IN_CHAIN && g->slot != slot)))
        g = ref_ptr(g->next);
    return g;
}

static u32 chain_length(const struct junction *j) { return j->index_reg ? 0 : (u32)x86_chain[j->branch]; }

/* From now on what it does not have is looked for where all look. */
static void end_in_shared(struct junction *j, struct trace *to)
{
    j->is_full = true;
    aim(j->base.miss, shared_search());
    arch_landing_add(NULL, to, ENTRY_INDIRECT);
}

void x86_junction_add(struct junction *j, const struct arch_regs *r, struct trace *to)
{
    const struct trace *from = ref_ptr(j->from);
    if (opt->no_link || from->is_retired || to->is_retired || j->is_full)
        return;
    u32 slot = index_of(j, r, to->pc);
    struct guard *g = find(j, to->pc, slot);
    if (g)
        ;                                         /* another thread was here first */
    else if (j->n_guards < chain_length(j))
        g = add_to_chain(j, to);
    else if (j->n_guards < MOST_GUARDS && (j->table || make_table(j)))
        g = add_to_table(j, to, slot);
    else
        end_in_shared(j, to);
    if (g)
        cache_link(&g->way.x, to);
}

/* ---- its life: that of its trace ---- */
void x86_junction_commit(struct landing *l, struct trace *t) { ((struct junction *)l)->from = ptr_ref(t); }

static struct guard *first_guard(struct landing *l) { return ref_ptr(((struct junction *)l)->guards); }

void x86_junction_remove(struct landing *l)
{
    struct junction *j = (struct junction *)l;
    for (struct guard *g = first_guard(l); g; g = ref_ptr(g->next)) {
        cache_unlink_exit(&g->way.x);
        cache_piece_release(cache_ptr(g->code));
    }
    if (j->lookup)
        cache_piece_release(cache_ptr(j->lookup));
}

void x86_junction_forget(struct landing *l)
{
    for (struct guard *g = first_guard(l); g; g = ref_ptr(g->next))
        cache_forget_link(&g->way.x);
}

void x86_junction_free(struct landing *l)
{
    struct junction *j = (struct junction *)l;
    for (struct guard *g = first_guard(l), *next; g; g = next) {
        next = ref_ptr(g->next);
        heap_free(g, sizeof *g);
    }
    give_table(j->table);
    heap_free(j, sizeof *j);
}
