/* memtrace: instruction, address and size of every memory access into a buffer; the tool throws full buffers away. */
#include <pin.h>

struct record { ADDRINT ip, ea; UINT32 size; };
static UINT64 records;
static BUFFER_ID id;

static VOID *full(BUFFER_ID b, THREADID tid, const CONTEXT *c, VOID *buf, UINT64 n, VOID *v)
{
    __sync_fetch_and_add(&records, n);
    return buf;
}

static VOID instrument(INS ins, VOID *v)
{
    for (UINT32 k = 0; k < INS_MemoryOperandCount(ins); k++)
        INS_InsertFillBufferPredicated(ins, IPOINT_BEFORE, id, IARG_INST_PTR, offsetof(struct record, ip), IARG_MEMORYOP_EA, k,
                                       offsetof(struct record, ea), IARG_UINT32, INS_MemoryOperandSize(ins, k),
                                       offsetof(struct record, size), IARG_END);
}
static VOID fini(INT32 code, VOID *v) { fprintf(stderr, "%lu records\n", records); }

int main(int argc, char **argv)
{
    if (PIN_Init(argc, argv))
        return 1;
    id = PIN_DefineTraceBuffer(sizeof(struct record), 64, full, 0);
    INS_AddInstrumentFunction(instrument, 0);
    PIN_AddFiniFunction(fini, 0);
    PIN_StartProgram();
}
