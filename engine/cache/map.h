/* map.h: one record per application instruction, or per run of neighbours that were copied as they are: where its code starts, and
 * what a fault in it has to put back. Kept in a few bytes, read from the first record on: it is asked for by signals and faults
 * only. In a run the CPU stands at the beginning of an instruction, whichever that is. */
#ifndef CACHE_MAP_H
#define CACHE_MAP_H
#include "base/types.h"
#include "engine/cache/trace.h"

struct map_entry {
    s32 app;                                /* application address - trace pc */
    u16 code;                               /* cache address - trace code */
    u16 restore;                            /* see arch_unspill */
    bool is_run;
};

/* From record `at` on, what is parked (see arch_unspill, too) is this. It is the arch's own, in fields of MAP_FIELD bits; nothing at first. */
struct map_change { u32 at, parked; };
enum { MAP_FIELDS = 4, MAP_FIELD = 5 };

/* Bytes: in front of all records, of one at the most, and of a change. */
enum { MAP_HEAD = 2, MAP_LONGEST = 9, MAP_CHANGE = 2 * MAP_FIELDS };

/* usual: the restore word that most records have. Changes in their order, then one behind all records. Returns how many bytes it took. */
u32 map_write(u8 *to, const struct map_entry *list, u32 n, u16 usual, const struct map_change *changes);

struct map_reader { const u8 *p, *end; u16 usual; struct map_entry last; u32 parked; };
struct map_reader map_begin(const struct trace *t);
bool map_next(struct map_reader *r);        /* the next record is in r->last; false: there is none */
#endif
