// probed: probe mode, by the tool's option -what:
//   none      no probe at all
//   malloc    malloc, calloc, realloc and free replaced; how many bytes went through
//   puts      a routine with the same signature in the place of puts, which calls the original
//   wrap      calls before and after `work`, with arguments and result
//   sign      `work` replaced with arguments of our choice
//   images    what is loaded, in order
//   busy      an internal thread places and removes probes all the time
#include "pin.H"
#include <stdio.h>
#include <string.h>
#include <atomic>

KNOB<std::string> What(KNOB_MODE_WRITEONCE, "pintool", "what", "none", "which test");

typedef void *(*MALLOC)(size_t);
typedef void *(*CALLOC)(size_t, size_t);
typedef void *(*REALLOC)(void *, size_t);
typedef void (*FREE)(void *);
static MALLOC malloc0;
static CALLOC calloc0;
static REALLOC realloc0;
static FREE free0;
static std::atomic<unsigned long> mallocs, frees;

static void *my_malloc(size_t n) { mallocs++; return malloc0(n); }
static void *my_calloc(size_t n, size_t m) { mallocs++; return calloc0(n, m); }
static void *my_realloc(void *p, size_t n) { if (!p) mallocs++; return realloc0(p, n); }
static void my_free(void *p) { if (p) frees++; free0(p); }

static AFUNPTR replaced(IMG img, const char *name, AFUNPTR fun)
{
    RTN rtn = RTN_FindByName(img, name);
    if (!RTN_Valid(rtn))
        return 0;
    if (!RTN_IsSafeForProbedReplacement(rtn)) {
        fprintf(stderr, "%s: not safe\n", name);
        return 0;
    }
    AFUNPTR original = RTN_ReplaceProbedEx(rtn, PROBE_MODE_DEFAULT, fun);
    if (!original)
        fprintf(stderr, "%s: refused\n", name);
    return original;
}

static bool is_libc(IMG img) { return IMG_Name(img).find("/libc.so") != std::string::npos; }

static void allocation(IMG img)
{
    if (!is_libc(img))
        return;
    malloc0 = (MALLOC)replaced(img, "malloc", (AFUNPTR)my_malloc);
    calloc0 = (CALLOC)replaced(img, "calloc", (AFUNPTR)my_calloc);
    realloc0 = (REALLOC)replaced(img, "realloc", (AFUNPTR)my_realloc);
    free0 = (FREE)replaced(img, "free", (AFUNPTR)my_free);
}

static int (*puts0)(const char *);
static int my_puts(const char *s)
{
    char text[256];
    snprintf(text, sizeof text, "<%s>", s);
    return puts0(text);
}

static std::atomic<unsigned long> befores, afters;
static std::atomic<long> sum_in, sum_out;
static VOID before(ADDRINT a, ADDRINT b, ADDRINT seventh, ADDRINT back, ADDRINT where)
{
    befores++;
    sum_in += a + b + seventh;
    if (!back || RTN_FindNameByAddress(where) != "work")
        fprintf(stderr, "wrong place\n");
}
static VOID after(ADDRINT result) { afters++; sum_out += result; }
static VOID context(const CONTEXT *c, ADDRINT a)
{
    if (PIN_GetContextReg(c, REG_RDI) != a)
        fprintf(stderr, "another first argument in the context\n");
}

static long my_work(AFUNPTR original, ADDRINT a, ADDRINT b)
{
    typedef long (*WORK)(long, long, double, long, long, long, long, long);
    return ((WORK)original)(a + 1, b, 0.5, 0, 0, 0, 0, 7) + 1000;
}
static double my_half(AFUNPTR original) { return ((double (*)(double))original)(5.0) + 0.25; }

static void inserted(bool ok, const char *what) { if (!ok) fprintf(stderr, "%s: refused\n", what); }

