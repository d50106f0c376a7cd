/* xed_format.c: an instruction as text: Intel syntax as XED writes it.
 *
 * Printed are the explicit and implicit operands, and the memory operands of string instructions. */
#include <stdio.h>
#include "api/xed_int.h"

struct text { char *p; u32 size, n; };

static void put(struct text *t, const char *s)
{
    while (*s) {
        if (t->n + 1 < t->size)
            t->p[t->n] = *s;
        t->n++, s++;
    }
}

static void put_hex(struct text *t, u64 v)
{
    char digits[20];
    snprintf(digits, sizeof digits, "0x%lx", (unsigned long)v);
    put(t, digits);
}

/* ---- Mnemonic ---- */

/* Classes whose text is not their name. A name ends at the first match of a suffix, begins after that of a prefix. */
static const struct { const char *suffix; const char *before, *after; } suffixes[] = {
    { "_LOCK", "lock ", "" }, { "_NEAR", "", "" }, { "_FAR", "", " far" }, { "_XMM", "", "" }, { "_CR", "", "" },
    { "_DR", "", "" }, { "_SSE4", "", "" }, { "_C5", "", "" }, { "_XOP", "", "" }, { "SYSRET64", "", "sysret" },
    { "STRI64", "", "stri" }, { "STRM64", "", "strm" },
};
static const struct { const char *prefix, *text; } prefixes[] = {
    { "REPNE_", "repne " }, { "REPE_", "rep " }, { "REP_", "rep " },
};

static void put_lower(struct text *t, const char *s, size_t n)
{
    for (size_t k = 0; k < n; k++) {
        char c[2] = { s[k] >= 'A' && s[k] <= 'Z' ? (char)(s[k] + 32) : s[k], 0 };
        put(t, c);
    }
}

/* F2 before a near transfer once meant bounds checking. */
static bool takes_bnd(const struct xv_insn *x)
{
    switch (x->iclass) {
    case XED_ICLASS_CALL_NEAR: case XED_ICLASS_RET_NEAR: return true;
    case XED_ICLASS_JMP: return x->op[0].kind != XV_BRANCH || x->op[0].width != 8;
    case XED_ICLASS_LOOP: case XED_ICLASS_LOOPE: case XED_ICLASS_LOOPNE: case XED_ICLASS_JRCXZ: case XED_ICLASS_JECXZ:
        return false;
    default: return xv_is(x, XV_IS_DIRECT_BRANCH);
    }
}

/* Prefixes that are no part of the class. */
static void put_prefixes(struct text *t, const struct xv_insn *x)
{
    bool may_elide = xv_is(x, XV_IS_ATOMIC_UPDATE) || (x->iclass == XED_ICLASS_MOV && xv_is(x, XV_IS_MEMORY_WRITE));
    bool is_indirect = (x->iclass == XED_ICLASS_CALL_NEAR || x->iclass == XED_ICLASS_JMP) && x->op[0].kind != XV_BRANCH;
    if (xv_is(x, XV_IS_REPNE_PREFIX) && takes_bnd(x))
        put(t, "bnd ");
    if (xv_is(x, XV_IS_REPNE_PREFIX) && xv_is(x, XV_IS_ATOMIC_UPDATE))
        put(t, "xacquire ");
    if (xv_is(x, XV_IS_REP_PREFIX) && may_elide)
        put(t, "xrelease ");
    if (xv_is(x, XV_IS_LOCK_PREFIX) && x->iclass == XED_ICLASS_XCHG)
        put(t, "lock ");
    if (xv_is(x, XV_IS_BRANCH_TAKEN_PREFIX))
        put(t, "hint-taken ");
    if (xv_is(x, XV_IS_BRANCH_NOT_TAKEN_PREFIX))
        put(t, "hint-not-taken ");
    if (is_indirect && x->bytes[0] == 0x3e)
        put(t, "notrack ");
}

