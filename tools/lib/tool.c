/* tool.c: see tool.h. */
#include "tool.h"
#include "progress.h"
#include "ticker.h"
#include <stdarg.h>
#include <unistd.h>

static VOID (*the_report)(VOID);
static INT32 exit_code = -1;

INT32 tool_exit_code(VOID) { return exit_code; }
const char *tool_program(VOID) { return COTTER_ProgramPath(); }

const char *tool_name(VOID)
{
    const char *path = PIN_ToolFullPath(), *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

VOID tool_fail(const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    fputs("cotter: ", stderr);
    vfprintf(stderr, fmt, ap);
    fputc('\n', stderr);
    exit(125);
}

static VOID at_end(INT32 code, VOID *v)
{
    exit_code = code;
    counters_collect();
    progress_end(true);
    the_report();
}

static VOID at_detach(VOID *v)
{
    counters_collect();
    progress_end(true);
    the_report();
}

/* ---- help ---- */
static bool wants_help(int argc, char **argv)
{
    for (int i = 1; i < argc && strcmp(argv[i], "--"); i++)
        if (!strcmp(argv[i], "--help") || !strcmp(argv[i], "-help") || !strcmp(argv[i], "-h"))
            return true;
    return false;
}

static VOID help(const char *name)
{
    printf("%s: %s\n\n  cotter run %s [options] -- PROGRAM [ARGS]\n\n", name, tool_about, name);
    for (struct COTTER_KNOB *k = COTTER_FirstKnob(); k; k = k->next) {
        printf("  -%s%-*s  %s", k->name, (int)(14 - strlen(k->name)), k->is_flag ? "" : " X", k->purpose);
        printf(*k->dflt && !k->is_flag ? " [%s]\n" : "\n", k->dflt);
    }
    exit(0);
}

/* cotter -t TOOL ...; or, when there is no program, the tool alone. */
static const char *name_in(int argc, char **argv)
{
    for (int i = 1; i + 1 < argc; i++)
        if (!strcmp(argv[i], "-t"))
            return base_name(argv[i + 1]);
    return base_name(argv[0]);
}

/* No tool counts backwards. A page that cannot be written is better known now than after the run. */
static VOID check_options(VOID)
{
    for (struct COTTER_KNOB *k = COTTER_FirstKnob(); k; k = k->next) {
        if (k->set == COTTER_SetNumber && *(INT64 *)k->value < 0)
            tool_fail("-%s %ld: a number from 0 on is wanted", k->name, *(INT64 *)k->value);
        if (!strcmp(k->name, "html") || !strcmp(k->name, "record"))
            COTTER_CheckReport(*(const char **)k->value);
    }
}

VOID tool_begin(int argc, char **argv, VOID (*report)(VOID))
{
    ticker_run(argc, argv);
    if (wants_help(argc, argv))
        help(name_in(argc, argv));
    if (PIN_Init(argc, argv))
        exit(125);
    COTTER_CheckReport(out_pattern());
    check_options();
    PIN_InitSymbols();
    threads_begin();
    progress_begin();
    the_report = report;
    PIN_AddFiniFunction(at_end, 0);
    PIN_AddDetachFunction(at_detach, 0);
}
