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
#endif
