/* syscallpolicy: lets the program make only the system calls that rules allow (rules.h). One that is denied fails with an
 * error, or ends the program; all are reported.
 *
 * It keeps a program that does not attack it within bounds: a thread may still change a path after it was judged. Programs
 * that are executed are judged too with cotter -f, and escape without it unless execve is denied. */
#include "tool.h"
#include "rules.h"
#include "syscalls.h"
#include <errno.h>
#include <unistd.h>
TOOL_ABOUT("system calls allowed and denied by rules about names and paths");
KNOB_TEXT(file, "rules", "", "file with rules: allow|deny CALLS [PATH], default allow|deny");
KNOB_TEXT(denied, "deny", "", "deny these calls, after the rules of the file: names with * and ?, separated by commas");
KNOB_TEXT(action, "action", "error", "what a denied call does: error (fails with -errno), kill (the program ends), log (nothing)");
KNOB_TEXT(error_name, "errno", "EPERM", "the error of a denied call");
KNOB_FLAG(is_quiet, "quiet", "no line for each denied call, only the report");

struct denial { UINT64 number; int rule; UINT64 count; };
static VEC(struct denial) denials;
static UINT64 n_calls;
static int error_number;

static VOID note(UINT64 number, int rule)
{
    for (size_t i = 0; i < denials.n; i++)
        if (denials.at[i].number == number && denials.at[i].rule == rule) {
            denials.at[i].count++;
            return;
        }
    VEC_ADD(denials, ((struct denial){ number, rule, 1 }));
}

static VOID say(UINT64 number, const ADDRINT *arg, int rule)
{
    if (is_quiet)
        return;
    fprintf(stderr, "syscallpolicy: %s: %s(", strcmp(action, "log") ? "denied" : "would be denied", syscall_name(number));
    syscall_write_args(stderr, number, arg, NULL);
    fprintf(stderr, ") by '%s'\n", rule_text(rule));
}

/* A denied call is made as one that does not exist; its error is then replaced. */
enum { NO_CALL = 0x7fffffff, KILLED = 128 + 31 };

static VOID entry(THREADID tid, CONTEXT *ctxt, SYSCALL_STANDARD std, VOID *v)
{
    ADDRINT arg[6];
    UINT64 number = PIN_GetSyscallNumber(ctxt, std);
    for (UINT32 i = 0; i < 6; i++)
        arg[i] = PIN_GetSyscallArgument(ctxt, std, i);
    n_calls++;
    struct verdict verdict = rules_judge(number, arg);
    thread_me->data = NULL;
    if (verdict.is_allowed)
        return;
    note(number, verdict.rule);
    say(number, arg, verdict.rule);
    if (!strcmp(action, "kill"))
        PIN_ExitApplication(KILLED);
    if (!strcmp(action, "error")) {
        PIN_SetSyscallNumber(ctxt, std, NO_CALL);
        thread_me->data = thread_me;
    }
}

static VOID end(THREADID tid, CONTEXT *ctxt, SYSCALL_STANDARD std, VOID *v)
{
    if (thread_me->data)
        PIN_SetSyscallErrno(ctxt, std, (ADDRINT)-error_number);
    thread_me->data = NULL;
}

static VOID report(VOID)
{
    UINT64 sum = 0;
    for (size_t i = 0; i < denials.n; i++)
        sum += denials.at[i].count;
    if (!sum && !out_is_file() && !out_is_json())
        return;                                 /* nothing happened: nothing is said */
    struct report *r = report_new("%s of %s system calls denied", commas(sum), commas(n_calls));
    report_hidden_number(r, "calls", n_calls);
    report_hidden_number(r, "denied", sum);
    struct table *t = report_table(r, "denials", "call:t denied:n rule:t");
    for (size_t i = 0; i < denials.n; i++)
        table_row(t, syscall_name(denials.at[i].number), denials.at[i].count, rule_text(denials.at[i].rule));
    table_sort(t, 1);
    report_write(r);
}

static VOID restart(struct thread_record *t)
{
    denials.n = 0;
    n_calls = 0;
}

static int error_by_name(const char *name)
{
    for (int i = 1; i < 4096; i++)
        if (strerrorname_np(i) && !strcmp(strerrorname_np(i), name))
            return i;
    return 0;
}

int main(int argc, char **argv)
{
    static struct thread_hooks hooks = { NULL, NULL, restart, NULL };
    tool_begin(argc, argv, report);
    if (!*file && !*denied)
        tool_fail("syscallpolicy wants rules: -rules FILE or -deny CALLS");
    if (strcmp(action, "error") && strcmp(action, "kill") && strcmp(action, "log"))
        tool_fail("-action %s: error, kill or log", action);
    if (!(error_number = error_by_name(error_name)))
        tool_fail("-errno %s: no such error", error_name);
    if (*file)
        rules_read(file);
    if (*denied) {
        char *line = need_text("deny %s", denied);
        rules_add(line, "-deny", 1);
        free(line);
    }
    threads_hook(&hooks);
    PIN_AddSyscallEntryFunction(entry, 0);
    PIN_AddSyscallExitFunction(end, 0);
    PIN_StartProgram();
}
