/* xed_class.c: class, category and extension of an instruction.
 *
 * Both decoders describe the same machine, so most of this is one name for another: a table over the decoder's
 * mnemonics, one over its categories, one over its extensions. The rest is rules, in this order: a class that depends
 * on the form of the instruction, then a REP or LOCK prefix that makes a class of its own. */
#include "api/xed_int.h"
#include "api/xed_mnemonic.h"

/* ---- Names ---- */

#define NAME(name) #name,
static const char *const iclass_names[] = { "INVALID", XED_ICLASS_LIST(NAME) };
static const char *const category_names[] = { "INVALID", XED_CATEGORY_LIST(NAME) };
static const char *const extension_names[] = { "INVALID", XED_EXTENSION_LIST(NAME) };

const char *xv_iclass_name(u32 n) { return iclass_names[n < ARRAY_LEN(iclass_names) ? n : 0]; }
const char *xv_category_name(u32 n) { return category_names[n < ARRAY_LEN(category_names) ? n : 0]; }
const char *xv_extension_name(u32 n) { return extension_names[n < ARRAY_LEN(extension_names) ? n : 0]; }

/* ---- Tables ---- */

#define SAME(name) [ZYDIS_MNEMONIC_##name] = XED_ICLASS_##name,
#define AS(zydis, xed) [ZYDIS_MNEMONIC_##zydis] = XED_ICLASS_##xed,
/* Absent: Knights Corner's own instructions, which no class stands for and no CPU with SSE executes. */
static const u16 iclass_of[ZYDIS_MNEMONIC_MAX_VALUE + 1] = {
    XED_SAME_NAME(SAME)
    AS(CALL, CALL_NEAR) AS(RET, RET_NEAR) AS(PREFETCH, PREFETCH_RESERVED) AS(PFCPIT1, PFRCPIT1) AS(PFSQRT, PFRSQRT)
    AS(MONTMUL, REP_MONTMUL) AS(XSHA1, REP_XSHA1) AS(XSHA256, REP_XSHA256) AS(XCRYPT_ECB, REP_XCRYPTECB)
    AS(XCRYPT_CBC, REP_XCRYPTCBC) AS(XCRYPT_CTR, REP_XCRYPTCTR) AS(XCRYPT_CFB, REP_XCRYPTCFB)
    AS(XCRYPT_OFB, REP_XCRYPTOFB)
};

