/* iform.c: the form of an instruction by XED's names: MOV_GPRv_MEMv.
 *
 * A name says all that is needed to find it: the class, then one word for each operand that is printed, then what tells it from others
 * with the same operands. So an instruction is held against the names of its class, and of those that fit the one that says most is its
 * form. Words for operands name a kind and a type (MEMdq, GPR32, IMMb); types that have one size in all forms of a class are not
 * compared. Other words are an opcode (7E, 0F7E, C6r0: with modrm.reg, DFD1: with modrm) or an encoding (AVX512, VL256). */
#include "api/api.h"
#include "api/xed_int.h"
#include <stdlib.h>

enum {
    NO_FORM,
#define CLASS(name) FIRST_##name, BEFORE_##name = FIRST_##name - 1,
#define FORM(name) FORM_##name,
    XED_IFORM_LIST(CLASS, FORM)
    END_OF_FORMS
#undef CLASS
#undef FORM
};
#define NONE(name)
#define NAME(name) #name,
#define FIRST(name) FIRST_##name,
static const char *const names[] = { "INVALID", XED_IFORM_LIST(NONE, NAME) };
static const u16 first[] = { 0, XED_IFORM_LIST(FIRST, NONE) END_OF_FORMS };      /* of each class; the next one's is its end */
#undef NONE
#undef NAME
#undef FIRST
_Static_assert((int)END_OF_FORMS == (int)XED_IFORM_LAST, "numbered alike");

/* ---- one word of a name ---- */
struct word { const char *at; u32 len; };

static bool is(struct word w, const char *text) { return strlen(text) == w.len && !memcmp(w.at, text, w.len); }
static bool begins(struct word w, const char *text) { return w.len >= strlen(text) && !memcmp(w.at, text, strlen(text)); }
static struct word after(struct word w, u32 n) { return (struct word){ w.at + n, w.len - n }; }

/* Is that a size of the type? Types of vectors and of structures are not known here: any size. */
static bool has_size(struct word type, u32 bits)
{
    static const struct { char name[10]; u16 bits[3]; } types[] = {
        { "b", { 8 } }, { "w", { 16 } }, { "d", { 32 } }, { "q", { 64 } }, { "dq", { 128 } }, { "qq", { 256 } }, { "z", { 16, 32 } },
        { "y", { 32, 64 } }, { "yy", { 32, 64 } }, { "yu", { 32, 64 } }, { "v", { 16, 32, 64 } }, { "av", { 16, 32, 64 } }, { "8", { 8 } },
        { "16", { 16 } }, { "32", { 32 } }, { "64", { 64 } }, { "a", { 32, 64 } }, { "s", { 48 } }, { "s64", { 80 } }, { "mem32real", { 32 } }, { "m64real", { 64 } },
        { "mem80real", { 80 } }, { "mem16int", { 16 } }, { "mem32int", { 32 } }, { "m64int", { 64 } }, { "mem14", { 112 } },
        { "mem28", { 224 } }, { "mem94", { 752 } }, { "mem108", { 864 } }, { "bnd32", { 1 } },
    };
    for (u32 i = 0; i < ARRAY_LEN(types); i++)
        if (is(type, types[i].name))
            return bits == types[i].bits[0] || bits == types[i].bits[1] || bits == types[i].bits[2];
    return true;
}

/* GPRv, GPR32, GPR32u16: the register's size comes first. */
static bool is_gpr_of(struct word type, REG reg)
{
    u32 bits = reg_size(reg) * 8;
    if (type.len && type.at[0] >= '1' && type.at[0] <= '9')
        return (u32)atoi(type.at) == bits;
    return has_size(type, bits);
}

static bool is_named(struct word w, REG reg)
{
    static const char *const any_rax[] = { "OrAX", "OeAX", "ArAX" };
    for (u32 i = 0; i < ARRAY_LEN(any_rax); i++)
        if (is(w, any_rax[i]))
            return reg_full(reg) == REG_RAX && reg_size(reg) > 1;
    const char *name = reg_name(reg);
    return strlen(name) == w.len && !strncasecmp(name, w.at, w.len);
}

/* Fixed: by the opcode, not by a field of the encoding. */
static bool fits_register(struct word w, REG reg, bool is_fixed)
{
    switch (reg_class(reg)) {
    case REG_CLASS_GR64: case REG_CLASS_GR32: case REG_CLASS_GR16: case REG_CLASS_LOW8: case REG_CLASS_HIGH8:
        return is_fixed ? is_named(w, reg) : begins(w, "GPR") && is_gpr_of(after(w, 3), reg);
    case REG_CLASS_XMM: return begins(w, "XMM");
    case REG_CLASS_YMM: return begins(w, "YMM");
    case REG_CLASS_ZMM: return begins(w, "ZMM");
    case REG_CLASS_MM: return begins(w, "MMX");
    case REG_CLASS_TMM: return begins(w, "TMM");
    case REG_CLASS_K: return begins(w, "MASK");
    case REG_CLASS_SEG: return is(w, "SEG") || is_named(w, reg);
    case REG_CLASS_ST: return is(w, "X87") || (reg == REG_ST0 && is(w, "ST0"));
    default: return is(w, "BND") || is(w, "CR") || is(w, "DR");
    }
}

