/* code.c: traces, basic blocks and instructions.
 *
 * A trace of the engine may go on behind calls and jumps. A tool's TRACE is entered at its top only, so each such piece is
 * a TRACE of its own: it ends at the first instruction that ends a block and is no conditional branch. */
#include "api/debugger.h"
#include "api/image.h"
#include "api/seen.h"

/* What the running callback looks at. Callbacks are serialised by the cache lock. */
static struct {
    const struct view *v;
    bool is_running;                    /* a callback is: the cache lock is held */
    int by;                             /* kernel id of the thread that runs the callbacks */
    u32 look;                           /* which view this is: part of every handle, so that an old one is known */
    struct { u32 first, last; } block[MAX_INSNS];
    u16 block_of[MAX_INSNS];
    u32 n_blocks;
    struct COTTER_TRACE trace[MAX_INSNS];
    u32 n_traces;
    struct xv_insn xed[MAX_INSNS];
    bool is_decoded[MAX_INSNS];
} code;

/* ---- cutting the engine's trace into blocks and traces ---- */
static bool ends_trace(const struct insn *in)
{
    return (in->kind != INSN_PLAIN && in->kind != INSN_COND) || arch_is_repeated(in) || x86_is_popf(&in->a.x);
}

static void cut(const struct view *v)
{
    code.n_blocks = code.n_traces = 0;
    u32 block = 0, trace = 0;
    for (u32 i = 0; i < v->n; i++) {
        bool last = i + 1 == v->n, ends = ends_trace(&v->insn[i]) || last;
        code.block_of[i] = (u16)code.n_blocks;
        if (ends || v->insn[i].kind == INSN_COND) {
            code.block[code.n_blocks].first = block;
            code.block[code.n_blocks++].last = i;
            block = i + 1;
        }
        if (ends) {
            code.trace[code.n_traces++] = (struct COTTER_TRACE){ trace, i };
            trace = i + 1;
        }
    }
}

/* A handle: its position + 1, above it the view it is of. */
enum { POSITION_BITS = 10, LOOKS = 1 << 17 };
_Static_assert(MAX_INSNS < 1 << POSITION_BITS && LOOKS << POSITION_BITS < RTN_INS_BASE, "handles of traces and of routines differ");
static INT32 number(u32 position) { return (INT32)(code.look << POSITION_BITS | (position + 1)); }
static INS ins_handle(u32 i) { return (INS){ number(i) }; }
static BBL bbl_handle(u32 i) { return (BBL){ number(i) }; }
static TRACE trace_handle(u32 k) { return (TRACE)(addr_t)number(k); }

/* The position that a handle names, of n. Any other thread than the callback's has none. */
static u32 position(u64 handle, u32 n, const char *what)
{
    u64 i = handle - ((u64)code.look << POSITION_BITS) - 1;
    if (UNLIKELY(!code.v || i >= n || code.by != client_self()))
        api_misuse("%s handle is used outside of the callback that received it: keep its address or what else is needed, not the handle", what);
    return (u32)i;
}

void code_begin(const struct view *v)
{
    code.by = client_self();
    code.look = code.look % (LOOKS - 1) + 1;
    code.v = v;
    code.is_running = true;
    if (v)
        cut(v);
    __builtin_memset(code.is_decoded, 0, v ? v->n : 0);
}

void code_end(void)
{
    code.v = NULL;
    code.is_running = false;
}

u32 code_n_traces(void) { return code.n_traces; }
TRACE code_trace(u32 k) { return trace_handle(k); }
INS code_ins(u32 i) { return ins_handle(i); }
u32 code_n_insns(void) { return code.v ? code.v->n : 0; }

void code_show(const struct view *v)
{
    code_begin(v);
    if (debug_is_on())
        debug_apply(v);
    aot_apply(v);
    for (u32 k = 0; k < code.n_traces; k++)
        FOR_EACH_CALLBACK(c, CB_TRACE)
            c->trace(trace_handle(k), c->val);
    for (u32 i = 0; i < v->n; i++)
        FOR_EACH_CALLBACK(c, CB_INS)
            c->ins(ins_handle(i), c->val);
    code_end();
}

bool code_is_shown(void) { return code.is_running && code.by == client_self(); }

void code_start_instrumenting(void)
{
    arch_watch_flags();
    hooks.instrument = code_show;
}

bool code_is_of_routine(INS ins) { return ins.index >= RTN_INS_BASE; }

u32 code_index(INS ins) { return position((u64)ins.index, code_n_insns(), "an INS"); }

/* An instruction of an open routine, in the engine's form. */
static const struct insn *routine_insn(INS ins)
{
    static struct insn in;
    const struct xv_insn *x = rtn_insn((u32)(ins.index - RTN_INS_BASE));
    arch_decode(x->bytes, x->length, x->address, &in);
    return &in;
}

/* Tools ask about the neighbour of the first or last instruction: nothing, at address 0. */
static const struct insn no_insn;
static const struct xv_insn no_view = { .n_operands = 0 };

const struct insn *code_insn(INS ins)
{
    if (ins.index <= 0)
        return &no_insn;
    if (code_is_of_routine(ins))
        return routine_insn(ins);
    u32 i = code_index(ins);                    /* there is no view to look into when this fails */
    return &code.v->insn[i];
}

