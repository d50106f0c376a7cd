/* Functions that few tools use: -what says which. */
#include "pin.H"
#include <cassert>
#include <dlfcn.h>
#include <immintrin.h>

KNOB<std::string> What(KNOB_MODE_WRITEONCE, "pintool", "what", "", "which");
static UINT64 n, wrong;


/* ---- the application's rounding mode ---- */
static VOID Mark()
{
    volatile double a = 1, b = 3;
    volatile double third = a / b;
    printf("tool %a\n", third);
    fflush(stdout);
    _mm_setcsr((_mm_getcsr() & ~0x6000u) | 0x2000);         // down
}

/* ---- gathers ---- */
static VOID Move(ISCATTERED_MEMORY_REWRITE *s)
{
    static char elsewhere[16][16];
    n++;
    for (UINT32 i = 0; i < s->NumOfElements(); i++)
        if (s->ElementMaskValue(i)) {
            PIN_SafeCopy(elsewhere[i], (VOID *)s->ElementAddress(i), s->ElementSize(i));
            if (What.Value() == "scattered") {              // doubled on the way
                if (s->ElementSize(i) == 8)
                    *(long *)elsewhere[i] *= 2;
                else
                    *(float *)elsewhere[i] *= 2;
            }
            s->SetElementAddress(i, (ADDRINT)elsewhere[i]);
        }
}

static VOID Ins(INS ins, VOID *)
{
    if (!INS_IsVgather(ins))
        return;
    assert(INS_IsValidForIarg(ins, IARG_REWRITE_SCATTERED_MEMOP));
    INS_InsertCall(ins, IPOINT_BEFORE, (AFUNPTR)Move, IARG_REWRITE_SCATTERED_MEMOP, 0, IARG_END);
    INS_RewriteScatteredMemoryOperand(ins, 0);
}

/* ---- code from the tool: 41 becomes 42 on its way to the translator, memory keeps it ---- */
static size_t Fetch(void *to, ADDRINT at, size_t size, EXCEPTION_INFO *info, VOID *)
{
    size_t k = PIN_SafeCopyEx(to, (VOID *)at, size, info);
    UINT8 *p = (UINT8 *)to;
    for (size_t i = 0; i + 5 <= k; i++)
        if (p[i] == 0xb8 && p[i + 1] == 41 && !p[i + 2] && !p[i + 3] && !p[i + 4])
            p[i + 1] = 42;
    n += k;
    return k;
}

/* ---- images ---- */
static IMG made;
static VOID Count() { n++; }

static VOID Image(IMG img, VOID *)
{
    if (What.Value() == "images") {
        wrong += img.index != made.index || IMG_Name(img) != "generated" || IMG_LowAddress(img) != 0x40000000 || IMG_SizeMapped(img) != 0;
        RTN rtn = RTN_FindByName(img, "second");
        wrong += !RTN_Valid(rtn) || RTN_Address(rtn) != 0x40000040 || IMG_FindByAddress(0x40000050).index != made.index;
        RTN_Open(rtn);
        RTN_InsertCall(rtn, IPOINT_BEFORE, (AFUNPTR)Count, IARG_END);
        RTN_Close(rtn);
        return;
    }
    RTN rtn = RTN_FindByName(img, What.Value() == "expose" ? "mark" : "strlen");
    if (!RTN_Valid(rtn))
        return;
    if (What.Value() == "expose" && IMG_IsMainExecutable(img)) {
        static REGSET set;
        REGSET_Clear(set);
        REGSET_Insert(set, REG_MXCSR);
        RTN_Open(rtn);
        RTN_InsertCall(rtn, IPOINT_BEFORE, (AFUNPTR)Mark, IARG_EXPOSE, &set, IARG_END);
        RTN_Close(rtn);
    } else if (What.Value() == "ifunc" && SYM_Valid(RTN_Sym(rtn)) && SYM_IFuncResolver(RTN_Sym(rtn))) {
        RTN_Open(rtn);
        RTN_InsertCall(rtn, IPOINT_BEFORE, (AFUNPTR)Count, IARG_END);
        RTN_Close(rtn);
    }
}

