/* tool.h: what the bundled tools share. A tool says in one line what it answers, registers its callbacks and a report:
 *
 *     #include "tool.h"
 *     TOOL_ABOUT("counts the calls of the program");
 *     ...
 *     int main(int argc, char **argv)
 *     {
 *         tool_begin(argc, argv, report);
 *         INS_AddInstrumentFunction(look, 0);
 *         PIN_StartProgram();
 *     }
 *
 * The report is made when the program ends, however it ends, and when Cotter is detached. */
#ifndef TOOLS_TOOL_H
#define TOOLS_TOOL_H
#include <pin.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "about.h"
#include "base.h"             /* from here on: each after what it uses */
#include "thread.h"
#include "counter.h"
#include "place.h"
#include "left.h"
#include "block.h"
#include "json.h"
#include "out.h"
#include "report.h"

/* Reads the command line (--help, bad options: prints and exits), asks for symbols, registers the report. */
VOID tool_begin(int argc, char **argv, VOID (*report)(VOID));
/* How the process ended, in the report: its exit status, or 128 + the signal; -1 when it was detached. */
/* The name of the tool: that of its file. */
const char *tool_name(VOID);
INT32 tool_exit_code(VOID);
/* The program: the absolute path of its ELF. */
const char *tool_program(VOID);
/* A user's mistake: one line, and the end, with status 125. Only before the start. */
VOID tool_fail(const char *fmt, ...) __attribute__((noreturn, format(printf, 1, 2)));
#endif
