/* leans.cpp: pin.h for pin.H, std::__1, fcntl and semun that nobody included, files by OS_ names. */
#include "types_base.PH"
#include "pin.h"
#include "parts/shape.h"
using std::__1::to_string;

static UINT64 branches;
static VOID Taken() { branches++; }
static VOID NotTaken() {}
static VOID Instruction(INS ins, VOID *v)
{
    if (INS_HasFallThrough(ins) && INS_Category(ins) == XED_CATEGORY_COND_BR)          /* xend is one */
        INS_InsertCall(ins, IPOINT_AFTER, (AFUNPTR)NotTaken, IARG_END);
    if (INS_Category(ins) == XED_CATEGORY_COND_BR)
        INS_InsertCall(ins, IPOINT_TAKEN_BRANCH, (AFUNPTR)Taken, IARG_END);
}

static UNUSED VOID Fini(INT32 code, VOID *v)
{
    union semun s;
    struct flock lock;
    SQUARE square;
    NATIVE_FD fd;
    s.val = 7, lock.l_type = F_RDLCK;
    std::string text = to_string(s.val) + " " + to_string(lock.l_type == F_RDLCK) + " " + to_string(square.Area() + square.Sides()) +
                       (branches > 100 ? " many" : " few") + "\n";
    USIZE n = text.size();
    if (OS_RETURN_CODE_IS_SUCCESS(OS_OpenFD("leans.out", OS_FILE_OPEN_TYPE_WRITE | OS_FILE_OPEN_TYPE_CREATE, 0600, &fd)))
        OS_WriteFD(fd, text.c_str(), &n), OS_CloseFD(fd);
}

int main(int argc, char *argv[])
{
    PIN_Init(argc, argv);
    INS_AddInstrumentFunction(Instruction, 0);
    PIN_AddFiniFunction(Fini, 0);
    PIN_StartProgram();
}
