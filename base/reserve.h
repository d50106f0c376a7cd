/* reserve.h: memory set aside for the engine. A program may use up all that its limits (ulimit -v, -d) or the kernel's
 * accounting allow and live on; the engine then lives on what it has set aside, until there is memory again. */
#ifndef BASE_RESERVE_H
#define BASE_RESERVE_H
#include "base/types.h"

void reserve_init(addr_t lo, addr_t hi);        /* where; a part of the private range that nothing else uses */
long reserve_map(addr_t at, size_t size, int prot);     /* as sys_mmap_fixed */
bool reserve_move(addr_t to, size_t size, int prot);    /* a mapping that failed there: memory that was set aside instead */
bool reserve_give_way(size_t size);             /* a mapping of this size failed; true: it is worth another try */
#endif
