/* decode_vs_zydis.c: the project's decoder judged by Zydis.
 *
 *   decode_vs_zydis [--usage] FILE...               every executable section of these ELF files, instruction after instruction
 *   decode_vs_zydis [--usage] --all                 every opcode of every map with every modrm and mandatory prefix
 *   decode_vs_zydis [--usage] --random SEED COUNT   made-up bytes, biased towards prefixes and the rarer opcode maps
 *
 * Compared are validity, length, kind, branch target, the place of every field and, with --usage, soundness: x86_usage
 * must read and write at least what Zydis says, and kill nothing that Zydis does not see wholly overwritten.
 * Differences with a good reason are listed in `excuses`, and counted. Exit status 1 if any other difference was seen. */
#include <elf.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <Zydis/Zydis.h>
#include "arch/x86/decode.h"

enum { MAX_LEN = 15, MAX_SHOWN = 20 };
enum { TESTED_FLAGS = X86_ARITH | X86_DF };

/* One place in the code as both decoders see it. */
struct both {
    const u8 *p;
    u32 avail;
    struct x86_insn our;
    bool our_ok;
    ZydisDecodedInstruction z;
    ZydisDecodedOperand op[ZYDIS_MAX_OPERAND_COUNT];
    ZyanStatus status;
    bool z_ok;
};

static ZydisDecoder decoder;
static bool with_usage;
static unsigned long n_insns, n_mismatches, n_inexact;
static const char *where = "";

/* ---- Differences that are meant ---- */

static bool is_vector(const struct both *b)
{
    return b->our.enc == X86_ENC_VEX || b->our.enc == X86_ENC_EVEX || b->our.enc == X86_ENC_XOP;
}

static bool is_operand_rule(const struct both *b) { return b->our_ok && !b->z_ok && is_vector(b); }

static bool is_knc(const struct both *b)
{
    static const u16 sets[] = { ZYDIS_ISA_SET_KNCE, ZYDIS_ISA_SET_KNCJKBR, ZYDIS_ISA_SET_KNCSTREAM, ZYDIS_ISA_SET_KNCV,
                                ZYDIS_ISA_SET_KNC_MISC, ZYDIS_ISA_SET_KNC_PF_HINT };

    for (size_t i = 0; i < ARRAY_LEN(sets); i++)
        if (b->z_ok && !b->our_ok && b->z.meta.isa_set == sets[i])
            return true;
    return false;
}

/* aadd, aand, aor, axor (RAO-INT). */
static bool is_newer(const struct both *b)
{
    return b->our_ok && !b->z_ok && b->our.enc == X86_ENC_LEGACY && b->our.map == X86_MAP_0F38 && b->our.opcode == 0xfc;
}

static struct excuse {
    bool (*applies)(const struct both *b);
    const char *reason;
    unsigned long count;
} excuses[] = {
    { is_operand_rule, "VEX/EVEX/XOP rules on W, L, vvvv and masks: the copied instruction faults by itself", 0 },
    { is_knc, "Knights Corner: no such CPU runs Linux programs in 64-bit mode with SSE", 0 },
    { is_newer, "instructions younger than this version of Zydis", 0 },
};

static bool is_excused(const struct both *b)
{
    for (size_t i = 0; i < ARRAY_LEN(excuses); i++)
        if (excuses[i].applies(b)) {
            excuses[i].count++;
            return true;
        }
    return false;
}

/* ---- Reports ---- */

static void print_bytes(const struct both *b)
{
    for (u32 i = 0; i < MAX_LEN && i < b->avail; i++)
        printf(" %02x", b->p[i]);
    putchar('\n');
}

/* Has a difference of this sort in this instruction been shown already? One of each is enough to work on. */
static bool was_shown(const char *what, u32 insn)
{
    static struct { const char *what; u32 insn; } shown[MAX_SHOWN];
    static u32 n_shown;

    for (u32 i = 0; i < n_shown; i++)
        if (shown[i].what == what && shown[i].insn == insn)
            return true;
    if (n_shown == MAX_SHOWN)
        return true;
    shown[n_shown].what = what;
    shown[n_shown++].insn = insn;
    return false;
}

