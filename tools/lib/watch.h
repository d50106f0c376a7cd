/* watch.h: calls of chosen routines: entered with which arguments, left with which result. A routine that ends with a jump to
 * another is left when that one is. Only chosen routines cost; each return costs a compare. */
#ifndef TOOLS_WATCH_H
#define TOOLS_WATCH_H

enum { WATCH_ARGS = 6 };
struct watched {                                /* one call */
    ADDRINT sp, from;                           /* from: the return address */
    struct routine *routine;
    VOID *choice;                               /* what choose() returned */
    ADDRINT arg[WATCH_ARGS];
    UINT32 depth;                               /* of watched calls */
};
struct watch_hooks {
    VOID *(*choose)(const struct routine *r);   /* when its first instruction is translated; NULL: not this one */
    VOID (*enter)(struct watched *w);           /* on the thread, with no lock */
    VOID (*leave)(struct watched *w, ADDRINT result);
};
VOID watch_begin(const struct watch_hooks *hooks);      /* in main() */
#endif
