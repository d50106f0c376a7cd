/* errors.c: see errors.h. The report is made by hand where report.h would make tables: stacks are read from top to bottom. */
#include "tool.h"
#include "callstack.h"
#include "heap.h"
#include "suppress.h"
#include "errors.h"
#include "alloc.h"
#include "leak.h"

static const struct { const char *name, *says; } kinds[ERROR_KINDS] = {
    { "read-outside", "Read of %s outside of a block" },
    { "write-outside", "Write of %s outside of a block" },
    { "read-freed", "Read of %s in a freed block" },
    { "write-freed", "Write of %s in a freed block" },
    { "double-free", "Block is freed twice" },
    { "bad-free", "Address that malloc never gave is freed" },
    { "mismatched-free", "Block is freed the wrong way" },
    { "unset-read", "Decision depends on %s that nobody has written" },
    { "bad-size", "Size is negative or too large" },
    { "leak", "%s lost" },
    { "indirect-leak", "%s lost with other blocks" },
};
static const char *const made_by[] = { "malloc", "new", "new[]" };

static struct error *first, **last = &first;
static UINT64 n_suppressed;
static PIN_LOCK lock;

VOID errors_begin(VOID) { PIN_InitLock(&lock); }

const char *errors_kinds(VOID)
{
    char *all = need_text("%s", kinds[0].name);
    for (int k = 1; k < ERROR_KINDS; k++)
        all = need_text("%s %s", all, kinds[k].name);
    return all;
}

VOID errors_add(enum error_kind kind, const struct callstack *stack, ADDRINT address, UINT64 bytes, const struct chunk *near,
                const char *detail)
{
    bool is_leak = kind >= ERROR_LEAK;
    PIN_GetLock(&lock, 1);
    struct error *e = first;
    while (e && (e->kind != kind || e->stack != stack))
        e = e->next;
    if (!e) {
        e = need(sizeof *e);
        *e = (struct error){ .kind = kind, .stack = stack, .address = address, .detail = detail, .bytes = is_leak ? 0 : bytes };
        if (near)
            e->chunk = *near;
        *last = e;
        last = &e->next;
    }
    e->count++;
    if (is_leak)
        e->bytes += bytes;
    PIN_ReleaseLock(&lock);
}

VOID errors_forget(VOID)
{
    first = NULL;
    last = &first;
    n_suppressed = 0;
}

BOOL errors_any(VOID) { return first != NULL; }

/* ---- suppressions ---- */
static bool is_suppressed(const struct error *e)
{
    const struct callstack *s = e->kind >= ERROR_LEAK && e->chunk.made ? e->chunk.made : e->stack;
    return suppress_matches(kinds[e->kind].name, s);
}

static VOID drop_suppressed(VOID)
{
    for (struct error **p = &first; *p;) {
        if (is_suppressed(*p)) {
            n_suppressed += (*p)->count;
            *p = (*p)->next;
        } else {
            p = &(*p)->next;
        }
    }
}

/* ---- text ---- */
static const char *bytes_text(UINT64 n)
{
    static __thread char text[32];
    snprintf(text, sizeof text, "%s byte%s", commas(n), n == 1 ? "" : "s");
    return text;
}

static VOID print_where(FILE *to, const struct error *e)
{
    const struct chunk *c = &e->chunk;
    ADDRINT a = e->address;
    if (!c->at) {
        fprintf(to, "  0x%lx is not in a block of the heap\n", a);
        return;
    }
    fprintf(to, "  0x%lx is ", a);
    if (a < c->at)
        fprintf(to, "%s before", bytes_text(c->at - a));
    else if (a >= c->at + c->size)
        fprintf(to, "%s after", bytes_text(a - c->at - c->size));
    else
        fprintf(to, "%s inside", bytes_text(a - c->at));
    fprintf(to, " a block of %s", bytes_text(c->size));
    fprintf(to, ", made with %s by thread %u\n", made_by[c->kind], c->thread);
}

static VOID print_error(FILE *to, const struct error *e, UINT64 number)
{
    fprintf(to, "\n%lu. ", number);
    fprintf(to, kinds[e->kind].says, bytes_text(e->bytes));
    if (e->detail)
        fprintf(to, ", by %s", e->detail);
    if (e->count > 1)
        fprintf(to, e->kind >= ERROR_LEAK ? " in %s blocks" : " (%s times)", commas(e->count));
    fputc('\n', to);
    if (e->kind < ERROR_LEAK) {
        callstack_print(to, e->stack, "    ");
        if (e->kind != ERROR_SIZE)
            print_where(to, e);
    }
    if (e->chunk.freed) {
        fprintf(to, "  freed\n");
        callstack_print(to, e->chunk.freed, "    ");
    }
    if (e->chunk.at) {
        fprintf(to, e->kind < ERROR_LEAK ? "  made\n" : "  made with %s\n", made_by[e->chunk.kind]);
        callstack_print(to, e->chunk.made, "    ");
    }
}

