/* xed_view.c: the instruction view of api/xed.h against a table of expectations.
 *
 *   xed_view FILE       compare; a line of FILE is
 *                       bytes | class category extension | text | operands | read | written | claims
 *   xed_view --print    the same lines for bytes (in hexadecimal, one instruction per line) from standard input
 *   xed_view --table    every mnemonic of the decoder has a class, or is on the list of those that cannot have one
 *   xed_view --random SEED COUNT    made-up bytes: nothing may be out of bounds or contradict itself
 *   xed_view --time     nanoseconds per instruction over its own code */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <Zydis/Zydis.h>
#include "api/xed.h"
#include "api/xed_mnemonic.h"

enum { ADDRESS = 0x1000, LINE = 1000 };

#define NAME(x) #x,
static const char *const claim_names[] = { XV_CLAIMS(NAME) };
static const char *const operand_names[] = { "INVALID", XED_OPERAND_LIST(NAME) };

static u32 parse_bytes(const char *s, u8 *out)
{
    u32 n = 0;
    unsigned v;
    int used;
    while (n < 15 && sscanf(s, " %2x%n", &v, &used) == 1) {
        out[n++] = (u8)v;
        s += used;
    }
    return n;
}

/* ---- One line of text ---- */

static char *add(char *at, const char *format, ...)
{
    va_list ap;
    va_start(ap, format);
    at += vsprintf(at, format, ap);
    va_end(ap);
    return at;
}

static char *add_access(char *at, u8 access)
{
    static const char *const letters[] = { "", "r", "w", "rw" };
    return add(at, "%s%s", access & (XV_COND_READ | XV_COND_WRITE) ? "c" : "", letters[access & 3]);
}

static char *add_operand(char *at, const struct xv_operand *o)
{
    static const char *const marks[] = { [XV_EXPLICIT] = "", [XV_IMPLICIT] = ".", [XV_SUPPRESSED] = "-" };
    at = add(at, "%s%s", marks[o->visibility], operand_names[o->name]);
    if (o->kind == XV_REG)
        at = add(at, "=%s", o->reg ? reg_name((REG)o->reg) : "?");
    if (o->kind == XV_IMM || o->kind == XV_BRANCH)
        at = add(at, "=%ld", (long)o->value);
    at = add(at, ":");
    at = add_access(at, o->access);
    if (o->kind == XV_MEM && o->n_elements > 1 && reg_size((REG)o->index) > 8)
        at = add(at, "%ux", o->n_elements);
    return add(at, "%u ", o->width);
}

static char *add_regs(char *at, const u16 *regs, u32 n)
{
    for (u32 k = 0; k < n; k++)
        at = add(at, " %s", reg_name((REG)regs[k]));
    return at;
}

static void describe(const struct xv_insn *x, char *line)
{
    char *at = line, text[200];
    xv_format(x, text, sizeof text);
    for (u32 k = 0; k < x->length; k++)
        at = add(at, "%02x ", x->bytes[k]);
    at = add(at, "| %s %s %s | %s |", xv_iclass_name(x->iclass), xv_category_name(x->category),
             xv_extension_name(x->extension), text);
    for (u32 k = 0; k < x->n_operands; k++)
        at = add_operand(add(at, " "), &x->op[k]) - 1;
    at = add_regs(add(at, " |"), x->read, x->n_read);
    at = add_regs(add(at, " |"), x->written, x->n_written);
    at = add(at, " |");
    for (u32 k = 0; k < XV_N_CLAIMS; k++)
        if (xv_is(x, k) && k != XV_IS_FALL_THROUGH && k != XV_IS_VALID_FOR_AFTER && k != XV_IS_STANDARD_MEMOP)
            at = add(at, " %s", claim_names[k]);
    /* Nearly every instruction falls through: the exceptions are worth the ink. */
    if (!xv_is(x, XV_IS_FALL_THROUGH))
        at = add(at, " no-fall-through");
    if (xv_is(x, XV_IS_FALL_THROUGH) != xv_is(x, XV_IS_VALID_FOR_AFTER))
        at = add(at, xv_is(x, XV_IS_VALID_FOR_AFTER) ? " but-after" : " not-after");
    if (!xv_is(x, XV_IS_STANDARD_MEMOP))
        at = add(at, " not-standard");
    if (x->predicate)
        at = add(at, " predicate=%u", x->predicate);
    if (x->rep_count_reg || x->mask_reg)
        add(at, " with=%s", reg_name((REG)(x->rep_count_reg ? x->rep_count_reg : x->mask_reg)));
}