static void mismatch(const struct both *b, const char *what, long long ours, long long theirs)
{
    n_mismatches++;
    if (was_shown(what, b->z_ok ? b->z.mnemonic : 1u << 24 | b->our.map << 16 | b->our.opcode << 8 | b->our.modrm))
        return;
    printf("%s: %s: ours %#llx, zydis %#llx (%s):", where, what, ours, theirs,
           b->z_ok ? ZydisMnemonicGetString(b->z.mnemonic) : "invalid");
    print_bytes(b);
}

static void check(const struct both *b, const char *what, long long ours, long long theirs)
{
    if (ours != theirs)
        mismatch(b, what, ours, theirs);
}

/* ---- Kind ---- */

static bool is_relative(const struct both *b)
{
    return b->op[0].type == ZYDIS_OPERAND_TYPE_IMMEDIATE && b->op[0].imm.is_relative;
}

static bool is_segment(const ZydisDecodedOperand *op)
{
    return op->type == ZYDIS_OPERAND_TYPE_REGISTER && ZydisRegisterGetClass(op->reg.value) == ZYDIS_REGCLASS_SEGMENT;
}

static u32 kind_of_branch(const struct both *b, u32 direct, u32 indirect)
{
    if (b->z.meta.branch_type == ZYDIS_BRANCH_TYPE_FAR)
        return X86_FAR;
    return is_relative(b) ? direct : indirect;
}

static u32 kind_of_segment_use(const struct both *b)
{
    if (is_segment(&b->op[0]))
        return b->z.mnemonic == ZYDIS_MNEMONIC_PUSH ? X86_READ_SEG : X86_WRITE_SEG;
    return b->z.operand_count_visible > 1 && is_segment(&b->op[1]) ? X86_READ_SEG : X86_PLAIN;
}

/* Instructions whose kind the mnemonic settles. */
static const struct { u16 mnemonic; u8 kind; } kinds[] = {
    { ZYDIS_MNEMONIC_UD0, X86_BAD },             { ZYDIS_MNEMONIC_UD1, X86_BAD },
    { ZYDIS_MNEMONIC_UD2, X86_BAD },             { ZYDIS_MNEMONIC_SYSCALL, X86_SYSCALL },
    { ZYDIS_MNEMONIC_SYSENTER, X86_SYSENTER },   { ZYDIS_MNEMONIC_INT, X86_INT },
    { ZYDIS_MNEMONIC_INT1, X86_INT },            { ZYDIS_MNEMONIC_INT3, X86_INT },
    { ZYDIS_MNEMONIC_IRET, X86_FAR },            { ZYDIS_MNEMONIC_IRETD, X86_FAR },
    { ZYDIS_MNEMONIC_IRETQ, X86_FAR },           { ZYDIS_MNEMONIC_UIRET, X86_FAR },
    { ZYDIS_MNEMONIC_LFS, X86_WRITE_SEG },       { ZYDIS_MNEMONIC_LGS, X86_WRITE_SEG },
    { ZYDIS_MNEMONIC_LSS, X86_WRITE_SEG },       { ZYDIS_MNEMONIC_RDFSBASE, X86_FSGSBASE },
    { ZYDIS_MNEMONIC_RDGSBASE, X86_FSGSBASE },   { ZYDIS_MNEMONIC_WRFSBASE, X86_FSGSBASE },
    { ZYDIS_MNEMONIC_WRGSBASE, X86_FSGSBASE },   { ZYDIS_MNEMONIC_XBEGIN, X86_XBEGIN },
    { ZYDIS_MNEMONIC_LOOP, X86_JRCXZ },          { ZYDIS_MNEMONIC_LOOPE, X86_JRCXZ },
    { ZYDIS_MNEMONIC_LOOPNE, X86_JRCXZ },        { ZYDIS_MNEMONIC_JRCXZ, X86_JRCXZ },
    { ZYDIS_MNEMONIC_JECXZ, X86_JRCXZ },
    /* Zydis calls it a branch: it may abort to the fallback address, but only inside a transaction, and no transaction
     * ever begins in translated code. */
    { ZYDIS_MNEMONIC_XEND, X86_PLAIN },
    /* Zydis does not mark these as privileged: some depend on IOPL, some raise #UD instead of #GP in user mode. */
    { ZYDIS_MNEMONIC_IN, X86_PRIVILEGED },       { ZYDIS_MNEMONIC_OUT, X86_PRIVILEGED },
    { ZYDIS_MNEMONIC_INSB, X86_PRIVILEGED },     { ZYDIS_MNEMONIC_OUTSB, X86_PRIVILEGED },
    { ZYDIS_MNEMONIC_INSW, X86_PRIVILEGED },     { ZYDIS_MNEMONIC_OUTSW, X86_PRIVILEGED },
    { ZYDIS_MNEMONIC_INSD, X86_PRIVILEGED },     { ZYDIS_MNEMONIC_OUTSD, X86_PRIVILEGED },
    { ZYDIS_MNEMONIC_CLI, X86_PRIVILEGED },      { ZYDIS_MNEMONIC_STI, X86_PRIVILEGED },
    { ZYDIS_MNEMONIC_LGDT, X86_PRIVILEGED },     { ZYDIS_MNEMONIC_RSM, X86_PRIVILEGED },
    { ZYDIS_MNEMONIC_GETSEC, X86_PRIVILEGED },   { ZYDIS_MNEMONIC_ENQCMDS, X86_PRIVILEGED },
    { ZYDIS_MNEMONIC_ENCLV, X86_PRIVILEGED },
    { ZYDIS_MNEMONIC_VMRUN, X86_PRIVILEGED },    { ZYDIS_MNEMONIC_SKINIT, X86_PRIVILEGED },
    { ZYDIS_MNEMONIC_VMLOAD, X86_PRIVILEGED },   { ZYDIS_MNEMONIC_VMSAVE, X86_PRIVILEGED },
    { ZYDIS_MNEMONIC_STGI, X86_PRIVILEGED },     { ZYDIS_MNEMONIC_CLGI, X86_PRIVILEGED },
};

