/* ticker.h: the process beside the program that writes the progress line, at its own pace: a program that only computes gives its
 * tool no occasion to. A thread would be seen by the program (a process with two threads cannot leave its user namespace), a
 * child by its wait().
 *
 *     tool            child           ticker
 *     clone, wait ──▶ clone ────────▶ executes the tool's file: ticker_run()
 *     reap child ◀─── exit            a line every quarter of a second, until the program ends
 *
 * Tool and ticker share one page. */
#ifndef TOOLS_TICKER_H
#define TOOLS_TICKER_H
#include <stdbool.h>

struct ticker_page {
    volatile int busy;                          /* held while the terminal or `own` is written */
    volatile bool is_shown, is_over;
    volatile bool is_shared;                    /* the program writes to a terminal, too */
    volatile bool is_within_line, has_children;
    char own[160];                              /* what the tool tells; empty: the time is shown */
};

/* path, name: of the tool. NULL: there can be no ticker; then no progress is shown. */
struct ticker_page *ticker_start(const char *path, const char *name, bool is_attached);
/* At the start of main(): does not return in the ticker. */
void ticker_run(int argc, char **argv);

/* Whoever is stopped or killed in the middle of it stops nobody: one waits for the other, but not for long. */
void ticker_lock(struct ticker_page *p);
void ticker_unlock(struct ticker_page *p);
void ticker_wipe(struct ticker_page *p);        /* the line goes, if it is there */
#endif
