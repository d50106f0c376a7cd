/* The headers for cache models and profiles: the accesses of the routine `walk` go through a small cache. */
#include "pin.H"
typedef UINT64 CACHE_STATS;
#include "pin_cache.H"
#include "pin_profile.H"

typedef CACHE_ROUND_ROBIN(64, 2, CACHE_ALLOC::STORE_ALLOCATE) MODEL;
enum { MISS, HIT, N };
typedef COUNTER_ARRAY<UINT64, N> HITMISS;
static MODEL model("model", 4 * KILO, 64, 2);
static COMPRESSOR_COUNTER<ADDRINT, UINT32, HITMISS> profile;

static VOID Load(ADDRINT a, UINT32 n, UINT32 at) { profile[at][model.Access(a, n, CACHE_BASE::ACCESS_TYPE_LOAD) ? HIT : MISS]++; }

static VOID Routine(RTN rtn, VOID *)
{
    if (RTN_Name(rtn) != "walk")
        return;
    RTN_Open(rtn);
    for (INS ins = RTN_InsHead(rtn); INS_Valid(ins); ins = INS_Next(ins))
        if (INS_IsMemoryRead(ins) && !INS_IsRet(ins))
            INS_InsertCall(ins, IPOINT_BEFORE, (AFUNPTR)Load, IARG_MEMORYREAD_EA, IARG_MEMORYREAD_SIZE, IARG_UINT32,
                           profile.Map(INS_Address(ins)), IARG_END);
    RTN_Close(rtn);
}

static VOID Fini(INT32, VOID *)
{
    HITMISS all;
    for (UINT32 i = 0; i < 1; i++)
        all += profile[i];
    std::cerr << "misses " << all[MISS] << " hits " << all[HIT] << " " << (model.Misses() == all[MISS] ? "same" : "differ") << std::endl;
}

int main(int argc, char *argv[])
{
    PIN_InitSymbols();
    if (PIN_Init(argc, argv))
        return 1;
    profile.SetKeyName("address");
    profile.SetCounterName("misses hits");
    RTN_AddInstrumentFunction(Routine, 0);
    PIN_AddFiniFunction(Fini, 0);
    PIN_StartProgram();
}
