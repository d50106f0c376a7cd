/* block.c: see block.h. */
#include "tool.h"

static VEC(struct block *) blocks;
static struct map by_code;
static VOID (*look_at)(struct block *b, BBL bbl);

UINT32 blocks_count(VOID) { return (UINT32)blocks.n; }
struct block *block_number(UINT32 i) { return blocks.at[i]; }

static struct block *add(BBL bbl)
{
    struct block *b = need(sizeof *b);
    b->address = BBL_Address(bbl);
    b->size = BBL_Size(bbl);
    b->n_ins = BBL_NumIns(bbl);
    b->number = (UINT32)blocks.n;
    b->counter = counter_new(1);
    b->routine = place_routine(b->address);
    VEC_ADD(blocks, b);
    return b;
}

struct block *block_for(BBL bbl)
{
    UINT8 code[1024];
    ADDRINT a = BBL_Address(bbl);
    size_t n = PIN_SafeCopy(code, (VOID *)a, BBL_Size(bbl) < sizeof code ? BBL_Size(bbl) : sizeof code);
    UINT64 *known = map_at(&by_code, hash_bytes(code, n, a * 0x9E3779B97F4A7C15ull + BBL_Size(bbl)));
    if (!*known) {
        struct block *b = add(bbl);
        *known = (UINT64)b;
        return b;
    }
    return (struct block *)*known;
}

struct block *block_count(TRACE trace, BBL bbl)
{
    struct block *b = block_for(bbl);
    left_note(trace, bbl, b);
    BBL_InsertCall(bbl, IPOINT_BEFORE, AFUNPTR(counter_increment), IARG_ADDRINT, counter_arg(b->counter), IARG_END);
    return b;
}

static VOID instrument(TRACE trace, VOID *v)
{
    for (BBL bbl = TRACE_BblHead(trace); BBL_Valid(bbl); bbl = BBL_Next(bbl)) {
        UINT32 before = blocks_count();
        struct block *b = block_count(trace, bbl);
        if (look_at && blocks_count() > before)
            look_at(b, bbl);
    }
}

/* A thread's own counters are still there: this hook comes before that of counter.c. */
static VOID finish(struct thread_record *t) { t->instructions += blocks_instructions(t); }

static VOID not_executed(VOID *owner, UINT32 first)
{
    struct block *b = owner;
    if (!b->left_before)
        b->left_before = need(b->n_ins * sizeof *b->left_before);
    b->left_before[first]++;
    thread_me->instructions -= b->n_ins - first;        /* finish() adds them */
}

static VOID restart(struct thread_record *t)
{
    for (size_t i = 0; i < blocks.n; i++)
        if (blocks.at[i]->left_before)
            memset(blocks.at[i]->left_before, 0, blocks.at[i]->n_ins * sizeof(UINT64));
}

VOID blocks_begin(VOID)
{
    static struct thread_hooks hooks = { NULL, finish, restart, NULL };
    threads_hook(&hooks);
    counters_begin();
    left_begin(not_executed);
}

VOID blocks_count_all(VOID (*look)(struct block *b, BBL bbl))
{
    blocks_begin();
    look_at = look;
    TRACE_AddInstrumentFunction(instrument, 0);
}

UINT64 block_executions_of(const struct block *b, UINT32 i)
{
    UINT64 n = block_executions(b);
    for (UINT32 k = 0; b->left_before && k <= i; k++)
        n -= b->left_before[k];
    return n;
}

UINT64 block_instructions(const struct block *b)
{
    UINT64 n = block_executions(b) * b->n_ins;
    for (UINT32 k = 0; b->left_before && k < b->n_ins; k++)
        n -= b->left_before[k] * (b->n_ins - k);
    return n;
}

UINT64 blocks_instructions(const struct thread_record *t)
{
    UINT64 sum = 0;
    for (size_t i = 0; i < blocks.n; i++)
        sum += t->counters[blocks.at[i]->counter] * blocks.at[i]->n_ins;
    return sum;
}

UINT64 blocks_instructions_total(VOID)
{
    UINT64 sum = 0;
    for (size_t i = 0; i < blocks.n; i++)
        sum += block_instructions(blocks.at[i]);
    return sum;
}
