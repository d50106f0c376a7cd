/* memtrace: every access to memory: thread, instruction, read or write, address, size. As text, or with -binary in a few
 * bytes for each (docs/tools.md has the format); with -html as a page with charts, then without a trace unless -o is given.
 *
 * Accesses that do not happen (a condition that fails, a repetition of none) are not shown; each element of a gather or
 * scatter is. */
#include "tool.h"
#include "progress.h"
#include "select.h"
#include "trace.h"
#include "binary.h"
#include "html.h"
#include "summary.h"
TOOL_ABOUT("every memory access: instruction, address, size; text or compact binary");
KNOB_FLAG(is_binary, "binary", "compact binary, to -o FILE or memtrace.PID");
KNOB_NUMBER(limit, "limit", 0, "stop after so many; 0: never");

static struct sites sites;
static UINT64 n_reads, n_writes, n_bytes, n_accesses;

static VOID note(UINT32 site, ADDRINT address)
{
    struct access *a = (struct access *)tracebuf.next;
    a->address = address;
    a->site = site;
    tracebuf.next = (UINT8 *)(a + 1);
}

static VOID note_all(UINT32 read_site, UINT32 write_site, const PIN_MULTI_MEM_ACCESS_INFO *all)
{
    for (UINT32 i = 0; i < all->numberOfMemops; i++)
        if (all->memop[i].maskOn)
            note(all->memop[i].memopType == PIN_MEMOP_LOAD ? read_site : write_site, all->memop[i].memoryAddress);
}

/* ---- instrumentation ---- */
static UINT32 site_of(INS ins, UINT32 size, char kind)
{
    UINT64 key[3] = { INS_Address(ins), size, (UINT64)kind };
    UINT64 *at = map_at(&sites.known, hash_bytes(key, sizeof key, 0));
    if (!*at) {
        VEC_ADD(sites.v, ((struct site){ INS_Address(ins), size, kind }));
        *at = sites.v.n;
    }
    return (UINT32)(*at - 1);
}

static VOID note_operand(INS ins, UINT32 op, char kind)
{
    INS_InsertPredicatedCall(ins, IPOINT_BEFORE, AFUNPTR(note), IARG_UINT32, site_of(ins, INS_MemoryOperandSize(ins, op), kind),
                             IARG_MEMORYOP_EA, op, IARG_END);
}

static VOID look(INS ins)
{
    if (INS_HasScatteredMemoryAccess(ins)) {
        UINT32 size = INS_MemoryOperandElementSize(ins, 0);
        INS_InsertPredicatedCall(ins, IPOINT_BEFORE, AFUNPTR(note_all), IARG_UINT32, site_of(ins, size, 'R'), IARG_UINT32,
                                 site_of(ins, size, 'W'), IARG_MULTI_MEMORYACCESS_EA, IARG_END);
        return;
    }
    for (UINT32 op = 0; op < INS_MemoryOperandCount(ins); op++)         /* an instruction reads before it writes */
        if (INS_MemoryOperandIsRead(ins, op))
            note_operand(ins, op, 'R');
    for (UINT32 op = 0; op < INS_MemoryOperandCount(ins); op++)
        if (INS_MemoryOperandIsWritten(ins, op))
            note_operand(ins, op, 'W');
}

static UINT32 accesses_of(BBL bbl)
{
    UINT32 n = 0;
    for (INS ins = BBL_InsHead(bbl); INS_Valid(ins); ins = INS_Next(ins))
        n += INS_HasScatteredMemoryAccess(ins) ? MAX_MULTI_MEMOPS : 2 * INS_MemoryOperandCount(ins);
    return n;
}

static bool is_over(VOID) { return limit && n_accesses >= (UINT64)limit; }

