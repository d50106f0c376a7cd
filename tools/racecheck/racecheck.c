/* racecheck: data races of programs with threads: two accesses to the same bytes by different threads, at least one of them a
 * write, that nothing orders. What orders: creating and joining threads, pipes and the like, and atomic instructions, of which mutexes,
 * conditions, semaphores and barriers are made. No lock has to be known by name.
 *
 * An atomic instruction makes its bytes a synchronisation object: whoever writes them hands over his past, just before he does;
 * whoever reads them takes it on, just after. Accesses of the C library and the loader count for that only, and not at all on their own variables: the lock
 * of a list of stacks orders two threads by chance. What such locks do order is memory that is used again; so a freed block
 * and a new thread's stack lose their past. Until there is a second thread nothing is recorded. */
#include "tool.h"
#include "callstack.h"
#include "clock.h"
#include "copies.h"
#include "flags.h"
#include "kernel.h"
#include "shadow.h"
#include "races.h"
#include "suppress.h"
#include <sys/syscall.h>

TOOL_ABOUT("finds data races of programs with threads (happens-before)");
KNOB_FLAG(has_flags, "flags", "words that are only set to constants and tested, too: flags, which may be atomic in the source");

struct state { struct clock clock; UINT32 number; ADDRINT self; };      /* self: its pthread_t */
static __thread struct state *my;
static volatile UINT64 is_threaded;
static PIN_LOCK lock;                           /* the three below, and clocks of threads that have ended */
static struct clock creation;                   /* what creators of threads did before */
static VEC(struct state *) ended;
static UINT32 highest;                          /* number of a thread so far */
enum { GENERATION = 1 << 24 };                  /* a forked child's times begin after all of its parent's */
static UINT32 first_time = 1;

/* Nothing that I do from now on happened before what others have got from me. */
static VOID tick(VOID) { my->clock.time[my->number]++; }

/* ---- synchronisation: the word is locked ---- */
static VOID acquire(struct word *w) { clock_join(&my->clock, w->sync); }

static VOID release(struct word *w)
{
    clock_join(w->sync, &my->clock);
    tick();
}

/* Where the running instruction reads: looked at again when it has. It may see what was written after our first look. */
enum { IS_WRITE = 1, IS_READ = 2, MAX_READS = 4 };
static __thread ADDRINT reads[MAX_READS];
static __thread UINT64 n_reads;

static VOID note_read(ADDRINT a, UINT32 how)
{
    if (how & IS_READ && n_reads < MAX_READS)
        reads[n_reads++] = a;
}

/* Is a word among them that orders? The others are forgotten. */
static ADDRINT has_read(VOID)
{
    UINT64 n = 0;
    for (UINT64 i = 0; i < n_reads; i++) {
        const struct word *w = shadow_known(reads[i]);
        if (w && w->sync_bytes >> (reads[i] & 7) & 1)
            reads[n++] = reads[i];
    }
    return n_reads = n;
}

static VOID after_reads(VOID)
{
    while (n_reads) {
        ADDRINT a = reads[--n_reads];
        struct word *w = shadow_take_if_any(a);
        if (!w)
            continue;
        if (w->sync_bytes >> (a & 7) & 1)
            acquire(w);
        shadow_give(a);
    }
}

/* ---- accesses ---- */
static bool happened_before(const struct trace_of *t) { return t->thread == my->number || t->time <= clock_of(&my->clock, t->thread); }

static struct trace_of *place_for(struct word *w, bool is_write, UINT8 bytes)
{
    for (UINT32 i = 0; i < w->n; i++)
        if (w->by[i].thread == my->number && w->by[i].is_write == is_write && !(w->by[i].bytes & ~bytes))
            return &w->by[i];
    if (w->n < REMEMBERED)
        return &w->by[w->n++];
    for (UINT32 i = 0; i < w->n; i++)
        if (happened_before(&w->by[i]) && (is_write || !w->by[i].is_write) && !(w->by[i].bytes & ~bytes))
            return &w->by[i];
    return &w->by[w->next++ % REMEMBERED];
}

/* The access that this one races with, or NULL. */
static const struct trace_of *rival(const struct word *w, UINT8 bytes, bool is_write)
{
    for (UINT32 i = 0; i < w->n; i++)
        if (w->by[i].bytes & bytes && (w->by[i].is_write || is_write) && !happened_before(&w->by[i]))
            return &w->by[i];
    return NULL;
}