/* A size prefix is worth a word only where no operand shows its effect. */
static void put_size_prefixes(struct text *t, const struct xv_insn *x, u32 n_operands, u32 n_memory)
{
    bool ignores = x->iclass == XED_ICLASS_RET_NEAR || x->iclass == XED_ICLASS_SYSCALL;
    if (xv_is(x, XV_IS_OPERAND_SIZE_PREFIX) && !n_operands && !ignores)
        put(t, "data16 ");
    if (xv_is(x, XV_IS_ADDRESS_SIZE_PREFIX) && !n_memory)
        put(t, "addr32 ");
}

static void put_mnemonic(struct text *t, const struct xv_insn *x, u32 n_operands, u32 n_memory)
{
    const char *name = xv_iclass_name(x->iclass), *after = "";
    size_t n = strlen(name);
    for (size_t k = 0; k < ARRAY_LEN(suffixes); k++) {
        size_t m = strlen(suffixes[k].suffix);
        if (n >= m && !strcmp(name + n - m, suffixes[k].suffix)) {
            put(t, suffixes[k].before);
            after = suffixes[k].after;
            n -= m;
            break;
        }
    }
    for (size_t k = 0; k < ARRAY_LEN(prefixes); k++) {
        size_t m = strlen(prefixes[k].prefix);
        if (!strncmp(name, prefixes[k].prefix, m)) {
            put(t, xv_is(x, XV_IS_REPNE_PREFIX) ? "repne " : prefixes[k].text);
            name += m, n -= m;
            break;
        }
    }
    put_size_prefixes(t, x, n_operands, n_memory);
    put_lower(t, name, n);
    put(t, after);
}

/* ---- Operands ---- */

/* Only what can be in a register has a size name; a cache line or a descriptor has none. */
static const char *size_name(const struct xv_insn *x, const struct xv_operand *o)
{
    bool is_line = xv_is(x, XV_IS_PREFETCH) || xv_is(x, XV_IS_CACHE_LINE_FLUSH);
    switch (is_line ? 0 : o->width) {
    case 8: return "byte ";
    case 16: return "word ";
    case 32: return "dword ";
    case 64: return "qword ";
    case 128: return "xmmword ";
    case 256: return "ymmword ";
    case 512: return "zmmword ";
    default: return "";
    }
}

static void put_displacement(struct text *t, const struct xv_operand *o)
{
    if (!o->base && !o->index)
        put_hex(t, (u64)o->value);
    else if (o->value) {
        put(t, o->value < 0 ? "-" : "+");
        put_hex(t, o->value < 0 ? 0 - (u64)o->value : (u64)o->value);
    }
}

static void put_memory(struct text *t, const struct xv_operand *o, const char *size)
{
    put(t, size);
    put(t, "ptr ");
    if (o->seg) {
        put(t, reg_name((REG)o->seg));
        put(t, ":");
    }
    put(t, "[");
    if (o->base)
        put(t, reg_name((REG)o->base));
    if (o->index) {
        char scale[3] = { '*', (char)('0' + o->scale), 0 };
        if (o->base)
            put(t, "+");
        put(t, reg_name((REG)o->index));
        put(t, scale);
    }
    put_displacement(t, o);
    put(t, "]");
}

/* The x87 stack: the top is `st` where the opcode implies it. */
static void put_register(struct text *t, const struct xv_operand *o)
{
    if (reg_class((REG)o->reg) != REG_CLASS_ST) {
        put(t, reg_name((REG)o->reg));
        return;
    }
    char digit[2] = { (char)('0' + (o->reg - REG_ST0)), 0 };
    put(t, "st");
    if (o->visibility == XV_EXPLICIT) {
        put(t, "(");
        put(t, digit);
        put(t, ")");
    }
}

/* As wide as the operand that it is combined with; a pushed one as wide as its place on the stack. */
static void put_immediate(struct text *t, const struct xv_insn *x, const struct xv_operand *o)
{
    const struct xv_operand *first = &x->op[0];
    u32 width = MIN(first != o ? first->width : x->n_memory ? xv_memop(x, 0)->width : 64, 64);
    put_hex(t, width < 64 ? (u64)o->value & ((1ull << width) - 1) : (u64)o->value);
}

