/* syscall.h: the application's system calls. */
#ifndef COTTER_SYSCALL_H
#define COTTER_SYSCALL_H

/* Just before each system call and just after it; the context may be changed. A call that does not come back (exit, exec,
 * sigreturn) has no exit. Serialised. */
PIN_CALLBACK PIN_AddSyscallEntryFunction(SYSCALL_ENTRY_CALLBACK fun, VOID *val);
PIN_CALLBACK PIN_AddSyscallExitFunction(SYSCALL_EXIT_CALLBACK fun, VOID *val);

/* Run the callbacks as if a call were made: for tools that replay a recorded run. */
VOID PIN_ReplaySyscallEntry(THREADID tid, CONTEXT *ctxt, SYSCALL_STANDARD std);
VOID PIN_ReplaySyscallExit(THREADID tid, CONTEXT *ctxt, SYSCALL_STANDARD std);

/* At entry only. */
ADDRINT PIN_GetSyscallNumber(const CONTEXT *ctxt, SYSCALL_STANDARD std);
ADDRINT PIN_GetSyscallArgument(const CONTEXT *ctxt, SYSCALL_STANDARD std, UINT32 argNum);
VOID PIN_SetSyscallNumber(CONTEXT *ctxt, SYSCALL_STANDARD std, ADDRINT val);
VOID PIN_SetSyscallArgument(CONTEXT *ctxt, SYSCALL_STANDARD std, UINT32 argNum, ADDRINT val);
/* At exit only. A failed call returns -1 and has an error number. */
ADDRINT PIN_GetSyscallReturn(const CONTEXT *ctxt, SYSCALL_STANDARD std);
ADDRINT PIN_GetSyscallErrno(const CONTEXT *ctxt, SYSCALL_STANDARD std);
VOID PIN_SetSyscallReturn(CONTEXT *ctxt, SYSCALL_STANDARD std, ADDRINT val);
VOID PIN_SetSyscallErrno(CONTEXT *ctxt, SYSCALL_STANDARD std, ADDRINT val);    /* a negative number */
#endif