/* Word by word, field by field: a copy of the whole would need vector registers. */
static VOID remember(struct word *w, UINT8 bytes, bool is_write, ADDRINT ip, ADDRINT sp)
{
    struct trace_of *t = place_for(w, is_write, bytes);
    t->time = my->clock.time[my->number];
    t->thread = (UINT16)my->number;
    t->bytes = bytes;
    t->is_write = is_write;
    t->ip = ip;
    t->caller = callstack_caller(sp);
}

static UINT8 bytes_of(ADDRINT a, ADDRINT word, UINT32 size)
{
    UINT32 from = a > word ? (UINT32)(a - word) : 0, to = a + size < word + 8 ? (UINT32)(a + size - word) : 8;
    return (UINT8)((1u << to) - (1u << from));
}

static VOID access(ADDRINT a, UINT32 size, UINT32 how, ADDRINT ip, ADDRINT sp)
{
    struct trace_of other;
    bool is_write = how & IS_WRITE;
    for (ADDRINT at = a & ~7ul; at < a + size; at += 8) {
        UINT8 bytes = bytes_of(a, at, size);
        bool races = false;
        struct word *w = shadow_take(at);
        if (!(w->sync_bytes & bytes)) {
            const struct trace_of *t = rival(w, bytes, is_write);
            races = t != NULL;
            if (races)
                other = *t;
            remember(w, bytes, is_write, ip, sp);
        } else if (is_write)
            release(w);
        shadow_give(at);
        if (races && !has_flags && other.bytes == bytes && flags_are(ip, other.ip, at))
            races_add_flag(ip, other.ip);
        else if (races && (at <= a || size <= 64))      /* of a long copy, its beginning */
            races_add(a, size, &other, my->number, is_write, callstack_here(ip, sp), ip);
    }
}

/* The common case: one word, known, that nobody else looks at now, and no race. Not 0: access() has to deal with it. Nothing that
 * this can reach touches a vector register, so that none has to be saved. */
static ADDRINT is_hard(ADDRINT a, UINT32 size, UINT32 how, ADDRINT ip, ADDRINT sp)
{
    if (!is_threaded)
        return 0;
    note_read(a, how);
    struct word *w = (a & 7) + size <= 8 ? shadow_known(a) : NULL;
    if (!w || !shadow_try(a))
        return 1;
    UINT8 bytes = bytes_of(a, a & ~7ul, size);
    bool is_write = how & IS_WRITE, hard = w->sync_bytes & bytes || rival(w, bytes, is_write);
    if (!hard)
        remember(w, bytes, is_write, ip, sp);
    shadow_give(a);
    return hard;
}

/* In the library: only what orders matters. */
static ADDRINT orders(ADDRINT a, UINT32 how)
{
    if (!is_threaded)
        return 0;
    note_read(a, how);
    const struct word *w = how & IS_WRITE ? shadow_known(a) : NULL;
    return w && w->sync_bytes >> (a & 7) & 1;
}

static VOID access_in_library(ADDRINT a, UINT32 how)
{
    struct word *w = how & IS_WRITE ? shadow_take_if_any(a) : NULL;
    if (!w)
        return;
    if (w->sync_bytes >> (a & 7) & 1)
        release(w);
    shadow_give(a);
}

static VOID atomic(ADDRINT a, UINT32 size)
{
    note_read(a, IS_READ);
    struct word *w = shadow_take(a);
    if (!w->sync)
        w->sync = need(sizeof *w->sync);
    if (!(w->sync_bytes >> (a & 7) & 1))
        w->n = 0;
    w->sync_bytes |= bytes_of(a, a & ~7ul, size);
    release(w);
    shadow_give(a);
}

/* ---- OpenMP's library: its barriers are read and written by ordinary moves, in ways that do not give them away. So every word
 * that it touches orders. ---- */
static VOID touched(ADDRINT a, UINT32 size, UINT32 how)
{
    note_read(a, how);
    for (ADDRINT at = a & ~7ul; at < a + size; at += 8) {
        struct word *w = shadow_take(at);
        if (!w->sync)
            w->sync = need(sizeof *w->sync);
        w->sync_bytes |= bytes_of(a, at, size);
        if (how & IS_WRITE)
            release(w);
        shadow_give(at);
    }
}

/* ---- the library's own variables ---- */
static struct { ADDRINT low, high; } library[8];
static UINT32 n_library;

static VOID atomic_in_library(ADDRINT a, UINT32 size)
{
    for (UINT32 i = 0; i < n_library; i++)
        if (a >= library[i].low && a <= library[i].high)
            return;
    atomic(a, size);
}

