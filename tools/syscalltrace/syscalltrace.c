/* syscalltrace: system calls as they happen, with arguments and results; with -c how many of each, and how many failed.
 * A call that another thread's interrupts is still one line: it is written when it is over. */
#include "tool.h"
#include "syscalls.h"
#include "trace.h"
#include <errno.h>
#include <fnmatch.h>
#include <time.h>
TOOL_ABOUT("system calls with arguments and results, or how many of each");
KNOB_TEXT(wanted, "e", "*", "only such calls: names with * and ?, separated by commas");
KNOB_FLAG(only_counts, "c", "count them: calls, errors, time");

struct pending { UINT64 number; ADDRINT arg[6]; UINT64 begun; bool is_wanted, is_open; };
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

static VOID write_json(FILE *f, const struct pending *p, const INT64 *result, INT32 error)
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

static VOID write_call(const struct pending *p, const INT64 *result, INT32 error)
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
static bool comes_back(UINT64 n)
{
    const char *name = syscall_name(n);
    return strcmp(name, "exit") && strcmp(name, "exit_group") && strcmp(name, "rt_sigreturn") && strncmp(name, "execve", 6);
}

static VOID entry(THREADID tid, CONTEXT *ctxt, SYSCALL_STANDARD std, VOID *v)
{
    struct pending *p = thread_me->data;
    p->number = PIN_GetSyscallNumber(ctxt, std);
    p->is_wanted = is_chosen_number(p->number);
    if (!p->is_wanted)
        return;
    for (UINT32 i = 0; i < 6; i++)
        p->arg[i] = PIN_GetSyscallArgument(ctxt, std, i);
    p->begun = now_ns();
    p->is_open = true;
    sum_of(p->number)->calls++;
    if (!comes_back(p->number) && !only_counts) {
        write_call(p, NULL, 0);
        p->is_open = false;
    }
}

/* An exec that fails does come back: it is shown again, with its result. */
static VOID end(THREADID tid, CONTEXT *ctxt, SYSCALL_STANDARD std, VOID *v)
{
    struct pending *p = thread_me->data;
    if (!p->is_wanted)
        return;
    INT32 error = (INT32)PIN_GetSyscallErrno(ctxt, std);
    INT64 result = (INT64)PIN_GetSyscallReturn(ctxt, std);
    sum_of(p->number)->errors += error != 0;
    sum_of(p->number)->ns += now_ns() - p->begun;
    p->is_open = false;
    if (!only_counts)
        write_call(p, &result, error);
}

static VOID start(struct thread_record *t) { t->data = need(sizeof(struct pending)); }

static VOID restart(struct thread_record *t) { memset(sums, 0, ((size_t)syscall_count() + 1) * sizeof *sums); }

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