static u32 kind_of(const struct both *b)
{
    for (size_t i = 0; i < ARRAY_LEN(kinds); i++)
        if (kinds[i].mnemonic == b->z.mnemonic)
            return kinds[i].kind;
    if (b->z.attributes & ZYDIS_ATTRIB_IS_PRIVILEGED)
        return X86_PRIVILEGED;
    switch (b->z.mnemonic) {
    case ZYDIS_MNEMONIC_CALL:
        return kind_of_branch(b, X86_CALL, X86_CALL_IND);
    case ZYDIS_MNEMONIC_JMP:
        return kind_of_branch(b, X86_JMP, X86_JMP_IND);
    case ZYDIS_MNEMONIC_RET:
        return b->z.meta.branch_type == ZYDIS_BRANCH_TYPE_FAR ? X86_FAR : X86_RET;
    case ZYDIS_MNEMONIC_MOV:
    case ZYDIS_MNEMONIC_PUSH:
    case ZYDIS_MNEMONIC_POP:
        return kind_of_segment_use(b);
    default:
        return b->z.meta.category == ZYDIS_CATEGORY_COND_BR ? X86_JCC : X86_PLAIN;
    }
}

static void check_kind(const struct both *b)
{
    u32 expected = kind_of(b);

    check(b, "kind", b->our.kind, expected);
    if (is_relative(b) && expected != X86_XBEGIN)
        check(b, "target", (long long)x86_target(&b->our, 0x1000), 0x1000 + b->z.length + b->op[0].imm.value.s);
}

/* ---- Fields ---- */

static const ZydisDecodedOperand *memory_operand(const struct both *b)
{
    for (u32 i = 0; i < b->z.operand_count; i++)
        if (b->op[i].type == ZYDIS_OPERAND_TYPE_MEMORY && b->op[i].encoding == ZYDIS_OPERAND_ENCODING_MODRM_RM)
            return &b->op[i];
    return NULL;
}

/* The address of a moffs operand is in imm, zero-extended when it has 32 bits; Zydis extends the sign. */
static long long moffs_address(const struct both *b)
{
    return b->our.addr32 ? (s32)b->our.imm : b->our.imm;
}

static void check_disp(const struct both *b)
{
    check(b, "disp size", b->our.disp_size * 8, b->z.raw.disp.size);
    if (b->z.raw.disp.size) {
        check(b, "disp offset", b->our.disp_off, b->z.raw.disp.offset);
        if (!memory_operand(b))
            check(b, "moffs", moffs_address(b), b->z.raw.disp.value);
    }
}

