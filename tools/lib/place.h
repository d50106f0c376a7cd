/* place.h: names of code: image, routine, source line. Records stay when an image is unloaded, so that a report can name
 * what ran in it. Code that belongs to no image (a JIT compiler's) is in the image "[anonymous]". */
#ifndef TOOLS_PLACE_H
#define TOOLS_PLACE_H

struct image {
    struct image *next;                         /* in the order of their first appearance */
    UINT32 number;
    const char *path, *name;                    /* name: without folders */
    ADDRINT low, high, load_offset;             /* high: the last byte */
    bool is_main, is_loader;
    UINT64 count;                               /* for the tool's sums */
    VOID *data;
};

struct routine {
    struct routine *next;
    UINT32 number;
    const char *name;                           /* demangled */
    ADDRINT address;
    USIZE size;
    struct image *image;
    bool is_stub;                               /* of a procedure linkage table: leads to another image */
    UINT64 count;                               /* for the tool's sums */
    VOID *data;
};

/* Never NULL. From serialised callbacks and reports, or with the client lock held. */
struct image *place_image(ADDRINT a);
struct routine *place_routine(ADDRINT a);
struct image *images_first(VOID);
struct routine *routines_first(VOID);
UINT32 routines_count(VOID);

VOID places_clear_counts(VOID);                 /* at the beginning of a report: it may be made again */

/* 0 and "" when nothing is known; the file's name lasts. Slow: for reports. */
INT32 place_line(ADDRINT a, const char **file);
/* "routine+0x12 (image)", with "file:line" when known. Up to 8 results live at once in a thread. */
const char *place_text(ADDRINT a);
const char *base_name(const char *path);
#endif
