/* callstack.c: see callstack.h.
 *  (1) notes[0] lies above every stack, so that dropping stale notes ends.
 *  (2) Going outwards, the `sp` of notes rises strictly. */
#include "tool.h"
#include "callstack.h"
#include "names.h"
#include <fnmatch.h>
#include <sys/mman.h>

static __thread struct callstack_frame *notes, *top;

static VOID prepare(struct thread_record *t)
{
    size_t size = CALLSTACK_DEEPEST * sizeof(struct callstack_frame);
    notes = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (notes == MAP_FAILED)
        notes = need(size);
    notes[0].sp = ~(ADDRINT)0;
    top = notes;
}


static VOID note_call(ADDRINT sp, ADDRINT call)
{
    struct callstack_frame *n = top;
    while (n->sp <= sp)
        n--;
    n += n < notes + CALLSTACK_DEEPEST - 1;
    n->sp = sp;
    n->call = call;
    top = n;
}

static VOID look(INS ins, VOID *v)
{
    if (INS_IsCall(ins))
        INS_InsertCall(ins, IPOINT_BEFORE, AFUNPTR(note_call), IARG_REG_VALUE, REG_STACK_PTR, IARG_INST_PTR, IARG_END);
}

VOID callstack_watch(VOID)
{
    static struct thread_hooks hooks = { .start = prepare };
    threads_hook(&hooks);
    INS_AddInstrumentFunction(look, 0);
}

/* ---- keeping ---- */
enum { BUCKETS = 1 << 14 };
static struct callstack *kept[BUCKETS];
static PIN_LOCK kept_lock;

static struct callstack *keep(const ADDRINT *at, UINT32 n)
{
    struct callstack **bucket = &kept[hash_bytes(at, n * sizeof *at, 1) % BUCKETS], *s;
    PIN_GetLock(&kept_lock, 1);
    for (s = *bucket; s && (s->n != n || memcmp(s->at, at, n * sizeof *at)); s = s->next)
        ;
    if (!s) {
        s = need(sizeof *s + n * sizeof *at);
        s->n = n;
        memcpy(s->at, at, n * sizeof *at);
        s->next = *bucket;
        *bucket = s;
    }
    PIN_ReleaseLock(&kept_lock);
    return s;
}

const struct callstack *callstack_here(ADDRINT ip, ADDRINT sp)
{
    ADDRINT at[CALLSTACK_KEPT];
    UINT32 n = 0;
    if (ip)
        at[n++] = ip;
    for (struct callstack_frame *f = top; f && f > notes && n < CALLSTACK_KEPT; f--)
        if (f->sp > sp)
            at[n++] = f->call;
    return keep(at, n);
}

ADDRINT callstack_caller(ADDRINT sp)
{
    struct callstack_frame *n = top;
    while (n && n->sp <= sp)
        n--;
    return n && n > notes ? n->call : 0;
}

UINT32 callstack_frames(ADDRINT sp, struct callstack_frame *to, UINT32 max)
{
    UINT32 n = 0;
    for (struct callstack_frame *f = top; f && f > notes && n < max; f--)
        if (f->sp > sp)
            to[n++] = *f;
    return n;
}

/* ---- telling: what called main() is the same for every stack ---- */
static UINT32 told(const struct callstack *s)
{
    for (UINT32 i = 0; i < s->n; i++)
        if (strcmp(place_routine(s->at[i])->name, "main") == 0)
            return i + 1;
    return s->n;
}

VOID callstack_print(FILE *to, const struct callstack *s, const char *indent)
{
    for (UINT32 i = 0, n = told(s); i < n; i++)
        fprintf(to, "%s%s %s\n", indent, i ? "by" : "at", place_text(s->at[i]));
    if (!s->n)
        fprintf(to, "%sat a place that is not known\n", indent);
}

VOID callstack_json(struct json *j, const char *key, const struct callstack *s)
{
    json_array(j, key);
    for (UINT32 i = 0, n = told(s); i < n; i++)
        json_text(j, NULL, place_text(s->at[i]));
    json_end(j, ']');
}

BOOL callstack_matches(const struct callstack *s, UINT32 frame, const char *pattern)
{
    if (frame >= s->n)
        return FALSE;
    const char *routine = place_routine(s->at[frame])->name;
    IMG img = IMG_FindByAddress(s->at[frame]);
    return name_fits(pattern, routine) || (IMG_Valid(img) && fnmatch(pattern, IMG_Name(img), 0) == 0);
}