/* i32, u64: of one element, unless that is repeated. */
static bool fits_memory(struct word type, const struct xv_operand *o, const struct xv_decoded *d)
{
    if (type.len > 1 && (type.at[0] == 'i' || type.at[0] == 'u') && o->n_elements == 1 && !d->i.avx.broadcast.mode)
        return (u32)atoi(type.at + 1) == o->width;
    return has_size(type, o->width);
}

/* mov has two with an immediate of the operand's size; one is the only instruction whose immediate has 64 bits. */
static bool fits_immediate(struct word type, u32 encoded, const struct xv_decoded *d)
{
    if (is(type, "v"))
        return !(d->i.attributes & ZYDIS_ATTRIB_HAS_MODRM);
    return has_size(type, encoded);
}

/* n: how many immediates are before it. */
static bool fits_operand(struct word w, const struct xv_operand *o, u32 n, const struct xv_decoded *d)
{
    u32 encoded = d->i.raw.imm[n & 1].size;
    switch (o->kind) {
    case XV_REG: return fits_register(w, (REG)o->reg, o->visibility == XV_IMPLICIT);
    case XV_MEM: return begins(w, "MEM") && fits_memory(after(w, 3), o, d);
    case XV_AGEN: return is(w, "AGEN") || begins(w, "MEM");
    case XV_IMM: return encoded ? begins(w, "IMM") && fits_immediate(after(w, 3), encoded, d) : is(w, "ONE");
    case XV_BRANCH: return begins(w, "RELBR") && has_size(after(w, 5), encoded);
    default: return false;
    }
}

/* ---- the words after the operands ---- */
static bool is_hex(char c) { return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'F'); }
static u32 hex_of(const char *two) { char text[3] = { two[0], two[1] }; return (u32)strtoul(text, NULL, 16); }

/* 7E, 0F7E, C6r0; 50 with any register in its low bits; DFD1, which is DF D8 to DF: the last digit is a bit of modrm.reg. */
static bool fits_opcode(struct word w, const struct xv_decoded *d)
{
    u32 opcode = d->i.attributes & ZYDIS_ATTRIB_HAS_MODRM ? d->i.opcode : d->i.opcode & 0xf8;
    u32 modrm = (u32)(d->i.raw.modrm.mod << 6 | d->i.raw.modrm.reg << 3), x87 = (modrm & 0xf0) | (modrm >> 3 & 1);
    if (w.len >= 4 && begins(w, "0F") && is_hex(w.at[2])) {
        if (d->i.opcode_map != ZYDIS_OPCODE_MAP_0F)
            return false;
        w = after(w, 2);
    }
    if (w.len < 2 || !is_hex(w.at[0]) || !is_hex(w.at[1]) || (hex_of(w.at) != d->i.opcode && hex_of(w.at) != opcode))
        return false;
    w = after(w, 2);
    if (w.len == 2 && w.at[0] == 'r')
        return (u32)(w.at[1] - '0') == d->i.raw.modrm.reg;
    return !w.len || (w.len == 2 && hex_of(w.at) == x87);
}

static bool fits_encoding(struct word w, const struct xv_decoded *d)
{
    bool is_evex = d->i.encoding == ZYDIS_INSTRUCTION_ENCODING_EVEX;
    bool is_of_masks = d->i.mnemonic >= ZYDIS_MNEMONIC_KADDB && d->i.mnemonic <= ZYDIS_MNEMONIC_KXORW;
    if (begins(w, "AVX512"))
        return is_evex || is_of_masks;
    if (begins(w, "VL"))
        return (u32)atoi(w.at + 2) == d->i.avx.vector_length;
    return is(w, "SHA") || fits_opcode(w, d);
}

/* ---- the whole name ---- */
static struct word next_word(const char **at)
{
    struct word w = { *at, (u32)strcspn(*at, "_") };
    *at += w.len + ((*at)[w.len] != 0);
    return w;
}

/* All forms of EVEX say so; those of XOP that begin with GPR32d are for 32-bit code. */
static bool is_of_other_encoding(const char *rest, const struct xv_decoded *d)
{
    switch (d->i.encoding) {
    case ZYDIS_INSTRUCTION_ENCODING_EVEX: return !strstr(rest, "AVX512");
    case ZYDIS_INSTRUCTION_ENCODING_XOP: return !strncmp(rest, "GPR32d", 6);
    default: return false;
    }
}