const struct xv_insn *code_xed(INS ins)
{
    if (ins.index <= 0)
        return &no_view;
    if (code_is_of_routine(ins))
        return rtn_insn((u32)(ins.index - RTN_INS_BASE));
    u32 i = code_index(ins);
    const struct insn *in = &code.v->insn[i];
    if (!code.is_decoded[i])
        seen_decode(&code.xed[i], in->bytes, in->len, in->pc);
    code.is_decoded[i] = true;
    return &code.xed[i];
}

struct seen_class code_class(INS ins)
{
    bool is_shown = ins.index > 0 && !code_is_of_routine(ins);
    u32 i = is_shown ? code_index(ins) : 0;
    if (is_shown && !code.is_decoded[i])
        return *seen_class(&code.v->insn[i]);
    const struct xv_insn *x = code_xed(ins);
    return (struct seen_class){ xv_opcode(x), x->category, x->extension };
}

static u32 bbl_index(BBL bbl) { return position((u64)bbl.index, code.n_blocks, "a BBL"); }
static const struct COTTER_TRACE *see(TRACE t) { return &code.trace[position((u64)t, code.n_traces, "a TRACE")]; }

static addr_t address(u32 i) { return code.v->insn[i].pc; }

static USIZE size_of(u32 first, u32 last)
{
    USIZE n = 0;
    for (u32 i = first; i <= last; i++)
        n += code.v->insn[i].len;
    return n;
}

static bool falls_through(u32 i) { return xv_is(code_xed(ins_handle(i)), XV_IS_FALL_THROUGH); }

/* ---- TRACE ---- */
BBL TRACE_BblHead(TRACE t) { return bbl_handle(code.block_of[see(t)->first]); }
BBL TRACE_BblTail(TRACE t) { return bbl_handle(code.block_of[see(t)->last]); }
ADDRINT TRACE_Address(TRACE t) { return address(see(t)->first); }
USIZE TRACE_Size(TRACE t) { return size_of(see(t)->first, see(t)->last); }
UINT32 TRACE_NumIns(TRACE t) { return see(t)->last - see(t)->first + 1; }
UINT32 TRACE_NumBbl(TRACE t) { return code.block_of[see(t)->last] - code.block_of[see(t)->first] + 1u; }
BOOL TRACE_HasFallThrough(TRACE t) { return falls_through(see(t)->last); }
BOOL TRACE_Original(TRACE t) { return see(t) != NULL; }
ADDRINT TRACE_Version(TRACE t) { return see(t) ? insert_version(code.v->version) : 0; }

/* ---- BBL ---- */
static const struct COTTER_TRACE *trace_of(u32 insn)
{
    u32 k = 0;
    while (code.trace[k].last < insn)
        k++;
    return &code.trace[k];
}

BBL BBL_Next(BBL bbl)
{
    u32 k = bbl_index(bbl), last = code.block[k].last;
    return last < trace_of(last)->last ? bbl_handle(k + 1) : (BBL){ 0 };
}

BBL BBL_Prev(BBL bbl)
{
    u32 k = bbl_index(bbl), first = code.block[k].first;
    return first > trace_of(first)->first ? bbl_handle(k - 1) : (BBL){ 0 };
}

INS BBL_InsHead(BBL bbl) { return ins_handle(code.block[bbl_index(bbl)].first); }
INS BBL_InsTail(BBL bbl) { return ins_handle(code.block[bbl_index(bbl)].last); }
BOOL BBL_Valid(BBL bbl) { return bbl.index > 0; }
BOOL BBL_Original(BBL bbl) { return bbl_index(bbl) < code.n_blocks; }
ADDRINT BBL_Address(BBL bbl) { return address(code.block[bbl_index(bbl)].first); }
USIZE BBL_Size(BBL bbl) { return size_of(code.block[bbl_index(bbl)].first, code.block[bbl_index(bbl)].last); }
UINT32 BBL_NumIns(BBL bbl) { return code.block[bbl_index(bbl)].last - code.block[bbl_index(bbl)].first + 1; }
BOOL BBL_HasFallThrough(BBL bbl) { return falls_through(code.block[bbl_index(bbl)].last); }

/* ---- INS ---- */
INS INS_Next(INS ins)
{
    if (code_is_of_routine(ins))
        return rtn_ins_next(ins, 1);
    u32 i = code_index(ins);
    return i < code.block[code.block_of[i]].last ? ins_handle(i + 1) : (INS){ 0 };
}

INS INS_Prev(INS ins)
{
    if (code_is_of_routine(ins))
        return rtn_ins_next(ins, -1);
    u32 i = code_index(ins);
    return i > code.block[code.block_of[i]].first ? ins_handle(i - 1) : (INS){ 0 };
}

INS INS_Invalid(VOID) { return (INS){ 0 }; }
BOOL INS_Valid(INS ins) { return ins.index > 0; }
ADDRINT INS_Address(INS ins) { return code_insn(ins)->pc; }
ADDRINT INS_NextAddress(INS ins) { return insn_next(code_insn(ins)); }
USIZE INS_Size(INS ins) { return code_insn(ins)->len; }
