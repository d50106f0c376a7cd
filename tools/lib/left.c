/* left.c: see left.h. Of several blocks that share the instruction that faults, the newest is taken: they end at the same
 * place, unless one was cut for its length. */
#include "tool.h"

struct noted { ADDRINT address; VOID *owner; UINT32 first_size, n; };
static VEC(struct noted) noted;
static VEC(UINT8) sizes;                        /* of the instructions of all noted blocks */
static VOID (*tell)(VOID *owner, UINT32 n);

VOID left_note(BBL bbl, VOID *owner)
{
    struct noted b = { BBL_Address(bbl), owner, (UINT32)sizes.n, BBL_NumIns(bbl) };
    for (INS ins = BBL_InsHead(bbl); INS_Valid(ins); ins = INS_Next(ins))
        VEC_ADD(sizes, (UINT8)INS_Size(ins));
    VEC_ADD(noted, b);
}

/* Instructions of the block from pc to its end; 0: pc is not in it. */
static UINT32 rest_of(const struct noted *b, ADDRINT pc)
{
    ADDRINT at = b->address;
    for (UINT32 i = 0; i < b->n && at <= pc; at += sizes.at[b->first_size + i++])
        if (at == pc)
            return b->n - i;
    return 0;
}

/* Programs that fault on purpose do so at the same places again and again. */
static size_t find(ADDRINT pc)
{
    static struct map known;                    /* pc -> 1 + the number of its block */
    UINT64 *slot = map_at(&known, pc);
    if (*slot && rest_of(&noted.at[*slot - 1], pc))
        return *slot;
    for (size_t i = noted.n; i; i--)
        if (rest_of(&noted.at[i - 1], pc))
            return *slot = i;
    return 0;
}

static BOOL comes(THREADID tid, INT32 sig, CONTEXT *ctxt, BOOL has_handler, const EXCEPTION_INFO *info, VOID *v)
{
    ADDRINT pc = PIN_GetContextReg(ctxt, REG_INST_PTR);
    size_t i = info ? find(pc) : 0;
    if (i)
        tell(noted.at[i - 1].owner, rest_of(&noted.at[i - 1], pc));
    return TRUE;
}

VOID left_begin(VOID (*not_executed)(VOID *owner, UINT32 n))
{
    enum { SIG_ILL = 4, SIG_BUS = 7, SIG_FPE = 8, SIG_SEGV = 11 };     /* <signal.h> has other things called REG_... */
    tell = not_executed;
    PIN_InterceptSignal(SIG_ILL, comes, 0);
    PIN_InterceptSignal(SIG_BUS, comes, 0);
    PIN_InterceptSignal(SIG_FPE, comes, 0);
    PIN_InterceptSignal(SIG_SEGV, comes, 0);
}
