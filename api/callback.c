/* callback.c: registration. */
#include "api/api.h"
#include "engine/jit/promote.h"
#include <stdlib.h>

struct COTTER_CALLBACK *callbacks[N_CALLBACKS];

static void insert(struct COTTER_CALLBACK *c)
{
    struct COTTER_CALLBACK **at = &callbacks[c->kind];
    while (*at && (*at)->order <= c->order)
        at = &(*at)->next;
    c->next = *at;
    *at = c;
}

PIN_CALLBACK callback_add(enum callback_kind kind, VOID *fun, VOID *val)
{
    if (!fun)
        api_misuse("the function that is to be called back is NULL");
    struct COTTER_CALLBACK *c = calloc(1, sizeof *c);
    *c = (struct COTTER_CALLBACK){ .order = CALL_ORDER_DEFAULT, .kind = kind, .fun = fun, .val = val };
    insert(c);
    if (kind == CB_INS || kind == CB_TRACE)
        promote_callback(fun, blind_is);
    return c;
}

PIN_CALLBACK INS_AddInstrumentFunction(INS_INSTRUMENT_CALLBACK fun, VOID *val) { return callback_add(CB_INS, fun, val); }
PIN_CALLBACK TRACE_AddInstrumentFunction(TRACE_INSTRUMENT_CALLBACK fun, VOID *val) { return callback_add(CB_TRACE, fun, val); }
VOID TRACE_AddSmcDetectedFunction(SMC_CALLBACK fun, VOID *val) { callback_add(CB_SMC, fun, val); }

/* ---- order ---- */
static void remove_from_list(struct COTTER_CALLBACK *c)
{
    struct COTTER_CALLBACK **at = &callbacks[c->kind];
    while (*at && *at != c)
        at = &(*at)->next;
    if (*at)
        *at = c->next;
}

VOID CALLBACK_SetExecutionPriority(PIN_CALLBACK c, INT32 priority)
{
    remove_from_list(c);
    c->order = priority;
    insert(c);
}

INT32 CALLBACK_GetExecutionPriority(PIN_CALLBACK c) { return c->order; }
VOID CALLBACK_SetExecutionOrder(PIN_CALLBACK c, CALL_ORDER order) { CALLBACK_SetExecutionPriority(c, (INT32)order); }
CALL_ORDER CALLBACK_GetExecutionOrder(PIN_CALLBACK c) { return (CALL_ORDER)c->order; }
