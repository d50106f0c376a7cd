/* select.h: which code a trace is about. Options: -routine GLOB, -image GLOB, -main (the program alone). */
#ifndef TOOLS_SELECT_H
#define TOOLS_SELECT_H
bool select_wants(const struct routine *r);
VOID select_tell(VOID);                         /* in the report: says so if there was none; an empty trace does not say why */
#endif