/* Zydis lists two immediates where an instruction has two (enter, extrq); the project counts them as one field. */
static void check_imm(const struct both *b)
{
    u32 bits = b->z.raw.imm[0].size + b->z.raw.imm[1].size;
    u64 mask = bits >= 64 ? ~0ull : (1ull << bits) - 1, value = b->z.raw.imm[0].value.u;

    check(b, "imm size", b->our.imm_size * 8, bits);
    if (!bits)
        return;
    if (b->z.raw.imm[1].size)
        value = (value & ((1ull << b->z.raw.imm[0].size) - 1)) | b->z.raw.imm[1].value.u << b->z.raw.imm[0].size;
    check(b, "imm offset", b->our.imm_off, b->z.raw.imm[0].offset);
    check(b, "imm", (long long)((u64)b->our.imm & mask), (long long)(value & mask));
}

/* mod 0 with SIB base 5 means a displacement and no base, whatever REX.B says. Zydis 4.0 thinks otherwise when REX.B
 * is set and addresses have 32 bits: it shows r13d as base, and no displacement. */
static bool has_false_base(const struct both *b)
{
    return b->our.addr32 && b->our.modrm < 0x40 && (b->our.modrm & 7) == 4 && (b->our.sib & 7) == 5;
}

static void check_memory(const struct both *b)
{
    const ZydisDecodedOperand *m = memory_operand(b);

    check(b, "has_mem", b->our.has_mem, m != NULL);
    if (!m)
        return;
    if (!has_false_base(b))
        check(b, "disp", b->our.disp, m->mem.disp.value);
    check(b, "rip_rel", b->our.rip_rel, m->mem.base == ZYDIS_REGISTER_RIP || m->mem.base == ZYDIS_REGISTER_EIP);
    if (m->mem.type == ZYDIS_MEMOP_TYPE_AGEN)     /* lea: Zydis shows no segment, ours is never used */
        return;
    check(b, "fs", b->our.seg == X86_SEG_FS, m->mem.segment == ZYDIS_REGISTER_FS);
    check(b, "gs", b->our.seg == X86_SEG_GS, m->mem.segment == ZYDIS_REGISTER_GS);
}

/* The last of two prefix bytes that is there, or 0. */
static u32 last_prefix(const struct both *b, u8 one, u8 other)
{
    u32 last = 0;

    for (u32 i = 0; i < b->z.raw.prefix_count; i++)
        if (b->z.raw.prefixes[i].value == one || b->z.raw.prefixes[i].value == other)
            last = b->z.raw.prefixes[i].value;
    return last;
}

static void check_prefixes(const struct both *b)
{
    check(b, "67", b->our.addr32, last_prefix(b, 0x67, 0x67) != 0);
    check(b, "lock", b->our.lock, last_prefix(b, 0xf0, 0xf0) != 0);
    if (is_vector(b))
        return;
    check(b, "66", b->our.opsize16, last_prefix(b, 0x66, 0x66) != 0);
    check(b, "rep", b->our.rep, last_prefix(b, 0xf2, 0xf3));
    check(b, "rex", b->our.rex & 15, b->z.raw.rex.W << 3 | b->z.raw.rex.R << 2 | b->z.raw.rex.X << 1 | b->z.raw.rex.B);
}

static void check_opcode(const struct both *b)
{
    static const u8 enc_of[] = {
        [ZYDIS_INSTRUCTION_ENCODING_LEGACY] = X86_ENC_LEGACY, [ZYDIS_INSTRUCTION_ENCODING_3DNOW] = X86_ENC_3DNOW,
        [ZYDIS_INSTRUCTION_ENCODING_XOP] = X86_ENC_XOP,       [ZYDIS_INSTRUCTION_ENCODING_VEX] = X86_ENC_VEX,
        [ZYDIS_INSTRUCTION_ENCODING_EVEX] = X86_ENC_EVEX,
    };
    u32 map = b->z.opcode_map;

    check(b, "encoding", b->our.enc, enc_of[b->z.encoding]);
    check(b, "map", b->our.map, map <= ZYDIS_OPCODE_MAP_0F3A ? (long long)map : X86_MAP_OTHER);
    check(b, "opcode", b->our.opcode, b->z.opcode);
    check(b, "opcode at", b->p[b->our.opcode_off], b->z.opcode);
    check(b, "has_modrm", b->our.has_modrm, (b->z.attributes & ZYDIS_ATTRIB_HAS_MODRM) != 0);
    if (b->our.has_modrm)
        check(b, "modrm offset", b->our.modrm_off, b->z.raw.modrm.offset);
    if (b->z.attributes & ZYDIS_ATTRIB_HAS_SIB)
        check(b, "sib", b->our.sib, b->p[b->z.raw.sib.offset]);
}

