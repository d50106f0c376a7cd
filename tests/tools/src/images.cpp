/* images.cpp: which images come and go, when; their parts. */
#include "pin.H"
using namespace std;

static string base(const string &path)
{
    string s = path.substr(path.rfind('/') + 1);
    return s.substr(0, s.find(".so") == string::npos ? string::npos : s.find(".so"));
}

static VOID Load(IMG img, VOID *v)
{
    UINT32 secs = 0, rtns = 0, text = 0;
    for (SEC sec = IMG_SecHead(img); SEC_Valid(sec); sec = SEC_Next(sec)) {
        secs++;
        text += SEC_Name(sec) == ".text" && SEC_IsExecutable(sec);
        for (RTN rtn = SEC_RtnHead(sec); RTN_Valid(rtn); rtn = RTN_Next(rtn)) {
            rtns++;
            ASSERTX(RTN_Address(rtn) >= IMG_LowAddress(img) && RTN_Address(rtn) <= IMG_HighAddress(img));
            ASSERTX(RTN_FindByAddress(RTN_Address(rtn)) == rtn);
            ASSERTX(SEC_Img(RTN_Sec(rtn)) == img);
        }
    }
    ASSERTX(IMG_FindByAddress(IMG_LowAddress(img)) == img && IMG_FindImgById(IMG_Id(img)) == img);
    cerr << "load " << base(IMG_Name(img)) << (IMG_IsMainExecutable(img) ? " main" : "") << (IMG_IsInterpreter(img) ? " interpreter" : "")
         << (IMG_IsVDSO(img) ? " vdso" : "") << " text " << text << (secs > 5 && rtns > 5 ? " ok" : " few parts") << endl;
}

static VOID Unload(IMG img, VOID *v) { cerr << "unload " << base(IMG_Name(img)) << endl; }
static VOID Started(VOID *v) { cerr << "start" << endl; }

static VOID Routine(RTN rtn, VOID *v)
{
    IMG img = SEC_Img(RTN_Sec(rtn));
    if (!IMG_IsMainExecutable(img) || (RTN_Name(rtn) != "twice" && RTN_Name(rtn) != "half"))
        return;
    INT32 line;
    string file;
    PIN_GetSourceLocation(RTN_Address(rtn), NULL, &line, &file);
    RTN_Open(rtn);
    cerr << "routine " << RTN_Name(rtn) << " line " << line << " of " << base(file) << " rets ";
    UINT32 rets = 0;
    for (INS ins = RTN_InsHead(rtn); INS_Valid(ins); ins = INS_Next(ins))
        rets += INS_IsRet(ins);
    cerr << rets << endl;
    RTN_Close(rtn);
}

int main(int argc, char *argv[])
{
    PIN_InitSymbols();
    if (PIN_Init(argc, argv))
        return 1;
    IMG_AddInstrumentFunction(Load, 0);
    IMG_AddUnloadFunction(Unload, 0);
    RTN_AddInstrumentFunction(Routine, 0);
    PIN_AddApplicationStartFunction(Started, 0);
    PIN_StartProgram();
}
