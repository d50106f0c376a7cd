/* probes: probe mode in C, by the options -what and -name:
 *   count NAME      how often it is called
 *   after NAME      how often it returns
 *   detach NAME     leave after 1000 calls, come back when the detach is complete, count on to 5000, end the program
 *   block NAME      its first call waits for a file "go"
 *   threads NAME    which threads the functions for threads run on; NAME "mask": they block SIGWINCH there
 *   quit NAME       end the program at the 1000th call
 *   fork            around fork and vfork
 *   insert NAME     a call before its second instruction
 *   clobber... NAME change all registers that a routine may, before and after it, in its place, at an instruction
 *   safe NAME       is it safe?
 *   mode            is it probe mode?
 *   wrong-X         a mistake of the tool's */
#include <pin.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

KNOB_TEXT(what, "what", "count", "what is done");
KNOB_TEXT(name, "name", "", "with which routine");
static unsigned long n_calls, n_seen, n_detached, n_attached;

static VOID seen(VOID) { __atomic_add_fetch(&n_calls, 1, __ATOMIC_RELAXED); }

/* Changes all that a routine may. */
static VOID clobber(VOID)
{
    seen();
    __asm__ volatile("pxor %%xmm0, %%xmm0; pxor %%xmm1, %%xmm1; pxor %%xmm7, %%xmm7; pxor %%xmm8, %%xmm8; pxor %%xmm15, %%xmm15;"
                     "xor %%ecx, %%ecx; xor %%edx, %%edx; xor %%esi, %%esi; xor %%edi, %%edi; xor %%r8d, %%r8d; xor %%r9d, %%r9d;"
                     "xor %%r10d, %%r10d; xor %%r11d, %%r11d"
                     : : : "rcx", "rdx", "rsi", "rdi", "r8", "r9", "r10", "r11", "xmm0", "xmm1", "xmm7", "xmm8", "xmm15");
}

static VOID quit(VOID)
{
    if (__atomic_add_fetch(&n_calls, 1, __ATOMIC_RELAXED) == 1000)
        PIN_ExitProcess(42);
}

static VOID leave(VOID)
{
    if (__atomic_add_fetch(&n_calls, 1, __ATOMIC_RELAXED) == 1000)
        PIN_DetachProbed();
}

static VOID say(UINT32 child, VOID *v) { fprintf(stderr, "%s%s\n", (const char *)v, child ? " with a child" : ""), fflush(stderr); }

/* The first call stays in the tool until there is a file of that name. */
static VOID block(VOID)
{
    if (__atomic_add_fetch(&n_calls, 1, __ATOMIC_RELAXED) == 1)
        while (access("go", F_OK))
            usleep(1000);
}

static long (*original)(long);
static long stand_in(long n)
{
    seen();
    return original(n) + 0 * n;
}

static PROTO proto(void)
{
    return PROTO_Allocate(PIN_PARG(long), CALLINGSTD_DEFAULT, "f", PIN_PARG_END());
}

static void second_instruction(RTN rtn)
{
    RTN_Open(rtn);
    ADDRINT at = INS_Address(INS_Next(RTN_InsHead(rtn)));
    RTN_Close(rtn);
    if (!PIN_IsSafeForProbedInsertion(at) || !PIN_InsertCallProbed(at, AFUNPTR(seen), IARG_END))
        fprintf(stderr, "refused\n");
}

static void use(RTN rtn)
{
    BOOL ok = TRUE;
    n_seen++;
    if (!strcmp(what, "count"))
        ok = RTN_InsertCallProbed(rtn, IPOINT_BEFORE, AFUNPTR(seen), IARG_END);
    else if (!strcmp(what, "block"))
        ok = RTN_InsertCallProbed(rtn, IPOINT_BEFORE, AFUNPTR(block), IARG_END);
    else if (!strcmp(what, "stand-in"))
        original = (long (*)(long))RTN_ReplaceProbed(rtn, AFUNPTR(stand_in));
    else if (!strcmp(what, "after"))
        ok = RTN_InsertCallProbed(rtn, IPOINT_AFTER, AFUNPTR(seen), IARG_PROTOTYPE, proto(), IARG_END);
    else if (!strcmp(what, "quit"))
        ok = RTN_InsertCallProbed(rtn, IPOINT_BEFORE, AFUNPTR(quit), IARG_END);
    else if (!strcmp(what, "detach"))
        ok = RTN_InsertCallProbed(rtn, IPOINT_BEFORE, AFUNPTR(leave), IARG_END);
    else if (!strcmp(what, "clobber"))
        ok = RTN_InsertCallProbed(rtn, IPOINT_BEFORE, AFUNPTR(clobber), IARG_END) &&
             RTN_InsertCallProbed(rtn, IPOINT_AFTER, AFUNPTR(clobber), IARG_PROTOTYPE, proto(), IARG_END);
    else if (!strcmp(what, "clobber-all"))
        ok = RTN_ReplaceSignatureProbed(rtn, AFUNPTR(clobber), IARG_PROTOTYPE, proto(), IARG_END) != NULL;
    else if (!strcmp(what, "clobber-at"))
        ok = PIN_InsertCallProbed(RTN_Address(rtn), AFUNPTR(clobber), IARG_END);
    else if (!strcmp(what, "insert"))
        second_instruction(rtn);
    else if (!strcmp(what, "safe"))
        fprintf(stderr, "%s: %d %d\n", RTN_Name(rtn), RTN_IsSafeForProbedInsertion(rtn),
                RTN_IsSafeForProbedReplacementEx(rtn, PROBE_MODE_ALLOW_RELOCATION | PROBE_MODE_ALLOW_POTENTIAL_BRANCH_TARGET));
    else if (!strcmp(what, "wrong-thread"))
        RTN_InsertCallProbed(rtn, IPOINT_BEFORE, AFUNPTR(seen), IARG_THREAD_ID, IARG_END);
    else if (!strcmp(what, "wrong-after"))
        RTN_InsertCallProbed(rtn, IPOINT_AFTER, AFUNPTR(seen), IARG_END);
    else if (!strcmp(what, "wrong-memory"))
        RTN_InsertCallProbed(rtn, IPOINT_BEFORE, AFUNPTR(seen), IARG_MEMORYREAD_EA, IARG_END);
    else if (!strcmp(what, "wrong-signature"))
        RTN_ReplaceSignatureProbed(rtn, AFUNPTR(seen), IARG_END);
    else if (!strcmp(what, "wrong-replace"))
        RTN_Replace(rtn, AFUNPTR(seen));
    else if (!strcmp(what, "wrong-mode"))
        RTN_ReplaceProbed(rtn, AFUNPTR(seen));
    if (!ok)
        fprintf(stderr, "refused\n");
}

