/* rtn_code.c: the instructions of an open routine, found by going through its bytes, and calls asked for on it. */
#include "api/iarg.h"
#include "api/image.h"
#include <stdlib.h>
#include <string.h>

/* The open routine. Guarded by the client lock. */
static struct {
    RTN rtn;
    struct xv_insn *insn;
    u32 n, room;
    bool is_complete;
    u32 look;                           /* which opening this is: part of every handle */
} open;

static void must_be_open(RTN rtn, const char *function)
{
    if (!open.rtn.index || open.rtn.index != rtn.index)
        api_fatal("%s: the routine %s is not open", function, RTN_Valid(rtn) ? RTN_Name(rtn) : "(invalid)");
}

static void refuse_in_code_callbacks(const char *function)
{
    if (code_is_shown())
        api_fatal("%s: not from INS and TRACE callbacks, only from IMG and RTN callbacks", function);
}

VOID RTN_Open(RTN rtn)
{
    client_lock();
    if (open.rtn.index)
        api_fatal("RTN_Open: %s is still open: close it first", RTN_Name(open.rtn));
    rtn_of(rtn);
    open.rtn = rtn;
    open.n = 0;
    open.look = (open.look + 1) % 128;
    open.is_complete = false;
}

VOID RTN_Close(RTN rtn)
{
    must_be_open(rtn, "RTN_Close");
    open.rtn.index = 0;
    client_unlock();
}

/* ---- instructions ---- */
static bool decode_next(void)
{
    addr_t lo = RTN_Address(open.rtn), at = open.n ? xv_next(&open.insn[open.n - 1]) : lo;
    u64 left = lo + RTN_Size(open.rtn) - at;
    u8 bytes[16];
    if (at >= lo + RTN_Size(open.rtn))
        return false;
    if (open.n == open.room) {
        open.room = open.room ? open.room * 2 : 64;
        open.insn = realloc(open.insn, open.room * sizeof *open.insn);
    }
    u32 avail = (u32)PIN_SafeCopy(bytes, (void *)at, MIN(left, 15ul));
    if (!avail)
        return false;
    xv_decode(&open.insn[open.n], bytes, avail, at);
    return open.n++, true;
}

static void decode_all(void)
{
    while (!open.is_complete && decode_next())
        ;
    open.is_complete = true;
}

enum { POSITION_BITS = 20 };
static u32 base(void) { return open.look << POSITION_BITS; }
static INS handle(u32 position) { return (INS){ (INT32)(RTN_INS_BASE + base() + position) }; }

const struct xv_insn *rtn_insn(u32 position)
{
    if (!open.rtn.index || position - base() >= open.n)
        api_fatal("an INS handle of a routine is used after RTN_Close");
    return &open.insn[position - base()];
}

INS RTN_InsHeadOnly(RTN rtn)
{
    must_be_open(rtn, "RTN_InsHeadOnly");
    return open.n || decode_next() ? handle(0) : (INS){ 0 };
}

INS RTN_InsHead(RTN rtn)
{
    must_be_open(rtn, "RTN_InsHead");
    decode_all();
    return open.n ? handle(0) : (INS){ 0 };
}

INS RTN_InsTail(RTN rtn)
{
    must_be_open(rtn, "RTN_InsTail");
    decode_all();
    return open.n ? handle(open.n - 1) : (INS){ 0 };
}

static UINT32 count(addr_t at, addr_t end)
{
    struct xv_insn insn;
    u8 bytes[16];
    u32 n = 0, avail;
    while (at < end && (avail = (u32)PIN_SafeCopy(bytes, (void *)at, MIN(end - at, 15ul)))) {
        xv_decode(&insn, bytes, avail, at);
        at = xv_next(&insn);
        n++;
    }
    return n;
}

/* Pin answers for a closed routine, too. */
UINT32 RTN_NumIns(RTN rtn)
{
    if (open.rtn.index != rtn.index || !rtn.index)
        return count(RTN_Address(rtn), RTN_Address(rtn) + RTN_Size(rtn));
    decode_all();
    return open.n;
}

INS rtn_ins_next(INS ins, int step)
{
    rtn_insn((u32)(ins.index - RTN_INS_BASE));
    u32 at = (u32)(ins.index - RTN_INS_BASE) - base() + (u32)step;
    return at < open.n ? handle(at) : (INS){ 0 };
}

/* ---- calls ---- */
VOID RTN_InsertCall(RTN rtn, IPOINT action, AFUNPTR fun, ...)
{
    struct iargs p = { .address = RTN_Address(rtn), .function = "RTN_InsertCall", .order = CALL_ORDER_DEFAULT,
                       .point = POINT_BEFORE };
    refuse_in_code_callbacks("RTN_InsertCall");
    must_be_open(rtn, "RTN_InsertCall");
    if (action != IPOINT_BEFORE && action != IPOINT_AFTER)
        api_fatal("RTN_InsertCall: IPOINT_BEFORE and IPOINT_AFTER only");
    va_list ap;
    va_start(ap, fun);
    iargs_parse(&p, ap);
    va_end(ap);
    struct call *c = iargs_call(&p, fun, 0, NULL);
    if (ifunc_follow(rtn, (struct follower){ .call = c, .kind = action == IPOINT_BEFORE ? FOLLOW_ENTRY : FOLLOW_RETURNS }))
        return;
    if (action == IPOINT_BEFORE)
        aot_add(p.address, POINT_BEFORE, c);
    else
        aot_add_at_returns(p.address, p.address + RTN_Range(rtn), c);
}
