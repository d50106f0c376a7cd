/* probe_int.h: shared by the files of the patching core only. */
#ifndef PROBE_PROBE_INT_H
#define PROBE_PROBE_INT_H
#include "arch/probe.h"
#include "base/lock.h"
#include "probe/probe.h"

struct probe {
    struct probe *next;                 /* of the same hash value */
    struct probe_plan plan;
    u8 *slot, *copy;                    /* the jump leads to the slot, the slot to where its word says */
    u64 *word;
    u16 *place;                         /* of each copied instruction: its offset in the copy */
    u8 *len;                            /* and its original length */
    u8 old[ARCH_PROBE_JUMP], jump[ARCH_PROBE_JUMP];
    bool returns_inside;                /* a call among those that give way returns under the jump */
    bool is_placed;
};

extern struct lock probe_lock;

/* space.c: the kernel's list of mappings */
struct mapping { addr_t lo, hi; int prot; };
bool space_find(addr_t at, struct mapping *m);
bool space_is_code(addr_t lo, addr_t hi);               /* executable throughout, perhaps in several mappings */
u8 *space_near(addr_t at, size_t size);                 /* probe_lock held */

/* relocate.c */
enum probe_reason relocate(struct probe *p, size_t room);
/* A thread at this original address: where does it go on in the copy? 0: it is not in the middle. */
addr_t relocate_pc(const struct probe *p, addr_t pc);

/* stop.c: all other threads at rest; `commit` runs meanwhile if nobody is in the middle, or could be moved out of there */
enum probe_reason stop_and(const struct probe *p, bool (*commit)(void *), void *arg);
bool stop_is_alone(void);
#endif
