/* access.h: every access of the program to memory, for simulators: one call each, one at a time, in the order in which the
 * threads make them. Option: -record FILE writes them down.
 *
 * A place of the program (an access of an instruction; a line of code within a block) has counters of its own.
 *
 * As long as the program has one thread, accesses are put into a buffer, and handed over when it is full: their order is the
 * same, and a loop over many is several times as fast. With the second thread each access is handed over when it is made. What the
 * first thread had in its buffer then comes when the thread ends. */
#ifndef TOOLS_ACCESS_H
#define TOOLS_ACCESS_H

enum { SITE_COUNTS = 6 };
struct site {
    struct site *next;
    ADDRINT ip;
    UINT32 size;                                /* of data: bytes */
    UINT32 n_ins;                               /* instructions of the block, at its first line of code; else 0 */
    bool is_code, is_write;
    UINT64 count[SITE_COUNTS];
    UINT64 n_sure;                              /* fetches that nobody was told of: see has_sure_fetches */
};

struct access { ADDRINT at; struct site *site; };
struct access_watch {
    UINT32 code_line;                           /* bytes: a block fetches each line of its code once; 0: no fetches */
    /* A block that begins in the line of code that the block before it in its trace has fetched last changes nothing but counts: it is
     * counted (access_sure), not handed over, while there is one thread. */
    bool has_sure_fetches;
    VOID (*fetch)(UINT32 thread, ADDRINT at, struct site *s);
    VOID (*data)(UINT32 thread, ADDRINT at, UINT32 size, bool is_write, struct site *s);
    /* Analysis routines that deal with the common case by themselves: ADDRINT easy_fetch(ADDRINT at, struct site *s) and
     * ADDRINT easy_data(ADDRINT at, UINT32 size, BOOL is_write, struct site *s), between access_try and access_leave. Not 0: the
     * other routine is to be called. They are fast as long as nothing that they can reach touches a vector register,
     * which rules out most of libc, and calls through pointers. NULL: none. */
    AFUNPTR easy_fetch, easy_data;
    VOID (*batch)(UINT32 thread, const struct access *from, const struct access *end);  /* all these */
};

/* A `batch` of the tool's own routines, which the compiler puts into the loop. */
#define ACCESS_BATCH(name, fetch, data)                                                             \
    static VOID name(UINT32 thread, const struct access *r, const struct access *end)               \
    {                                                                                               \
        for (; r < end; r++)                                                                        \
            if (r->site->is_code)                                                                   \
                fetch(thread, r->at, r->site);                                                      \
            else                                                                                    \
                data(thread, r->at, r->site->size, r->site->is_write, r->site);                     \
    }
extern volatile char access_lock;
static inline bool access_try(VOID) { return !__atomic_test_and_set(&access_lock, __ATOMIC_ACQUIRE); }
static inline VOID access_leave(VOID) { __atomic_clear(&access_lock, __ATOMIC_RELEASE); }
VOID access_begin(const struct access_watch *w);        /* in main(), after tool_begin */
UINT64 access_sure(VOID);                       /* in the report, first: adds them to count[0] of their places; how many there were */
/* In the report: tables "routines" and "lines" with sums of the counts. Columns: as for report_table, one `:n` for each count
 * from the first on, and shares behind count `by` only. It is the order; places where it is 0 are left out. */
VOID access_tables(struct report *r, const char *columns, UINT32 by);
#endif
