/* errors.h: what was found. The same kind of error at the same stack is one entry with a count. */
#ifndef HEAPCHECK_ERRORS_H
#define HEAPCHECK_ERRORS_H

enum error_kind {
    ERROR_READ_OUTSIDE, ERROR_WRITE_OUTSIDE, ERROR_READ_FREED, ERROR_WRITE_FREED, ERROR_DOUBLE_FREE, ERROR_BAD_FREE,
    ERROR_MISMATCH, ERROR_UNSET, ERROR_SIZE, ERROR_LEAK, ERROR_LEAK_INDIRECT, ERROR_KINDS
};
struct error {
    struct error *next;
    enum error_kind kind;
    UINT64 count, bytes;                        /* bytes: of the access, or leaked in all */
    const struct callstack *stack;
    ADDRINT address;
    /* The nearest block, as it was then; at 0: none. */
    struct chunk chunk;
    const char *detail;                         /* name of the function that was given the address, or NULL */
};

VOID errors_begin(VOID);                        /* in main() */
const char *errors_kinds(VOID);                 /* their names, with blanks between */
/* From analysis routines. `near` may be NULL. */
VOID errors_add(enum error_kind kind, const struct callstack *stack, ADDRINT address, UINT64 bytes, const struct chunk *near,
                const char *detail);
VOID errors_forget(VOID);                       /* in a forked child */
struct leak_sums;
VOID errors_report(const struct leak_sums *leaks);      /* writes it; NULL: leaks were not looked for */
BOOL errors_any(VOID);
#endif
