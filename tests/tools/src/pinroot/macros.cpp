/* Habits of tools that Pin's C++ library puts up with: a macro of a standard name before pin.H, headers that pin.H brings in; XED's
 * macros; the size of a read asked for at a write. */
#define min(x, y) (x) < (y) ? (x) : (y)
#include "pin.H"

#if !defined(XED_ICLASS_LEAVE_DEFINED) || !defined(XED_CATEGORY_COND_BR_DEFINED) || defined(XED_ICLASS_NOSUCH_DEFINED)
#error "XED's macros"
#endif

static std::bitset<64> sizes;
static VOID Write(UINT32 size) { sizes.set(min(size, 63)); }
static VOID Instruction(INS ins, VOID *)
{
    if (INS_IsMemoryWrite(ins) && !INS_IsMemoryRead(ins) && INS_IsStandardMemop(ins))
        INS_InsertPredicatedCall(ins, IPOINT_BEFORE, (AFUNPTR)Write, IARG_MEMORYREAD_SIZE, IARG_END);
}
static VOID Fini(INT32, VOID *) { std::cerr << "zero " << sizes[0] << " eight " << sizes[8] << std::endl; }

int main(int argc, char *argv[])
{
    if (PIN_Init(argc, argv))
        return 1;
    INS_AddInstrumentFunction(Instruction, 0);
    PIN_AddFiniFunction(Fini, 0);
    PIN_StartProgram();
}
