/* left.c: see left.h.
 *
 *  (1) Blocks are noted by their trace. Where the code has changed, the newest note of the trace is right. */
#include "tool.h"

struct noted { ADDRINT address; VOID *owner; UINT32 older, first_size, n; };     /* older: of the same trace, number + 1 */
static VEC(struct noted) noted;
static VEC(UINT8) sizes;                        /* of the instructions of all noted blocks */
static struct map newest;                       /* by trace: number + 1 */
static PIN_LOCK lock;
enum { MAX_TOLD = 2 };
static VOID (*told[MAX_TOLD])(VOID *owner, UINT32 first);
static UINT32 n_told;

static bool has_sizes(const struct noted *b, BBL bbl)
{
    UINT32 i = b->first_size;
    for (INS ins = BBL_InsHead(bbl); INS_Valid(ins); ins = INS_Next(ins))
        if (sizes.at[i++] != INS_Size(ins))
            return false;
    return true;
}

static bool is_noted(UINT64 i, BBL bbl, VOID *owner)
{
    for (; i; i = noted.at[i - 1].older) {
        const struct noted *b = &noted.at[i - 1];
        if (b->address == BBL_Address(bbl) && b->owner == owner && b->n == BBL_NumIns(bbl) && has_sizes(b, bbl))
            return true;
    }
    return false;
}

VOID left_note(TRACE trace, BBL bbl, VOID *owner)
{
    PIN_GetLock(&lock, 1);
    UINT64 *at = map_at(&newest, TRACE_Address(trace));
    if (!is_noted(*at, bbl, owner)) {
        struct noted b = { BBL_Address(bbl), owner, (UINT32)*at, (UINT32)sizes.n, BBL_NumIns(bbl) };
        for (INS ins = BBL_InsHead(bbl); INS_Valid(ins); ins = INS_Next(ins))
            VEC_ADD(sizes, (UINT8)INS_Size(ins));
        VEC_ADD(noted, b);
        *at = noted.n;
    }
    PIN_ReleaseLock(&lock);
}

/* The number of the instruction at pc; n: it is none of the block's. */
static UINT32 number_of(const struct noted *b, ADDRINT pc)
{
    UINT32 i = 0;
    for (ADDRINT at = b->address; i < b->n && at != pc; i++)
        at += sizes.at[b->first_size + i];
    return i;
}

/* A block whose first instruction has not begun was not counted. */
static VOID interrupted(THREADID tid, ADDRINT trace, ADDRINT pc, BOOL has_begun, VOID *v)
{
    PIN_GetLock(&lock, 1);
    for (UINT64 i = map_get(&newest, trace); i; i = noted.at[i - 1].older) {
        const struct noted *b = &noted.at[i - 1];
        UINT32 first = number_of(b, pc);
        if (first == b->n)
            continue;
        for (UINT32 k = 0; k < n_told && (first || has_begun); k++)
            told[k](b->owner, first);
        break;
    }
    PIN_ReleaseLock(&lock);
}

static VOID restart(struct thread_record *t) { PIN_InitLock(&lock); }

VOID left_begin(VOID (*not_executed)(VOID *owner, UINT32 first))
{
    static struct thread_hooks hooks = { NULL, NULL, restart, NULL };
    told[n_told++] = not_executed;
    if (n_told > 1)
        return;
    PIN_InitLock(&lock);
    threads_hook(&hooks);
    COTTER_AddInterruptionFunction(interrupted, 0);
}
