/* buffer.c: buffers of records. A thread's buffer is made when the thread begins; emitted code appends to it (arch/record);
 * it asks now and then whether there is room for some more, so a buffer goes on for these behind the end it is told. */
#include "api/buffer.h"
#include "engine/jit/promote.h"
#include <stdlib.h>

static struct {
    u32 record_size;
    size_t bytes;                               /* of whole records */
    TRACE_BUFFER_CALLBACK fun;
    VOID *val;
} buffers[ARCH_BUFFERS];
static u32 n_buffers;

BUFFER_ID PIN_DefineTraceBuffer(size_t size, UINT32 pages, TRACE_BUFFER_CALLBACK fun, VOID *val)
{
    if (!size || size >= PAGE_SIZE || !pages || n_buffers == ARCH_BUFFERS || !fun)
        return BUFFER_ID_INVALID;
    buffers[n_buffers].record_size = (u32)size;
    buffers[n_buffers].bytes = pages * PAGE_SIZE / size * size;
    buffers[n_buffers].fun = fun;
    buffers[n_buffers].val = val;
    return ++n_buffers;
}

static u32 number(BUFFER_ID id, const char *function)
{
    if (id == BUFFER_ID_INVALID || id > n_buffers)
        api_fatal("%s: %u is not the number of a buffer", function, id);
    return id - 1;
}

u32 buffer_record_size(u32 n) { return buffers[n].record_size; }

static size_t slack(u32 n) { return (MAX_RECORDS - 1) * (size_t)buffers[n].record_size; }

/* The end that emitted code is told: with a large buffer inside of it, with a small one its own. */
static size_t told(u32 n) { return buffers[n].bytes > 4 * slack(n) ? buffers[n].bytes - slack(n) : buffers[n].bytes; }

VOID *PIN_AllocateBuffer(BUFFER_ID id)
{
    u32 n = number(id, "PIN_AllocateBuffer");
    VOID *p = aligned_alloc(PAGE_SIZE, ROUND_UP(told(n) + slack(n), PAGE_SIZE));
    if (!p)
        api_fatal("PIN_AllocateBuffer: out of memory");
    return p;
}

VOID PIN_DeallocateBuffer(BUFFER_ID id, VOID *p) { free(p); }
VOID *PIN_GetBufferPointer(CONTEXT *c, BUFFER_ID id) { return thr_self.arch.buffer[number(id, "PIN_GetBufferPointer")].at; }

/* ---- a thread's buffers ---- */
static void begin_at(struct thread *t, u32 n, VOID *p)
{
    t->arch.buffer[n].at = p;
    t->arch.buffer[n].end = (u8 *)p + told(n);
}

void buffers_begin(struct thread *t)
{
    for (u32 n = 0; n < n_buffers; n++)
        begin_at(t, n, PIN_AllocateBuffer(n + 1));
}

static VOID *hand_over(struct thread *t, u32 n, const CONTEXT *c)
{
    u8 *from = t->arch.buffer[n].end - told(n);
    return buffers[n].fun(n + 1, t->index, c, from, (u64)(t->arch.buffer[n].at - from) / buffers[n].record_size, buffers[n].val);
}

void buffer_is_full(struct thread *t, u32 n, struct arch_context *c)
{
    VOID *next = hand_over(t, n, (const CONTEXT *)c);
    if (!next)
        api_fatal("the callback of a trace buffer returned no buffer");
    begin_at(t, n, next);
}

/* A signal may still come, and its handler make records, which nobody asks for: there is room for them. */
void buffers_end(struct thread *t, const CONTEXT *c)
{
    for (u32 n = 0; n < n_buffers; n++)
        if (t->arch.buffer[n].at) {
            u8 *from = t->arch.buffer[n].end - told(n);
            VOID *next = hand_over(t, n, c);
            begin_at(t, n, next ? next : from);
        }
}

/* ---- insertion ---- */
static void insert_record(const char *function, INS ins, IPOINT action, BUFFER_ID id, u32 flags, va_list ap)
{
    if (insert_is_never(ins, action))
        return;
    struct iargs p;
    iargs_begin(&p, function, ins, insert_point(function, ins, action));
    p.is_record = true;
    u32 n = number(id, function);
    iargs_parse(&p, ap);
    for (u32 k = 0; k < p.n; k++)
        if (p.arg[k].offset + p.arg[k].offset_size > buffers[n].record_size)
            api_fatal("%s:%u: %s: a field of %u bytes at %u does not fit a record of %u: make the member wider, or pass less (IARG_UINT32)",
                      p.file ?: "?", p.line, function, p.arg[k].offset_size, p.arg[k].offset, buffers[n].record_size);
    struct call *c = iargs_call(&p, NULL, flags | CALL_BUFFER, instr_new_call);
    c->buffer = (u8)n;
    instr_add(code_index(ins), p.point, c);
}

#define FILL(name, flags) \
    VOID name(INS ins, IPOINT action, BUFFER_ID id, ...) \
    { \
        va_list ap; \
        va_start(ap, id); \
        insert_record(#name, ins, action, id, flags, ap); \
        va_end(ap); \
    }
FILL(INS_InsertFillBuffer, 0)
FILL(INS_InsertFillBufferPredicated, INS_IsPredicated(ins) ? CALL_PREDICATED : 0)
FILL(INS_InsertFillBufferThen, insert_then_flags(ins))
