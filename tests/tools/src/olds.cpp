/* olds.cpp: names of older headers say what the new ones say, of everything in a program; images that the tool makes come and go. */
#include "pin.H"

static UINT64 n, wrong;
#define CHECK(claim) do { n++; if (!(claim)) { wrong++; fprintf(stderr, "line %d: %s\n", __LINE__, #claim); } } while (0)

static VOID Instruction(INS ins, VOID *)
{
    for (UINT32 k = 0; k < INS_OperandCount(ins); k++)
        CHECK(INS_OperandReadAndWriten(ins, k) == INS_OperandReadAndWritten(ins, k));
    if (INS_MemoryOperandCount(ins) == 1)
        CHECK(INS_MemoryDisplacementSigned(ins) == INS_MemoryDisplacement(ins));
    if (INS_MemoryOperandCount(ins) == 1 && INS_MemoryOperandIsWritten(ins, 0) && INS_IsStandardMemop(ins))
        CHECK(INS_MemoryWriteSize(ins) == INS_MemoryOperandSize(ins, 0) && INS_MemoryWriteSize(ins) > 0);
    if (!INS_IsMemoryWrite(ins))
        CHECK(INS_MemoryWriteSize(ins) == 0);
    CHECK(!INS_IsDirectFarJump(ins));           /* in 64-bit code there is none, so that this is never reached */
    if (INS_IsDirectFarJump(ins)) {
        UINT16 selector;
        UINT32 displacement;
        INS_GetFarPointer(ins, selector, displacement);
    }
    INT32 line, old_line, column, old_column;
    std::string file, old_file, old_file2;
    PIN_GetSourceLocation(INS_Address(ins), &column, &line, &file);
    PIN_FindLineFileByAddress(INS_Address(ins), &old_line, &old_file);
    CHECK(old_line == line && old_file == file);
    PIN_FindColumnLineFileByAddress(INS_Address(ins), &old_column, &old_line, &old_file2);
    CHECK(old_line == line && old_column == column && old_file2 == file);
}

static UINT32 loads, unloads, ifuncs;
static VOID Load(IMG img, VOID *)
{
    loads++;
    for (SYM s = IMG_RegsymHead(img); SYM_Valid(s); s = SYM_Next(s)) {
        CHECK(SYM_IFunc(s) == SYM_IFuncResolver(s) && SYM_OriginatedFromIFunc(s) == SYM_IFuncImplementation(s));
        ifuncs += SYM_IFunc(s);
    }
    for (SEC s = IMG_SecHead(img); SEC_Valid(s); s = SEC_Next(s))
        for (RTN r = SEC_RtnHead(s); RTN_Valid(r); r = RTN_Next(r))
            CHECK(RTN_No(r) == (INT32)RTN_Id(r));
}
static std::string last_gone;
static VOID Unload(IMG img, VOID *)
{
    unloads++;
    last_gone = IMG_Name(img);
}

/* Images that the tool makes; in this mode it hears of no others. */
KNOB<BOOL> Replay(KNOB_MODE_WRITEONCE, "pintool", "replay", "0", "images come from the tool");
static VOID Started(VOID *)
{
    IMG one = IMG_CreateAt("one", 0x40000000, 4096, 0, FALSE), two = IMG_CreateAt("two", 0x50000000, 4096, 0, FALSE);
    PIN_ReplayImageLoad(one);
    IMG_ReplayImageLoad(two);
    CHECK(loads == 2 && unloads == 0);
    PIN_ReplayImageUnload(one);
    CHECK(unloads == 1 && last_gone == "one");
    IMG_ReplayImageUnload(two);
    CHECK(unloads == 2 && last_gone == "two");
    fprintf(stderr, "replayed, wrong %lu\n", wrong);
    PIN_ExitProcess(0);
}

/* The list of images from both ends. */
static VOID Fini(INT32, VOID *)
{
    PIN_LockClient();
    IMG last = IMG_Invalid();
    UINT32 images = 0;
    for (IMG img = APP_ImgHead(); IMG_Valid(img); img = IMG_Next(img), images++)
        last = img;
    CHECK(APP_ImgTail() == last && !IMG_Valid(IMG_Next(APP_ImgTail())));
    for (IMG img = APP_ImgTail(); IMG_Valid(img); img = IMG_Prev(img))
        images--;
    CHECK(images == 0 && loads > 2 && ifuncs > 10);
    PIN_UnlockClient();
    fprintf(stderr, "%s wrong %lu\n", n > 10000 ? "many" : "few", wrong);
}

int main(int argc, char *argv[])
{
    PIN_InitSymbols();
    if (PIN_Init(argc, argv))
        return 1;
    INS_AddInstrumentFunction(Instruction, 0);
    IMG_AddInstrumentFunction(Load, 0);
    IMG_AddUnloadFunction(Unload, 0);
    PIN_AddFiniFunction(Fini, 0);
    if (Replay) {
        PIN_SetReplayMode(REPLAY_MODE_IMAGEOPS);
        PIN_AddApplicationStartFunction(Started, 0);
    }
    PIN_StartProgram();
}
