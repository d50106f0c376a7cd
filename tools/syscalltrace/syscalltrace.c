/* syscalltrace: system calls as they happen, with arguments and results; with -c how many of each, and how many failed.
 * A call that another thread's interrupts is still one line: it is written when it is over. */
#include "tool.h"
#include "syscalls.h"
#include "trace.h"
#include <errno.h>
#include <fnmatch.h>
#include <sched.h>
#include <time.h>
#include <unistd.h>
TOOL_ABOUT("system calls with arguments and results, or how many of each");
KNOB_TEXT(wanted, "e", "*", "only such calls: names with * and ?, separated by commas");
KNOB_FLAG(only_counts, "c", "count them: calls, errors, time");

struct call { UINT64 number; ADDRINT arg[6]; UINT64 begun; bool is_wanted; };
/* A child of vfork runs on its parent's thread, while the parent waits in its call: that is kept aside. */
struct pending { struct call now, vfork; pid_t waits; };         /* waits: the process that is in vfork; 0: none */
struct sum { UINT64 calls, errors, ns; };
static struct sum *sums;                        /* by number; the last for those without a name */

static bool is_chosen(const char *name)
{
    char *list = strdup(wanted), *save;
    bool found = false;
    for (char *glob = strtok_r(list, ",", &save); glob && !found; glob = strtok_r(NULL, ",", &save))
        found = !fnmatch(glob, name, 0);
    free(list);
    return found;
}

static bool is_chosen_number(UINT64 n)
{
    static signed char *known;
    INT64 count = syscall_count();
    if (!known)
        known = need((size_t)count + 1);
    signed char *k = &known[n < (UINT64)count ? n : (UINT64)count];
    if (!*k || n >= (UINT64)count)
        *k = is_chosen(syscall_name(n)) ? 1 : -1;
    return *k > 0;
}

static UINT64 now_ns(VOID)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (UINT64)t.tv_sec * 1000000000u + (UINT64)t.tv_nsec;
}

static struct sum *sum_of(UINT64 n) { return &sums[n < (UINT64)syscall_count() ? n : (UINT64)syscall_count()]; }

static VOID write_json(FILE *f, const struct call *p, const INT64 *result, INT32 error)
{
    struct json j = { f };
    json_line(&j);
    json_number(&j, "thread", thread_me->number);
    json_text(&j, "call", syscall_name(p->number));
    json_array(&j, "arguments");
    for (int i = 0; i < 6; i++)
        json_address(&j, NULL, p->arg[i]);
    json_end(&j, ']');
    if (result)
        fprintf(f, ", \"result\": %ld", *result);
    if (error)
        json_text(&j, "error", strerrorname_np(error) ? strerrorname_np(error) : "?");
    json_line_end(&j);
}

static VOID write_call(const struct call *p, const INT64 *result, INT32 error)
{
    FILE *f = trace_file();
    if (out_is_json()) {
        write_json(f, p, result, error);
        fflush(f);
        return;
    }
    if (threads_count() > 1)
        fprintf(f, "[%u] ", thread_me->number);
    fprintf(f, "%s(", syscall_name(p->number));
    syscall_write_args(f, p->number, p->arg, result);
    fputs(") = ", f);
    if (result)
        syscall_write_result(f, p->number, *result, error);
    else
        fputc('?', f);
    fputc('\n', f);
    fflush(f);
}

/* ---- callbacks: serialised ---- */
static bool is_called(const struct call *c, const char *name) { return !strcmp(syscall_name(c->number), name); }

/* An exec of a file that can be executed is not expected to come back. If it does, it is shown again, with its result. */
static bool comes_back(const struct call *c)
{
    if (is_called(c, "execve"))
        return access((const char *)c->arg[0], X_OK) != 0;
    if (is_called(c, "execveat"))
        return faccessat((int)c->arg[0], (const char *)c->arg[1], X_OK, 0) != 0;
    return !is_called(c, "exit") && !is_called(c, "exit_group") && !is_called(c, "rt_sigreturn");
}

