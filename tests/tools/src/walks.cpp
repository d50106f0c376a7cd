/* walks.cpp: images, sections, routines and symbols, forwards and backwards, are the same things; their facts as text. */
#include "pin.H"

static UINT64 n, wrong;
#define CHECK(claim) do { n++; if (!(claim)) { if (wrong++ < 5) fprintf(stderr, "line %d: %s\n", __LINE__, #claim); } } while (0)

static VOID Routines(SEC sec)
{
    RTN last = RTN_Invalid();
    for (RTN rtn = SEC_RtnHead(sec); RTN_Valid(rtn); rtn = RTN_Next(rtn)) {
        CHECK(RTN_Sec(rtn) == sec && RTN_Funptr(rtn) == (AFUNPTR)RTN_Address(rtn) && !RTN_IsDynamic(rtn));
        CHECK(RTN_Range(rtn) >= RTN_Size(rtn) || RTN_Size(rtn) > 0);
        CHECK(RTN_Valid(last) ? RTN_Prev(rtn) == last && RTN_Address(last) <= RTN_Address(rtn) : !RTN_Valid(RTN_Prev(rtn)));
        CHECK(RTN_Address(rtn) >= SEC_Address(sec) && RTN_Address(rtn) < SEC_Address(sec) + SEC_Size(sec));
        SYM sym = RTN_Sym(rtn);
        CHECK(RTN_IsArtificial(rtn) || (SYM_Valid(sym) && SYM_Address(sym) == RTN_Address(rtn)));
        last = rtn;
    }
    CHECK(RTN_Valid(last) ? SEC_RtnTail(sec) == last : !RTN_Valid(SEC_RtnTail(sec)));
}

static VOID Sections(IMG img)
{
    SEC last = SEC_Invalid();
    for (SEC sec = IMG_SecHead(img); SEC_Valid(sec); sec = SEC_Next(sec)) {
        CHECK(SEC_Img(sec) == img && (SEC_Valid(last) ? SEC_Prev(sec) == last : !SEC_Valid(SEC_Prev(sec))));
        CHECK(!SEC_Mapped(sec) || !SEC_Size(sec) || (SEC_Address(sec) >= IMG_LowAddress(img) && SEC_Address(sec) <= IMG_HighAddress(img)));
        CHECK(SEC_Name(sec) != ".text" || (SEC_Type(sec) == SEC_TYPE_EXEC && SEC_IsExecutable(sec) && SEC_IsReadable(sec) && !SEC_IsWriteable(sec)));
        CHECK(SEC_Name(sec) != ".bss" || (SEC_Type(sec) == SEC_TYPE_BSS && SEC_IsWriteable(sec) && !SEC_Data(sec)));
        if (SEC_Name(sec) == ".text" && !IMG_IsVDSO(img)) {
            UINT8 there[16];
            CHECK(PIN_SafeCopy(there, (VOID *)SEC_Address(sec), 16) == 16 && !memcmp(there, SEC_Data(sec), 16));
            CHECK((ADDRINT)SEC_Data(sec) >= IMG_StartAddress(img) && (ADDRINT)SEC_Data(sec) < IMG_StartAddress(img) + IMG_SizeMapped(img));
        }
        Routines(sec);
        last = sec;
    }
    CHECK(IMG_SecTail(img) == last);
}

static VOID Symbols(IMG img)
{
    SYM last = SYM_Invalid();
    for (SYM sym = IMG_RegsymHead(img); SYM_Valid(sym); sym = SYM_Next(sym)) {
        CHECK(SYM_Value(sym) + IMG_LoadOffset(img) == SYM_Address(sym) && (SYM_Valid(last) ? SYM_Prev(sym) == last : !SYM_Valid(SYM_Prev(sym))));
        CHECK(SYM_Index(sym) < 100 && (!SYM_GeneratedByPin(sym) || !SYM_Dynamic(sym)));
        last = sym;
    }
}

static VOID Image(IMG img, VOID *)
{
    UINT32 regions = IMG_NumRegions(img);
    CHECK(regions > 0 && IMG_RegionLowAddress(img, 0) == IMG_LowAddress(img) && IMG_RegionHighAddress(img, regions - 1) == IMG_HighAddress(img));
    CHECK(IMG_Entry(img) == IMG_EntryAddress(img) && IMG_Gp(img) == 0 && !IMG_Valid(IMG_Invalid()) && IMG_FindImgById(IMG_Id(img)) == img);
    CHECK(IMG_FindByAddress(IMG_LowAddress(img)) == img && IMG_Type(img) != IMG_TYPE_INVALID);
    CHECK(!IMG_HasProperty(img, IMG_PROPERTY_INVALID));
    CHECK(!IMG_GetLoaderInfo(img));
    IMG_SetLoaderInfo(img, &n);
    CHECK(IMG_GetLoaderInfo(img) == &n);
    Sections(img);
    Symbols(img);
}

static VOID Fini(INT32, VOID *)
{
    UINT32 count = 0;
    IMG last = IMG_Invalid();
    for (IMG img = APP_ImgHead(); IMG_Valid(img); img = IMG_Next(img)) {
        CHECK(count ? IMG_Prev(img) == last : !IMG_Valid(IMG_Prev(img)));
        count++;
        last = img;
    }
    printf("%u images, wrong %lu %s\n", count, wrong, n > 1000 ? "many" : "few");
}

int main(int argc, char **argv)
{
    PIN_InitSymbols();
    if (PIN_Init(argc, argv))
        return 1;
    IMG img = IMG_Open("/bin/ls");              /* before the start: a file that is not mapped */
    CHECK(IMG_Valid(img) && IMG_LoadOffset(img) == 0 && !IMG_IsMainExecutable(img) && SEC_Valid(IMG_SecHead(img)));
    UINT32 sections = 0;
    for (SEC sec = IMG_SecHead(img); SEC_Valid(sec); sec = SEC_Next(sec))
        sections++;
    printf("%u sections\n", sections);
    IMG_Close(img);
    CHECK(!IMG_Valid(IMG_Open("/nonexistent")));
    IMG_AddInstrumentFunction(Image, 0);
    PIN_AddFiniFunction(Fini, 0);
    PIN_StartProgram();
}