/* Spaces count for nothing. */
static void squeeze(char *s)
{
    char *to = s;
    for (char *p = s; *p; p++)
        if (*p != '\n' && !(*p == ' ' && (to == s || to[-1] == ' ')))
            *to++ = *p;
    while (to > s && to[-1] == ' ')
        to--;
    *to = 0;
}

static int print_lines(void)
{
    char line[LINE];
    while (fgets(line, sizeof line, stdin)) {
        u8 bytes[15];
        struct xv_insn x;
        xv_decode(&x, bytes, parse_bytes(line, bytes), ADDRESS);
        describe(&x, line);
        squeeze(line);
        puts(line);
    }
    return 0;
}

static int compare_file(const char *path)
{
    char want[LINE], got[LINE];
    u32 n = 0, n_bad = 0;
    FILE *f = fopen(path, "r");
    if (!f)
        return 2;
    while (fgets(want, sizeof want, f)) {
        u8 bytes[15];
        struct xv_insn x;
        u32 len = parse_bytes(want, bytes);
        if (!len || want[0] == '#')
            continue;
        xv_decode(&x, bytes, len, ADDRESS);
        describe(&x, got);
        squeeze(got);
        squeeze(want);
        n++;
        if (strcmp(want, got) && ++n_bad)
            printf("want %s\n got %s\n", want, got);
    }
    fclose(f);
    printf("%u instructions, %u differ\n", n, n_bad);
    return n < 150 || n_bad;
}

/* ---- The table of mnemonics ---- */

static int check_table(void)
{
    static const u16 all[] = {
#define NUMBER(x) ZYDIS_MNEMONIC_##x,
        XED_SAME_NAME(NUMBER) XED_OTHER_NAME(NUMBER)
    };
    static bool seen[ZYDIS_MNEMONIC_MAX_VALUE + 1];
    u32 n_bad = 0;
    for (size_t k = 0; k < ARRAY_LEN(all); k++)
        seen[all[k]] = true;
    for (u32 k = 1; k <= ZYDIS_MNEMONIC_MAX_VALUE; k++)
        if (!seen[k] && ++n_bad)
            printf("mnemonic %u is not in the table: run mk/gen-xed-table.py\n", k);
    for (u32 k = 1; k < XED_ICLASS_LAST; k++)
        if (k > 1 && strcmp(xv_iclass_name(k - 1), xv_iclass_name(k)) >= 0 && ++n_bad)
            printf("class %s is out of order\n", xv_iclass_name(k));
    return n_bad != 0;
}

/* ---- Made-up bytes ---- */

