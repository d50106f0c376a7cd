/* rtn.c: routines. */
#include "api/iarg.h"
#include "api/image.h"
#include <stdlib.h>
#include <string.h>

/* ---- handles: numbers in a table that only grows ---- */
enum { CHUNK = 4096, MAX_CHUNKS = 4096 };
static struct rtn_record *chunks[MAX_CHUNKS];
static u32 n_records;

struct rtn_record *rtn_of(RTN rtn)
{
    u32 i = (u32)rtn.index - 1;
    struct rtn_record *r = rtn.index > 0 && i < n_records ? &chunks[i / CHUNK][i % CHUNK] : NULL;
    if (!r || !r->image->sym)
        api_fatal("an RTN handle names no routine of a loaded image");
    return r;
}

static INT32 new_record(struct image *m, const struct sym_routine *r)
{
    if (n_records / CHUNK == MAX_CHUNKS)
        return 0;
    struct rtn_record **chunk = &chunks[n_records / CHUNK];
    if (!*chunk)
        *chunk = calloc(CHUNK, sizeof **chunk);
    (*chunk)[n_records % CHUNK] = (struct rtn_record){ m, r };
    return (INT32)++n_records;
}

RTN rtn_handle(struct image *m, const struct sym_routine *r)
{
    if (!r)
        return (RTN){ 0 };
    if (r->id >= m->n_rtn) {
        u32 n = MAX(r->id + 1, m->n_rtn * 2 + 64);
        m->rtn = realloc(m->rtn, n * sizeof *m->rtn);
        memset(m->rtn + m->n_rtn, 0, (n - m->n_rtn) * sizeof *m->rtn);
        m->n_rtn = n;
    }
    if (!m->rtn[r->id])
        m->rtn[r->id] = new_record(m, r);
    return (RTN){ m->rtn[r->id] };
}

/* ---- what a routine is ---- */
static const struct sym_routine *routine(RTN rtn) { return rtn_of(rtn)->r; }

RTN RTN_Invalid(VOID) { return (RTN){ 0 }; }
BOOL RTN_Valid(RTN rtn) { return rtn.index > 0; }
const char *RTN_Name(RTN rtn) { return routine(rtn)->name; }
ADDRINT RTN_Address(RTN rtn) { return routine(rtn)->address; }
USIZE RTN_Size(RTN rtn) { return (USIZE)routine(rtn)->size; }
USIZE RTN_Range(RTN rtn) { return (USIZE)routine(rtn)->range; }
UINT32 RTN_Id(RTN rtn) { return (UINT32)(routine(rtn) ? rtn.index : 0); }
AFUNPTR RTN_Funptr(RTN rtn) { return (AFUNPTR)routine(rtn)->address; }
BOOL RTN_IsArtificial(RTN rtn) { return routine(rtn)->is_artificial; }
BOOL RTN_IsDynamic(RTN rtn) { return routine(rtn) == NULL; }
SEC RTN_Sec(RTN rtn) { return (SEC){ part_number(rtn_of(rtn)->image, routine(rtn)->section) }; }

static RTN neighbour(RTN rtn, int step)
{
    struct rtn_record *r = rtn_of(rtn);
    u32 at = sym_routine_position(r->image->sym, r->r) + (u32)step;
    const struct sym_routine *n = at < sym_n_routines(r->image->sym) ? sym_routine(r->image->sym, at) : NULL;
    return rtn_handle(r->image, n && n->section == r->r->section ? n : NULL);
}

RTN RTN_Next(RTN rtn) { return neighbour(rtn, 1); }
RTN RTN_Prev(RTN rtn) { return neighbour(rtn, -1); }

/* ---- finding ---- */
RTN RTN_FindByAddress(ADDRINT a)
{
    struct image *m = image_at(a);
    return m ? rtn_handle(m, sym_routine_at(m->sym, a)) : (RTN){ 0 };
}

RTN RTN_FindByName(IMG img, const CHAR *name)
{
    struct image *m = image_of(img);
    return rtn_handle(m, sym_routine_by_name(m->sym, name));
}

const char *RTN_FindNameByAddress(ADDRINT a)
{
    client_lock();
    RTN rtn = RTN_FindByAddress(a);
    const char *name = RTN_Valid(rtn) ? RTN_Name(rtn) : "";
    client_unlock();
    return name;
}

RTN RTN_CreateAt(ADDRINT a, const char *name)
{
    struct image *m = image_at(a);
    return m ? rtn_handle(m, sym_routine_create(m->sym, a, name)) : (RTN){ 0 };
}

RTN INS_Rtn(INS ins) { return RTN_FindByAddress(INS_Address(ins)); }
RTN TRACE_Rtn(TRACE trace) { return RTN_FindByAddress(TRACE_Address(trace)); }
PIN_CALLBACK RTN_AddInstrumentFunction(RTN_INSTRUMENT_CALLBACK f, VOID *v) { return callback_add(CB_RTN, f, v); }
