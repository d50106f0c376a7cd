/* knobs.cpp: options of every type and mode. */
#include "pin.H"
using namespace std;

KNOB<string> Text(KNOB_MODE_WRITEONCE, "pintool", "text", "none", "a text");
KNOB<UINT64> Number(KNOB_MODE_OVERWRITE, "pintool", "number", "5", "a number");
KNOB<INT32> Sum(KNOB_MODE_ACCUMULATE, "pintool", "sum", "0", "numbers that are added up");
KNOB<BOOL> Flag(KNOB_MODE_WRITEONCE, "pintool", "flag", "0", "yes or no");
KNOB<FLT64> Real(KNOB_MODE_WRITEONCE, "pintool", "real", "1.5", "a real number");
KNOB<string> List(KNOB_MODE_APPEND, "pintool", "list", "", "one more", "pre_");
KNOB<ADDRESS_RANGE> Range(KNOB_MODE_WRITEONCE, "pintool", "range", "", "low:high");
KNOB_COMMENT Comment("pintool", "a heading");

int main(int argc, char *argv[])
{
    if (PIN_Init(argc, argv)) {
        cerr << KNOB_BASE::StringKnobSummary();
        return 1;
    }
    cerr << "text " << Text.Value() << " number " << Number << " sum " << Sum.Value() << " flag " << Flag << " real " << Real.Value()
         << " list";
    for (UINT32 i = 0; i < List.NumberOfValues(); i++)
        cerr << " " << List.Value(i);
    cerr << " range " << Range.Value().Valid() << " set " << Text.SetByUser() << endl;
    PIN_ExitProcess(0);
}
