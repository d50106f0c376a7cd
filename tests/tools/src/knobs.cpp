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

KNOB<BOOL> Manage(KNOB_MODE_WRITEONCE, "other", "manage", "0", "look at the options themselves");
#define CHECK(claim) do { if (!(claim)) cerr << "line " << __LINE__ << ": " << #claim << endl; } while (0)

/* Given: -manage -number 3 -pre_list a -pre_list b. */
static VOID LookAtThem()
{
    CHECK(KNOB_BASE::FindKnob("text") == &Text && KNOB_BASE::FindKnob("pre_list") == &List && !KNOB_BASE::FindKnob("nosuch"));
    CHECK(KNOB_BASE::FindFamily("other") == &Manage && !KNOB_BASE::FindFamily("nosuch"));
    CHECK(Text.Family() == "pintool" && List.Name() == "pre_list" && List.Mode() == KNOB_MODE_APPEND);
    KNOB_BASE::DisableKnob("text");
    CHECK(!Text.Enabled() && Number.Enabled() && !KNOB_BASE::FindEnabledKnob("text") && KNOB_BASE::FindKnob("text") == &Text);
    KNOB_BASE::EnableKnob("text");
    CHECK(Text.Enabled() && KNOB_BASE::FindEnabledKnob("text") == &Text);
    KNOB_BASE::DisableKnobFamily("pintool");
    CHECK(!Text.Enabled() && !Number.Enabled() && Manage.Enabled());
    KNOB_BASE::EnableKnobFamily("pintool");
    CHECK(Text.Enabled() && Number.Enabled());
    CHECK(Text.Compare(Number) > 0 && Number.Compare(Text) < 0 && Text.Compare(Text) == 0);
    string text = Text;
    UINT64 number = Number;
    CHECK(text == "none" && number == 3 && Number.ValueString() == "3" && Number.Cmd() == "3" && List.ValueString(1) == "b");
    CHECK(!Number.AddValue("9") && Number.Value() == 3);                /* the user's stays */
    CHECK(Sum.AddValue("4") && Sum.AddValue("5") && Sum.Value() == 9 && !Sum.AddValue("x"));
    CHECK(Flag.Type() != Sum.Type());
    CHECK(!Text.SetByUser());
    Text.TurnOnSetByUser();
    CHECK(Text.SetByUser());
    UINT32 before = KNOB_BASE::NumberOfKnobs();
    static KNOB<INT32> another(KNOB_MODE_WRITEONCE, "other", "another", "0", "comes late");
    CHECK(KNOB_BASE::NumberOfKnobs() == before + 1 && before >= 8);
    CHECK(KNOB_BASE::StringLongAll().find("comes late") != string::npos && KNOB_BASE::StringLongAll().find("a heading") != string::npos);
    KNOB_BASE::CheckAllKnobs();
    cerr << "looked at" << endl;
}

int main(int argc, char *argv[])
{
    if (PIN_Init(argc, argv)) {
        cerr << KNOB_BASE::StringKnobSummary();
        return 1;
    }
    if (Manage) {
        LookAtThem();
        PIN_ExitProcess(0);
    }
    cerr << "text " << Text.Value() << " number " << Number << " sum " << Sum.Value() << " flag " << Flag << " real " << Real.Value()
         << " list";
    for (UINT32 i = 0; i < List.NumberOfValues(); i++)
        cerr << " " << List.Value(i);
    cerr << " range " << Range.Value().Valid() << " set " << Text.SetByUser() << endl;
    PIN_ExitProcess(0);
}
