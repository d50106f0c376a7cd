/* oldcalls.cpp: told of calls by int 0x80; one is turned into another, of one the result is changed. */
#include "pin.H"
#include <cstdio>
static ADDRINT last;

static VOID Entry(THREADID tid, CONTEXT *c, SYSCALL_STANDARD std, VOID *v)
{
    if (std != SYSCALL_STANDARD_IA32_LINUX)
        return;
    last = PIN_GetSyscallNumber(c, std);
    fprintf(stderr, "call %lu: %lu %lu %lu %lu %lu %lu\n", last, PIN_GetSyscallArgument(c, std, 0), PIN_GetSyscallArgument(c, std, 1),
            PIN_GetSyscallArgument(c, std, 2), PIN_GetSyscallArgument(c, std, 3), PIN_GetSyscallArgument(c, std, 4),
            PIN_GetSyscallArgument(c, std, 5));
    if (last == 20)                              /* getpid: getppid */
        PIN_SetSyscallNumber(c, std, 64);
    if (last == 60)                              /* umask */
        PIN_SetSyscallArgument(c, std, 0, 0);
}

static VOID Exit(THREADID tid, CONTEXT *c, SYSCALL_STANDARD std, VOID *v)
{
    if (std == SYSCALL_STANDARD_IA32_LINUX && last == 1000)
        fprintf(stderr, "error %lu\n", PIN_GetSyscallErrno(c, std)), PIN_SetSyscallReturn(c, std, 4242);
}

int main(int argc, char *argv[])
{
    PIN_Init(argc, argv);
    PIN_AddSyscallEntryFunction(Entry, 0);
    PIN_AddSyscallExitFunction(Exit, 0);
    PIN_StartProgram();
}