#define CATEGORY(name) [ZYDIS_CATEGORY_##name] = XED_CATEGORY_##name,
#define CATEGORY_AS(zydis, xed) [ZYDIS_CATEGORY_##zydis] = XED_CATEGORY_##xed,
static const u8 category_of[ZYDIS_CATEGORY_MAX_VALUE + 1] = {
    CATEGORY(ADOX_ADCX) CATEGORY(AES) CATEGORY(AMX_TILE) CATEGORY(AVX) CATEGORY(AVX2) CATEGORY(AVX2GATHER)
    CATEGORY(AVX512) CATEGORY(AVX512_4FMAPS) CATEGORY(AVX512_4VNNIW) CATEGORY(AVX512_BITALG) CATEGORY(AVX512_VBMI)
    CATEGORY(AVX512_VP2INTERSECT) CATEGORY(BINARY) CATEGORY(BITBYTE) CATEGORY(BLEND) CATEGORY(BMI1) CATEGORY(BMI2)
    CATEGORY(BROADCAST) CATEGORY(CALL) CATEGORY(CET) CATEGORY(CLDEMOTE) CATEGORY(CLFLUSHOPT) CATEGORY(CLWB)
    CATEGORY(CLZERO) CATEGORY(CMOV) CATEGORY(COMPRESS) CATEGORY(COND_BR) CATEGORY(CONFLICT) CATEGORY(CONVERT)
    CATEGORY(DATAXFER) CATEGORY(DECIMAL) CATEGORY(ENQCMD) CATEGORY(EXPAND) CATEGORY(FCMOV) CATEGORY(FLAGOP)
    CATEGORY(FMA4) CATEGORY(FP16) CATEGORY(GATHER) CATEGORY(GFNI) CATEGORY(HRESET) CATEGORY(IFMA)
    CATEGORY(INTERRUPT) CATEGORY(IO) CATEGORY(IOSTRINGOP) CATEGORY(KEYLOCKER) CATEGORY(KEYLOCKER_WIDE)
    CATEGORY(KMASK) CATEGORY(LEGACY) CATEGORY(LOGICAL) CATEGORY(LOGICAL_FP) CATEGORY(LZCNT) CATEGORY(MISC)
    CATEGORY(MMX) CATEGORY(MOVDIR) CATEGORY(MPX) CATEGORY(NOP) CATEGORY(PCLMULQDQ) CATEGORY(PCONFIG) CATEGORY(PKU)
    CATEGORY(POP) CATEGORY(PREFETCH) CATEGORY(PREFETCHWT1) CATEGORY(PUSH) CATEGORY(RDPID) CATEGORY(RDPRU)
    CATEGORY(RDRAND) CATEGORY(RDSEED) CATEGORY(RDWRFSGS) CATEGORY(RET) CATEGORY(ROTATE) CATEGORY(SCATTER)
    CATEGORY(SEGOP) CATEGORY(SEMAPHORE) CATEGORY(SERIALIZE) CATEGORY(SETCC) CATEGORY(SGX) CATEGORY(SHA)
    CATEGORY(SHIFT) CATEGORY(SMAP) CATEGORY(SSE) CATEGORY(STRINGOP) CATEGORY(STTNI) CATEGORY(SYSCALL)
    CATEGORY(SYSRET) CATEGORY(SYSTEM) CATEGORY(TBM) CATEGORY(TSX_LDTRK) CATEGORY(UINTR) CATEGORY(UNCOND_BR)
    CATEGORY(VAES) CATEGORY(VBMI2) CATEGORY(VEX) CATEGORY(VFMA) CATEGORY(VPCLMULQDQ) CATEGORY(VTX)
    CATEGORY(WAITPKG) CATEGORY(WIDENOP) CATEGORY(X87_ALU) CATEGORY(XOP) CATEGORY(XSAVE) CATEGORY(XSAVEOPT)
    CATEGORY_AS(AMD3DNOW, 3DNOW) CATEGORY_AS(PADLOCK, VIA_PADLOCK) CATEGORY_AS(PT, PTWRITE) CATEGORY_AS(UFMA, VFMA)
};

#define EXT(name) [ZYDIS_ISA_EXT_##name] = XED_EXTENSION_##name,
#define EXT_AS(zydis, xed) [ZYDIS_ISA_EXT_##zydis] = XED_EXTENSION_##xed,
static const u8 extension_of[ZYDIS_ISA_EXT_MAX_VALUE + 1] = {
    EXT(ADOX_ADCX) EXT(AES) EXT(AVX) EXT(AVX2) EXT(AVX2GATHER) EXT(AVX512EVEX) EXT(AVX512VEX) EXT(AVXAES)
    EXT(AVX_VNNI) EXT(BASE) EXT(BMI1) EXT(BMI2) EXT(CET) EXT(CLDEMOTE) EXT(CLFLUSHOPT) EXT(CLFSH) EXT(CLWB)
    EXT(CLZERO) EXT(ENQCMD) EXT(F16C) EXT(FMA) EXT(FMA4) EXT(GFNI) EXT(HRESET) EXT(INVPCID) EXT(KEYLOCKER)
    EXT(KEYLOCKER_WIDE) EXT(LONGMODE) EXT(LZCNT) EXT(MCOMMIT) EXT(MMX) EXT(MONITOR) EXT(MONITORX) EXT(MOVBE)
    EXT(MOVDIR) EXT(MPX) EXT(PAUSE) EXT(PCLMULQDQ) EXT(PCONFIG) EXT(PKU) EXT(PREFETCHWT1) EXT(RDPID) EXT(RDPRU)
    EXT(RDRAND) EXT(RDSEED) EXT(RDTSCP) EXT(RDWRFSGS) EXT(RTM) EXT(SERIALIZE) EXT(SGX) EXT(SGX_ENCLV) EXT(SHA)
    EXT(SMAP) EXT(SMX) EXT(SNP) EXT(SSE) EXT(SSE2) EXT(SSE3) EXT(SSE4) EXT(SSE4A) EXT(SSSE3) EXT(SVM) EXT(TBM)
    EXT(TDX) EXT(TSX_LDTRK) EXT(UINTR) EXT(VAES) EXT(VMFUNC) EXT(VPCLMULQDQ) EXT(VTX) EXT(WAITPKG) EXT(X87)
    EXT(XOP) EXT(XSAVE) EXT(XSAVEC) EXT(XSAVEOPT) EXT(XSAVES) EXT(AMD_INVLPGB) EXT_AS(AMD3DNOW, 3DNOW)
    EXT_AS(AMD3DNOW_PREFETCH, 3DNOW_PREFETCH) EXT_AS(AMX_TILE, AMX_TILE) EXT_AS(AMX_INT8, AMX_TILE)
    EXT_AS(AMX_BF16, AMX_TILE) EXT_AS(PADLOCK, VIA_PADLOCK_AES) EXT_AS(PT, PTWRITE)
};

