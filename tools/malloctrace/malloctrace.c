/* malloctrace: calls of malloc and its kin as they happen (with -trace), and what they come to: calls, bytes, the peak, and
 * the places that asked for most. Calls from within the allocator itself are not counted. */
#include "tool.h"
#include "trace.h"
#include "watch.h"
TOOL_ABOUT("heap: calls of malloc and free, live bytes, places that allocate most");
KNOB_FLAG(has_trace, "trace", "each call as it happens");

/* What a function takes: the argument with the size (two: their product), with the old block; where the result is. */
struct kind { const char *name; int size, times, old; bool frees, result_in_memory; };
static const struct kind kinds[] = {
    { "malloc", 0, -1, -1, 0, 0 },          { "calloc", 0, 1, -1, 0, 0 },         { "realloc", 1, -1, 0, 0, 0 },
    { "reallocarray", 1, 2, 0, 0, 0 },      { "memalign", 1, -1, -1, 0, 0 },      { "aligned_alloc", 1, -1, -1, 0, 0 },
    { "posix_memalign", 2, -1, -1, 0, 1 },  { "valloc", 0, -1, -1, 0, 0 },        { "pvalloc", 0, -1, -1, 0, 0 },
    { "free", -1, -1, 0, 1, 0 },            { "cfree", -1, -1, 0, 1, 0 },
};
enum { KINDS = sizeof kinds / sizeof kinds[0] };

struct site { ADDRINT from; UINT64 calls, bytes, live, live_blocks; };
static VEC(struct site) sites;
static struct map site_of, size_of, owner_of;   /* by return address; by block */
static UINT64 n_calls[KINDS], n_bytes[KINDS], live, live_blocks, peak, unknown_frees;

static const char *plain_name(const char *name) { return !strncmp(name, "__libc_", 7) ? name + 7 : name; }

/* The loader has an allocator of its own for the time before libc's. */
static VOID *choose(const struct routine *r)
{
    for (int i = 0; i < KINDS; i++)
        if (!strcmp(plain_name(r->name), kinds[i].name) || (!strncmp(r->name, "__", 2) && !strcmp(r->name + 2, kinds[i].name)))
            return r->image->is_loader ? NULL : (VOID *)&kinds[i];
    return NULL;
}

static struct site *find_site(ADDRINT from)
{
    UINT64 *at = map_at(&site_of, from);
    if (!*at) {
        VEC_ADD(sites, ((struct site){ .from = from }));
        *at = sites.n;
    }
    return &sites.at[*at - 1];
}

static VOID forget(ADDRINT block)
{
    UINT64 *size = block ? map_at(&size_of, block) : NULL;
    if (!block)
        return;
    if (!*size) {
        unknown_frees++;
        return;
    }
    struct site *s = &sites.at[map_get(&owner_of, block) - 1];
    s->live -= *size - 1;
    s->live_blocks--;
    live -= *size - 1;
    live_blocks--;
    *size = 0;
}

static VOID remember(ADDRINT block, UINT64 size, ADDRINT from)
{
    struct site *s = find_site(from);
    if (map_get(&size_of, block))
        forget(block);                          /* its free was not seen */
    *map_at(&size_of, block) = size + 1;        /* 0 means none */
    *map_at(&owner_of, block) = (UINT64)(s - sites.at) + 1;
    s->calls++;
    s->bytes += size;
    s->live += size;
    s->live_blocks++;
    live += size;
    live_blocks++;
    if (live > peak)
        peak = live;
}

static VOID show(const struct watched *w, const struct kind *k, UINT64 size, ADDRINT block)
{
    FILE *f = trace_file();
    if (out_is_json()) {
        struct json j = { f };
        json_line(&j);
        json_text(&j, "function", k->name);
        json_number(&j, "thread", thread_me->number);
        if (k->old >= 0)
            json_address(&j, "old", w->arg[k->old]);
        if (!k->frees)
            json_number(&j, "size", size), json_address(&j, "block", block);
        json_address(&j, "from", w->from);
        json_line_end(&j);
    } else if (k->frees) {
        fprintf(f, "%u free(0x%lx) from %s\n", thread_me->number, w->arg[0], place_text(w->from));
    } else {
        fprintf(f, "%u %s(", thread_me->number, k->name);
        if (k->old >= 0)
            fprintf(f, "0x%lx, ", w->arg[k->old]);
        fprintf(f, "%lu) = 0x%lx from %s\n", size, block, place_text(w->from));
    }
    fflush(f);
}

