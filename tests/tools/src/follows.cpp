/* follows.cpp: a tool decides how the programs that are executed are run: with another option, natively, or as ever. */
#include "pin.H"

KNOB<std::string> Who(KNOB_MODE_WRITEONCE, "pintool", "who", "parent", "said at the end");
KNOB<std::string> Pin(KNOB_MODE_WRITEONCE, "pintool", "pin", "", "the command that runs children");

static BOOL Follow(CHILD_PROCESS child, VOID *)
{
    INT argc;
    const CHAR *const *argv;
    CHILD_PROCESS_GetCommandLine(child, &argc, &argv);
    if (!strcmp(argv[argc - 1], "native"))
        return FALSE;
    if (!strcmp(argv[argc - 1], "changed")) {
        std::string tool = PIN_ToolFullPath(), pin = Pin;               /* gone before the program is executed */
        const CHAR *const command[] = { pin.c_str(), "-t", tool.c_str(), "-who", "child", "--" };
        CHILD_PROCESS_SetPinCommandLine(child, 6, command);
    }
    return TRUE;
}

static VOID Fini(INT32, VOID *) { fprintf(stderr, "%s\n", Who.Value().c_str()); }

int main(int argc, char *argv[])
{
    if (PIN_Init(argc, argv))
        return 1;
    PIN_AddFollowChildProcessFunction(Follow, 0);
    PIN_AddFiniFunction(Fini, 0);
    PIN_StartProgram();
}