/* ---- Classes that depend on the form ---- */

static bool is_far(const ZydisDecodedInstruction *i) { return i->meta.branch_type == ZYDIS_BRANCH_TYPE_FAR; }
static bool is_sse_form(const ZydisDecodedInstruction *i) { return i->meta.category != ZYDIS_CATEGORY_STRINGOP; }
static bool is_rex_w(const ZydisDecodedInstruction *i)
{
    return i->encoding == ZYDIS_INSTRUCTION_ENCODING_LEGACY ? i->raw.rex.W : i->raw.vex.W;
}
static bool is_xop(const ZydisDecodedInstruction *i) { return i->encoding == ZYDIS_INSTRUCTION_ENCODING_XOP; }
static bool is_sse4(const ZydisDecodedInstruction *i) { return i->meta.isa_ext == ZYDIS_ISA_EXT_SSE4; }
static bool is_evex_c5(const ZydisDecodedInstruction *i)
{
    return i->encoding == ZYDIS_INSTRUCTION_ENCODING_EVEX && i->opcode == 0xc5;
}
static bool is_cr_form(const ZydisDecodedInstruction *i)
{
    return i->opcode_map == ZYDIS_OPCODE_MAP_0F && (i->opcode == 0x20 || i->opcode == 0x22);
}
static bool is_dr_form(const ZydisDecodedInstruction *i)
{
    return i->opcode_map == ZYDIS_OPCODE_MAP_0F && (i->opcode == 0x21 || i->opcode == 0x23);
}
static bool has_f3(const ZydisDecodedInstruction *i)
{
    for (u32 k = 0; k < i->raw.prefix_count; k++)
        if (i->raw.prefixes[k].value == 0xf3)
            return true;
    return false;
}
static bool is_prefetch_0(const ZydisDecodedInstruction *i) { return i->raw.modrm.reg == 0; }
static bool is_prefetch_3(const ZydisDecodedInstruction *i) { return i->raw.modrm.reg == 3; }
static bool is_code_prefetch_1(const ZydisDecodedInstruction *i)
{
    return i->opcode_map == ZYDIS_OPCODE_MAP_0F && i->opcode == 0x18 && i->raw.modrm.mod != 3 && i->raw.modrm.reg == 6;
}
static bool is_code_prefetch_0(const ZydisDecodedInstruction *i)
{
    return i->opcode_map == ZYDIS_OPCODE_MAP_0F && i->opcode == 0x18 && i->raw.modrm.mod != 3 && i->raw.modrm.reg == 7;
}

