/* fails.c: a tool that fails in the way it is told to. */
#include <pin.h>
#include <stdlib.h>
#include <string.h>

KNOB_TEXT(how, "how", "", "fault, abort, exit, caught, misuse, ...");
static UINT64 n, caught;
static volatile int *volatile nowhere;
static INS kept;                                /* beyond its callback: a mistake */
static TRACE kept_trace;

static EXCEPT_HANDLING_RESULT handler(THREADID tid, EXCEPTION_INFO *info, PHYSICAL_CONTEXT *c, VOID *v)
{
    caught++;
    PIN_SetPhysicalContextReg(c, REG_INST_PTR, PIN_GetPhysicalContextReg(c, REG_INST_PTR) + 2);   /* over mov (%rax), %eax */
    return EHR_HANDLED;
}

__attribute__((noinline)) static VOID touch(VOID)
{
    const volatile int *p = nowhere;
    __asm__ volatile("mov %0, %%rax; .byte 0x8b, 0x00" : : "r"(p) : "rax");
}

static VOID call(VOID)
{
    if (++n != 1000)
        return;
    if (!strcmp(how, "fault"))
        touch();
    else if (!strcmp(how, "abort"))
        abort();
    else if (!strcmp(how, "exit"))
        PIN_ExitApplication(9);
    else if (!strcmp(how, "process"))
        PIN_ExitProcess(11);
    else if (!strcmp(how, "start"))
        PIN_StartProgram();
    else if (!strcmp(how, "stale"))
        fprintf(stderr, "0x%lx\n", INS_Address(kept));
    else if (!strcmp(how, "trace"))
        fprintf(stderr, "0x%lx\n", TRACE_Address(kept_trace));
    else if (!strcmp(how, "caught")) {
        PIN_TryStart(PIN_ThreadId(), handler, 0);
        touch();
        PIN_TryEnd(PIN_ThreadId());
    }
}

static VOID look(TRACE trace, VOID *v)
{
    if (!strcmp(how, "later") && INS_Valid(kept))
        fprintf(stderr, "0x%lx\n", INS_Address(kept));      /* of another trace */
    kept_trace = trace;
    kept = BBL_InsHead(TRACE_BblHead(trace));
}

static VOID instrument(INS ins, VOID *v)
{
    INS_InsertCall(ins, IPOINT_BEFORE, AFUNPTR(call), IARG_END);
    if (!strcmp(how, "misuse") && !INS_IsMemoryRead(ins))
        INS_InsertCall(ins, IPOINT_BEFORE, AFUNPTR(call), IARG_MEMORYREAD_EA, IARG_END);
    if (!strcmp(how, "iarg"))
        INS_InsertCall(ins, IPOINT_BEFORE, AFUNPTR(call), (IARG_TYPE)4711, IARG_END);
    if (!strcmp(how, "then"))
        INS_InsertThenCall(ins, IPOINT_BEFORE, AFUNPTR(call), IARG_END);
    if (!strcmp(how, "point") && INS_IsRet(ins))
        INS_InsertCall(ins, IPOINT_AFTER, AFUNPTR(call), IARG_END);
}

/* Exit handlers, which run behind Fini, the last one first: two fail, and the first still runs. */
static void handler_speaks(void) { printf("not lost"); }
static void handler_aborts(void) { abort(); }
static void handler_faults(void) { touch(); }

static VOID fini(INT32 code, VOID *v) { fprintf(stderr, "fini %d caught %lu\n", code, caught); }

int main(int argc, char **argv)
{
    if (PIN_Init(argc, argv))
        return 1;
    TRACE_AddInstrumentFunction(look, 0);
    INS_AddInstrumentFunction(instrument, 0);
    PIN_AddFiniFunction(fini, 0);
    if (!strcmp(how, "null"))
        INS_AddInstrumentFunction(NULL, 0);
    if (!strcmp(how, "iarg"))
        printf("printed before");               /* and not flushed */
    if (!strcmp(how, "behind")) {
        atexit(handler_speaks);
        atexit(handler_aborts);
        atexit(handler_faults);
    }
    PIN_StartProgram();
}