static ADDRINT has_threads(VOID) { return is_threaded; }

/* ---- instrumentation ---- */
static bool is_library(ADDRINT ip)
{
    for (UINT32 i = 0; i < n_library; i++)
        if (ip >= library[i].low && ip <= library[i].high)
            return true;
    return false;
}

static VOID add_library(IMG img)
{
    const char *name = base_name(IMG_Name(img));
    bool is = IMG_IsInterpreter(img) || IMG_IsVDSO(img) || strncmp(name, "libc.", 5) == 0 || strncmp(name, "libpthread", 10) == 0;
    if (!is || n_library == sizeof library / sizeof *library)
        return;
    library[n_library].low = IMG_LowAddress(img);
    library[n_library++].high = IMG_HighAddress(img);
}

static bool is_openmp(ADDRINT ip)
{
    static const char *const names[] = { "libgomp.", "libomp.", "libiomp" };
    IMG img = IMG_FindByAddress(ip);
    for (size_t i = 0; IMG_Valid(img) && i < sizeof names / sizeof *names; i++)
        if (!strncmp(base_name(IMG_Name(img)), names[i], strlen(names[i])))
            return true;
    return false;
}

/* The program copies: one race at the most for each side. caller: behind the call. */
static VOID copied(ADDRINT to, ADDRINT from, ADDRINT n, ADDRINT caller, ADDRINT sp)
{
    enum { PIECE = 1 << 20 };
    if (!is_threaded || is_library(caller))
        return;
    for (ADDRINT k = 0; k < n; k += PIECE) {
        UINT32 size = n - k < PIECE ? (UINT32)(n - k) : PIECE;
        if (from)
            access(from + k, size, 0, caller - 1, sp);
        access(to + k, size, IS_WRITE, caller - 1, sp);
    }
}

/* The thread's own: pushes, pops, calls, and operands based on the stack pointer. */
static bool is_private(INS ins, UINT32 k)
{
    UINT32 op = INS_MemoryOperandIndexToOperandIndex(ins, k);
    return INS_OperandMemoryBaseReg(ins, op) == REG_STACK_PTR || INS_OperandIsImplicit(ins, op);
}

static VOID look(INS ins, VOID *v)
{
    if (!is_threaded)
        return;                                 /* everything is instrumented when the first thread is made */
    copies_look(ins);
    UINT32 n = INS_IsPrefetch(ins) || INS_IsNop(ins) || INS_HasScatteredMemoryAccess(ins) ? 0 : INS_MemoryOperandCount(ins);
    bool in_library = n && is_library(INS_Address(ins)), in_openmp = n && !in_library && is_openmp(INS_Address(ins)), any_read = false;
    for (UINT32 k = 0; k < n; k++) {
        UINT32 size = INS_MemoryOperandSize(ins, k);
        bool has_after = INS_IsValidForIpointAfter(ins) && !INS_IsStringop(ins);
        UINT32 how = (INS_MemoryOperandIsWritten(ins, k) ? IS_WRITE : 0) | (INS_MemoryOperandIsRead(ins, k) && has_after ? IS_READ : 0);
        any_read |= how & IS_READ;
        if (!size || (is_private(ins, k) && !INS_IsStringop(ins)))
            continue;
        if (INS_IsAtomicUpdate(ins)) {
            INS_InsertIfCall(ins, IPOINT_BEFORE, AFUNPTR(has_threads), IARG_END);
            INS_InsertThenCall(ins, IPOINT_BEFORE, in_library ? AFUNPTR(atomic_in_library) : AFUNPTR(atomic), IARG_MEMORYOP_EA, k, IARG_UINT32, size, IARG_END);
        } else if (in_openmp) {
            INS_InsertIfPredicatedCall(ins, IPOINT_BEFORE, AFUNPTR(has_threads), IARG_END);
            INS_InsertThenPredicatedCall(ins, IPOINT_BEFORE, AFUNPTR(touched), IARG_MEMORYOP_EA, k, IARG_UINT32, size, IARG_UINT32, how, IARG_END);
        } else if (in_library) {
            INS_InsertIfPredicatedCall(ins, IPOINT_BEFORE, AFUNPTR(orders), IARG_MEMORYOP_EA, k, IARG_UINT32, how, IARG_END);
            INS_InsertThenPredicatedCall(ins, IPOINT_BEFORE, AFUNPTR(access_in_library), IARG_MEMORYOP_EA, k, IARG_UINT32, how, IARG_END);
        } else {
            INS_InsertIfPredicatedCall(ins, IPOINT_BEFORE, AFUNPTR(is_hard), IARG_MEMORYOP_EA, k, IARG_UINT32, size, IARG_UINT32, how,
                                       IARG_INST_PTR, IARG_REG_VALUE, REG_STACK_PTR, IARG_END);
            INS_InsertThenPredicatedCall(ins, IPOINT_BEFORE, AFUNPTR(access), IARG_MEMORYOP_EA, k, IARG_UINT32, size, IARG_UINT32, how,
                                         IARG_INST_PTR, IARG_REG_VALUE, REG_STACK_PTR, IARG_END);
        }
    }
    if (any_read) {
        INS_InsertIfCall(ins, IPOINT_AFTER, AFUNPTR(has_read), IARG_END);
        INS_InsertThenCall(ins, IPOINT_AFTER, AFUNPTR(after_reads), IARG_END);
    }
}