static const struct form { u16 mnemonic; bool (*applies)(const ZydisDecodedInstruction *); u16 iclass; } forms[] = {
    { ZYDIS_MNEMONIC_MOV, is_cr_form, XED_ICLASS_MOV_CR },
    { ZYDIS_MNEMONIC_MOV, is_dr_form, XED_ICLASS_MOV_DR },
    { ZYDIS_MNEMONIC_CALL, is_far, XED_ICLASS_CALL_FAR },
    { ZYDIS_MNEMONIC_JMP, is_far, XED_ICLASS_JMP_FAR },
    { ZYDIS_MNEMONIC_RET, is_far, XED_ICLASS_RET_FAR },
    { ZYDIS_MNEMONIC_MOVSD, is_sse_form, XED_ICLASS_MOVSD_XMM },
    { ZYDIS_MNEMONIC_CMPSD, is_sse_form, XED_ICLASS_CMPSD_XMM },
    { ZYDIS_MNEMONIC_NOP, is_code_prefetch_0, XED_ICLASS_PREFETCHIT0 },
    { ZYDIS_MNEMONIC_NOP, is_code_prefetch_1, XED_ICLASS_PREFETCHIT1 },
    { ZYDIS_MNEMONIC_PREFETCH, is_prefetch_0, XED_ICLASS_PREFETCH_EXCLUSIVE },
    { ZYDIS_MNEMONIC_PREFETCH, is_prefetch_3, XED_ICLASS_PREFETCHW },
    { ZYDIS_MNEMONIC_PEXTRW, is_sse4, XED_ICLASS_PEXTRW_SSE4 },
    { ZYDIS_MNEMONIC_VPEXTRW, is_evex_c5, XED_ICLASS_VPEXTRW_C5 },
    { ZYDIS_MNEMONIC_BEXTR, is_xop, XED_ICLASS_BEXTR_XOP },
    { ZYDIS_MNEMONIC_SYSRET, is_rex_w, XED_ICLASS_SYSRET64 },
    { ZYDIS_MNEMONIC_WBINVD, has_f3, XED_ICLASS_WBNOINVD },
    { ZYDIS_MNEMONIC_PCMPESTRI, is_rex_w, XED_ICLASS_PCMPESTRI64 },
    { ZYDIS_MNEMONIC_PCMPESTRM, is_rex_w, XED_ICLASS_PCMPESTRM64 },
    { ZYDIS_MNEMONIC_PCMPISTRI, is_rex_w, XED_ICLASS_PCMPISTRI64 },
    { ZYDIS_MNEMONIC_VPCMPESTRI, is_rex_w, XED_ICLASS_VPCMPESTRI64 },
    { ZYDIS_MNEMONIC_VPCMPESTRM, is_rex_w, XED_ICLASS_VPCMPESTRM64 },
    { ZYDIS_MNEMONIC_VPCMPISTRI, is_rex_w, XED_ICLASS_VPCMPISTRI64 },
};

ZydisMnemonic xv_mnemonic(u32 iclass)
{
    for (u32 k = 0; k < ARRAY_LEN(forms); k++)
        if (forms[k].iclass == iclass)
            return (ZydisMnemonic)forms[k].mnemonic;
    for (u32 m = 0; iclass && m < ARRAY_LEN(iclass_of); m++)
        if (iclass_of[m] == iclass)
            return (ZydisMnemonic)m;
    return ZYDIS_MNEMONIC_INVALID;
}

/* ---- Prefixes that make a class ---- */

static const struct prefixed { u16 plain, with; } locked[] = {
#define LOCKED(name) { XED_ICLASS_##name, XED_ICLASS_##name##_LOCK },
    LOCKED(ADC) LOCKED(ADD) LOCKED(AND) LOCKED(BTC) LOCKED(BTR) LOCKED(BTS) LOCKED(CMPXCHG) LOCKED(CMPXCHG16B)
    LOCKED(CMPXCHG8B) LOCKED(DEC) LOCKED(INC) LOCKED(NEG) LOCKED(NOT) LOCKED(OR) LOCKED(SBB) LOCKED(SUB) LOCKED(XADD)
    LOCKED(XOR)
};

static const struct prefixed repeated[] = {    /* REP; the F2 prefix repeats these just the same */
#define REPEATED(name) { XED_ICLASS_##name, XED_ICLASS_REP_##name },
    REPEATED(INSB) REPEATED(INSW) REPEATED(INSD) REPEATED(OUTSB) REPEATED(OUTSW) REPEATED(OUTSD) REPEATED(LODSB)
    REPEATED(LODSW) REPEATED(LODSD) REPEATED(LODSQ) REPEATED(MOVSB) REPEATED(MOVSW) REPEATED(MOVSD) REPEATED(MOVSQ)
    REPEATED(STOSB) REPEATED(STOSW) REPEATED(STOSD) REPEATED(STOSQ)
};