/* How many words beside the operands it has; negative: it does not fit. */
static int fit(const char *rest, const struct xv_insn *x, const struct xv_decoded *d)
{
    int more = 0;
    u32 n_immediates = 0;
    if (is_of_other_encoding(rest, d))
        return -1;
    if (*rest && !strchr(rest, '_') && fits_opcode((struct word){ rest, (u32)strlen(rest) }, d))
        return 1;                                           /* PREFETCHW_0F0Dr1: no operands, whatever is printed */
    for (u32 k = 0; k < x->n_operands; k++) {
        if (x->op[k].visibility == XV_SUPPRESSED)
            continue;
        if (!*rest || !fits_operand(next_word(&rest), &x->op[k], n_immediates, d))
            return -1;
        n_immediates += x->op[k].kind == XV_IMM;
    }
    for (; *rest; more++)
        if (!fits_encoding(next_word(&rest), d))
            return -1;
    return more;
}

/* The class VPEXTRW_C5 is the only one that is not the beginning of its form. */
static const char *operands_of(const char *name, const char *iclass)
{
    size_t n = strlen(iclass);
    const char *rest = name + (strncmp(name, iclass, n) ? strcspn(name, "_") : n);
    return rest + (*rest == '_');
}

xed_iform_enum_t xed_decoded_inst_get_iform_enum(const xed_decoded_inst_t *p)
{
    const struct xv_insn *x = (const struct xv_insn *)p;
    struct xv_decoded d;
    int most = -1;
    if (!x->iclass || !xv_decode_raw(&d, x->bytes, x->length))
        return XED_IFORM_INVALID;
    u32 lo = first[x->iclass], hi = first[x->iclass + 1], best = hi - lo == 1 ? lo : XED_IFORM_INVALID;
    for (u32 f = lo; f < hi; f++) {
        int more = fit(operands_of(names[f], xv_iclass_name(x->iclass)), x, &d);
        if (more > most)
            most = more, best = f;
    }
    return (xed_iform_enum_t)best;
}

xed_iform_enum_t xed_inst_iform_enum(const xed_inst_t *i) { return xed_decoded_inst_get_iform_enum((const xed_decoded_inst_t *)i); }

/* ---- the list ---- */
const char *xed_iform_enum_t2str(xed_iform_enum_t form) { return names[(u32)form < ARRAY_LEN(names) ? form : 0]; }
xed_iform_enum_t xed_iform_enum_t_last(void) { return XED_IFORM_LAST; }

xed_iform_enum_t str2xed_iform_enum_t(const char *name)
{
    for (u32 f = 1; f < ARRAY_LEN(names); f++)
        if (!strcmp(names[f], name))
            return (xed_iform_enum_t)f;
    return XED_IFORM_INVALID;
}

xed_uint32_t xed_iform_first_per_iclass(xed_iclass_enum_t c) { return (u32)c < ARRAY_LEN(first) ? first[c] : 0; }
xed_uint32_t xed_iform_max_per_iclass(xed_iclass_enum_t c) { return c && (u32)c < ARRAY_LEN(first) - 1 ? first[c + 1] - first[c] : 0; }

xed_iclass_enum_t xed_iform_to_iclass(xed_iform_enum_t form)
{
    u32 lo = 0, hi = ARRAY_LEN(first) - 1;                   /* first[lo] <= form < first[hi] */
    if ((u32)form >= first[hi])
        return XED_ICLASS_INVALID;
    while (hi - lo > 1) {
        u32 mid = (lo + hi) / 2;
        if (first[mid] <= (u32)form)
            lo = mid;
        else
            hi = mid;
    }
    return (xed_iclass_enum_t)lo;
}

unsigned int xed_decoded_inst_get_iform_enum_dispatch(const xed_decoded_inst_t *x)
{
    return xed_decoded_inst_get_iform_enum(x) - first[((const struct xv_insn *)x)->iclass];
}

/* Without what the class has and the text has not: REP_MOVSB, ADD_LOCK, CALL_NEAR, CMPSD_XMM. */
const char *xed_iform_to_iclass_string_intel(xed_iform_enum_t form)
{
    static __thread char text[32];
    const char *name = xv_iclass_name(xed_iform_to_iclass(form));
    if (!strncmp(name, "REP", 3) && strchr(name, '_'))
        name = strchr(name, '_') + 1;
    u32 n = (u32)MIN(strcspn(name, "_"), sizeof text - 1);
    for (u32 i = 0; i < n; i++)
        text[i] = (char)(name[i] >= 'A' && name[i] <= 'Z' ? name[i] + 32 : name[i]);
    text[n] = 0;
    return text;
}