static VOID instrument(TRACE trace, VOID *v)
{
    for (BBL bbl = TRACE_BblHead(trace); BBL_Valid(bbl) && !is_over(); bbl = BBL_Next(bbl)) {
        UINT32 n = accesses_of(bbl);
        if (!select_wants(place_routine(BBL_Address(bbl))) || !n)
            continue;
        trace_check(bbl, n * sizeof(struct access));
        for (INS ins = BBL_InsHead(bbl); INS_Valid(ins); ins = INS_Next(ins))
            look(ins);
    }
}

/* ---- output ---- */
static char *put_text(char *to, const char *text)
{
    while (*text)
        *to++ = *text++;
    return to;
}

static char *put_decimal(char *to, UINT32 n)
{
    char digits[10], *p = digits;
    do
        *p++ = (char)('0' + n % 10);
    while (n /= 10);
    while (p > digits)
        *to++ = *--p;
    return to;
}

static char *put_hex(char *to, UINT64 n)
{
    int digits = n ? (67 - __builtin_clzl(n)) / 4 : 1;
    for (int i = digits; i--; n >>= 4)
        to[i] = "0123456789abcdef"[n & 15];
    return to + digits;
}

/* printf would take longer than all the rest. */
static VOID write_text(FILE *f, const struct thread_record *t, const struct access *a)
{
    static const char *const words[2][6] = { { "", " ", " ", " ", " ", "\n" },
        { "{\"thread\": ", ", \"pc\": \"0x", "\", \"kind\": \"", "\", \"address\": \"0x", "\", \"size\": ", "}\n" } };
    const char *const *w = words[out_is_json()];
    const struct site *s = &sites.v.at[a->site];
    char line[200], *p = put_text(line, w[0]);
    p = put_decimal(p, t->number);
    p = put_hex(put_text(p, w[1]), s->pc);
    p = put_text(p, w[2]);
    *p++ = s->kind;
    p = put_hex(put_text(p, w[3]), a->address);
    p = put_decimal(put_text(p, w[4]), s->size);
    p = put_text(p, w[5]);
    fwrite_unlocked(line, 1, (size_t)(p - line), f);
}

static VOID count(const struct access *a)
{
    const struct site *s = &sites.v.at[a->site];
    n_reads += s->kind == 'R';
    n_writes += s->kind == 'W';
    n_bytes += s->size;
    if (html_wanted())
        summary_count(s->kind, a->address, s->size);
    n_accesses++;
}

static VOID take(struct thread_record *t, const UINT8 *records, size_t bytes)
{
    const struct access *a = (const struct access *)records;
    size_t n = 0;
    while (n < bytes / sizeof *a && !is_over())
        count(&a[n++]);
    if (is_binary) {
        binary_write(out_is_file() ? trace_file() : trace_thread_file(threads_first(), ""), t->number, &sites, a, n);
    } else if (out_is_file() || !html_wanted()) {
        FILE *f = trace_file();
        for (size_t i = 0; i < n; i++)
            write_text(f, t, &a[i]);
        fflush(f);
    }
    if (is_over())
        PIN_RemoveInstrumentation();
    else
        out_progress("memtrace: %s accesses", commas(n_accesses));
}

static VOID report(VOID)
{
    if (out_is_file() || is_binary || !html_wanted())
        trace_close();
    select_tell();
    summary_write(n_reads, n_writes, n_bytes);
    if (out_is_file() || is_binary || html_wanted())
        fprintf(stderr, "memtrace: %s reads, %s writes, %s bytes\n", commas(n_reads), commas(n_writes), commas(n_bytes));
}

static VOID restart(struct thread_record *t)
{
    n_reads = n_writes = n_bytes = n_accesses = 0;
    sites.n_written = 0;
    summary_clear();
}

int main(int argc, char **argv)
{
    static struct thread_hooks hooks = { NULL, NULL, restart, NULL };
    tool_begin(argc, argv, report);
    if (is_binary && out_is_json())
        tool_fail("-binary and -json exclude each other");
    trace_begin(take);
    threads_hook(&hooks);
    TRACE_AddInstrumentFunction(instrument, 0);
    PIN_StartProgram();
}
