/* itrace: every instruction the program executes, in order, for each thread: number of the thread, address, text, place.
 *
 * Shows: records of a few bytes that are turned into text when a buffer is full. */
#include "tool.h"
#include "progress.h"
#include "select.h"
#include "trace.h"
TOOL_ABOUT("every instruction executed: address, text, place");
KNOB_NUMBER(skip, "skip", 0, "leave out the first so many");
KNOB_NUMBER(limit, "limit", 0, "stop after so many; 0: never");

struct line { char *text; size_t n; };          /* as it is written, but for the thread */
static VEC(struct line) lines;
static struct map known;                        /* by address and text */
static UINT64 n_seen, n_written;

static VOID note(UINT32 i)
{
    *(UINT32 *)tracebuf.next = i;
    tracebuf.next += sizeof i;
}

static bool is_over(VOID) { return limit && n_written >= (UINT64)limit; }

static struct line line_of(INS ins, const char *text)
{
    struct routine *r = place_routine(INS_Address(ins));
    char *place = need_text("%s+0x%lx", r->name, INS_Address(ins) - r->address);
    struct line l = { NULL, 0 };
    if (out_is_json()) {
        FILE *f = open_memstream(&l.text, &l.n);
        struct json j = { f };
        json_line(&j);
        json_address(&j, "address", INS_Address(ins));
        json_text(&j, "text", text);
        json_text(&j, "place", place);
        json_line_end(&j);
        fclose(f);
    } else {
        l.text = need_text(" %lx  %-48s %s\n", INS_Address(ins), text, place);
        l.n = strlen(l.text);
    }
    free(place);
    return l;
}

static UINT32 number_of(INS ins)
{
    const char *text = INS_Disassemble(ins);
    UINT64 *at = map_at(&known, hash_bytes(text, strlen(text), INS_Address(ins)));
    if (!*at) {
        VEC_ADD(lines, line_of(ins, text));
        *at = lines.n;
    }
    return (UINT32)(*at - 1);
}

static VOID instrument(TRACE trace, VOID *v)
{
    for (BBL bbl = TRACE_BblHead(trace); BBL_Valid(bbl) && !is_over(); bbl = BBL_Next(bbl)) {
        if (!select_wants(place_routine(BBL_Address(bbl))))
            continue;
        trace_check(bbl, BBL_NumIns(bbl) * sizeof(UINT32));
        for (INS ins = BBL_InsHead(bbl); INS_Valid(ins); ins = INS_Next(ins))
            INS_InsertCall(ins, IPOINT_BEFORE, AFUNPTR(note), IARG_UINT32, number_of(ins), IARG_END);
    }
}

static VOID take(struct thread_record *t, const UINT8 *records, size_t bytes)
{
    FILE *f = trace_file();
    char thread[32];
    bool is_json = out_is_json();
    size_t n = (size_t)snprintf(thread, sizeof thread, is_json ? "{\"thread\": %u, " : "%u", t->number);
    for (const UINT32 *i = (const UINT32 *)records; i < (const UINT32 *)(records + bytes) && !is_over(); i++) {
        if (n_seen++ < (UINT64)skip)
            continue;
        fwrite_unlocked(thread, 1, n, f);
        fwrite_unlocked(lines.at[*i].text + is_json, 1, lines.at[*i].n - is_json, f);  /* without its own bracket */
        n_written++;
    }
    fflush(f);
    if (is_over())
        PIN_RemoveInstrumentation();
    else
        out_progress("itrace: %s instructions", commas(n_seen));
}

static VOID report(VOID)
{
    trace_close();
    select_tell();
}

int main(int argc, char **argv)
{
    tool_begin(argc, argv, report);
    trace_begin(take);
    TRACE_AddInstrumentFunction(instrument, 0);
    PIN_StartProgram();
}
