# The tool headers: without a warning in every dialect, after other headers and before them, by every name that tools use.
# test-timeout: 180
set -u
fail() { echo "FAIL: $*"; exit 1; }
flags="-I $ROOT/include -Wall -Wextra -Werror -fsyntax-only"

cat >c.c <<'EOF'
#include <pin.h>
static VOID f(ADDRINT a) { (VOID)a; }
VOID instrument(INS ins, VOID *v) { (VOID)v; INS_InsertCall(ins, IPOINT_BEFORE, AFUNPTR(f), IARG_INST_PTR, IARG_END);
    INS_InsertCall(ins, IPOINT_BEFORE, (AFUNPTR)f, IARG_INST_PTR, IARG_END); }
EOF
for std in c99 gnu99 c11 gnu11 gnu17 gnu2x; do
    gcc -std=$std $flags -Wno-unused-function c.c || fail "pin.h, $std"
done

cat >face.cpp <<'EOF'
#include "pin.H"
static KNOB<std::string> k1(KNOB_MODE_WRITEONCE, "pintool", "o", "out", "text");
static KNOB<BOOL> k2(KNOB_MODE_OVERWRITE, "pintool", "b", "0", "flag", "prefix:");
static KNOB<UINT64> k3(KNOB_MODE_ACCUMULATE, "pintool", "u", "1", "number");
static LEVEL_BASE::KNOB<INT32> k4(LEVEL_BASE::KNOB_MODE_APPEND, "pintool", "i", "", "numbers");
static KNOB<ADDRINT> k5(KNOB_MODE_WRITEONCE, "pintool", "a", "0x10", "address");
static KNOB<FLT64> k6(KNOB_MODE_WRITEONCE, "pintool", "f", "0.5", "real");
static KNOB<UINT32> k7(KNOB_MODE_WRITEONCE, "pintool", "n", "3", "small");
static KNOB<size_t> k8(KNOB_MODE_WRITEONCE, "pintool", "s", "3", "size");
static KNOB<ADDRESS_RANGE> k9(KNOB_MODE_WRITEONCE, "pintool", "r", "1:2", "range");
static KNOB_COMMENT heading("pintool", "a heading");
::ADDRINT global = 0;
::UINT32 global32 = 0;
::LEVEL_PINCLIENT::PIN_CALLBACK callback;
LEVEL_CORE::INS one(LEVEL_CORE::INS ins) { return LEVEL_CORE::INS_Next(ins); }
LEVEL_VM::CONTEXT *context(LEVEL_VM::CONTEXT *c) { return c; }
LEVEL_BASE::REG reg(UINT32 i) { return LEVEL_BASE::REG(LEVEL_BASE::REG_INST_G0 + i); }
std::map<REG, INT> by_reg;
std::set<INS> by_ins;
INT32 table[REG_LAST];
static VOID Analysis(UINT32) {}
VOID Trace(TRACE trace, VOID *)
{
    for (BBL bbl = TRACE_BblHead(trace); BBL_Valid(bbl); bbl = BBL_Next(bbl))
        for (INS ins = BBL_InsHead(bbl); INS_Valid(ins); ins = INS_Next(ins)) {
            INS_InsertCall(ins, IPOINT_BEFORE, AFUNPTR(Analysis), IARG_UINT32, 1, IARG_END);
            INS_InsertCall(ins, IPOINT_BEFORE, (AFUNPTR)Analysis, IARG_UINT32, 1, IARG_CALL_ORDER, CALL_ORDER_LAST, IARG_END);
            switch (INS_Opcode(ins)) { case XED_ICLASS_ADD: case XED_ICLASS_CALL_NEAR: break; }
            if (INS_Category(ins) == XED_CATEGORY_COND_BR && !(ins == INS_Invalid())) by_ins.insert(ins);
        }
    for (REG r = REG_GR_BASE; r <= REG_GR_LAST; r++) by_reg[r] = table[r];
    const std::string &name = RTN_Name(TRACE_Rtn(trace)), text = INS_Disassemble(BBL_InsHead(TRACE_BblHead(trace)));
    std::string s = name + text + StringFromAddrint(TRACE_Address(trace)) + hexstr(global) + decstr(global32) + REG_StringShort(REG_RAX);
    INT32 column, line; std::string file;
    PIN_GetSourceLocation(TRACE_Address(trace), &column, &line, &file);
    VOID *data = PIN_GetThreadData(0);
    PIN_SetThreadData(0, data);
    PIN_SetThreadData(0, data, PIN_ThreadId());
    UINT64 sum = k3 + k3.Value() + k4.Value(0) + k4.NumberOfValues() + (k2 ? 1 : 0) + (UINT64)k6.Value() + k7 + k8 + k9.Value()._low + k5;
    if (k1.Value().empty() || sum == 1) PIN_ERROR("message " + s);
    ASSERTX(!s.empty());
    ASSERT(sum != 2, "sum " + decstr(sum));
    ADDRINT result; 
    PIN_CallApplicationFunction(0, 0, CALLINGSTD_DEFAULT, (AFUNPTR)global, NULL, PIN_PARG(ADDRINT), &result, PIN_PARG(int), 1, PIN_PARG(char *), "x", PIN_PARG_END());
    PROTO p = PROTO_Allocate(PIN_PARG(void *), CALLINGSTD_DEFAULT, "f", PIN_PARG(int), PIN_PARG_ENUM(IPOINT), PIN_PARG_END());
    PROTO_Free(p);
    std::cerr << KNOB_BASE::StringKnobSummary() << PIN_Version() << std::endl;
}
EOF
for std in c++11 c++14 gnu++17 c++17 gnu++20; do
    g++ -std=$std $flags -Wno-unused-function face.cpp || fail "pin.H, $std"
done
for before in iostream sys/ucontext.h signal.h string.h sys/types.h unordered_map thread; do
    (echo "#include <$before>"; cat face.cpp; echo "#include <signal.h>") >order.cpp
    g++ -std=gnu++17 $flags -Wno-unused-function order.cpp || fail "behind <$before>"
done
(echo "#define COTTER_USING_NAMESPACE_STD"; echo '#include "pin.H"'; echo 'string s; ofstream out; vector<ADDRINT> v; map<string, UINT64> m;') >std.cpp
g++ $flags std.cpp || fail "using namespace std"
echo "ok headers"
