/* calltrace: the calls of the program as they happen, indented by depth, for each thread: what is called, and from where. */
#include "tool.h"
#include "progress.h"
#include "select.h"
#include "stack.h"
#include "trace.h"
TOOL_ABOUT("calls as they happen, indented by depth");
KNOB_FLAG(has_returns, "returns", "returns too");
KNOB_NUMBER(deepest, "depth", 0, "no calls deeper than this; 0: all");
KNOB_NUMBER(limit, "limit", 0, "stop after so many; 0: never");

struct event { struct routine *routine; ADDRINT site; UINT32 depth, is_return; };
static UINT64 n_calls, n_written;

static bool is_over(VOID) { return limit > 0 && n_written >= (UINT64)limit; }

static VOID note(struct stack *s, struct frame *f, UINT32 is_return)
{
    struct event *e = (struct event *)tracebuf.next;
    if ((deepest && s->n > (UINT64)deepest) || (is_return && !has_returns))
        return;
    if (tracebuf.next + sizeof *e > tracebuf.limit) {
        trace_flush();
        e = (struct event *)tracebuf.next;
    }
    *e = (struct event){ f->routine, f->site, (UINT32)s->n, is_return };
    tracebuf.next = (UINT8 *)(e + 1);
}

static VOID enter(struct stack *s, struct frame *f) { note(s, f, 0); }
static VOID leave(struct stack *s, struct frame *f) { note(s, f, 1); }

static VOID instrument(TRACE trace, VOID *v)
{
    for (BBL bbl = TRACE_BblHead(trace); BBL_Valid(bbl) && !is_over(); bbl = BBL_Next(bbl))
        stack_instrument(bbl);
}

static VOID write_json(FILE *f, const struct thread_record *t, const struct event *e)
{
    struct json j = { f };
    json_line(&j);
    json_text(&j, "event", e->is_return ? "return" : "call");
    json_number(&j, "thread", t->number);
    json_number(&j, "depth", e->depth);
    json_text(&j, "routine", e->routine->name);
    json_text(&j, "image", e->routine->image->name);
    if (e->site)
        json_address(&j, "site", e->site);
    json_line_end(&j);
}

static VOID write_event(FILE *f, const struct thread_record *t, const struct event *e)
{
    int indent = e->depth < 60 ? (int)e->depth : 60;
    if (out_is_json()) {
        write_json(f, t, e);
        return;
    }
    fprintf(f, "%u %*s%s %s", t->number, 2 * indent, "", e->is_return ? "<" : ">", e->routine->name);
    if (e->is_return)
        fprintf(f, "\n");
    else
        fprintf(f, " (%s) from %s\n", e->routine->image->name, e->site ? place_text(e->site) : "the start");
}

static VOID take(struct thread_record *t, const UINT8 *records, size_t bytes)
{
    FILE *f = trace_file();
    for (const struct event *e = (const struct event *)records; e < (const struct event *)(records + bytes) && !is_over(); e++) {
        n_calls += !e->is_return;
        if (!select_wants(e->routine))
            continue;
        write_event(f, t, e);
        n_written++;
    }
    fflush(f);
    if (is_over())
        PIN_RemoveInstrumentation();
    else
        out_progress("calltrace: %s calls", commas(n_calls));
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
    stack_begin(enter, leave);
    TRACE_AddInstrumentFunction(instrument, 0);
    PIN_StartProgram();
}