static VOID Load(IMG img, VOID *v)
{
    if (!strcmp(what, "mode"))
        fprintf(stderr, "probe mode %d\n", PIN_IsProbeMode()), what = "";
    RTN rtn = RTN_FindByName(img, name);
    if (RTN_Valid(rtn) && (strcmp(what, "safe") || IMG_IsMainExecutable(img)))
        use(rtn);
}

static VOID detached(VOID *v) { n_detached++; }

/* On each thread: each once, and no other. */
enum { MANY = 4096 };
static int n_told[2][MANY * 16];
static unsigned long n_threads[2], n_twice;

static void note(int which)
{
    int tid = (int)PIN_GetTid();
    __atomic_add_fetch(&n_threads[which], 1, __ATOMIC_RELAXED);
    if (__atomic_add_fetch(&n_told[which][tid % (MANY * 16)], 1, __ATOMIC_RELAXED) > 1)
        n_twice++;
}

static VOID thread_attached(VOID *mask, VOID *v)
{
    note(0);
    if (!strcmp(name, "mask"))
        *(unsigned long *)mask |= 1ul << 27;            /* SIGWINCH */
}

static VOID thread_detached(VOID *v) { note(1); }

static VOID again(VOID *v)
{
    n_attached++;
    what = "count";
    IMG_AddInstrumentFunction(Load, 0);
}

/* Comes back as soon as the detach is over. */
static VOID come_back(VOID *v)
{
    while (!__atomic_load_n(&n_detached, __ATOMIC_ACQUIRE))
        PIN_Sleep(1);
    if (PIN_AttachProbed(again, 0) != ATTACH_INITIATED)
        fprintf(stderr, "not attached\n");
    if (PIN_AttachProbed(again, 0) != ATTACH_FAILED_DETACH)
        fprintf(stderr, "attached twice\n");
    while (__atomic_load_n(&n_calls, __ATOMIC_RELAXED) < 5000)
        PIN_Sleep(1);
    fprintf(stderr, "detached %lu, attached %lu\n", n_detached, n_attached);
    PIN_ExitProcess(42);
}

static void report(void)
{
    if (!strcmp(what, "threads"))
        fprintf(stderr, "threads %lu and %lu, twice %lu\n", n_threads[0], n_threads[1], n_twice);
    if (n_seen && n_detached)
        fprintf(stderr, "%s called %s, detached %lu\n", name, n_calls ? "often" : "never", n_detached);
    else if (n_seen)
        fprintf(stderr, "%s %lu\n", name, n_calls);
}

int main(int argc, char **argv)
{
    PIN_InitSymbols();
    if (PIN_Init(argc, argv))
        return 1;
    IMG_AddInstrumentFunction(Load, 0);
    PIN_AddDetachFunctionProbed(detached, 0);
    if (!strcmp(what, "fork")) {
        PIN_AddForkFunctionProbed(FPOINT_BEFORE, say, (VOID *)"before");
        PIN_AddForkFunctionProbed(FPOINT_AFTER_IN_PARENT, say, (VOID *)"parent");
        PIN_AddForkFunctionProbed(FPOINT_AFTER_IN_CHILD, say, (VOID *)"child");
    }
    if (!strcmp(what, "threads")) {
        PIN_AddThreadAttachProbedFunction(thread_attached, 0);
        PIN_AddThreadDetachProbedFunction(thread_detached, 0);
    }
    if (!strcmp(what, "detach"))
        PIN_SpawnInternalThread(come_back, 0, 0, 0);
    atexit(report);
    if (!strcmp(what, "wrong-mode"))
        PIN_StartProgram();
    PIN_StartProgramProbed();
}
