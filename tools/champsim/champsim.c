/* champsim: a trace for the ChampSim simulator: 64 bytes for each instruction, one file for each thread (FILE, FILE.1, ...).
 *
 * What never changes of an instruction (address, registers) are two words; addresses of memory operands and whether a branch
 * was taken are filled in behind them. With -json each is an object in a line, for people and scripts. */
#include "tool.h"
#include "progress.h"
#include "select.h"
#include "trace.h"
TOOL_ABOUT("instruction trace for the ChampSim simulator");
KNOB_NUMBER(skip, "skip", 0, "leave out the first so many instructions of each thread");
KNOB_NUMBER(limit, "limit", 0, "write so many instructions of each thread at the most; 0: all");

enum { N_DESTINATIONS = 2, N_SOURCES = 4 };
struct record {
    UINT64 ip;
    union {
        struct { UINT8 is_branch, is_taken, destination_registers[N_DESTINATIONS], source_registers[N_SOURCES]; };
        UINT64 kind;                            /* all of these */
    };
    UINT64 destination_memory[N_DESTINATIONS], source_memory[N_SOURCES];
};
_Static_assert(sizeof(struct record) == 64, "what the simulator reads");

/* ---- analysis ---- */
static VOID begin(ADDRINT ip, ADDRINT kind)
{
    struct record *r = (struct record *)tracebuf.next;
    r->ip = ip;
    r->kind = kind;
    tracebuf.next = (UINT8 *)(r + 1);
}

static struct record *current(VOID) { return (struct record *)tracebuf.next - 1; }
static VOID fill(ADDRINT offset, ADDRINT value) { *(UINT64 *)((UINT8 *)current() + offset) = value; }
static VOID taken(BOOL is_taken) { current()->is_taken = is_taken; }

/* As many elements of a gather or scatter as there is room for. */
static VOID fill_elements(const PIN_MULTI_MEM_ACCESS_INFO *all)
{
    struct record *r = current();
    UINT32 reads = 0, writes = 0;
    for (UINT32 i = 0; i < all->numberOfMemops; i++)
        if (!all->memop[i].maskOn)
            continue;
        else if (all->memop[i].memopType == PIN_MEMOP_LOAD && reads < N_SOURCES)
            r->source_memory[reads++] = all->memop[i].memoryAddress;
        else if (all->memop[i].memopType == PIN_MEMOP_STORE && writes < N_DESTINATIONS)
            r->destination_memory[writes++] = all->memop[i].memoryAddress;
}

/* ---- instrumentation ---- */
/* The simulator knows three registers by their numbers and all others only as different ones. 0 is none. */
enum { LOADED_TARGET = 1, STACK_POINTER = 6, FLAGS = 25, INSTRUCTION_POINTER = 26, FIRST = 27 };

