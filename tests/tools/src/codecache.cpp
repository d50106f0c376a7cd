/* codecache.cpp: events of the code cache add up: what came, what went, what is there. */
#include "pin.H"

KNOB<UINT32> KnobLimit(KNOB_MODE_WRITEONCE, "pintool", "limit", "0", "limit of the cache in blocks");
KNOB<BOOL> KnobGrow(KNOB_MODE_WRITEONCE, "pintool", "grow", "0", "raise the limit when the cache is full");
static KNOB<BOOL> KnobShort(KNOB_MODE_WRITEONCE, "pintool", "short", "0", "three instructions in a trace");
static UINT64 init, blocks, full, flushed, inserted, linked, unlinked, invalidated, entered, exited, misplaced, wrong_size, changed;
static BOOL began;
static ADDRINT last_pc;
static UINT32 longest;                          /* trace since the limits were changed */

static VOID Init() { init++; }
static VOID Block(USIZE size) { blocks++; if (size != CODECACHE_BlockSize()) wrong_size++; }
static VOID Full(USIZE, USIZE)
{
    full++;
    if (KnobGrow)
        CODECACHE_ChangeCacheLimit(CODECACHE_CacheSizeLimit() + CODECACHE_BlockSize());
}
static VOID Flushed() { flushed++; }
static VOID Entered(ADDRINT at) { entered++; if (!CODECACHE_OriginalAddress(at)) misplaced++; }
static VOID Exited(ADDRINT) { exited++; }
static VOID Linked(ADDRINT from, ADDRINT to) { linked++; if (!from || !to) misplaced++; }
static VOID Unlinked(ADDRINT, ADDRINT) { unlinked++; }
static VOID Invalidated(ADDRINT pc, ADDRINT at, BOOL) { invalidated++; if (!pc || !at) misplaced++; }
static VOID Changed(ADDRINT from, ADDRINT to, VOID *) { changed++; if (to < from) misplaced++; }

static VOID Inserted(TRACE trace, VOID *)
{
    inserted++;
    last_pc = BBL_Address(TRACE_BblHead(trace)) == CODECACHE_OriginalAddress(TRACE_CodeCacheAddress(trace)) && !last_pc ? TRACE_Address(trace) : last_pc;
    USIZE sum = 0, by_ins = 0;
    if (TRACE_CodeCacheAddress(trace) != BBL_CodeCacheAddress(TRACE_BblHead(trace)))
        misplaced++;
    longest = std::max(longest, TRACE_NumIns(trace));
    for (BBL bbl = TRACE_BblHead(trace); BBL_Valid(bbl); bbl = BBL_Next(bbl)) {
        sum += BBL_CodeCacheSize(bbl);
        for (INS ins = BBL_InsHead(bbl); INS_Valid(ins); ins = INS_Next(ins))
            by_ins += INS_CodeCacheSize(ins);
        for (INS ins = BBL_InsHead(bbl); INS_Valid(ins); ins = INS_Next(ins))
            if (INS_Opcode(ins) != XED_ICLASS_JMP && CODECACHE_OriginalAddress(INS_CodeCacheAddress(ins)) != INS_Address(ins))
                misplaced++;
    }
    if (sum != TRACE_CodeCacheSize(trace) || by_ins != sum)
        wrong_size++;
}

static VOID Begin(ADDRINT)
{
    if (began)
        return;
    began = TRUE;
    if (KnobLimit)
        CODECACHE_ChangeCacheLimit(KnobLimit * CODECACHE_BlockSize());
    if (KnobShort && CODECACHE_ChangeMaxInsPerTrace(3) && CODECACHE_ChangeMaxBblsPerTrace(1) && !CODECACHE_ChangeMaxInsPerTrace(0)) {
        CODECACHE_FlushCache();
        longest = 0;
    }
}
static VOID Instruction(INS ins, VOID *) { if (!began) INS_InsertCall(ins, IPOINT_BEFORE, (AFUNPTR)Begin, IARG_INST_PTR, IARG_END); }

static VOID Fini(INT32, VOID *)
{
    UINT32 there = CODECACHE_NumTracesInCache();
    BOOL used = CODECACHE_CodeMemUsed() <= CODECACHE_CodeMemReserved() && CODECACHE_CodeMemUsed() > CODECACHE_ExitStubBytes();
    fprintf(stderr, "init %lu misplaced %lu wrong %lu used %d\n", init, misplaced, wrong_size, used);
    fprintf(stderr, "traces %s\n", flushed || inserted - invalidated >= there ? "add up" : "do not add up");
    fprintf(stderr, "links %s\n", linked >= unlinked ? "add up" : "do not add up");
    fprintf(stderr, "crossings %s\n", entered && entered <= exited + 2 && exited <= entered + 2 ? "add up" : "do not add up");
    fprintf(stderr, "full %s flushed %s blocks %s\n", full ? "yes" : "no", flushed ? "yes" : "no", blocks > 1 ? "many" : "one");
    fprintf(stderr, "changed %lu\n", changed);
    if (KnobShort)
        fprintf(stderr, "longest %u\n", longest);
    BOOL sizes = CODECACHE_DirectoryMemUsed() >= there * 32 && CODECACHE_LinkBytes() <= CODECACHE_NumExitStubsInCache() * 64 &&
                 PIN_MemoryAllocatedForPin() > CODECACHE_CodeMemReserved();
    UINT32 reserved = CODECACHE_CodeMemReserved();
    BOOL more = CODECACHE_CreateNewCacheBlock(4096) && CODECACHE_CodeMemReserved() > reserved && !CODECACHE_CreateNewCacheBlock(~0u);
    fprintf(stderr, "sizes %d more %d\n", sizes, more);
    if (!flushed && last_pc && (!CODECACHE_InvalidateTraceAtProgramAddress(last_pc) || CODECACHE_InvalidateTraceAtProgramAddress(last_pc)))
        fprintf(stderr, "0x%lx is still there\n", last_pc);
    there = CODECACHE_NumTracesInCache();
    UINT32 gone = CODECACHE_InvalidateRange(0, ~0ul - 1);
    fprintf(stderr, "left %u %s\n", CODECACHE_NumTracesInCache(), gone >= there ? "all gone" : "not all gone");
}

int main(int argc, char **argv)
{
    if (PIN_Init(argc, argv))
        return 1;
    CODECACHE_AddCacheInitFunction(Init, 0);
    CODECACHE_AddCacheBlockFunction(Block, 0);
    CODECACHE_AddFullCacheFunction(Full, 0);
    CODECACHE_AddCacheFlushedFunction(Flushed, 0);
    CODECACHE_AddCodeCacheEnteredFunction(Entered, 0);
    CODECACHE_AddCodeCacheExitedFunction(Exited, 0);
    CODECACHE_AddTraceInsertedFunction(Inserted, 0);
    CODECACHE_AddTraceLinkedFunction(Linked, 0);
    CODECACHE_AddTraceUnlinkedFunction(Unlinked, 0);
    CODECACHE_AddTraceInvalidatedFunction(Invalidated, 0);
    TRACE_AddSmcDetectedFunction(Changed, 0);
    INS_AddInstrumentFunction(Instruction, 0);
    PIN_AddFiniFunction(Fini, 0);
    PIN_StartProgram();
}