static VOID look_for_flags(TRACE trace, VOID *v)
{
    if (is_threaded)
        flags_note(trace);
}

/* ---- memory that is used again ---- */
/* The size of a block is known to who made it only: glibc keeps it in front, with three flags. */
static VOID freed(ADDRINT p)
{
    size_t size;
    if (!p || !is_threaded || PIN_SafeCopy(&size, (VOID *)(p - sizeof size), sizeof size) != sizeof size)
        return;
    size &= ~7ul;
    if (size >= 16 && size < 1ul << 36)
        shadow_forget(p, size - sizeof size);
}

static VOID forget_stack(ADDRINT sp)
{
    char line[512];
    ADDRINT low, high;
    FILE *f = fopen("/proc/self/maps", "r");
    while (f && fgets(line, sizeof line, f))
        if (sscanf(line, "%lx-%lx", &low, &high) == 2 && sp > low && sp <= high)
            shadow_forget(low, high - low);
    if (f)
        fclose(f);
}

/* ---- threads ---- */
static VOID started(THREADID tid, CONTEXT *ctxt, INT32 flags, VOID *v)
{
    my = need(sizeof *my);
    my->number = thread_me->number;
    my->self = PIN_GetContextReg(ctxt, REG_SEG_FS_BASE);
    if (my->number >= MAX_THREADS) {
        fprintf(stderr, "racecheck: more than %d threads: races are no longer looked for\n", MAX_THREADS);
        is_threaded = 0;
        return;
    }
    PIN_GetLock(&lock, 1);
    clock_join(&my->clock, &creation);
    PIN_ReleaseLock(&lock);
    clock_set(&my->clock, my->number, first_time);
    highest = my->number > highest ? my->number : highest;
    thread_me->data = my;
    if (my->number)
        forget_stack(PIN_GetContextReg(ctxt, REG_STACK_PTR));
}

static VOID finished(THREADID tid, const CONTEXT *ctxt, INT32 code, VOID *v)
{
    PIN_GetLock(&lock, 1);
    if (my)
        VEC_ADD(ended, my);
    PIN_ReleaseLock(&lock);
}

static VOID before_call(THREADID tid, CONTEXT *ctxt, SYSCALL_STANDARD std, VOID *v)
{
    ADDRINT n = PIN_GetSyscallNumber(ctxt, std);
    if (n != SYS_clone && n != SYS_clone3)
        return;
    PIN_GetLock(&lock, 1);
    clock_join(&creation, &my->clock);
    PIN_ReleaseLock(&lock);
    tick();
    if (!is_threaded)
        PIN_RemoveInstrumentation();
    is_threaded = 1;
}

/* The last thread that had this pthread_t: they are used again. */
static VOID joined(ADDRINT self)
{
    PIN_GetLock(&lock, 1);
    for (size_t i = ended.n; i-- > 0;)
        if (ended.at[i]->self == self) {
            clock_join(&my->clock, &ended.at[i]->clock);
            break;
        }
    PIN_ReleaseLock(&lock);
}

/* Joining is seen from outside: its end is a tail call in some libraries. */
static int join(const CONTEXT *ctxt, THREADID tid, AFUNPTR original, ADDRINT self, ADDRINT a, ADDRINT b, ADDRINT c)
{
    int result;
    PIN_CallApplicationFunction(ctxt, tid, CALLINGSTD_DEFAULT, original, NULL, PIN_PARG(int), &result, PIN_PARG(ADDRINT), self,
                                PIN_PARG(ADDRINT), a, PIN_PARG(ADDRINT), b, PIN_PARG(ADDRINT), c, PIN_PARG_END());
    if (result == 0)
        joined(self);
    return result;
}

