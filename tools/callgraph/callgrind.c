/* callgrind.c: the call graph in callgrind's format: for each routine the instructions of each line, and its calls.
 *
 * A name is written once, "(3) main", and is "(3)" from then on. Costs of code that was inlined from another file stand
 * behind fi=. */
#include "tool.h"
#include "formats.h"

struct cost { UINT32 routine; INT32 line; const char *file; UINT64 n; };
struct call { UINT32 caller, callee; ADDRINT site; UINT64 calls, inclusive; };
static VEC(struct cost) costs;
static VEC(struct call) calls;
static struct routine **by_number;

VOID *code_sizes(BBL bbl)
{
    UINT8 *sizes = need(BBL_NumIns(bbl)), *to = sizes;
    for (INS ins = BBL_InsHead(bbl); INS_Valid(ins); ins = INS_Next(ins))
        *to++ = (UINT8)INS_Size(ins);
    return sizes;
}

/* ---- collecting ---- */
static VOID collect_costs(VOID)
{
    struct map index = { 0 };
    for (UINT32 i = 0; i < blocks_count(); i++) {
        const struct block *b = block_number(i);
        const UINT8 *size = b->data;
        ADDRINT a = b->address;
        for (UINT32 k = 0; block_executions(b) && k < b->n_ins; a += size[k++]) {
            UINT64 n = block_executions_of(b, k);
            struct cost c = { b->routine->number, 0, "", n };
            c.line = place_line(a, &c.file);
            UINT64 key[3] = { c.routine, (UINT64)c.line, (UINT64)c.file };
            UINT64 *at = map_at(&index, hash_bytes(key, sizeof key, 0));
            if (*at) {
                costs.at[*at - 1].n += n;
                continue;
            }
            VEC_ADD(costs, c);
            *at = costs.n;
        }
    }
    map_clear(&index);
}

static VOID collect_calls(const struct tree *t)
{
    struct map index = { 0 };
    for (size_t i = 1; i < t->nodes.n; i++) {
        const struct node *n = &t->nodes.at[i], *parent = &t->nodes.at[n->parent];
        if (!parent->routine)
            continue;
        UINT64 key[3] = { parent->routine->number, n->routine->number, n->site };
        UINT64 *at = map_at(&index, hash_bytes(key, sizeof key, 0));
        if (!*at) {
            VEC_ADD(calls, ((struct call){ parent->routine->number, n->routine->number, n->site, 0, 0 }));
            *at = calls.n;
        }
        calls.at[*at - 1].calls += n->calls;
        calls.at[*at - 1].inclusive += n->inclusive;
    }
    map_clear(&index);
}

static int cost_order(const VOID *a, const VOID *b)
{
    const struct cost *p = a, *q = b;
    int by_file = strcmp(p->file, q->file);
    return p->routine != q->routine ? (p->routine > q->routine) - (p->routine < q->routine) : by_file ? by_file : p->line - q->line;
}

static int call_order(const VOID *a, const VOID *b)
{
    const struct call *p = a, *q = b;
    return p->caller != q->caller ? (p->caller > q->caller) - (p->caller < q->caller) : (p->site > q->site) - (p->site < q->site);
}

/* ---- writing ---- */
struct names { struct map known; UINT64 n; };
static struct names files, objects, functions;

static VOID write_name(FILE *f, const char *key, struct names *names, UINT64 id, const char *name)
{
    UINT64 *at = map_at(&names->known, id ? id : 1);
    if (*at) {
        fprintf(f, "%s=(%lu)\n", key, *at);
        return;
    }
    *at = ++names->n;
    fprintf(f, "%s=(%lu) %s\n", key, *at, name);
}

static VOID write_file(FILE *f, const char *key, const char *file)
{
    const char *name = *file ? file : "???";
    write_name(f, key, &files, hash_bytes(name, strlen(name), 0), name);
}

static VOID write_routine(FILE *f, const char *prefix, const struct routine *r, const char *file)
{
    char key[8];
    snprintf(key, sizeof key, "%sob", prefix);
    write_name(f, key, &objects, r->image->number + 1, r->image->path);
    write_file(f, *prefix ? "cfi" : "fl", file);
    snprintf(key, sizeof key, "%sfn", prefix);
    write_name(f, key, &functions, r->number + 1, r->name);
}

static VOID write_call(FILE *f, const struct call *c)
{
    const struct routine *callee = by_number[c->callee];
    const char *file, *unused;
    INT32 line = place_line(callee->address, &file);
    write_routine(f, "c", callee, file);
    fprintf(f, "calls=%lu %d\n%d %lu\n", c->calls, line, c->site ? place_line(c->site, &unused) : 0, c->inclusive);
}

static VOID write_one(FILE *f, UINT32 routine, size_t *cost, size_t *call)
{
    const char *home, *file;
    place_line(by_number[routine]->address, &home);
    file = home;
    fputc('\n', f);
    write_routine(f, "", by_number[routine], home);
    for (; *cost < costs.n && costs.at[*cost].routine == routine; ++*cost) {
        const struct cost *c = &costs.at[*cost];
        if (c->file != file)
            write_file(f, c->file == home ? "fe" : "fi", file = c->file);
        fprintf(f, "%d %lu\n", c->line, c->n);
    }
    if (file != home)
        write_file(f, "fe", home);
    for (; *call < calls.n && calls.at[*call].caller == routine; ++*call)
        write_call(f, &calls.at[*call]);
}

VOID callgrind_write(FILE *f, const struct tree *t, UINT64 total)
{
    costs.n = calls.n = 0;
    files = objects = functions = (struct names){ 0 };
    collect_costs();
    collect_calls(t);
    by_number = need((routines_count() + 1) * sizeof *by_number);
    for (struct routine *r = routines_first(); r; r = r->next)
        by_number[r->number] = r;
    if (costs.n)
        qsort(costs.at, costs.n, sizeof *costs.at, cost_order);
    if (calls.n)
        qsort(calls.at, calls.n, sizeof *calls.at, call_order);
    fprintf(f, "# callgrind format\nversion: 1\ncreator: cotter callgraph\npid: %d\ncmd: %s\npart: 1\n\n", PIN_GetPid(), tool_program());
    fprintf(f, "positions: line\nevents: Ir\nsummary: %lu\n", total);
    size_t cost = 0, call = 0;
    for (UINT32 r = 0; r < routines_count(); r++)
        if ((cost < costs.n && costs.at[cost].routine == r) || (call < calls.n && calls.at[call].caller == r))
            write_one(f, r, &cost, &call);
    fprintf(f, "\ntotals: %lu\n", total);
    free(by_number);
}
