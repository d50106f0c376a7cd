/* smcwatch: code that changes: which instructions write to code that has run, which code that is, and how often it ran anew;
 * how much code is in no file.
 *
 * Shows: a table of executed bytes kept by the instrumentation, a cheap filter before each write, the callback for changed code. */
#include "tool.h"

TOOL_ABOUT("self-modifying and generated code: who writes to code, and which code");

/* ---- executed bytes: a bit each, by page ---- */
enum { PAGE = 4096, FILTER = 1 << 16 };
static struct map pages;                        /* page number + 1 -> its bits */
static UINT8 filter[FILTER];                    /* is there code on any page with this hash? */
static UINT64 outside_bytes, n_detected;
static PIN_MUTEX lock;

static UINT64 *bits_of(ADDRINT a, bool make)
{
    UINT64 *slot = map_at(&pages, a / PAGE + 1);
    if (!*slot && make)
        *slot = (UINT64)need(PAGE / 8);
    return (UINT64 *)*slot;
}

static VOID add_code(ADDRINT a, USIZE size)
{
    bool is_outside = !IMG_Valid(IMG_FindByAddress(a));
    for (ADDRINT end = a + size; a < end; a++) {
        UINT64 *bits = bits_of(a, true), bit = 1ul << a % 64;
        filter[a / PAGE % FILTER] = 1;
        outside_bytes += is_outside && !(bits[a % PAGE / 64] & bit);
        bits[a % PAGE / 64] |= bit;
    }
}

/* ---- writes ---- */
struct writer { struct writer *next; ADDRINT ip, page; UINT64 writes, bytes; };
static struct map writers;
static struct writer *first_writer;

static ADDRINT may_be_code(ADDRINT ea) { return filter[ea / PAGE % FILTER]; }

static VOID wrote(ADDRINT ea, UINT32 size, ADDRINT ip)
{
    UINT64 n = 0;
    PIN_MutexLock(&lock);
    for (ADDRINT a = ea; a < ea + size; a++) {
        UINT64 *bits = (UINT64 *)map_get(&pages, a / PAGE + 1);
        n += bits && bits[a % PAGE / 64] >> a % 64 & 1;
    }
    if (n) {
        ADDRINT key[2] = { ip, ea / PAGE };
        UINT64 *slot = map_at(&writers, hash_bytes(key, sizeof key, 1));
        if (!*slot) {
            struct writer *w = need(sizeof *w);
            *w = (struct writer){ first_writer, ip, ea / PAGE * PAGE, 0, 0 };
            *slot = (UINT64)(first_writer = w);
        }
        ((struct writer *)*slot)->writes++;
        ((struct writer *)*slot)->bytes += n;
    }
    PIN_MutexUnlock(&lock);
}

/* ---- instrumentation ---- */
static VOID look(INS ins)
{
    for (UINT32 k = 0; k < INS_MemoryOperandCount(ins); k++)
        if (INS_MemoryOperandIsWritten(ins, k) && INS_MemoryOperandSize(ins, k)) {
            INS_InsertIfPredicatedCall(ins, IPOINT_BEFORE, AFUNPTR(may_be_code), IARG_MEMORYOP_EA, k, IARG_END);
            INS_InsertThenPredicatedCall(ins, IPOINT_BEFORE, AFUNPTR(wrote), IARG_MEMORYOP_EA, k, IARG_UINT32, INS_MemoryOperandSize(ins, k),
                                         IARG_INST_PTR, IARG_END);
        }
}

static VOID instrument(TRACE trace, VOID *v)
{
    PIN_MutexLock(&lock);
    for (BBL bbl = TRACE_BblHead(trace); BBL_Valid(bbl); bbl = BBL_Next(bbl))
        add_code(BBL_Address(bbl), BBL_Size(bbl));
    PIN_MutexUnlock(&lock);
    for (BBL bbl = TRACE_BblHead(trace); BBL_Valid(bbl); bbl = BBL_Next(bbl))
        for (INS ins = BBL_InsHead(bbl); INS_Valid(ins); ins = INS_Next(ins))
            look(ins);
}

static struct map changed;                      /* start of a trace -> how often it was found changed */
static VOID detected(ADDRINT start, ADDRINT end, VOID *v)
{
    n_detected++;
    ++*map_at(&changed, start);
}

/* ---- report ---- */
static VOID report(VOID)
{
    UINT64 writes = 0, bytes = 0;
    for (struct writer *w = first_writer; w; w = w->next) {
        writes += w->writes;
        bytes += w->bytes;
    }
    struct report *r = report_new("%s to code that had run, %s; code found changed %s", counted(writes, "write"), counted(bytes, "byte"),
                                  counted(n_detected, "time"));
    report_hidden_number(r, "writes", writes);
    report_hidden_number(r, "bytes", bytes);
    report_hidden_number(r, "found_changed", n_detected);
    report_number(r, "code_bytes_in_no_file", outside_bytes);
    struct table *t = report_table(r, "writers", "writer:t code_page:x code:t writes:n share:% bytes:n");
    for (struct writer *w = first_writer; w; w = w->next) {
        struct image *img = place_image(w->page);
        table_row(t, place_text(w->ip), w->page, img->name, w->writes, w->bytes);
    }
    table_sort(t, 3);
    struct table *c = report_table(r, "changed", "code:t address:x times:n");
    for (size_t i = 0; i < changed.size; i++)
        if (changed.slots[i].key)
            table_row(c, place_text(changed.slots[i].key), changed.slots[i].key, changed.slots[i].value);
    table_sort(c, 2);
    report_write(r);
}

static VOID forked(THREADID tid, const CONTEXT *ctxt, VOID *v)
{
    map_clear(&writers);
    map_clear(&changed);
    first_writer = NULL;
    n_detected = 0;
}

int main(int argc, char **argv)
{
    tool_begin(argc, argv, report);
    PIN_MutexInit(&lock);
    TRACE_AddInstrumentFunction(instrument, 0);
    TRACE_AddSmcDetectedFunction(detected, 0);
    PIN_AddForkFunction(FPOINT_AFTER_IN_CHILD, forked, 0);
    PIN_StartProgram();
}