/* ---- Usage ---- */

/* Bit of the 64-bit register that holds `reg`, or 0 when it is not a general register. */
static u16 gpr_bit(ZydisRegister reg)
{
    ZydisRegister whole = ZydisRegisterGetLargestEnclosing(ZYDIS_MACHINE_MODE_LONG_64, reg);

    if (whole < ZYDIS_REGISTER_RAX || whole > ZYDIS_REGISTER_R15)
        return 0;
    return (u16)(1u << (whole - ZYDIS_REGISTER_RAX));
}

struct reg_sets {
    u16 reads, writes, whole;
    bool memory;
};

static void add_register(const ZydisDecodedOperand *op, struct reg_sets *s)
{
    u16 bit = gpr_bit(op->reg.value);

    if (op->actions & ZYDIS_OPERAND_ACTION_MASK_READ)
        s->reads |= bit;
    if (op->actions & ZYDIS_OPERAND_ACTION_MASK_WRITE)
        s->writes |= bit;
    if ((op->actions & ZYDIS_OPERAND_ACTION_WRITE) && op->size >= 32)
        s->whole |= bit;
}

static struct reg_sets zydis_registers(const struct both *b)
{
    struct reg_sets s = { 0 };

    for (u32 i = 0; i < b->z.operand_count; i++) {
        const ZydisDecodedOperand *op = &b->op[i];

        if (op->type == ZYDIS_OPERAND_TYPE_REGISTER)
            add_register(op, &s);
        if (op->type == ZYDIS_OPERAND_TYPE_MEMORY) {
            s.reads |= (has_false_base(b) ? 0 : gpr_bit(op->mem.base)) | gpr_bit(op->mem.index);
            s.memory |= op->mem.type == ZYDIS_MEMOP_TYPE_MEM || op->mem.type == ZYDIS_MEMOP_TYPE_VSIB;
        }
    }
    return s;
}

/* xor r,r and sub r,r: a kill by design, since the result does not depend on r. A nop reads none of its operands. */
static bool reads_in_name_only(const struct both *b)
{
    if (b->z.mnemonic == ZYDIS_MNEMONIC_NOP)
        return true;
    return (b->z.mnemonic == ZYDIS_MNEMONIC_XOR || b->z.mnemonic == ZYDIS_MNEMONIC_SUB) &&
           b->op[0].type == ZYDIS_OPERAND_TYPE_REGISTER && b->op[1].type == ZYDIS_OPERAND_TYPE_REGISTER &&
           b->op[0].reg.value == b->op[1].reg.value;
}

static void check_covers(const struct both *b, const char *what, u32 ours, u32 theirs)
{
    if (theirs & ~ours)
        mismatch(b, what, ours, theirs);
}

static void check_within(const struct both *b, const char *what, u32 ours, u32 theirs)
{
    if (ours & ~theirs)
        mismatch(b, what, ours, theirs);
}

/* Flags that are surely overwritten although Zydis is not sure of it, as both vendors' manuals say. */
static u32 defined_beyond_zydis(const struct both *b)
{
    switch (b->z.mnemonic) {
    case ZYDIS_MNEMONIC_SBB:         /* Zydis lists AF for some forms only */
        return X86_AF;
    case ZYDIS_MNEMONIC_SHL:         /* OF after shifts and rotates by one; Zydis has one answer for all counts */
    case ZYDIS_MNEMONIC_SHR:
    case ZYDIS_MNEMONIC_SAR:
    case ZYDIS_MNEMONIC_ROL:
    case ZYDIS_MNEMONIC_ROR:
    case ZYDIS_MNEMONIC_RCL:
    case ZYDIS_MNEMONIC_RCR:
    case ZYDIS_MNEMONIC_SHLD:
    case ZYDIS_MNEMONIC_SHRD:
        return X86_OF;
    case ZYDIS_MNEMONIC_BEXTR:       /* cleared; Zydis does not list them */
        return X86_CF | X86_OF;
    case ZYDIS_MNEMONIC_VPTEST:      /* the same */
    case ZYDIS_MNEMONIC_VTESTPS:
    case ZYDIS_MNEMONIC_VTESTPD:
        return X86_OF | X86_SF | X86_AF | X86_PF;
    default:
        return 0;
    }
}

