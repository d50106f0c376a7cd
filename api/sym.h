/* sym.h: what one ELF file says about itself: segments, sections, function symbols, routines, source lines.
 *
 * An image is a path (or, for the vdso, memory) and the place where it is mapped. Nothing is read before the first
 * question: opening costs an allocation, the first segment or section question maps the file, the first symbol question
 * builds the symbol tables, the first source question the index of lines. The file is never trusted: every offset is
 * checked, a broken part reads as absent, and nothing is kept but pointers into the read-only mapping and small arrays.
 *
 * Addresses that go in and come out are run-time addresses, link-time address plus bias, unless a name says `value`.
 * Strings and structs handed out live until sym_close(). Not thread-safe: the caller holds the client lock.
 * Never from a signal handler. */
#ifndef API_SYM_H
#define API_SYM_H
#include "base/types.h"

struct sym_image;

enum {
    SYM_MAIN        = 1,    /* the program itself */
    SYM_INTERP      = 2,    /* the dynamic loader */
    SYM_VDSO        = 4,
    SYM_FDE_RANGES  = 8,    /* code without symbols is split at the entries of .eh_frame (named sub_ADDRESS) instead of
                             * being one artificial routine per gap, named like its section */
    SYM_NO_SYMTAB   = 16,   /* take only .dynsym: no .symtab, no debug file */
    SYM_NO_DYNSYM   = 32,   /* take only .symtab and the debug file (DEBUG_SYMBOLS) */
    SYM_NO_DEBUG    = 64,   /* take the tables of the image itself, no debug file (EXPORT_SYMBOLS) */
    SYM_NO_SYMBOLS  = SYM_NO_SYMTAB | SYM_NO_DYNSYM,
};

/* `address` is where the byte at `file_offset` of the file is mapped, any one mapping will do: the bias follows from
 * the program headers. SYM_UNMAPPED as address: looked at as a file only, bias 0. Never NULL unless out of memory. */
#define SYM_UNMAPPED (~(addr_t)0)
struct sym_image *sym_open(const char *path, addr_t address, u64 file_offset, u32 flags);
/* A complete image in memory, laid out as in its file (the vdso). The bytes must stay until sym_close(). */
struct sym_image *sym_open_memory(const char *name, const void *bytes, size_t size, u32 flags);
/* No file: one executable section `.text` at low, without symbols. */
struct sym_image *sym_open_region(const char *name, addr_t low, u64 size, addr_t bias, u32 flags);
void sym_close(struct sym_image *img);

/* ---- The image ---- */

enum sym_type { SYM_TYPE_INVALID, SYM_TYPE_STATIC, SYM_TYPE_SHARED, SYM_TYPE_SHAREDLIB, SYM_TYPE_RELOCATABLE };

bool sym_is_elf(struct sym_image *img);               /* the file is there and is an x86-64 ELF file */
const char *sym_path(const struct sym_image *img);
u32 sym_flags(const struct sym_image *img);
enum sym_type sym_type(struct sym_image *img);        /* in the sense of IMG_TYPE, in the same order */
addr_t sym_bias(struct sym_image *img);
addr_t sym_entry(struct sym_image *img);              /* 0 when there is none */
addr_t sym_low(struct sym_image *img);                /* first mapped byte */
addr_t sym_high(struct sym_image *img);               /* last mapped byte, inclusive; sym_high < sym_low: none */
bool sym_is_static(struct sym_image *img);            /* a program without PT_INTERP */
const char *sym_interp(struct sym_image *img);        /* PT_INTERP, or NULL */
bool sym_uses_shstk(struct sym_image *img);           /* .note.gnu.property: shadow stack, indirect branch tracking */
bool sym_uses_ibt(struct sym_image *img);
const u8 *sym_build_id(struct sym_image *img, u32 *size);
const void *sym_file(struct sym_image *img, size_t *size);    /* the whole file, mapped read-only; NULL if unreadable */

/* Mapped ranges: segments that touch (to the page) are one region. */
struct sym_region { addr_t low, high; /* high: last byte */ u8 prot; /* PROT_* of all its segments, or-ed */ };
u32 sym_n_regions(struct sym_image *img);
const struct sym_region *sym_region(struct sym_image *img, u32 i);
bool sym_contains(struct sym_image *img, addr_t a);   /* within a region */

/* ---- Sections ---- */

/* In the order of SEC_TYPE. */
enum sym_sec_type {
    SYM_SEC_INVALID, SYM_SEC_UNUSED, SYM_SEC_REGREL, SYM_SEC_DYNREL, SYM_SEC_EXEC, SYM_SEC_DATA, SYM_SEC_DYNAMIC,
    SYM_SEC_OPD, SYM_SEC_GOT, SYM_SEC_STACK, SYM_SEC_PLTOFF, SYM_SEC_HASH, SYM_SEC_LSDA, SYM_SEC_UNWIND,
    SYM_SEC_UNWINDINFO, SYM_SEC_REGSYM, SYM_SEC_DYNSYM, SYM_SEC_DEBUG, SYM_SEC_BSS, SYM_SEC_SYMSTR, SYM_SEC_DYNSTR,
    SYM_SEC_SECSTR, SYM_SEC_COMMENT, SYM_SEC_LOOS, SYM_SEC_USER, SYM_SEC_PROC,
};

