/* views.h: shared memory, and the places where it is mapped. Code may be written in one of them and run in another. The cache lock
 * is held, unless said otherwise. */
#ifndef EMULATE_VIEWS_H
#define EMULATE_VIEWS_H
#include "base/types.h"

/* Every mapping of the memory at `page`, that one included; nothing if it is not shared. */
void views_each(addr_t page, void (*f)(addr_t view, u32 prot));
u64 views_inode(addr_t at);                     /* of the shared file that is mapped there; 0: none */
bool views_any_file(addr_t lo, addr_t hi, bool (*f)(u64 inode));

bool views_are_in(addr_t lo, addr_t hi);        /* is there shared memory of a file? The lock is not held */
void views_change(void);                        /* the application mapped shared memory. No lock needed */
void views_change_in(addr_t lo, addr_t hi);     /* it changed its mappings in [lo, hi). The lock is not held */
#endif
