/* champsim: a trace for the ChampSim simulator: 64 bytes for each instruction, one file for each thread (FILE, FILE.1, ...).
 *
 * What never changes of an instruction (address, registers) is copied from a template; addresses of memory operands and
 * whether a branch was taken are filled in behind it. */
#include "tool.h"
#include "select.h"
#include "trace.h"
TOOL_ABOUT("instruction trace for the ChampSim simulator");
KNOB_NUMBER(skip, "skip", 0, "leave out the first so many instructions of each thread");
KNOB_NUMBER(limit, "limit", 0, "write so many instructions of each thread at the most; 0: all");

enum { N_DESTINATIONS = 2, N_SOURCES = 4 };
struct record {
    UINT64 ip;
    UINT8 is_branch, is_taken;
    UINT8 destination_registers[N_DESTINATIONS], source_registers[N_SOURCES];
    UINT64 destination_memory[N_DESTINATIONS], source_memory[N_SOURCES];
};
_Static_assert(sizeof(struct record) == 64, "what the simulator reads");

/* ---- analysis ---- */
static VOID begin(const struct record *template)
{
    *(struct record *)tracebuf.next = *template;
    tracebuf.next += sizeof(struct record);
}

static VOID fill(ADDRINT offset, ADDRINT value) { *(UINT64 *)(tracebuf.next - sizeof(struct record) + offset) = value; }
static VOID taken(BOOL is_taken) { (tracebuf.next - sizeof(struct record))[offsetof(struct record, is_taken)] = is_taken; }

/* ---- instrumentation ---- */
/* The simulator knows three registers by their numbers and all others only as different ones. 0 is none. */
static UINT8 register_number(REG reg)
{
    enum { STACK_POINTER = 6, FLAGS = 25, INSTRUCTION_POINTER = 26, FIRST = 27 };
    static UINT8 number[REG_LAST], next = FIRST;
    REG full = REG_FullRegName(reg);
    if (full == REG_STACK_PTR || full == REG_INST_PTR)
        return full == REG_STACK_PTR ? STACK_POINTER : INSTRUCTION_POINTER;
    if (REG_is_any_flags_type(full))
        return FLAGS;
    if (!number[full])
        number[full] = next < 255 ? next++ : 255;
    return number[full];
}

static VOID put_registers(INS ins, UINT32 n, REG (*get)(INS, UINT32), UINT8 *to, int room)
{
    for (UINT32 k = 0; k < n; k++) {
        UINT8 number = REG_valid(get(ins, k)) ? register_number(get(ins, k)) : 0;
        int i = 0;
        while (i < room && to[i] && to[i] != number)
            i++;
        if (number && i < room)
            to[i] = number;
    }
}

static struct record *template_of(INS ins)
{
    static struct map known;
    const char *text = INS_Disassemble(ins);
    UINT64 *at = map_at(&known, hash_bytes(text, strlen(text), INS_Address(ins)));
    if (*at)
        return (struct record *)*at;
    struct record *r = need(sizeof *r);
    r->ip = INS_Address(ins);
    r->is_branch = INS_IsControlFlow(ins);
    r->is_taken = INS_IsControlFlow(ins) && !INS_IsValidForIarg(ins, IARG_BRANCH_TAKEN);
    put_registers(ins, INS_MaxNumWRegs(ins), INS_RegW, r->destination_registers, N_DESTINATIONS);
    put_registers(ins, INS_MaxNumRRegs(ins), INS_RegR, r->source_registers, N_SOURCES);
    *at = (UINT64)r;
    return r;
}

static VOID look_at_memory(INS ins)
{
    UINT32 reads = 0, writes = 0;
    for (UINT32 op = 0; op < INS_MemoryOperandCount(ins) && !INS_HasScatteredMemoryAccess(ins); op++) {
        if (INS_MemoryOperandIsRead(ins, op) && reads < N_SOURCES)
            INS_InsertPredicatedCall(ins, IPOINT_BEFORE, AFUNPTR(fill), IARG_ADDRINT,
                                     (ADDRINT)offsetof(struct record, source_memory[reads++]), IARG_MEMORYOP_EA, op, IARG_END);
        if (INS_MemoryOperandIsWritten(ins, op) && writes < N_DESTINATIONS)
            INS_InsertPredicatedCall(ins, IPOINT_BEFORE, AFUNPTR(fill), IARG_ADDRINT,
                                     (ADDRINT)offsetof(struct record, destination_memory[writes++]), IARG_MEMORYOP_EA, op, IARG_END);
    }
}

static VOID instrument(TRACE trace, VOID *v)
{
    for (BBL bbl = TRACE_BblHead(trace); BBL_Valid(bbl); bbl = BBL_Next(bbl)) {
        if (!select_wants(place_routine(BBL_Address(bbl))))
            continue;
        trace_check(bbl, BBL_NumIns(bbl) * sizeof(struct record));
        for (INS ins = BBL_InsHead(bbl); INS_Valid(ins); ins = INS_Next(ins)) {
            INS_InsertCall(ins, IPOINT_BEFORE, AFUNPTR(begin), IARG_PTR, template_of(ins), IARG_END);
            look_at_memory(ins);
            if (INS_IsControlFlow(ins) && INS_IsValidForIarg(ins, IARG_BRANCH_TAKEN))
                INS_InsertCall(ins, IPOINT_BEFORE, AFUNPTR(taken), IARG_BRANCH_TAKEN, IARG_END);
        }
    }
}

/* ---- output: t->instructions counts what the thread has executed ---- */
static UINT64 n_written;

static VOID take(struct thread_record *t, const UINT8 *records, size_t bytes)
{
    UINT64 n = bytes / sizeof(struct record), first = t->instructions, from = (UINT64)skip;
    UINT64 end = limit ? from + (UINT64)limit : UINT64_MAX;
    t->instructions += n;
    UINT64 lo = first > from ? first : from, hi = t->instructions < end ? t->instructions : end;
    if (lo >= hi)
        return;
    fwrite(records + (lo - first) * sizeof(struct record), sizeof(struct record), hi - lo, trace_thread_file(t, ".champsim"));
    n_written += hi - lo;
    out_progress("champsim: %s instructions", commas(n_written));
}

static VOID report(VOID)
{
    trace_close();
    fprintf(stderr, "champsim: %s instructions written\n", commas(n_written));
}

static VOID restart(struct thread_record *t) { n_written = 0; }

int main(int argc, char **argv)
{
    static struct thread_hooks hooks = { NULL, NULL, restart, NULL };
    tool_begin(argc, argv, report);
    trace_begin(take);
    threads_hook(&hooks);
    TRACE_AddInstrumentFunction(instrument, 0);
    PIN_StartProgram();
}