static VOID json_error(struct json *j, const struct error *e)
{
    json_object(j, NULL);
    json_text(j, "kind", kinds[e->kind].name);
    json_number(j, "count", e->count);
    json_number(j, "bytes", e->bytes);
    if (e->kind < ERROR_LEAK) {
        json_address(j, "address", e->address);
        callstack_json(j, "stack", e->stack);
    }
    if (e->chunk.at) {
        json_object(j, "block");
        json_address(j, "address", e->chunk.at);
        json_number(j, "size", e->chunk.size);
        json_text(j, "made_with", made_by[e->chunk.kind]);
        callstack_json(j, "made", e->chunk.made);
        if (e->chunk.freed)
            callstack_json(j, "freed", e->chunk.freed);
        json_end(j, '}');
    }
    json_end(j, '}');
}

static VOID print_sums(FILE *to, const struct leak_sums *leaks)
{
    fprintf(to, "  %15s blocks made, %s freed\n", commas(alloc_sums.made), commas(alloc_sums.freed));
    fprintf(to, "  %15s bytes made, at most %s at once\n", commas(alloc_sums.bytes), commas(alloc_sums.peak_bytes));
    if (!leaks)
        return;
    fprintf(to, "  %15s bytes lost in %s\n", commas(leaks->lost_bytes), counted(leaks->lost_blocks, "block"));
    if (leaks->indirect_blocks)
        fprintf(to, "  %15s bytes in %s lost with them\n", commas(leaks->indirect_bytes), counted(leaks->indirect_blocks, "block"));
    fprintf(to, "  %15s bytes in %s not freed, but still pointed to\n", commas(leaks->reachable_bytes),
            counted(leaks->reachable_blocks, "block"));
}

static VOID json_sums(struct json *j, const struct leak_sums *leaks)
{
    json_number(j, "blocks_made", alloc_sums.made);
    json_number(j, "blocks_freed", alloc_sums.freed);
    json_number(j, "bytes_made", alloc_sums.bytes);
    json_number(j, "bytes_peak", alloc_sums.peak_bytes);
    if (!leaks)
        return;
    json_number(j, "bytes_lost", leaks->lost_bytes);
    json_number(j, "blocks_lost", leaks->lost_blocks);
    json_number(j, "bytes_lost_indirectly", leaks->indirect_bytes);
    json_number(j, "bytes_reachable", leaks->reachable_bytes);
}

struct summary { UINT64 places, times, per_kind[ERROR_KINDS]; };

static struct summary sum_up(VOID)
{
    struct summary s = { 0 };
    for (struct error *e = first; e; e = e->next) {
        s.places++;
        s.times += e->count;
        s.per_kind[e->kind] += e->count;
    }
    return s;
}

static VOID write_json(FILE *to, const struct summary *s, const struct leak_sums *leaks)
{
    struct json j = { .to = to };
    report_json_begin(&j);
    json_number(&j, "distinct", s->places);
    json_number(&j, "errors", s->times);
    json_number(&j, "suppressed", n_suppressed);
    for (int k = 0; k < ERROR_KINDS; k++)
        json_number(&j, kinds[k].name, s->per_kind[k]);
    json_sums(&j, leaks);
    json_array(&j, "list");
    for (struct error *e = first; e; e = e->next)
        json_error(&j, e);
    json_end(&j, ']');
    json_end(&j, '}');
    fputc('\n', to);
}

static VOID write_text(FILE *to, const struct summary *s, const struct leak_sums *leaks)
{
    UINT64 shown = 0;
    char *headline = need_text("%s at %s in %s", counted(s->times, "error"), counted(s->places, "place"), base_name(tool_program()));
    report_headline(to, headline);
    free(headline);
    print_sums(to, leaks);
    for (struct error *e = first; e && shown < (UINT64)report_top(); e = e->next)
        print_error(to, e, ++shown);
    if (shown < s->places)
        fprintf(to, "\n%s more (-top 0 shows all)\n", commas(s->places - shown));
    if (n_suppressed)
        fprintf(to, "\n%s suppressed\n", commas(n_suppressed));
}

VOID errors_report(const struct leak_sums *leaks)
{
    drop_suppressed();
    struct summary s = sum_up();
    FILE *to = out_open();
    (out_is_json() ? write_json : write_text)(to, &s, leaks);
    out_close(to);
}
