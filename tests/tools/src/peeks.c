/* peeks.c: counts opcodes, several words in each block, and looks at the counters from the callback for new code: -how 1 names the
 * word, 2 goes through a pointer, 3 calls a routine that does, 4 calls libc's memcpy, 5 writes to one. Prints what it saw, as one number,
 * and the counts. -how 0 does not look. */
#include <pin.h>
#include <stdlib.h>
#include <string.h>

KNOB_TEXT(how, "how", "0", "how the callback looks");
enum { N = 16 };
static UINT64 count[N];
static UINT64 *volatile where = count;
static UINT64 seen;
static int kind;

static VOID one(UINT32 k) { count[k]++; }
static UINT32 class_of(INS i) { return INS_IsMemoryRead(i) ? 3 : INS_IsBranch(i) ? 5 : INS_Size(i) % 3; }
static VOID see(UINT64 v) { seen = seen * 31 + v; }
static __attribute__((noinline)) UINT64 far(UINT32 k) { return where[k]; }

static VOID plain(INS i, VOID *v)
{
    INS_InsertCall(i, IPOINT_BEFORE, AFUNPTR(one), IARG_UINT32, class_of(i), IARG_END);
}
static VOID by_name(INS i, VOID *v) { see(count[3]); plain(i, v); }
static VOID by_pointer(INS i, VOID *v) { see(where[INS_Size(i) % 3]); plain(i, v); }
static VOID by_call(INS i, VOID *v) { see(far(5)); plain(i, v); }
static VOID by_libc(INS i, VOID *v)
{
    static VOID *(*volatile copy)(VOID *, const VOID *, size_t) = memcpy;
    UINT64 got[N];
    copy(got, count, sizeof got);
    see(got[1]);
    plain(i, v);
}
static VOID by_writing(INS i, VOID *v) { count[3] = 7; plain(i, v); }

static VOID fini(INT32 code, VOID *v)
{
    fprintf(stderr, "seen %lx", seen);
    for (int i = 0; i < N; i++)
        if (count[i])
            fprintf(stderr, " %lu", count[i]);
    fprintf(stderr, "\n");
}

int main(int argc, char **argv)
{
    static INS_INSTRUMENT_CALLBACK all[] = { plain, by_name, by_pointer, by_call, by_libc, by_writing };
    if (PIN_Init(argc, argv))
        return 1;
    kind = atoi(how);
    INS_AddInstrumentFunction(all[kind], 0);
    PIN_AddFiniFunction(fini, 0);
    PIN_StartProgram();
}
