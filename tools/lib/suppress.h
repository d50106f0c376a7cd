/* suppress.h: findings not to report. Option: -suppressions FILE, lines `KIND FRAME FRAME...`: the first frames of a stack, each
 * the pattern of a routine or an image; `...` stands for any number of frames, `*` as KIND for any; a word that begins with # begins a comment. */
#ifndef TOOLS_SUPPRESS_H
#define TOOLS_SUPPRESS_H
VOID suppress_begin(const char *kinds);         /* in main(), after tool_begin: reads the file; kinds: with blanks between */
BOOL suppress_matches(const char *kind, const struct callstack *s);
#endif