static void work(IMG img)
{
    RTN rtn = RTN_FindByName(img, "work"), half = RTN_FindByName(img, "half");
    if (!RTN_Valid(rtn))
        return;
    PROTO proto = PROTO_Allocate(PIN_PARG(long), CALLINGSTD_DEFAULT, "work", PIN_PARG(long), PIN_PARG(long), PIN_PARG_END());
    PROTO real = PROTO_Allocate(PIN_PARG(double), CALLINGSTD_DEFAULT, "half", PIN_PARG(double), PIN_PARG_END());
    if (What.Value() == "sign") {
        inserted(RTN_ReplaceSignatureProbed(rtn, (AFUNPTR)my_work, IARG_PROTOTYPE, proto, IARG_ORIG_FUNCPTR,
                                            IARG_FUNCARG_ENTRYPOINT_VALUE, 0, IARG_FUNCARG_ENTRYPOINT_VALUE, 1, IARG_END) != 0, "sign");
        inserted(RTN_ReplaceSignatureProbedEx(half, PROBE_MODE_DEFAULT, (AFUNPTR)my_half, IARG_PROTOTYPE, real, IARG_ORIG_FUNCPTR, IARG_END) != 0, "half");
        return;
    }
    inserted(RTN_InsertCallProbed(rtn, IPOINT_BEFORE, (AFUNPTR)before, IARG_FUNCARG_ENTRYPOINT_VALUE, 0, IARG_FUNCARG_ENTRYPOINT_VALUE,
                                  1, IARG_FUNCARG_ENTRYPOINT_VALUE, 6, IARG_RETURN_IP, IARG_INST_PTR, IARG_END), "before");
    inserted(RTN_InsertCallProbed(rtn, IPOINT_AFTER, (AFUNPTR)after, IARG_PROTOTYPE, proto, IARG_FUNCRET_EXITPOINT_VALUE, IARG_END), "after");
    inserted(RTN_IsSafeForProbedInsertionEx(rtn, PROBE_MODE_DEFAULT) && RTN_IsSafeForProbe(rtn), "safe");
    inserted(RTN_InsertCallProbedEx(rtn, IPOINT_BEFORE, PROBE_MODE_DEFAULT, (AFUNPTR)context, IARG_CONTEXT, IARG_FUNCARG_ENTRYPOINT_VALUE, 0, IARG_END), "context");
}

static ADDRINT busy_at;
static std::atomic<unsigned long> seen, rounds;
static long busy_work(long a, long b, double c, long d, long e, long f, long g, long h) { seen++; return a + b + h + (long)(c * 2); }
static VOID toggle(VOID *)
{
    while (!busy_at)
        PIN_Sleep(1);
    while (rounds < 2000) {
        if (!PIN_InsertProbe(busy_at, (ADDRINT)busy_work) || !PIN_RemoveProbe(busy_at)) {
            fprintf(stderr, "refused after %lu rounds\n", rounds.load());
            break;
        }
        rounds++;
    }
    PIN_ExitProcess(rounds == 2000 ? 42 : 1);
}

static VOID Load(IMG img, VOID *)
{
    if (What.Value() == "malloc")
        allocation(img);
    else if (What.Value() == "puts" && is_libc(img))
        puts0 = (int (*)(const char *))replaced(img, "puts", (AFUNPTR)my_puts);
    else if (What.Value() == "wrap" || What.Value() == "sign")
        work(img);
    else if (What.Value() == "images")
        fprintf(stderr, "load %s\n", IMG_Name(img).c_str());
    else if (What.Value() == "busy" && RTN_Valid(RTN_FindByName(img, "work")))
        busy_at = RTN_Address(RTN_FindByName(img, "work"));
}

static VOID Unload(IMG img, VOID *)
{
    if (What.Value() == "images")
        fprintf(stderr, "unload %s\n", IMG_Name(img).c_str());
}

// The documented substitute for Fini.
struct Report {
    ~Report()
    {
        if (What.Value() == "malloc")
            fprintf(stderr, "%lu mallocs, %lu frees\n", mallocs.load(), frees.load());
        else if (What.Value() == "wrap")
            fprintf(stderr, "before %lu %ld after %lu %ld\n", befores.load(), sum_in.load(), afters.load(), sum_out.load());
    }
};
static Report report;

int main(int argc, char **argv)
{
    PIN_InitSymbols();
    if (PIN_Init(argc, argv))
        return 1;
    IMG_AddInstrumentFunction(Load, 0);
    IMG_AddUnloadFunction(Unload, 0);
    if (What.Value() == "busy")
        PIN_SpawnInternalThread(toggle, 0, 0, 0);
    if (What.Value() == "sign")
        PIN_StartProbedProgram();               /* its older name */
    PIN_StartProgramProbed();
    return 0;
}