static const char *find_contradiction(const struct xv_insn *x)
{
    u32 n_mem = 0;
    bool is_branch = xv_is(x, XV_IS_BRANCH), is_call = xv_is(x, XV_IS_CALL), is_ret = xv_is(x, XV_IS_RET);
    if (x->length < 1 || x->length > 15)
        return "length";
    if (!x->iclass || !x->category || !x->extension)
        return "no class, category or extension";
    if (is_branch + is_call + is_ret > 1 || (is_branch + is_call + is_ret && !xv_is(x, XV_IS_CONTROL_FLOW)))
        return "control flow";
    if (xv_is(x, XV_IS_DIRECT_CONTROL_FLOW) && xv_is(x, XV_IS_INDIRECT_CONTROL_FLOW))
        return "direct and indirect";
    for (u32 k = 0; k < x->n_operands; k++) {
        const struct xv_operand *o = &x->op[k];
        if (!o->name || o->name >= XED_OPERAND_LAST || o->kind == XV_NONE || o->reg >= REG_LAST || o->base >= REG_LAST)
            return "operand";
        if (!o->access)
            return "operand without access";
        if (o->kind == XV_MEM && (n_mem == sizeof x->memory || x->memory[n_mem++] != k))
            return "memory operands";
    }
    if (n_mem != x->n_memory || (n_mem != 0) != (xv_is(x, XV_IS_MEMORY_READ) || xv_is(x, XV_IS_MEMORY_WRITE)))
        return "number of memory operands";
    for (u32 k = 0; k < x->n_read; k++)
        if (!x->read[k] || x->read[k] >= REG_LAST || !xv_reads_full_reg(x, reg_full((REG)x->read[k])))
            return "registers read";
    return NULL;
}

static int try_random(u64 seed, u64 count)
{
    u64 n_valid = 0, n_bad = 0;
    for (u64 k = 0; k < count; k++) {
        u8 bytes[16];
        char text[300];
        struct xv_insn x;
        for (u32 i = 0; i < 16; i += 8) {
            seed ^= seed << 13, seed ^= seed >> 7, seed ^= seed << 17;
            memcpy(bytes + i, &seed, 8);
        }
        static const u8 first[] = { 0x0f, 0x62, 0xc4, 0x66, 0xf3, 0x48, 0x8f };
        if (k & 1)
            bytes[0] = first[k / 2 % sizeof first];
        if (!xv_decode(&x, bytes, 1 + (u32)(seed >> 60), ADDRESS))
            continue;
        n_valid++;
        xv_format(&x, text, sizeof text);
        const char *why = find_contradiction(&x);
        if (why && ++n_bad < 20)
            printf("%s: %s (%02x %02x %02x %02x %02x %02x)\n", why, text, x.bytes[0], x.bytes[1], x.bytes[2],
                   x.bytes[3], x.bytes[4], x.bytes[5]);
    }
    printf("%lu valid, %lu contradict themselves\n", n_valid, n_bad);
    return n_bad != 0;
}

/* ---- Time ---- */

static double now_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

extern const char __executable_start[], etext[];

static int show_time(void)
{
    const u8 *begin = (const u8 *)&find_contradiction, *end = (const u8 *)etext;
    struct xv_insn x;
    char text[200];
    u64 n = 0;
    double t0 = now_ns();
    for (u32 round = 0; round < 20; round++)
        for (const u8 *p = begin; p + 15 < end; p += x.length, n++)
            xv_decode(&x, p, 15, (addr_t)p);
    double t1 = now_ns();
    for (const u8 *p = begin; p + 15 < end; p += x.length) {
        xv_decode(&x, p, 15, (addr_t)p);
        xv_format(&x, text, sizeof text);
    }
    double t2 = now_ns();
    double each = (t1 - t0) / (double)n;
    printf("%lu instructions: decode %.0f ns, text %.0f ns; the struct has %zu bytes\n", n / 20, each,
           (t2 - t1) / ((double)n / 20) - each, sizeof x);
    return 0;
}

int main(int argc, char **argv)
{
    if (argc == 2 && !strcmp(argv[1], "--print"))
        return print_lines();
    if (argc == 2 && !strcmp(argv[1], "--table"))
        return check_table();
    if (argc == 2 && !strcmp(argv[1], "--time"))
        return show_time();
    if (argc == 4 && !strcmp(argv[1], "--random"))
        return try_random(strtoull(argv[2], NULL, 0) | 1, strtoull(argv[3], NULL, 0));
    return argc == 2 ? compare_file(argv[1]) : 2;
}
