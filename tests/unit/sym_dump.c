/* sym_dump.c: prints what api/sym.h says about a file, for tests/unit/sym_*.sh to compare with binutils and to time.
 *
 *   sym_dump [--fde] WHAT FILE [ARGUMENT]...
 *   WHAT: image, sections, symbols, routines, plt, all, time, self; lines ADDRESS..., at ADDRESS..., create ADDRESS...,
 *         find NAME..., demangle NAME... */
#include <dlfcn.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <time.h>
#include "api/sym.h"

static u32 flags;

static void dump_image(struct sym_image *img)
{
    u32 n = 0;
    const u8 *id = sym_build_id(img, &n);
    printf("elf %d type %d bias %lx entry %lx low %lx high %lx static %d regions %u interp %s ", sym_is_elf(img),
           sym_type(img), sym_bias(img), sym_entry(img), sym_low(img), sym_high(img), sym_is_static(img),
           sym_n_regions(img), sym_interp(img) ? sym_interp(img) : "-");
    printf("lines %d shstk %d ibt %d id ", sym_has_lines(img), sym_uses_shstk(img), sym_uses_ibt(img));
    for (u32 i = 0; i < n; i++)
        printf("%02x", id[i]);
    printf("\n");
}

static void dump_sections(struct sym_image *img)
{
    for (u32 i = 0; i < sym_n_sections(img); i++) {
        const struct sym_section *s = sym_section(img, i);
        printf("%u %s %lx %lx type %u %c%c%c%c\n", s->index, *s->name ? s->name : "-", s->address, s->size, s->type,
               s->is_mapped ? 'm' : '-', s->is_readable ? 'r' : '-', s->is_writeable ? 'w' : '-',
               s->is_executable ? 'x' : '-');
    }
}

static void dump_symbols(struct sym_image *img, bool plt_only)
{
    for (u32 i = 0; i < sym_n_symbols(img); i++) {
        const struct sym_symbol *s = sym_symbol(img, i);
        if (!plt_only)
            printf("%lx %lx %x %s\n", s->value, s->size, s->flags, s->name);
        else if (sym_plt_slot(img, s))
            printf("%lx %s %lx\n", s->value, s->name, sym_plt_slot(img, s));
    }
}

static void print_routine(const struct sym_routine *r)
{
    if (r)
        printf("%lx size %lx range %lx %s%s\n", r->address, r->size, r->range, r->name,
               r->is_artificial ? " artificial" : "");
    else
        printf("none\n");
}

/* Ranges must tile the executable sections; every byte must lead back to its routine. */
static void dump_routines(struct sym_image *img)
{
    u32 total = 0;
    for (u32 s = 0; s < sym_n_sections(img); s++) {
        u32 n, first = sym_section_routines(img, s, &n);
        addr_t at = sym_section(img, s)->address;
        for (u32 i = first; i < first + n; i++) {
            const struct sym_routine *r = sym_routine(img, i);
            if (r->address != at || r->section != s || !r->range || r->size > r->range ||
                sym_routine_at(img, at) != r || sym_routine_at(img, at + r->range - 1) != r ||
                sym_routine_position(img, r) != i ||
                sym_routine_by_id(img, r->id) != r)
                printf("BROKEN at %lx: ", at);
            at += r->range;
            print_routine(r);
        }
        if (n && at != sym_section(img, s)->address + sym_section(img, s)->size)
            printf("BROKEN: section %s is not covered\n", sym_section(img, s)->name);
        total += n;
    }
    if (total != sym_n_routines(img))
        printf("BROKEN: %u routines, %u in sections\n", sym_n_routines(img), total);
}

static void dump_line(struct sym_image *img, addr_t a)
{
    struct sym_source s;
    if (sym_source(img, a, &s))
        printf("%lx %s:%u:%u\n", a, s.file, s.line, s.column);
    else
        printf("%lx none\n", a);
}

static void dump_argument(struct sym_image *img, const char *what, const char *arg)
{
    addr_t a = strtoul(arg, NULL, 16);
    if (!strcmp(what, "lines")) {
        dump_line(img, a);
    } else if (!strcmp(what, "at")) {
        print_routine(sym_routine_at(img, a));
    } else if (!strcmp(what, "find")) {
        print_routine(sym_routine_by_name(img, arg));
    } else if (!strcmp(what, "create")) {
        print_routine(sym_routine_create(img, a, "made"));
        print_routine(sym_routine_by_name(img, "made"));
    } else if (!strcmp(what, "demangle")) {
        char *full = sym_demangle(arg, false), *name = sym_demangle(arg, true);
        printf("%s | %s\n", full ? full : "-", name ? name : "-");
        free(full);
        free(name);
    }
}

static double now_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