static size_t Replacement(const CONTEXT *ctxt, THREADID tid, AFUNPTR original, const char *s)
{
    size_t r = 0;
    n++;
    PIN_CallApplicationFunction(ctxt, tid, CALLINGSTD_DEFAULT, original, NULL, PIN_PARG(size_t), &r, PIN_PARG(const char *), s, PIN_PARG_END());
    return r + 1;
}

static VOID ReplaceImage(IMG img, VOID *)
{
    RTN rtn = RTN_FindByName(img, "strlen");
    if (RTN_Valid(rtn) && IMG_Name(img).find("libc.so") != std::string::npos)
        RTN_ReplaceSignature(rtn, (AFUNPTR)Replacement, IARG_CONST_CONTEXT, IARG_THREAD_ID, IARG_ORIG_FUNCPTR,
                             IARG_FUNCARG_ENTRYPOINT_VALUE, 0, IARG_END);
}

static VOID Fini(INT32, VOID *)
{
    if (What.Value() == "ifunc")
        for (IMG img = APP_ImgHead(); IMG_Valid(img); img = IMG_Next(img)) {
            RTN rtn = RTN_FindByName(img, "strlen");
            if (!RTN_Valid(rtn) || !SYM_Valid(RTN_Sym(rtn)) || !SYM_IFuncResolver(RTN_Sym(rtn)))
                continue;
            RTN chosen = RTN_IFuncImplementation(rtn);
            wrong += !RTN_Valid(chosen) || RTN_IFuncResolver(chosen).index != rtn.index || !SYM_IFuncImplementation(RTN_Sym(chosen));
            if (RTN_Valid(chosen))
                printf("%p\n", (void *)RTN_Address(chosen));
        }
    printf("%lu %lu\n", n, wrong);
}

int main(int argc, char **argv)
{
    PIN_InitSymbols();
    if (PIN_Init(argc, argv))
        return 1;
    const std::string &w = What.Value();
    if (w == "expose" || w == "ifunc" || w == "images")
        IMG_AddInstrumentFunction(Image, 0);
    if (w == "replace")
        IMG_AddInstrumentFunction(ReplaceImage, 0);
    if (w == "scattered" || w == "moved")
        INS_AddInstrumentFunction(Ins, 0);
    if (w == "fetch")
        PIN_AddFetchFunction(Fetch, 0);
    if (w == "stale")
        PIN_SetSmcSupport(SMC_DISABLE);
    if (w == "images") {
        PIN_SetReplayMode(REPLAY_MODE_IMAGEOPS);
        made = IMG_CreateAt("generated", 0x40000000, 4096, 0, FALSE);
        RTN_CreateAt(0x40000000, "first");
        RTN_CreateAt(0x40000040, "second");
        IMG_ReplayImageLoad(made);
    }
    if (w == "small") {
        CHAR *name = CreateTmpFileName("made.XXXXXX", 12);
        wrong += !name || access(name, F_OK) || PIN_IsAmxActive(INVALID_THREADID) || !PIN_WasMemoryReservedInLoadTime();
        wrong += !CODECACHE_ChangeBlockSize(65536) || CODECACHE_ChangeBlockSize(100);
    }
    if (w == "dlopen") {
        VOID *m = dlopen("libm.so.6", RTLD_NOW);
        double (*cosine)(double) = m ? (double (*)(double))dlsym(m, "cos") : 0;
        printf("%g %d ", cosine ? cosine(0) : -1, dlopen("libthere_is_none.so", RTLD_NOW) == 0);
        printf("%d\n", dlerror() != 0);
        fflush(stdout);
    }
    PIN_AddFiniFunction(Fini, 0);
    PIN_StartProgram();
}