/* repe and repne look at ZF only after the compare has set it: its old value never counts. */
static u32 flags_tested(const struct both *b)
{
    u32 tested = b->z.cpu_flags->tested & TESTED_FLAGS;

    return b->z.meta.category == ZYDIS_CATEGORY_STRINGOP ? tested & ~X86_ZF : tested;
}

static void check_flags(const struct both *b, const struct x86_usage *u)
{
    const ZydisAccessedFlags *f = b->z.cpu_flags;
    u32 written;

    if (!f)
        return;
    written = f->modified | f->set_0 | f->set_1;
    check_covers(b, "flags read", u->flags_read, flags_tested(b));
    check_covers(b, "flags written", u->flags_written, (written | f->undefined) & TESTED_FLAGS);
    check_within(b, "flags killed", u->flags_killed, written | defined_beyond_zydis(b));
    check_within(b, "flags killed though read", u->flags_killed, ~flags_tested(b));
}

static void check_usage(const struct both *b)
{
    struct reg_sets s = zydis_registers(b);
    struct x86_usage u;

    x86_usage(&b->our, &u);
    n_inexact += !u.exact;
    if (!reads_in_name_only(b))
        check_covers(b, "registers read", u.reads, s.reads);
    check_covers(b, "registers written", u.writes, s.writes);
    check_within(b, "registers killed", u.kills, s.whole);
    check_within(b, "kills outside writes", u.kills, u.writes);
    if (u.kills & u.reads)
        mismatch(b, "killed and read", u.kills, u.reads);
    if (s.memory && !u.touches_memory && !b->our.is_lea)
        mismatch(b, "touches memory", 0, 1);
    check_flags(b, &u);
}

/* ---- One place ---- */

/* A buffer that ends early must be told from an invalid instruction, and one that ends just in time must not matter. */
static void check_truncation(const struct both *b)
{
    struct x86_insn in;

    x86_decode(b->p, b->our.len, &in);
    if (memcmp(&in, &b->our, sizeof in))
        mismatch(b, "decoded alone", in.len, b->our.len);
    if (x86_decode(b->p, b->our.len - 1u, &in) || in.len != 0)
        mismatch(b, "cut short", in.len, 0);
}

static void compare(const struct both *b)
{
    u32 before = (u32)n_mismatches;
    bool is_ud = b->z_ok && kind_of(b) == X86_BAD;

    if (b->our_ok != (b->z_ok && !is_ud)) {
        if (!is_excused(b))
            mismatch(b, "validity", b->our_ok, b->z_ok);
        return;
    }
    if (b->status == ZYDIS_STATUS_NO_MORE_DATA)
        check(b, "length of a cut instruction", b->our.len, 0);
    if (!b->z_ok)
        return;
    check(b, "length", b->our.len, b->z.length);
    if (n_mismatches != before || is_ud)
        return;
    check_opcode(b);
    check_kind(b);
    check_prefixes(b);
    check_disp(b);
    check_imm(b);
    check_memory(b);
    check_truncation(b);
    if (with_usage)
        check_usage(b);
}

/* Instructions about which nothing was to be said. Both decoders are functions of the bytes alone, and Zydis agreed on how many
 * these are: the same bytes would be judged the same way again. Whole bytes are compared; a newcomer takes the place. */
static struct judged { u8 bytes[MAX_LEN], len; } judged[1 << 20];

static struct judged key_of(const struct both *b)
{
    struct judged key = { .len = b->our.len };

    memcpy(key.bytes, b->p, b->our.len);
    return key;
}

static struct judged *place_of(const struct judged *key)
{
    u64 half[2];

    memcpy(half, key, sizeof half);
    return &judged[(half[0] * 0x9e3779b97f4a7c15ull ^ half[1] * 0xc2b2ae3d27d4eb4full) >> 44];
}

static bool was_judged(const struct both *b)
{
    struct judged key = key_of(b);

    return !memcmp(place_of(&key), &key, sizeof key);
}

static void remember(const struct both *b)
{
    struct judged key = key_of(b);

    *place_of(&key) = key;
}

