/* progress.h: a line on the terminal that is written over while a long run goes on: at most a few times a second, only when
 * stderr is a terminal, and never into what the program writes there. It is gone before the report comes. */
#ifndef TOOLS_PROGRESS_H
#define TOOLS_PROGRESS_H

VOID progress_begin(VOID);                      /* called by tool_begin: from now on the time is shown */
VOID progress_end(bool for_good);               /* the line goes; for good when stderr is written to from now on */
/* What the tool has done so far, instead of the time. From any routine. */
VOID out_progress(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
#endif
