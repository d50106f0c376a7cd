/* heapcheck: errors in the use of the heap: accesses outside of blocks or in freed ones, blocks freed twice or the wrong way,
 * blocks that are lost, decisions that depend on bytes nobody has written.
 *
 * Shows: functions replaced (alloc.c), every access checked with a few inlined instructions (check.c), functions watched that
 * have no name (strings.c), system calls (syscalls.c), the program's memory searched at its end (leak.c). */
#include "tool.h"
#include "callstack.h"
#include "heap.h"
#include "errors.h"
#include "check.h"
#include "alloc.h"
#include "strings.h"
#include "suppress.h"
#include "syscalls.h"
#include "leak.h"

TOOL_ABOUT("finds errors in the use of the heap: out of bounds, use after free, leaks, unset bytes");
KNOB_FLAG(no_leaks, "no-leaks", "do not look for lost blocks at the end");
KNOB_FLAG(no_unset, "no-unset", "do not look for decisions that depend on bytes nobody has written");
KNOB_NUMBER(quarantine, "quarantine", 64, "megabytes of freed blocks that are kept from being used again");

static VOID image(IMG img, VOID *v)
{
    alloc_replace(img);
    strings_watch(img);
}

static bool is_child;
static VOID forked(THREADID tid, const CONTEXT *ctxt, VOID *v)
{
    errors_forget();
    is_child = true;
}

/* A program that is replaced by exec or killed loses nothing by its own fault. */
static VOID report(VOID)
{
    struct leak_sums leaks = { 0 };
    bool looks = !no_leaks && !syscalls_is_exec() && tool_exit_code() >= 0 && tool_exit_code() < 128;
    if (looks)
        leaks = leak_find();
    if ((is_child || (syscalls_is_exec() && !out_is_file())) && !errors_any())
        return;
    errors_report(looks ? &leaks : NULL);
}

int main(int argc, char **argv)
{
    tool_begin(argc, argv, report);
    arena_begin((size_t)quarantine << 20);
    errors_begin();
    suppress_begin(errors_kinds());
    callstack_watch();
    strings_begin();
    check_begin(!no_unset);
    syscalls_begin();
    leak_begin();
    IMG_AddInstrumentFunction(image, 0);
    PIN_AddForkFunction(FPOINT_AFTER_IN_CHILD, forked, 0);
    PIN_StartProgram();
}