static bool is_vfork(const struct call *c)
{
    UINT64 flags = is_called(c, "clone") ? c->arg[0] : 0;
    if (is_called(c, "clone3"))
        PIN_SafeCopy(&flags, (VOID *)c->arg[0], sizeof flags);
    return is_called(c, "vfork") || flags & CLONE_VFORK;
}

static VOID entry(THREADID tid, CONTEXT *ctxt, SYSCALL_STANDARD std, VOID *v)
{
    struct pending *p = thread_me->data;
    struct call *c = &p->now;
    c->number = PIN_GetSyscallNumber(ctxt, std);
    c->is_wanted = is_chosen_number(c->number);
    for (UINT32 i = 0; i < 6; i++)
        c->arg[i] = PIN_GetSyscallArgument(ctxt, std, i);
    c->begun = now_ns();
    if (is_vfork(c)) {
        p->vfork = *c;
        p->waits = getpid();
    }
    if (!c->is_wanted)
        return;
    sum_of(c->number)->calls++;
    if (!only_counts && !comes_back(c))
        write_call(c, NULL, 0);
}

/* The child of a fork comes out of a call that its parent made. */
static VOID end(THREADID tid, CONTEXT *ctxt, SYSCALL_STANDARD std, VOID *v)
{
    struct pending *p = thread_me->data;
    struct call *c = &p->now;
    INT32 error = (INT32)PIN_GetSyscallErrno(ctxt, std);
    INT64 result = (INT64)PIN_GetSyscallReturn(ctxt, std);
    if (p->waits && p->waits == getpid()) {
        *c = p->vfork;
        p->waits = 0;
    } else if (p->waits && is_vfork(c) && result == 0) {
        return;
    }
    if (!c->is_wanted)
        return;
    sum_of(c->number)->errors += error != 0;
    sum_of(c->number)->ns += now_ns() - c->begun;
    if (!only_counts)
        write_call(c, &result, error);
}

static VOID start(struct thread_record *t) { t->data = need(sizeof(struct pending)); }

static VOID restart(struct thread_record *t)
{
    memset(t->data, 0, sizeof(struct pending));
    memset(sums, 0, ((size_t)syscall_count() + 1) * sizeof *sums);
}

/* ---- report ---- */
static VOID report(VOID)
{
    UINT64 calls = 0, errors = 0;
    if (!only_counts) {
        trace_close();
        return;
    }
    for (INT64 i = 0; i <= syscall_count(); i++) {
        calls += sums[i].calls;
        errors += sums[i].errors;
    }
    struct report *r = report_new("%s, %s failed", counted(calls, "system call"), commas(errors));
    report_hidden_number(r, "calls", calls);
    report_hidden_number(r, "errors", errors);
    struct table *t = report_table(r, "calls", "call:t calls:n share:% errors:n microseconds:n");
    for (INT64 i = 0; i <= syscall_count(); i++)
        if (sums[i].calls)
            table_row(t, i < syscall_count() ? syscall_name((UINT64)i) : "(no name)", sums[i].calls, sums[i].errors, sums[i].ns / 1000);
    table_sort(t, 1);
    report_write(r);
}

static VOID nothing(struct thread_record *t, const UINT8 *records, size_t bytes) {}

int main(int argc, char **argv)
{
    static struct thread_hooks hooks = { start, NULL, restart, NULL };
    tool_begin(argc, argv, report);
    char *unknown = syscall_unknown(wanted);
    if (unknown)
        tool_fail("-e %s: no system call is called %s", wanted, unknown);
    sums = need(((size_t)syscall_count() + 1) * sizeof *sums);
    trace_begin(nothing);
    threads_hook(&hooks);
    PIN_AddSyscallEntryFunction(entry, 0);
    PIN_AddSyscallExitFunction(end, 0);
    PIN_StartProgram();
}
