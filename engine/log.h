/* log.h: the engine's log: --log=FILE, or stderr for what was asked for explicitly. */
#ifndef ENGINE_LOG_H
#define ENGINE_LOG_H
#include "base/types.h"
void log_init(void);
void log_forked(void);                  /* in a forked child: what it writes to is its own */
void log_line(const char *fmt, ...) PRINTF_LIKE(1, 2);
bool log_is_on(void);
/* One line about something that happened, with the thread it happened to; nothing unless --log names a file. */
#define log_event(...) do { if (log_is_on()) log_event_line(__VA_ARGS__); } while (0)
void log_event_line(const char *fmt, ...);
addr_t log_dump_address(void);          /* the address that --dump-trace names; 0: none or not known yet */
void log_code_mapped(addr_t at, int file, u64 offset);  /* may hold the function that --dump-trace names */
void log_dump_missing(void);            /* at the end: nothing held it */
int log_stats(void);                    /* where --stats goes */
int log_stderr(void);                   /* a private copy of stderr, for what is printed at the end */
#endif
