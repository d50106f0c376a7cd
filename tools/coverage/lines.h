/* lines.h: which source lines an image has, and how often each was executed. Lines that never ran are known too: they are read
 * from the routines when the image is mapped. */
#ifndef COVERAGE_LINES_H
#define COVERAGE_LINES_H

struct line { INT32 line; UINT64 count; };
struct function { const char *name; INT32 line; ADDRINT address; UINT64 calls; };
struct source {
    struct source *next;
    const char *path;
    VEC(struct line) lines;
    struct map by_line;
    VEC(struct function) functions;
};

VOID lines_read_image(IMG img);                 /* in an IMG callback */
VOID lines_clear(VOID);                         /* counts */
VOID lines_count_block(const struct block *b, const UINT8 *sizes);
struct source *sources_first(VOID);
VOID lines_settle(VOID);                        /* after all blocks: lines are sorted and have their counts */
VOID lcov_write(FILE *f, bool (*wants)(const char *path));
#endif
