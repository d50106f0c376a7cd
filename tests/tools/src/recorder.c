/* recorder: instruction, address and size of every access to memory into the file $RECORDER, by calls if its name begins with a c,
 * else by records in a buffer. */
#include <pin.h>
#include <stddef.h>
#include <stdlib.h>

struct record { ADDRINT ip, ea; UINT32 size; };
static BUFFER_ID id;
static FILE *out;
static int by_calls;

static VOID one(ADDRINT ip, ADDRINT ea, UINT32 size) { fprintf(out, "%lx %lx %u\n", ip, ea, size); }

static VOID *full(BUFFER_ID b, THREADID tid, const CONTEXT *c, VOID *buf, UINT64 n, VOID *v)
{
    for (struct record *r = buf; n--; r++)
        one(r->ip, r->ea, r->size);
    return buf;
}

static VOID instrument(INS ins, VOID *v)
{
    for (UINT32 k = 0; k < INS_MemoryOperandCount(ins); k++) {
        UINT32 size = INS_MemoryOperandSize(ins, k);
        if (by_calls)
            INS_InsertPredicatedCall(ins, IPOINT_BEFORE, AFUNPTR(one), IARG_INST_PTR, IARG_MEMORYOP_EA, k, IARG_UINT32, size, IARG_END);
        else
            INS_InsertFillBufferPredicated(ins, IPOINT_BEFORE, id, IARG_INST_PTR, offsetof(struct record, ip), IARG_MEMORYOP_EA, k,
                                           offsetof(struct record, ea), IARG_UINT32, size, offsetof(struct record, size), IARG_END);
    }
}
static VOID fini(INT32 code, VOID *v) { fclose(out); }

int main(int argc, char **argv)
{
    const char *file = getenv("RECORDER");
    if (PIN_Init(argc, argv) || !file || !(out = fopen(file, "w")))
        return 1;
    by_calls = file[0] == 'c';
    id = PIN_DefineTraceBuffer(sizeof(struct record), 1, full, 0);
    INS_AddInstrumentFunction(instrument, 0);
    PIN_AddFiniFunction(fini, 0);
    PIN_StartProgram();
}
