/* races.c: see races.h. Races between the same two instructions are one. */
#include "tool.h"
#include "callstack.h"
#include "clock.h"
#include "shadow.h"
#include "races.h"
#include "suppress.h"

struct race {
    struct race *next;
    ADDRINT at, ip;
    UINT32 size, thread;
    bool is_write;
    struct trace_of before;
    const struct callstack *stack;
    UINT64 count;
};
static struct race *first, **last = &first;
static PIN_LOCK lock;

static bool is_same(const struct race *r, ADDRINT a, ADDRINT b) { return (r->ip == a && r->before.ip == b) || (r->ip == b && r->before.ip == a); }

VOID races_add(ADDRINT at, UINT32 size, const struct trace_of *before, UINT32 thread, bool is_write, const struct callstack *stack, ADDRINT ip)
{
    PIN_GetLock(&lock, 1);
    struct race *r = first;
    while (r && !is_same(r, ip, before->ip))
        r = r->next;
    if (!r) {
        r = need(sizeof *r);
        *r = (struct race){ NULL, at, ip, size, thread, is_write, *before, stack, 0 };
        *last = r;
        last = &r->next;
    }
    r->count++;
    PIN_ReleaseLock(&lock);
}

static struct map flags;                        /* pairs of instructions */
static UINT64 n_flags;

VOID races_add_flag(ADDRINT a, ADDRINT b)
{
    UINT64 key[2] = { a < b ? a : b, a < b ? b : a };
    PIN_GetLock(&lock, 1);
    n_flags += !(*map_at(&flags, hash_bytes(key, sizeof key, 0)))++;
    PIN_ReleaseLock(&lock);
}

VOID races_forget(VOID)
{
    map_clear(&flags);
    n_flags = 0;
    first = NULL;
    last = &first;
}

/* ---- telling ---- */
static const char *did(bool is_write) { return is_write ? "write" : "read"; }

static const char *memory_text(ADDRINT a)
{
    static char text[256];
    IMG img = IMG_FindByAddress(a);
    snprintf(text, sizeof text, "0x%lx", a);
    for (SEC s = IMG_Valid(img) ? IMG_SecHead(img) : SEC_Invalid(); SEC_Valid(s); s = SEC_Next(s))
        if (SEC_Address(s) && a >= SEC_Address(s) && a < SEC_Address(s) + SEC_Size(s))
            snprintf(text, sizeof text, "0x%lx, %s of %s", a, SEC_Name(s), base_name(IMG_Name(img)));
    return text;
}

static VOID print(FILE *to, const struct race *r, UINT64 number)
{
    fprintf(to, "\n%lu. %u byte%s at %s\n", number, r->size, r->size == 1 ? "" : "s", memory_text(r->at));
    fprintf(to, "  %s by thread %u", did(r->is_write), r->thread);
    if (r->count > 1)
        fprintf(to, " (%s times)", commas(r->count));
    fputc('\n', to);
    callstack_print(to, r->stack, "    ");
    fprintf(to, "  not ordered with a %s by thread %u\n    at %s\n", did(r->before.is_write), r->before.thread, place_text(r->before.ip));
    if (r->before.caller)
        fprintf(to, "    by %s\n", place_text(r->before.caller));
}

static VOID json(struct json *j, const struct race *r)
{
    json_object(j, NULL);
    json_text(j, "memory", memory_text(r->at));
    json_number(j, "size", r->size);
    json_number(j, "count", r->count);
    json_text(j, "access", did(r->is_write));
    json_number(j, "thread", r->thread);
    callstack_json(j, "stack", r->stack);
    json_text(j, "other_access", did(r->before.is_write));
    json_number(j, "other_thread", r->before.thread);
    json_text(j, "other_place", place_text(r->before.ip));
    json_end(j, '}');
}

static VOID write_json(FILE *to, UINT64 n, UINT64 suppressed)
{
    struct json j = { to };
    report_json_begin(&j);
    json_number(&j, "races", n);
    json_number(&j, "suppressed", suppressed);
    json_number(&j, "flags", n_flags);
    json_array(&j, "list");
    for (struct race *r = first; r; r = r->next)
        json(&j, r);
    json_end(&j, ']');
    json_end(&j, '}');
    fputc('\n', to);
}

static VOID write_text(FILE *to, UINT64 n, UINT64 suppressed)
{
    UINT64 shown = 0;
    char *headline = need_text("%s in %s, %s", counted(n, "data race"), base_name(tool_program()), counted(threads_count(), "thread"));
    report_headline(to, headline);
    free(headline);
    for (struct race *r = first; r && shown < (UINT64)report_top(); r = r->next)
        print(to, r, ++shown);
    if (shown < n)
        fprintf(to, "\n%s more (-top 0 shows all)\n", commas(n - shown));
    if (suppressed)
        fprintf(to, "\n%s suppressed\n", commas(suppressed));
    if (n_flags)
        fprintf(to, "\n%s of accesses to flags not shown (-flags shows them)\n", counted(n_flags, "pair"));
}

VOID races_report(VOID)
{
    UINT64 n = 0, suppressed = 0;
    for (struct race **p = &first; *p;) {
        if (suppress_matches("race", (*p)->stack)) {
            suppressed++;
            *p = (*p)->next;
        } else {
            n++;
            p = &(*p)->next;
        }
    }
    FILE *to = out_open();
    (out_is_json() ? write_json : write_text)(to, n, suppressed);
    out_close(to);
}
