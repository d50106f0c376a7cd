/* out.h: where a tool writes. Options: -o FILE (%p: the pid), -json.
 * A process that was forked or executed by the first one writes to a file of its own: see COTTER_OpenReport. */
#ifndef TOOLS_OUT_H
#define TOOLS_OUT_H

BOOL out_is_json(VOID);
BOOL out_is_file(VOID);                         /* -o was given */
const char *out_pattern(VOID);
FILE *out_open(VOID);                           /* -o, else stderr */
FILE *out_open_beside(const char *suffix);      /* the same with a suffix to the name; without -o: `tool`.PID`suffix` */
VOID out_close(FILE *f);

/* A line on the terminal that is written over, for long runs: at most a few times a second, only when stderr is a
 * terminal. From any routine. */
VOID out_begin(VOID);                           /* called by tool_begin: the time, unless the program writes to the terminal, too */
VOID out_progress(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
#endif