static UINT64 size_asked(const struct watched *w, const struct kind *k)
{
    return k->size < 0 ? 0 : w->arg[k->size] * (k->times < 0 ? 1 : w->arg[k->times]);
}

/* A block is free before the function has run: another thread may get it at once. */
static VOID enter(struct watched *w)
{
    const struct kind *k = w->choice;
    if (w->depth > 1 || k->old < 0)
        return;
    PIN_LockClient();
    if (k->frees)
        n_calls[k - kinds]++;
    if (k->frees && has_trace)
        show(w, k, 0, 0);
    forget(w->arg[k->old]);
    PIN_UnlockClient();
}

static VOID leave(struct watched *w, ADDRINT result)
{
    const struct kind *k = w->choice;
    ADDRINT block = result;
    if (w->depth > 1 || k->frees)
        return;
    if (k->result_in_memory && (result || PIN_SafeCopy(&block, (VOID *)w->arg[0], sizeof block) != sizeof block))
        block = 0;
    PIN_LockClient();
    n_calls[k - kinds]++;
    n_bytes[k - kinds] += size_asked(w, k);
    if (block)
        remember(block, size_asked(w, k), w->from);
    if (has_trace)
        show(w, k, size_asked(w, k), block);
    PIN_UnlockClient();
}

static VOID report(VOID)
{
    UINT64 calls = 0, bytes = 0;
    for (int i = 0; i < KINDS; i++) {
        calls += kinds[i].frees ? 0 : n_calls[i];
        bytes += n_bytes[i];
    }
    struct report *r = report_new("%s asked for in %s; at most %s live at once", counted(bytes, "byte"), counted(calls, "call"), counted(peak, "byte"));
    report_hidden_number(r, "calls", calls);
    report_hidden_number(r, "bytes", bytes);
    report_hidden_number(r, "peak", peak);
    report_number(r, "live_bytes_at_the_end", live);
    report_number(r, "live_blocks_at_the_end", live_blocks);
    struct table *t = report_table(r, "functions", "function:t calls:n bytes:n");
    for (int i = 0; i < KINDS; i++)
        if (n_calls[i])
            table_row(t, kinds[i].name, n_calls[i], n_bytes[i]);
    table_show_all(t);
    t = report_table(r, "places", "bytes:n share:% calls:n live_bytes:n place:t");
    for (size_t i = 0; i < sites.n; i++)
        table_row(t, sites.at[i].bytes, sites.at[i].calls, sites.at[i].live, place_text(sites.at[i].from));
    table_sort(t, 0);
    if (unknown_frees)
        report_note(r, "blocks freed that were not seen allocated: %s", commas(unknown_frees));
    report_write_to(r, trace_file());           /* behind the trace */
    report_free(r);
    trace_close();
}

/* The child's heap is the parent's; its calls are counted from its birth on. */
static VOID restart(struct thread_record *t)
{
    memset(n_calls, 0, sizeof n_calls);
    memset(n_bytes, 0, sizeof n_bytes);
    for (size_t i = 0; i < sites.n; i++)
        sites.at[i].calls = sites.at[i].bytes = 0;
}

static VOID nothing(struct thread_record *t, const UINT8 *records, size_t bytes) {}

int main(int argc, char **argv)
{
    static const struct watch_hooks hooks = { choose, enter, leave };
    static struct thread_hooks thread_hooks = { NULL, NULL, restart, NULL };
    tool_begin(argc, argv, report);
    trace_begin(nothing);
    threads_hook(&thread_hooks);
    watch_begin(&hooks);
    PIN_StartProgram();
}