static const struct { u16 plain, while_equal, while_not_equal; } compared[] = {
#define COMPARED(name) { XED_ICLASS_##name, XED_ICLASS_REPE_##name, XED_ICLASS_REPNE_##name },
    COMPARED(CMPSB) COMPARED(CMPSW) COMPARED(CMPSD) COMPARED(CMPSQ) COMPARED(SCASB) COMPARED(SCASW) COMPARED(SCASD)
    COMPARED(SCASQ)
};

static u16 find_prefixed(const struct prefixed *list, size_t n, u16 plain)
{
    for (size_t k = 0; k < n; k++)
        if (list[k].plain == plain)
            return list[k].with;
    return plain;
}

static u16 with_prefix(const ZydisDecodedInstruction *i, u16 plain)
{
    enum { ANY_REP = ZYDIS_ATTRIB_HAS_REP | ZYDIS_ATTRIB_HAS_REPE | ZYDIS_ATTRIB_HAS_REPNE };
    if (i->attributes & ZYDIS_ATTRIB_HAS_LOCK)
        return find_prefixed(locked, ARRAY_LEN(locked), plain);
    if (!(i->attributes & ANY_REP))
        return plain;
    for (size_t k = 0; k < ARRAY_LEN(compared); k++)
        if (compared[k].plain == plain)
            return i->attributes & ZYDIS_ATTRIB_HAS_REPNE ? compared[k].while_not_equal : compared[k].while_equal;
    if (plain == XED_ICLASS_XSTORE)
        return XED_ICLASS_REP_XSTORE;
    return find_prefixed(repeated, ARRAY_LEN(repeated), plain);
}

u32 xv_opcode(const struct xv_insn *x)
{
    for (size_t k = 0; k < ARRAY_LEN(repeated); k++)
        if (repeated[k].with == x->iclass)
            return repeated[k].plain;
    for (size_t k = 0; k < ARRAY_LEN(compared); k++)
        if (compared[k].while_equal == x->iclass || compared[k].while_not_equal == x->iclass)
            return compared[k].plain;
    return x->iclass;
}

/* ---- Exceptions among categories and extensions ---- */

static void set_extension(struct xv_insn *x, const ZydisDecodedInstruction *i)
{
    x->category = category_of[i->meta.category];
    x->extension = extension_of[i->meta.isa_ext];
    switch (x->iclass) {
    case XED_ICLASS_PREFETCHIT0: case XED_ICLASS_PREFETCHIT1:
        x->category = XED_CATEGORY_PREFETCH;
        x->extension = XED_EXTENSION_ICACHE_PREFETCH;
        break;
    case XED_ICLASS_WBNOINVD: x->extension = XED_EXTENSION_WBNOINVD; break;
    case XED_ICLASS_XSTORE: case XED_ICLASS_REP_XSTORE: x->extension = XED_EXTENSION_VIA_PADLOCK_RNG; break;
    case XED_ICLASS_REP_XSHA1: case XED_ICLASS_REP_XSHA256: x->extension = XED_EXTENSION_VIA_PADLOCK_SHA; break;
    case XED_ICLASS_REP_MONTMUL: x->extension = XED_EXTENSION_VIA_PADLOCK_MONTMUL; break;
    case XED_ICLASS_PMOVMSKB: case XED_ICLASS_PMULHUW:
        if (x->extension == XED_EXTENSION_MMX)
            x->extension = XED_EXTENSION_SSE;
        break;
    case XED_ICLASS_PADDQ:
        if (x->category == XED_CATEGORY_MMX)
            x->extension = XED_EXTENSION_MMX;
        break;
    }
}

void xv_set_class(struct xv_insn *x, const struct xv_decoded *d)
{
    const ZydisDecodedInstruction *i = &d->i;
    u16 iclass = iclass_of[i->mnemonic];
    for (size_t k = 0; k < ARRAY_LEN(forms); k++)
        if (forms[k].mnemonic == i->mnemonic && forms[k].applies(i)) {
            iclass = forms[k].iclass;
            break;
        }
    x->iclass = with_prefix(i, iclass);
    set_extension(x, i);
}