/* Returns how far to go on. */
static u32 step(const u8 *p, size_t avail)
{
    unsigned long said = n_mismatches + n_inexact;
    struct both b;

    b.p = p;
    b.avail = avail > 1u << 20 ? 1u << 20 : (u32)avail;
    b.our_ok = x86_decode(p, b.avail, &b.our);
    n_insns++;
    if (b.our_ok && was_judged(&b))
        return b.our.len;
    b.status = ZydisDecoderDecodeFull(&decoder, p, b.avail, &b.z, b.op);
    b.z_ok = ZYAN_SUCCESS(b.status);
    compare(&b);
    if (b.our_ok && b.z_ok && said == n_mismatches + n_inexact)
        remember(&b);
    return b.z_ok ? b.z.length : 1;
}

/* ---- ELF files ---- */

static void walk_section(const u8 *code, size_t size)
{
    for (size_t off = 0; off < size;)
        off += step(code + off, size - off);
}

static bool is_elf64(const u8 *image, size_t size)
{
    const Elf64_Ehdr *eh = (const void *)image;

    return size >= sizeof *eh && !memcmp(eh->e_ident, ELFMAG, SELFMAG) && eh->e_ident[EI_CLASS] == ELFCLASS64 &&
           eh->e_machine == EM_X86_64 && eh->e_shoff && eh->e_shoff + eh->e_shnum * sizeof(Elf64_Shdr) <= size;
}

static void walk_elf(const u8 *image, size_t size)
{
    const Elf64_Ehdr *eh = (const void *)image;
    const Elf64_Shdr *sh = (const void *)(image + eh->e_shoff);

    for (const Elf64_Shdr *end = sh + eh->e_shnum; sh < end; sh++)
        if ((sh->sh_flags & SHF_EXECINSTR) && sh->sh_type == SHT_PROGBITS && sh->sh_offset + sh->sh_size <= size)
            walk_section(image + sh->sh_offset, sh->sh_size);
}

/* Files that are no x86-64 ELF are passed over, so that whole folders may be named. */
static void walk_file(const char *path)
{
    int fd = open(path, O_RDONLY);
    struct stat st;
    u8 *image;

    if (fd < 0 || fstat(fd, &st) || !S_ISREG(st.st_mode) || st.st_size == 0)
        goto out;
    image = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
    if (image == MAP_FAILED)
        goto out;
    where = path;
    if (is_elf64(image, (size_t)st.st_size))
        walk_elf(image, (size_t)st.st_size);
    munmap(image, (size_t)st.st_size);
out:
    if (fd >= 0)
        close(fd);
}

/* ---- Random bytes ---- */

static u64 random_state;

static u32 random_u32(void)
{
    random_state = random_state * 6364136223846793005ull + 1442695040888963407ull;
    return (u32)(random_state >> 33);
}

static u8 pick(const char *bytes, u32 count) { return (u8)bytes[random_u32() % count]; }

static u32 random_prefixes(u8 *p)
{
    static const char prefixes[] = "\x66\x67\xf2\xf3\xf0\x64\x65\x2e\x36\x3e\x26\x40\x48\x4f";
    u32 n = random_u32() % 8, len = 0;

    if (n > 4)
        n = random_u32() % 64 == 0 ? random_u32() % 16 : 0;
    while (len < n)
        p[len++] = pick(prefixes, sizeof prefixes - 1);
    if (random_u32() % 4 == 0)
        p[len++] = 0x40 | (random_u32() & 15);
    return len;
}

/* Plant the start of an opcode map at p; the bytes behind it stay as random as they are. */
static void random_map(u8 *p)
{
    static const char escapes[] = "\x0f\x0f\x38\x3a\xc4\xc5\x62\x62\x8f";
    u32 which = random_u32() % 12;

    if (which >= sizeof escapes - 1)
        return;
    p[0] = (u8)escapes[which];
    switch (p[0]) {
    case 0x38:
    case 0x3a:
        p[1] = p[0];
        p[0] = 0x0f;
        break;
    case 0xc4:
        p[1] = (p[1] & 0xe0) | (1 + random_u32() % 3);
        break;
    case 0x62:
        p[1] = (p[1] & 0xf0) | (1 + random_u32() % 6);
        p[2] |= 4;
        p[3] &= random_u32() & 1 ? 0x08 : 0xff;
        break;
    case 0x8f:
        p[1] = (p[1] & 0xe0) | (8 + random_u32() % 3);
        p[2] &= 0xfc;
        break;
    }
}

