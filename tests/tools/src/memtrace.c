/* memtrace.c: every memory access of the program as a record in a buffer; or (-calls) through a call. Prints sums that must
 * be the same both ways. */
#include <pin.h>

KNOB_FLAG(calls, "calls", "one call per access instead of buffers");

struct record { ADDRINT ip, ea; UINT32 size; UINT8 is_write; UINT8 pad[3]; };
static UINT64 n, sum_ip, sum_ea, sum_size, n_writes, handed;
static BUFFER_ID id;
static PIN_LOCK lock;

static VOID add(ADDRINT ip, ADDRINT ea, UINT32 size, BOOL is_write)
{
    n++;
    sum_ip += ip;
    sum_ea += ea;
    sum_size += size;
    n_writes += is_write;
}

static VOID *full(BUFFER_ID b, THREADID tid, const CONTEXT *c, VOID *buf, UINT64 k, VOID *v)
{
    struct record *r = buf;
    PIN_GetLock(&lock, 1);
    for (UINT64 i = 0; i < k; i++)
        add(r[i].ip, r[i].ea, r[i].size, r[i].is_write);
    handed++;
    PIN_ReleaseLock(&lock);
    return buf;
}

static VOID instrument(INS ins, VOID *v)
{
    for (UINT32 k = 0; k < INS_MemoryOperandCount(ins); k++)
        for (UINT32 w = 0; w < 2; w++) {
            if (w ? !INS_MemoryOperandIsWritten(ins, k) : !INS_MemoryOperandIsRead(ins, k))
                continue;
            if (calls)
                INS_InsertPredicatedCall(ins, IPOINT_BEFORE, AFUNPTR(add), IARG_INST_PTR, IARG_MEMORYOP_EA, k, IARG_UINT32,
                                         INS_MemoryOperandSize(ins, k), IARG_BOOL, w, IARG_END);
            else
                INS_InsertFillBufferPredicated(ins, IPOINT_BEFORE, id, IARG_INST_PTR, offsetof(struct record, ip),
                                               IARG_MEMORYOP_EA, k, offsetof(struct record, ea), IARG_UINT32,
                                               INS_MemoryOperandSize(ins, k), offsetof(struct record, size), IARG_BOOL, w,
                                               offsetof(struct record, is_write), IARG_END);
        }
}

static VOID fini(INT32 code, VOID *v)
{
    fprintf(stderr, "accesses %lu writes %lu bytes %lu ip %lx ea %lx\n", n, n_writes, sum_size, sum_ip, sum_ea);
    if (!calls && !handed)
        fprintf(stderr, "no buffer was handed over\n");
}

int main(int argc, char **argv)
{
    if (PIN_Init(argc, argv))
        return 1;
    PIN_InitLock(&lock);
    id = PIN_DefineTraceBuffer(sizeof(struct record), 4, full, 0);
    INS_AddInstrumentFunction(instrument, 0);
    PIN_AddFiniFunction(fini, 0);
    PIN_StartProgram();
}