static void show_times(const char *path)
{
    double t0 = now_ms();
    struct sym_image *img = sym_open(path, 0x10000000, 0, flags);
    double t1 = now_ms();
    u32 n = sym_n_symbols(img);
    double t2 = now_ms();
    u32 m = sym_n_routines(img);
    double t3 = now_ms();
    sym_routine_by_name(img, "malloc");
    double t4 = now_ms();
    u64 sum = 0;
    for (addr_t a = sym_low(img); m && a < sym_low(img) + 1000000; a++)
        sum += (u64)sym_routine_at(img, a);
    double t5 = now_ms();
    struct sym_source s;
    sym_source(img, sym_entry(img), &s);
    double t6 = now_ms();
    printf("open %.3f ms, %u symbols %.3f ms, %u routines %.3f ms, first name %.3f ms, ", t1 - t0, n, t2 - t1, m,
           t3 - t2, t4 - t3);
    printf("look-up %.1f ns (%d), lines %.3f ms\n", t5 - t4, (int)(sum & 1), t6 - t5);
    sym_close(img);
}

/* ---- Images in memory ---- */

/* A library of this process, from any one of its mappings, must be where the dynamic loader says. */
static int check_library(struct dl_phdr_info *info, size_t size, void *n_checked)
{
    (void)size;
    if (!strstr(info->dlpi_name, "libc.so"))
        return 0;
    for (u32 i = 0; i < info->dlpi_phnum; i++) {
        const Elf64_Phdr *ph = &info->dlpi_phdr[i];
        if (ph->p_type != PT_LOAD)
            continue;
        u64 skew = ph->p_vaddr & (PAGE_SIZE - 1);
        struct sym_image *img = sym_open(info->dlpi_name, info->dlpi_addr + ph->p_vaddr - skew, ph->p_offset - skew, 0);
        const struct sym_routine *r = sym_routine_by_name(img, "strtoul");
        if (!r || r->address != (addr_t)dlsym(RTLD_DEFAULT, "strtoul") || !sym_contains(img, r->address) ||
            sym_bias(img) != info->dlpi_addr || sym_contains(img, (addr_t)&check_library))
            printf("BROKEN: segment %u\n", i);
        sym_close(img);
        ++*(u32 *)n_checked;
    }
    return 1;
}

static void dump_self(void)
{
    u32 n = 0;
    dl_iterate_phdr(check_library, &n);
    printf("%u segments\n", n);
    const u8 *vdso = (const u8 *)getauxval(AT_SYSINFO_EHDR);
    struct sym_image *img = sym_open_memory("[vdso]", vdso, 2 * PAGE_SIZE, SYM_VDSO);
    const struct sym_routine *r = vdso ? sym_routine_by_name(img, "clock_gettime") : NULL;
    printf("vdso %s %d\n", r ? r->name : "-", r && r->address - (addr_t)vdso < 2 * PAGE_SIZE);
    sym_close(img);
}

/* Everything at once, for mutated files: must neither crash nor hang. */
static void dump_all(struct sym_image *img)
{
    dump_image(img);
    dump_sections(img);
    dump_symbols(img, false);
    dump_symbols(img, true);
    dump_routines(img);
    for (u32 i = 0; i < sym_n_routines(img); i += 1 + sym_n_routines(img) / 64)
        dump_line(img, sym_routine(img, i)->address);
    for (u32 i = 0; i < sym_n_symbols(img) && i < 200; i++)
        dump_argument(img, "demangle", sym_symbol(img, i)->name);
    if (sym_n_routines(img))
        print_routine(sym_routine_create(img, sym_routine(img, 0)->address + 1, "made"));
}

int main(int argc, char **argv)
{
    if (argc > 1 && !strcmp(argv[1], "--fde")) {
        flags = SYM_FDE_RANGES;
        argc--, argv++;
    }
    if (argc < 3)
        return 2;
    const char *what = argv[1];
    if (!strcmp(what, "self")) {
        dump_self();
        return 0;
    }
    if (!strcmp(what, "time")) {
        show_times(argv[2]);
        return 0;
    }
    struct sym_image *img = sym_open(argv[2], SYM_UNMAPPED, 0, flags);
    if (!strcmp(what, "image"))
        dump_image(img);
    else if (!strcmp(what, "sections"))
        dump_sections(img);
    else if (!strcmp(what, "symbols") || !strcmp(what, "plt"))
        dump_symbols(img, !strcmp(what, "plt"));
    else if (!strcmp(what, "routines"))
        dump_routines(img);
    else if (!strcmp(what, "all"))
        dump_all(img);
    for (int i = 3; i < argc; i++)
        dump_argument(img, what, argv[i]);
    sym_close(img);
    return 0;
}