static VOID image(IMG img, VOID *v)
{
    static const char *const joins[] = { "pthread_join", "pthread_tryjoin_np", "pthread_timedjoin_np", "pthread_clockjoin_np", "thrd_join" };
    static const char *const frees[] = { "free", "realloc" };
    add_library(img);
    copies_watch(img);
    for (int i = 0; i < 2 && !IMG_IsInterpreter(img); i++) {
        RTN rtn = RTN_FindByName(img, frees[i]);
        if (!RTN_Valid(rtn) || RTN_IsArtificial(rtn))
            continue;
        RTN_Open(rtn);
        RTN_InsertCall(rtn, IPOINT_BEFORE, AFUNPTR(freed), IARG_FUNCARG_ENTRYPOINT_VALUE, 0, IARG_END);
        RTN_Close(rtn);
    }
    for (size_t i = 0; i < sizeof joins / sizeof *joins; i++) {
        RTN rtn = RTN_FindByName(img, joins[i]);
        if (RTN_Valid(rtn) && !RTN_IsArtificial(rtn))
            RTN_ReplaceSignature(rtn, AFUNPTR(join), IARG_CONST_CONTEXT, IARG_THREAD_ID, IARG_ORIG_FUNCPTR, IARG_FUNCARG_ENTRYPOINT_VALUE, 0,
                                 IARG_FUNCARG_ENTRYPOINT_VALUE, 1, IARG_FUNCARG_ENTRYPOINT_VALUE, 2, IARG_FUNCARG_ENTRYPOINT_VALUE, 3, IARG_END);
    }
}

/* ---- system calls ---- */
static VOID give(struct clock *to)
{
    clock_join(to, &my->clock);
    tick();
}

static VOID take(const struct clock *from) { clock_join(&my->clock, from); }

static VOID context_changes(THREADID tid, CONTEXT_CHANGE_REASON why, const CONTEXT *from, CONTEXT *to, INT32 sig, VOID *v)
{
    if (why == CONTEXT_CHANGE_REASON_SIGNAL && is_threaded)
        kernel_signal();
}

/* Memory that is mapped anew has no past. */
static __thread ADDRINT map_size;
static VOID note_call(THREADID tid, CONTEXT *ctxt, SYSCALL_STANDARD std, VOID *v)
{
    map_size = PIN_GetSyscallNumber(ctxt, std) == SYS_mmap ? PIN_GetSyscallArgument(ctxt, std, 1) : 0;
    before_call(tid, ctxt, std, v);
    if (is_threaded)
        kernel_before(ctxt, std);
}

static VOID after_call(THREADID tid, CONTEXT *ctxt, SYSCALL_STANDARD std, VOID *v)
{
    ADDRINT at = PIN_GetSyscallReturn(ctxt, std);
    if (is_threaded)
        kernel_after(ctxt, std);
    if (map_size && is_threaded && at + 1 != 0)
        shadow_forget(at, map_size);
}

/* ---- the end ---- */
static bool is_child;
static VOID forked(THREADID tid, const CONTEXT *ctxt, VOID *v)
{
    PIN_InitLock(&lock);                        /* a thread that is not here may have had it */
    kernel_forked();
    races_forget();
    first_time += GENERATION;
    my->number = thread_me->number;
    for (UINT32 i = 0; i <= highest; i++)
        clock_set(&my->clock, i, first_time - 1);
    clock_set(&my->clock, my->number, first_time);
    is_threaded = 0;
    is_child = true;
}

static VOID report(VOID)
{
    if (!is_child || is_threaded)
        races_report();
}

int main(int argc, char **argv)
{
    tool_begin(argc, argv, report);
    suppress_begin("race");
    callstack_watch();
    copies_begin(copied);
    PIN_InitLock(&lock);
    INS_AddInstrumentFunction(look, 0);
    TRACE_AddInstrumentFunction(look_for_flags, 0);
    IMG_AddInstrumentFunction(image, 0);
    PIN_AddThreadStartFunction(started, 0);
    PIN_AddThreadFiniFunction(finished, 0);
    static const struct kernel_hooks hooks = { give, take };
    kernel_begin(&hooks);
    PIN_AddContextChangeFunction(context_changes, 0);
    PIN_AddSyscallEntryFunction(note_call, 0);
    PIN_AddSyscallExitFunction(after_call, 0);
    PIN_AddForkFunction(FPOINT_AFTER_IN_CHILD, forked, 0);
    PIN_StartProgram();
}