struct sym_section {
    const char *name;
    addr_t address;             /* 0 if not mapped */
    u64 size;
    const void *data;           /* its bytes in sym_file(); NULL for bss and broken ones */
    u32 index;                  /* in the file's section table; 0 when made from a segment */
    u8 type;                    /* enum sym_sec_type */
    bool is_readable, is_writeable, is_executable, is_mapped;
};
/* In the file's order. A file without section headers shows one section per loadable segment. */
u32 sym_n_sections(struct sym_image *img);
const struct sym_section *sym_section(struct sym_image *img, u32 i);
const struct sym_section *sym_section_by_name(struct sym_image *img, const char *name);

/* ---- Function symbols ---- */

enum {
    SYM_DYNAMIC   = 1,          /* in .dynsym */
    SYM_STATIC    = 2,          /* in .symtab, here or in the debug file */
    SYM_IFUNC     = 4,          /* an indirect function: the address is its resolver */
    SYM_GENERATED = 8,          /* not in a table of the file: NAME@plt, the entry point, routines made by the caller */
    SYM_LOCAL     = 16,
    SYM_WEAK      = 32,
};

struct sym_symbol {
    const char *name;           /* mangled, without version */
    addr_t value;               /* link-time address */
    u64 size;                   /* 0: not given */
    u32 section;                /* position for sym_section(), or SYM_NONE */
    u8 flags;
};
#define SYM_NONE (~0u)

/* Defined functions of all tables, sorted by address; the preferred name of an address comes first, its aliases
 * after it. */
u32 sym_n_symbols(struct sym_image *img);
const struct sym_symbol *sym_symbol(struct sym_image *img, u32 i);
const struct sym_symbol *sym_symbol_by_name(struct sym_image *img, const char *name);
/* All names of exactly this address: position of the first, *n how many. */
u32 sym_symbols_at(struct sym_image *img, addr_t address, u32 *n);
static inline u32 sym_index(struct sym_image *img, const struct sym_symbol *s) { return (u32)(s - sym_symbol(img, 0)); }
/* Where a stub NAME@plt reads its target: address of the pointer, 0 when unknown. After the dynamic loader resolved it,
 * the pointer of an indirect function leads to the chosen implementation. */
addr_t sym_plt_slot(struct sym_image *img, const struct sym_symbol *plt);

/* ---- Routines: every executable byte belongs to exactly one ---- */

struct sym_routine {
    const char *name;           /* the preferred symbol's; artificial: the section's (.text), at the entry point of a
                                 * stripped program `unnamedImageEntryPoint` */
    addr_t address;
    u64 size;                   /* the symbol's size; without one (or when it overlaps the next routine), = range */
    u64 range;                  /* up to the next routine or the section's end */
    u32 section;                /* position for sym_section() */
    u32 symbol;                 /* position for sym_symbol(), or SYM_NONE */
    u32 id;                     /* 0, 1, ... in this image; never changes, never reused */
    bool is_artificial;         /* no symbol: covers a gap */
    bool is_created;            /* by sym_routine_create() */
};

/* By position in address order; sym_routine_create() shifts positions, not pointers. */
u32 sym_n_routines(struct sym_image *img);
const struct sym_routine *sym_routine(struct sym_image *img, u32 i);
const struct sym_routine *sym_routine_by_id(struct sym_image *img, u32 id);
const struct sym_routine *sym_routine_at(struct sym_image *img, addr_t address);        /* its range has it; or NULL */
const struct sym_routine *sym_routine_by_name(struct sym_image *img, const char *name);  /* any alias will do */
u32 sym_routine_position(struct sym_image *img, const struct sym_routine *r);
/* Routines of a section: position of the first, *n how many. */
u32 sym_section_routines(struct sym_image *img, u32 section, u32 *n);
/* A routine that begins at `address`: splits the one that held it, or renames the one that began there.
 * NULL when no executable section holds the address. */
const struct sym_routine *sym_routine_create(struct sym_image *img, addr_t address, const char *name);

/* ---- Source lines ---- */

struct sym_source { const char *file; u32 line, column; };   /* file: full path when the compiler recorded its folder */
bool sym_has_lines(struct sym_image *img);
bool sym_source(struct sym_image *img, addr_t address, struct sym_source *out);

/* ---- C++ names ---- */

/* The whole signature, or scope and name only. A malloc'ed string; NULL when `name` is not a mangled C++ name. */
char *sym_demangle(const char *name, bool name_only);
#endif