static void put_operand(struct text *t, const struct xv_insn *x, const struct xv_operand *o)
{
    switch (o->kind) {
    case XV_REG: put_register(t, o); break;
    case XV_MEM: put_memory(t, o, size_name(x, o)); break;
    case XV_AGEN: put_memory(t, o, x->iclass == XED_ICLASS_NOP ? size_name(x, o) : ""); break;
    case XV_IMM: put_immediate(t, x, o); break;
    case XV_BRANCH: put_hex(t, xv_target(x)); break;
    }
}

/* Gathers and scatters show their mask as an operand of its own, others in braces behind the destination. */
static bool is_in_braces(const struct xv_insn *x, const struct xv_operand *o)
{
    return x->evex.mask_op && o == &x->op[x->evex.mask_op] && !xv_is(x, XV_IS_VGATHER) && !xv_is(x, XV_IS_VSCATTER);
}

static void put_braces(struct text *t, const struct xv_insn *x, const struct xv_operand *o)
{
    static const char *const roundings[] = { "", "{rne-sae}", "{rd-sae}", "{ru-sae}", "{rz-sae}", "{sae}" };
    char repeat[12];
    bool is_masked = x->evex.mask_op == 1 && is_in_braces(x, &x->op[1]) && x->op[1].reg != REG_K0;
    if (o == &x->op[0] && is_masked) {
        put(t, "{");
        put(t, reg_name((REG)x->op[1].reg));
        put(t, "}");
    }
    if (o == &x->op[0] && x->evex.is_zeroing)
        put(t, "{z}");
    if (o == &x->op[0])
        put(t, roundings[x->evex.rounding]);
    if (o->kind == XV_MEM && x->evex.broadcast) {
        snprintf(repeat, sizeof repeat, "{1to%u}", x->evex.broadcast);
        put(t, repeat);
    }
}

static bool is_printed(const struct xv_insn *x, const struct xv_operand *o)
{
    if (is_in_braces(x, o))
        return false;
    if (o->visibility != XV_SUPPRESSED)
        return true;
    return o->kind == XV_MEM && x->category == XED_CATEGORY_STRINGOP;
}

u32 xv_format(const struct xv_insn *x, char *text, u32 size)
{
    struct text t = { text, size, 0 };
    const char *separator = " ";
    u32 n_printed = 0, n_memory = 0;
    for (u32 k = 0; k < x->n_operands; k++) {
        n_printed += is_printed(x, &x->op[k]);
        n_memory += is_printed(x, &x->op[k]) && (x->op[k].kind == XV_MEM || x->op[k].kind == XV_AGEN);
    }
    put_prefixes(&t, x);
    put_mnemonic(&t, x, n_printed, n_memory);
    if (!n_printed && x->n_operands)
        put(&t, separator);                       /* as XED does: `ret `, but `nop` */
    for (u32 k = 0; k < x->n_operands; k++) {
        if (!is_printed(x, &x->op[k]))
            continue;
        put(&t, separator);
        put_operand(&t, x, &x->op[k]);
        put_braces(&t, x, &x->op[k]);
        separator = ", ";
    }
    if (size)
        text[MIN(t.n, size - 1)] = 0;
    return t.n;
}

/* ---- All operands ---- */
static const char *const operand_names[] = {
#define NAME(n) [XED_OPERAND_##n] = #n,
    XED_OPERAND_LIST(NAME)
#undef NAME
};

static void put_access(struct text *t, const struct xv_operand *o)
{
    put(t, o->access & XV_READ && o->access & XV_WRITE ? ":rw" : o->access & XV_WRITE ? ":w" : ":r");
    if (o->visibility != XV_EXPLICIT)
        put(t, o->visibility == XV_IMPLICIT ? ":impl" : ":supp");
}

u32 xv_format_all(const struct xv_insn *x, char *text, u32 size)
{
    struct text t = { text, size, 0 };
    put(&t, xv_iclass_name(x->iclass));
    for (u32 k = 0; k < x->n_operands; k++) {
        const struct xv_operand *o = &x->op[k];
        const char *name = o->name < ARRAY_LEN(operand_names) && operand_names[o->name] ? operand_names[o->name] : "?";
        put(&t, k ? ", " : " ");
        put(&t, name);
        put_access(&t, o);
        put(&t, "=");
        put_operand(&t, x, o);
    }
    if (size)
        text[MIN(t.n, size - 1)] = 0;
    return t.n;
}