static UINT8 register_number(REG reg)
{
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

static VOID put(UINT8 number, UINT8 *to, int room)
{
    int i = 0;
    while (i < room && to[i] && to[i] != number)
        i++;
    if (number && i < room)
        to[i] = number;
}

/* The simulator tells kinds of branches by the three registers and whether others are read: these go first, and the
 * instruction pointer is read by direct branches and calls alone, whatever an operand's address is relative to. */
static VOID put_branch(INS ins, struct record *r)
{
    put(INSTRUCTION_POINTER, r->destination_registers, N_DESTINATIONS);
    if (INS_IsCall(ins) || INS_IsRet(ins)) {
        put(STACK_POINTER, r->destination_registers, N_DESTINATIONS);
        put(STACK_POINTER, r->source_registers, N_SOURCES);
    }
    if (INS_IsCall(ins) || INS_IsDirectControlFlow(ins))
        put(INSTRUCTION_POINTER, r->source_registers, N_SOURCES);
    if (INS_IsIndirectControlFlow(ins) && !INS_IsRet(ins) && INS_MemoryOperandCount(ins))
        put(LOADED_TARGET, r->source_registers, N_SOURCES);
}

/* The instruction pointer of a system call's result is no branch's. */
static VOID put_registers(INS ins, struct record *r)
{
    bool is_flow = INS_IsControlFlow(ins);
    for (UINT32 k = 0; k < INS_MaxNumWRegs(ins); k++)
        if (REG_valid(INS_RegW(ins, k)) && register_number(INS_RegW(ins, k)) != INSTRUCTION_POINTER)
            put(register_number(INS_RegW(ins, k)), r->destination_registers, N_DESTINATIONS);
    for (UINT32 k = 0; k < INS_MaxNumRRegs(ins); k++)
        if (REG_valid(INS_RegR(ins, k)) && !(is_flow && register_number(INS_RegR(ins, k)) == INSTRUCTION_POINTER))
            put(register_number(INS_RegR(ins, k)), r->source_registers, N_SOURCES);
}

static UINT64 kind_of(INS ins)
{
    struct record r = { .ip = 0 };
    r.is_branch = INS_IsControlFlow(ins);
    r.is_taken = INS_IsControlFlow(ins) && !INS_IsValidForIarg(ins, IARG_BRANCH_TAKEN);
    if (r.is_branch)
        put_branch(ins, &r);
    put_registers(ins, &r);
    return r.kind;
}

static VOID look_at_memory(INS ins)
{
    UINT32 reads = 0, writes = 0;
    if (INS_HasScatteredMemoryAccess(ins)) {
        INS_InsertPredicatedCall(ins, IPOINT_BEFORE, AFUNPTR(fill_elements), IARG_MULTI_MEMORYACCESS_EA, IARG_END);
        return;
    }
    for (UINT32 op = 0; op < INS_MemoryOperandCount(ins); op++) {
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
            INS_InsertCall(ins, IPOINT_BEFORE, AFUNPTR(begin), IARG_INST_PTR, IARG_ADDRINT, kind_of(ins), IARG_END);
            look_at_memory(ins);
            if (INS_IsControlFlow(ins) && INS_IsValidForIarg(ins, IARG_BRANCH_TAKEN))
                INS_InsertCall(ins, IPOINT_BEFORE, AFUNPTR(taken), IARG_BRANCH_TAKEN, IARG_END);
        }
    }
}

/* ---- output: t->instructions counts what the thread has executed ---- */
static UINT64 n_written;

static VOID write_registers(struct json *j, const char *key, const UINT8 *registers, int n)
{
    json_array(j, key);
    for (int i = 0; i < n && registers[i]; i++)
        json_number(j, NULL, registers[i]);
    json_end(j, ']');
}

static VOID write_memory(struct json *j, const char *key, const UINT64 *addresses, int n)
{
    json_array(j, key);
    for (int i = 0; i < n; i++)
        if (addresses[i])
            json_address(j, NULL, addresses[i]);
    json_end(j, ']');
}

static VOID write_json(FILE *f, const struct record *r)
{
    struct json j = { f };
    json_line(&j);
    json_address(&j, "ip", r->ip);
    json_number(&j, "is_branch", r->is_branch);
    json_number(&j, "is_taken", r->is_taken);
    write_registers(&j, "destination_registers", r->destination_registers, N_DESTINATIONS);
    write_registers(&j, "source_registers", r->source_registers, N_SOURCES);
    write_memory(&j, "destination_memory", r->destination_memory, N_DESTINATIONS);
    write_memory(&j, "source_memory", r->source_memory, N_SOURCES);
    json_line_end(&j);
}

static VOID write_records(FILE *f, const struct record *r, UINT64 n)
{
    if (!out_is_json())
        fwrite(r, sizeof *r, n, f);
    else
        for (UINT64 i = 0; i < n; i++)
            write_json(f, &r[i]);
}

static VOID take(struct thread_record *t, const UINT8 *records, size_t bytes)
{
    UINT64 n = bytes / sizeof(struct record), first = t->instructions, from = (UINT64)skip;
    UINT64 end = limit ? from + (UINT64)limit : UINT64_MAX;
    t->instructions += n;
    UINT64 lo = first > from ? first : from, hi = t->instructions < end ? t->instructions : end;
    if (lo >= hi)
        return;
    write_records(trace_thread_file(t, ".champsim"), (const struct record *)records + (lo - first), hi - lo);
    n_written += hi - lo;
    out_progress("champsim: %s instructions", commas(n_written));
}

static VOID report(VOID)
{
    trace_close();
    select_tell();
    fprintf(stderr, "champsim: %s written\n", counted(n_written, "instruction"));
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
