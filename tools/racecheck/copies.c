/* copies.c: see copies.h.
 *
 * Most of these functions are chosen by the CPU at run time: their symbols name a resolver, which returns the address of the
 * function proper. So the resolvers' results are watched. Resolvers run before there are threads. */
#include "tool.h"
#include "copies.h"

static const struct { const char *name; bool is_set; } functions[] = {
    { "memcpy", false }, { "memmove", false }, { "mempcpy", false }, { "memset", true },
    { "__memcpy_chk", false }, { "__memmove_chk", false }, { "__memset_chk", true },
};
enum { N_FUNCTIONS = sizeof functions / sizeof *functions };
static struct map entries;                      /* address -> 1 + index of the function */
static VOID (*tell)(ADDRINT to, ADDRINT from, ADDRINT n, ADDRINT caller, ADDRINT sp);

static VOID resolved(ADDRINT at, UINT32 i)
{
    PIN_LockClient();
    *map_at(&entries, at) = i + 1;
    PIN_UnlockClient();
}

static VOID watch_resolver(SYM sym, UINT32 i)
{
    RTN rtn = RTN_FindByAddress(SYM_Address(sym));
    if (!RTN_Valid(rtn))
        return;
    RTN_Open(rtn);
    RTN_InsertCall(rtn, IPOINT_AFTER, AFUNPTR(resolved), IARG_FUNCRET_EXITPOINT_VALUE, IARG_UINT32, i, IARG_END);
    RTN_Close(rtn);
}

VOID copies_watch(IMG img)
{
    for (SYM sym = IMG_RegsymHead(img); SYM_Valid(sym); sym = SYM_Next(sym))
        for (UINT32 i = 0; i < N_FUNCTIONS; i++) {
            if (strcmp(SYM_Name(sym), functions[i].name) != 0)
                continue;
            if (SYM_IFuncResolver(sym))
                watch_resolver(sym, i);
            else
                *map_at(&entries, SYM_Address(sym)) = i + 1;
        }
}

static VOID entered(ADDRINT to, ADDRINT from, ADDRINT n, ADDRINT back, ADDRINT sp) { tell(to, from, n, back, sp); }
static VOID entered_set(ADDRINT to, ADDRINT n, ADDRINT back, ADDRINT sp) { tell(to, 0, n, back, sp); }

VOID copies_look(INS ins)
{
    UINT64 i = map_get(&entries, INS_Address(ins));
    if (i && functions[i - 1].is_set)
        INS_InsertCall(ins, IPOINT_BEFORE, AFUNPTR(entered_set), IARG_FUNCARG_ENTRYPOINT_VALUE, 0, IARG_FUNCARG_ENTRYPOINT_VALUE, 2,
                       IARG_RETURN_IP, IARG_REG_VALUE, REG_STACK_PTR, IARG_END);
    else if (i)
        INS_InsertCall(ins, IPOINT_BEFORE, AFUNPTR(entered), IARG_FUNCARG_ENTRYPOINT_VALUE, 0, IARG_FUNCARG_ENTRYPOINT_VALUE, 1,
                       IARG_FUNCARG_ENTRYPOINT_VALUE, 2, IARG_RETURN_IP, IARG_REG_VALUE, REG_STACK_PTR, IARG_END);
}

VOID copies_begin(VOID (*copied)(ADDRINT to, ADDRINT from, ADDRINT n, ADDRINT caller, ADDRINT sp))
{
    tell = copied;
    PIN_InitSymbolsAlt(DEBUG_OR_EXPORT_SYMBOLS | IFUNC_SYMBOLS);        /* calls on a resolver are the resolver's own */
}
