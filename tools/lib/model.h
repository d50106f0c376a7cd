/* model.h: cores with caches of their own (L1 for instructions, L1 for data, L2) and one L3 for all.
 *
 * Write-back, write-allocate; no level includes or excludes another: a line that misses is brought into every level it was
 * looked for in. A line that leaves a level while dirty is written back to the next: marked there when it is there. A write
 * takes the line away from the other cores' L1D and L2; their next access to it is a coherence miss. */
#ifndef TOOLS_MODEL_H
#define TOOLS_MODEL_H

enum level { L1I, L1D, L2, L3, LEVELS };
enum { MAX_CORES = 64 };
struct level_counts { UINT64 reads, writes, read_misses, write_misses, coherence, write_backs; };
extern struct level_counts model_counts[LEVELS];
extern const char *const level_names[LEVELS];

enum { SITE_ACCESSES, SITE_L1, SITE_L2, SITE_L3, SITE_COHERENCE };      /* counts of a place: misses of each level */

VOID model_clear(VOID);                         /* the counts */
VOID model_begin(const struct cache_shape shapes[LEVELS], const bool is_there[LEVELS], UINT32 cores);
VOID model_finish(VOID);                        /* in the report, first */
VOID model_levels(struct report *r, bool has_coherence);        /* table "levels" */
/* Thread N runs on core N modulo their number. */
VOID model_fetch(UINT32 thread, ADDRINT at, struct site *site);
VOID model_data(UINT32 thread, ADDRINT at, UINT32 size, bool is_write, struct site *site);
/* The only thread's accesses; has_writes: else writes are reads. */
VOID model_batch(UINT32 thread, const struct access *from, const struct access *end, bool has_writes);
/* For access.h: the same when it hits the first level and concerns nobody else. */
ADDRINT model_easy_fetch(ADDRINT at, struct site *s);
ADDRINT model_easy_data(ADDRINT at, UINT32 size, BOOL is_write, struct site *s);
ADDRINT model_easy_read(ADDRINT at, UINT32 size, BOOL is_write, struct site *s);        /* writes are reads */
#endif
