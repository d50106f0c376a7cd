/* countdown.c: Ifs that count down in several ways. Prints a digest of where each of them came to zero, which must not depend
 * on what is done to make them cheap. -look: a call that looks at the words now and then; -mix: one word is also added to. */
#include <pin.h>

KNOB_FLAG(look, "look", "look at the words every so often");
KNOB_FLAG(mix, "mix", "add to one of the words elsewhere");

static INT64 rare = 100000, often = 3, thirds = 999;
static INT32 narrow = 5000, below = -4;
static UINT64 fired, digest, looked;

static ADDRINT is_rare(void) { return --rare == 0; }
static ADDRINT is_often(void) { return --often == 0; }
static ADDRINT is_third(void) { thirds -= 3; return thirds == 0; }
static ADDRINT is_narrow(void) { return --narrow == 0; }
static ADDRINT is_below(void) { return --below == 0; }             /* never */

static VOID note(ADDRINT ip, UINT64 which)
{
    fired++;
    digest = digest * 1000003 + ip + which;
}
/* The next distance depends on the place: some are tiny. */
static VOID at_rare(ADDRINT ip) { note(ip, 1); rare = 1 + digest % 30000; }
static VOID at_often(ADDRINT ip) { note(ip, 2); often = 1 + digest % 5; }
static VOID at_third(ADDRINT ip) { note(ip, 3); thirds = 3 + 3 * (digest % 700); }
static VOID at_narrow(ADDRINT ip) { note(ip, 4); narrow = (INT32)(1 + digest % 9000); }
static VOID at_below(ADDRINT ip) { note(ip, 5); }

static __attribute__((noinline)) VOID look_at(ADDRINT ip)
{
    if (ip % 64 == 0)
        looked = looked * 31 + (UINT64)(rare ^ thirds ^ narrow ^ below);
}
static VOID more(void) { narrow += 2; }

static VOID pair(INS ins, AFUNPTR test, AFUNPTR then)
{
    INS_InsertIfCall(ins, IPOINT_BEFORE, test, IARG_END);
    INS_InsertThenCall(ins, IPOINT_BEFORE, then, IARG_INST_PTR, IARG_END);
}

static VOID instrument(INS ins, VOID *v)
{
    pair(ins, AFUNPTR(is_rare), AFUNPTR(at_rare));
    if (INS_Address(ins) % 16 == 0)
        pair(ins, AFUNPTR(is_often), AFUNPTR(at_often));
    pair(ins, AFUNPTR(is_third), AFUNPTR(at_third));
    pair(ins, AFUNPTR(is_narrow), AFUNPTR(at_narrow));
    pair(ins, AFUNPTR(is_below), AFUNPTR(at_below));
    if (look && INS_Address(ins) % 8 == 0)
        INS_InsertCall(ins, IPOINT_BEFORE, AFUNPTR(look_at), IARG_INST_PTR, IARG_END);
    if (mix && INS_Address(ins) % 32 == 0)
        INS_InsertCall(ins, IPOINT_BEFORE, AFUNPTR(more), IARG_END);
}

static VOID fini(INT32 code, VOID *v)
{
    fprintf(stderr, "fired %lu digest %lx left %ld %ld %ld %d %d looked %lx\n", fired, digest, rare, often, thirds, narrow, below, looked);
}

int main(int argc, char **argv)
{
    if (PIN_Init(argc, argv))
        return 1;
    INS_AddInstrumentFunction(instrument, 0);
    PIN_AddFiniFunction(fini, 0);
    PIN_StartProgram();
}
