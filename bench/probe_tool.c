/* probe_tool: one probe on leaf() of bench/probe_cost.c; -what before, after, context, replace, original, signature, instruction. */
#include <pin.h>
#include <string.h>
KNOB_TEXT(what, "what", "none", "which probe");
static UINT64 count;
static long (*original)(long, long);
static VOID seen(VOID) { count++; }
static VOID with_arguments(ADDRINT a, ADDRINT b) { count += a ^ b; }
static VOID with_context(const CONTEXT *c) { count++; }
static long replacement(long a, long b) { return count++, a + b; }
static long through(long a, long b) { return count++, original(a, b); }
static VOID Load(IMG img, VOID *v)
{
    RTN rtn = RTN_FindByName(img, "leaf");
    if (!RTN_Valid(rtn))
        return;
    PROTO proto = PROTO_Allocate(PIN_PARG(long), CALLINGSTD_DEFAULT, "leaf", PIN_PARG(long), PIN_PARG(long), PIN_PARG_END());
    if (!strcmp(what, "before"))
        RTN_InsertCallProbed(rtn, IPOINT_BEFORE, AFUNPTR(seen), IARG_END);
    else if (!strcmp(what, "arguments"))
        RTN_InsertCallProbed(rtn, IPOINT_BEFORE, AFUNPTR(with_arguments), IARG_FUNCARG_ENTRYPOINT_VALUE, 0,
                             IARG_FUNCARG_ENTRYPOINT_VALUE, 1, IARG_END);
    else if (!strcmp(what, "after"))
        RTN_InsertCallProbed(rtn, IPOINT_AFTER, AFUNPTR(seen), IARG_PROTOTYPE, proto, IARG_END);
    else if (!strcmp(what, "context"))
        RTN_InsertCallProbed(rtn, IPOINT_BEFORE, AFUNPTR(with_context), IARG_CONTEXT, IARG_END);
    else if (!strcmp(what, "instruction"))
        PIN_InsertCallProbed(RTN_Address(rtn), AFUNPTR(seen), IARG_END);
    else if (!strcmp(what, "replace"))
        RTN_ReplaceProbed(rtn, AFUNPTR(replacement));
    else if (!strcmp(what, "original"))
        original = (long (*)(long, long))RTN_ReplaceProbed(rtn, AFUNPTR(through));
    else if (!strcmp(what, "signature"))
        RTN_ReplaceSignatureProbed(rtn, AFUNPTR(replacement), IARG_PROTOTYPE, proto, IARG_FUNCARG_ENTRYPOINT_VALUE, 0,
                                   IARG_FUNCARG_ENTRYPOINT_VALUE, 1, IARG_END);
}
int main(int argc, char **argv)
{
    PIN_InitSymbols();
    if (PIN_Init(argc, argv))
        return 1;
    IMG_AddInstrumentFunction(Load, 0);
    PIN_StartProgramProbed();
}
