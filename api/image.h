/* image.h: images, and the handles of their parts.
 *
 * An IMG's number is its id + 1, never used again. SEC and SYM numbers hold the image's id and a position; RTNs are entered
 * in a table when they are first named, since routines can be created later. */
#ifndef API_IMAGE_H
#define API_IMAGE_H
#include "api/api.h"
#include "api/sym.h"

struct probe_targets;
struct image {
    struct sym_image *sym;                      /* NULL: unloaded */
    char *path;
    addr_t low, high;                           /* of all its mapped regions */
    u32 id;
    struct image *next, *prev;                  /* those that are loaded, in the order of their load */
    struct probe_targets **targets;             /* of its sections, where probes were asked for; NULL: not looked at */
    INT32 *rtn;                                 /* handles of its routines, by the routine's id in the image */
    u32 n_rtn;
    struct Dwarf_CFI_s *cfi;                    /* unwind.c, when has_cfi */
    struct Elf *elf;
    bool has_cfi;
    bool is_made, is_due, is_told;                      /* by the tool: IMG_CreateAt; its callbacks ran */
    VOID *loader_info;                          /* the tool's own */
};

struct image *image_of(IMG img);                /* a fatal error if it is none */
struct image *image_at(addr_t address);
IMG image_handle(const struct image *m);
bool image_shows_resolvers(void);               /* IFUNC_SYMBOLS */
u32 image_symbol_flags(void);                   /* what PIN_InitSymbols asked for */

struct rtn_record { struct image *image; const struct sym_routine *r; };
struct rtn_record *rtn_of(RTN rtn);
RTN rtn_handle(struct image *m, const struct sym_routine *r);      /* r may be NULL: RTN_Invalid() */

enum { PART_BITS = 20 };                        /* of a position in a SEC or SYM number */
static inline INT32 part_number(const struct image *m, u32 position) { return (INT32)((m->id << PART_BITS | position) + 1); }
static inline u32 part_image(INT32 number) { return (u32)(number - 1) >> PART_BITS; }
static inline u32 part_position(INT32 number) { return (u32)(number - 1) & ((1u << PART_BITS) - 1); }
struct image *image_by_id(u32 id);              /* NULL: none, or unloaded */

void unwind_forget(struct image *m) __attribute__((weak));       /* unwind.c is there only if the tool asks for it */
void images_start(void);                        /* those that are there before the first instruction */
void images_again(void);                        /* img_attach.c: all that are mapped, in the order of loading; known ones stay */
void image_note(const char *path, addr_t at, u64 offset, u32 flags);   /* client lock held */
void image_mapped(addr_t lo, size_t size, int fd, u64 offset);   /* hooks */
void image_unmapped(addr_t lo, addr_t hi);
void images_settle(void);                       /* look at the mappings that were only noted */
struct image *image_new(struct sym_image *sym, const char *path);     /* with a number, but not on the list. NULL: too many; sym is closed */
struct image *image_first(void);
struct image *image_last(void);
void image_remove(struct image *m);
void images_refresh(void);                      /* probe mode: what was loaded or unloaded meanwhile */
void images_tell_again(void);                   /* callbacks for all that are loaded */
const struct image *image_arriving(void);       /* the one whose callbacks run: none of its code does */
void images_end(void);                          /* unload callbacks for the rest */

/* ifunc.c: requests on an indirect function are for what its resolver chooses. True: it is one, and the request is kept. */
struct follower { struct call *call; u8 kind; bool has_arguments, returns_float; };
enum { FOLLOW_ENTRY, FOLLOW_RETURNS, FOLLOW_REPLACE };
bool ifunc_follow(RTN rtn, struct follower f);   /* f.call: malloc'ed, is kept */
addr_t ifunc_chosen(addr_t resolver);           /* 0: it did not run yet, or is none */
addr_t ifunc_resolver(addr_t chosen);           /* the other way round */
void ifunc_note(RTN rtn);                        /* if it is a resolver, watch it */
void ifunc_watch(struct image *m) __attribute__((weak));         /* there only if the tool asks for implementations */

/* aot.c: calls asked for before the code is translated */
struct aot_call { struct aot_call *next; addr_t pc; u8 point; struct call *call; };
void aot_add(addr_t pc, enum point p, struct call *c);                   /* c: malloc'ed, is kept */
void aot_add_at_returns(addr_t lo, addr_t hi, struct call *c);
/* A change of the instruction itself. */
enum change_kind { CHANGE_DELETE, CHANGE_JUMP, CHANGE_MOVE };
struct aot_change {
    struct aot_change *next;
    addr_t pc;
    u8 kind, point, part, reg;                  /* part: enum memory_part; reg: a tool register's number + 1 */
    struct inserted_jump jump;
};
void aot_add_change(addr_t pc, const struct aot_change *c);              /* is copied */
ADDRINT insert_version(u32 number);                                      /* insert.c: the version that the tool gave this number */
void insert_change(u32 i, const struct aot_change *c);                   /* insert.c: to instruction i of the trace */
void aot_apply(const struct view *v);                                    /* to the trace that is being shown */
void aot_forget(addr_t lo, addr_t hi);
bool aot_is_used(void);

/* rtn_code.c: the instructions of an open routine */
enum { RTN_INS_BASE = 1 << 28 };                /* numbers of such INS handles begin behind it */
const struct xv_insn *rtn_insn(u32 position);
INS rtn_ins_next(INS ins, int step);
#endif