static void walk_random(u64 seed, unsigned long count)
{
    u8 bytes[48];

    random_state = seed;
    where = "random";
    for (unsigned long i = 0; i < count; i++) {
        for (size_t k = 0; k < sizeof bytes; k++)
            bytes[k] = (u8)random_u32();
        random_map(bytes + random_prefixes(bytes));
        step(bytes, sizeof bytes);
    }
}

/* ---- Every opcode ---- */

/* All opcodes and modrm bytes behind these leading bytes. */
static void walk_opcodes(const u8 *lead, u32 n_lead)
{
    u8 bytes[48] = { 0 };

    memcpy(bytes, lead, n_lead);
    for (u32 op = 0; op < 256; op++)
        for (u32 modrm = 0; modrm < 256; modrm++) {
            bytes[n_lead] = (u8)op;
            bytes[n_lead + 1] = (u8)modrm;
            memset(bytes + n_lead + 2, 0x11, sizeof bytes - n_lead - 2);
            step(bytes, sizeof bytes);
        }
}

static void walk_legacy(void)
{
    static const struct { u8 n, bytes[2]; } escapes[] = {
        { 0, { 0 } }, { 1, { 0x0f } }, { 2, { 0x0f, 0x38 } }, { 2, { 0x0f, 0x3a } },
    };
    static const u8 prefixes[] = { 0, 0x66, 0xf3, 0xf2, 0x41, 0x48, 0xf0, 0x67 };     /* 0: none */
    u8 lead[3];

    for (size_t i = 0; i < ARRAY_LEN(escapes); i++)
        for (size_t k = 0; k < ARRAY_LEN(prefixes); k++) {
            lead[0] = prefixes[k];
            memcpy(lead + (k > 0), escapes[i].bytes, escapes[i].n);
            walk_opcodes(lead, (k > 0) + escapes[i].n);
        }
}

/* VEX and XOP: W and pp in all combinations; vvvv unused, then in use. */
static void walk_vex(u8 escape, u32 first_map)
{
    for (u32 map = first_map; map < first_map + 3; map++)
        for (u32 wpp = 0; wpp < 8; wpp++)
            for (u32 vvvv = 0x48; vvvv <= 0x78; vvvv += 0x30) {
                u8 lead[3] = { escape, (u8)(0xe0 | map), (u8)((wpp & 4) << 5 | vvvv | (wpp & 3)) };

                walk_opcodes(lead, sizeof lead);
            }
}

static void walk_evex(void)
{
    for (u32 map = 1; map < 7; map++)
        for (u32 wpp = 0; wpp < 8; wpp++)
            for (u32 mask = 0; mask < 2; mask++) {
                u8 lead[4] = { 0x62, (u8)(0xf0 | map), (u8)((wpp & 4) << 5 | 0x7c | (wpp & 3)), (u8)(0x48 | mask) };

                walk_opcodes(lead, sizeof lead);
            }
}

static void walk_all(void)
{
    where = "all";
    walk_legacy();
    walk_vex(0xc4, 1);
    walk_vex(0x8f, 8);
    walk_evex();
}

/* ---- Main ---- */

static int summary(void)
{
    for (size_t i = 0; i < ARRAY_LEN(excuses); i++)
        if (excuses[i].count)
            printf("excused %lu times: %s\n", excuses[i].count, excuses[i].reason);
    printf("%lu places, %lu mismatches", n_insns, n_mismatches);
    if (with_usage)
        printf(", %lu without exact usage", n_inexact);
    putchar('\n');
    return n_mismatches != 0;
}

int main(int argc, char **argv)
{
    ZydisDecoderInit(&decoder, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64);
    /* Linux no longer enables MPX: its opcodes are the hint-nops they were before. */
    ZydisDecoderEnableMode(&decoder, ZYDIS_DECODER_MODE_MPX, ZYAN_FALSE);
    for (int i = 1; i < argc; i++) {
        if (!strcmp(argv[i], "--usage")) {
            with_usage = true;
        } else if (!strcmp(argv[i], "--all")) {
            walk_all();
        } else if (!strcmp(argv[i], "--random") && i + 2 < argc) {
            walk_random(strtoull(argv[i + 1], NULL, 0), strtoul(argv[i + 2], NULL, 0));
            i += 2;
        } else {
            walk_file(argv[i]);
        }
    }
    return summary();
}
