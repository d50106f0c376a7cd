/* allow.c: which instructions a case may contain.
 * Left out: what enters the kernel, what leaves the sequence, what differs from run to run (time, randomness, the CPU's
 * number, which state components are in use), and what changes state that a case cannot put back
 * (fs, gs, protection keys). */
#include "gen.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Instruction sets that are never executed. */
static const char *const never_sets[] = {
    "AMX", "ENQCMD", "HRESET", "KEYLOCKER", "KNC", "LWP", "MCOMMIT", "MONITOR", "PADLOCK", "PCONFIG", "PKU", "PT",
    "RDPID", "RDPMC", "RDPRU", "RDRAND", "RDSEED", "RDTSCP", "RTM", "SGX", "SMX", "SNP", "SVM", "TDX", "TSX_LDTRK",
    "UINTR", "VMFUNC", "VTX", "WAITPKG", "XSAVE", "AMD_INVLPGB", "MOVDIR"};

/* The last five: the kernel emulates them where the CPU forbids them, and does not understand all their encodings. */
static const char *const never[] = {
    "syscall", "sysenter", "sysexit", "sysret", "iret", "iretd", "iretq", "into", "call", "jmp", "ret", "rdtsc",
    "cpuid", "wrfsbase", "wrgsbase", "swapgs", "popf", "popfd", "popfq", "lfs", "lgs", "lss", "vmcall", "vmmcall",
    "fxrstor", "fxrstor64", "lsl", "rsm", "sgdt", "sidt", "sldt", "smsw", "str"};

/* Instruction set (a prefix of Zydis' name) and the flag of /proc/cpuinfo that goes with it; longer names first. */
static const char *const needs[][2] = {
    {"ADOX_ADCX", "adx"}, {"AES", "aes"}, {"AVXAES", "aes"}, {"AVX512BW", "avx512bw"}, {"AVX512CD", "avx512cd"},
    {"AVX512DQ", "avx512dq"}, {"AVX512F", "avx512f"}, {"AVX512ER", "avx512er"}, {"AVX512PF", "avx512pf"},
    {"AVX512_4", "avx512_4fmaps"}, {"AVX512_BF16", "avx512_bf16"}, {"AVX512_BITALG", "avx512_bitalg"},
    {"AVX512_FP16", "avx512_fp16"}, {"AVX512_GFNI", "gfni"}, {"AVX512_IFMA", "avx512ifma"}, {"AVX512_VAES", "vaes"},
    {"AVX512_VBMI2", "avx512_vbmi2"}, {"AVX512_VBMI", "avx512vbmi"}, {"AVX512_VNNI", "avx512_vnni"},
    {"AVX512_VP2INTERSECT", "avx512_vp2intersect"}, {"AVX512_VPCLMULQDQ", "vpclmulqdq"},
    {"AVX512_VPOPCNTDQ", "avx512_vpopcntdq"}, {"AVX2", "avx2"}, {"AVX_GFNI", "gfni"}, {"AVX_VNNI", "avx_vnni"},
    {"AVX", "avx"}, {"BMI1", "bmi1"}, {"BMI2", "bmi2"}, {"CLFLUSHOPT", "clflushopt"}, {"CLWB", "clwb"},
    {"CLZERO", "clzero"}, {"CMPXCHG16B", "cx16"}, {"F16C", "f16c"}, {"FMA4", "fma4"}, {"FMA", "fma"},
    {"GFNI", "gfni"}, {"LZCNT", "abm"}, {"MOVBE", "movbe"}, {"PCLMULQDQ", "pclmulqdq"}, {"POPCNT", "popcnt"},
    {"SHA", "sha_ni"}, {"SSE4A", "sse4a"}, {"SSE42", "sse4_2"}, {"SSE4", "sse4_1"}, {"SSSE3", "ssse3"},
    {"VAES", "vaes"}, {"VPCLMULQDQ", "vpclmulqdq"}, {"XOP", "xop"}, {"TBM", "tbm"}, {"AMD3DNOW", "3dnow"},
    {"RDWRFSGS", "fsgsbase"}, {"SERIALIZE", "serialize"}, {"MPX", "mpx"}, {"CET", "user_shstk"}};

static u8 set_verdict[ZYDIS_ISA_SET_MAX_VALUE + 1];          /* 0 never, 1 missing on this CPU, 2 fine */
static bool mnemonic_never[ZYDIS_MNEMONIC_MAX_VALUE + 1];

static bool cpu_has(const char *flag)
{
    static char flags[8192];
    if (!flags[0]) {
        FILE *f = fopen("/proc/cpuinfo", "r");
        while (f && fgets(flags, sizeof flags, f) && strncmp(flags, "flags", 5) != 0)
            ;
        if (f)
            fclose(f);
    }
    char word[64];
    snprintf(word, sizeof word, " %s ", flag);
    for (char *p = flags; *p; p++)
        if (*p == '\n')
            *p = ' ';
    return strstr(flags, word) != NULL;
}

void allow_start(void)
{
    for (int i = 0; i <= ZYDIS_ISA_SET_MAX_VALUE; i++) {
        const char *name = ZydisISASetGetString((ZydisISASet)i);
        set_verdict[i] = 2;
        for (size_t j = 0; j < sizeof needs / sizeof needs[0]; j++)
            if (!strncmp(name, needs[j][0], strlen(needs[j][0]))) {
                set_verdict[i] = cpu_has(needs[j][1]) ? 2 : 1;
                break;
            }
        for (size_t j = 0; j < sizeof never_sets / sizeof never_sets[0]; j++)
            if (!strncmp(name, never_sets[j], strlen(never_sets[j])))
                set_verdict[i] = 0;
    }
    for (int i = 0; i <= ZYDIS_MNEMONIC_MAX_VALUE; i++)
        for (size_t j = 0; j < sizeof never / sizeof never[0]; j++)
            if (!strcmp(ZydisMnemonicGetString((ZydisMnemonic)i), never[j]))
                mnemonic_never[i] = true;
}

static bool touches_segment(const struct decoded *d)
{
    for (int i = 0; i < d->i.operand_count; i++) {
        const ZydisDecodedOperand *o = &d->op[i];
        if (o->type == ZYDIS_OPERAND_TYPE_REGISTER && (o->actions & ZYDIS_OPERAND_ACTION_MASK_WRITE) &&
            ZydisRegisterGetClass(o->reg.value) == ZYDIS_REGCLASS_SEGMENT && o->reg.value != ZYDIS_REGISTER_DS &&
            o->reg.value != ZYDIS_REGISTER_ES)
            return true;
    }
    return false;
}

static bool is_gather(const struct decoded *d)
{
    for (int i = 0; i < d->i.operand_count; i++)
        if (d->op[i].type == ZYDIS_OPERAND_TYPE_MEMORY && d->op[i].mem.type == ZYDIS_MEMOP_TYPE_VSIB)
            return d->i.address_width == 32 || d->op[i].mem.base == ZYDIS_REGISTER_NONE;
    return false;
}

/* The engine refuses a bit test whose bit is counted from a 32-bit address in GS, and a gather or scatter in GS with 32-bit
 * addresses or without a base register (docs/transparency.md). */
static bool is_refused(const struct decoded *d)
{
    const ZydisDecodedInstruction *i = &d->i;
    bool is_bit_test = i->mnemonic == ZYDIS_MNEMONIC_BT || i->mnemonic == ZYDIS_MNEMONIC_BTS ||
                       i->mnemonic == ZYDIS_MNEMONIC_BTR || i->mnemonic == ZYDIS_MNEMONIC_BTC;
    bool is_bit_wrap = is_bit_test && i->address_width == 32 && i->raw.imm[0].size == 0 && i->raw.modrm.mod != 3;
    return i->attributes & ZYDIS_ATTRIB_HAS_SEGMENT_GS && (is_bit_wrap || is_gather(d));
}

enum allow allow_insn(const struct decoded *d, bool uses_seg)
{
    const ZydisDecodedInstruction *i = &d->i;
    if (set_verdict[i->meta.isa_set] == 0 || mnemonic_never[i->mnemonic])
        return ALLOW_NO;
    if (i->meta.branch_type != ZYDIS_BRANCH_TYPE_NONE || touches_segment(d) || is_refused(d))
        return ALLOW_NO;
    bool seg = (i->attributes & (ZYDIS_ATTRIB_HAS_SEGMENT_FS | ZYDIS_ATTRIB_HAS_SEGMENT_GS)) != 0;
    if (!uses_seg && (seg || i->meta.isa_set == ZYDIS_ISA_SET_RDWRFSGS))
        return ALLOW_NO;
    if (i->mnemonic == ZYDIS_MNEMONIC_INT && i->raw.imm[0].value.u == 0x80)
        return ALLOW_NO;
    if (i->mnemonic == ZYDIS_MNEMONIC_ENDBR64 || i->mnemonic == ZYDIS_MNEMONIC_ENDBR32 ||
        i->mnemonic == ZYDIS_MNEMONIC_RDSSPD ||
        i->mnemonic == ZYDIS_MNEMONIC_RDSSPQ)
        return ALLOW_YES;                                    /* nops on a CPU without shadow stacks */
    if (set_verdict[i->meta.isa_set] == 1 || (i->attributes & ZYDIS_ATTRIB_IS_PRIVILEGED) ||
        i->meta.category == ZYDIS_CATEGORY_INTERRUPT || i->meta.category == ZYDIS_CATEGORY_IO ||
        i->meta.category == ZYDIS_CATEGORY_IOSTRINGOP || i->mnemonic == ZYDIS_MNEMONIC_UD0 || i->mnemonic ==
            ZYDIS_MNEMONIC_UD1 ||
        i->mnemonic == ZYDIS_MNEMONIC_UD2 || i->mnemonic == ZYDIS_MNEMONIC_HLT || i->mnemonic == ZYDIS_MNEMONIC_CLI ||
        i->mnemonic == ZYDIS_MNEMONIC_STI)
        return ALLOW_TRAP;
    return ALLOW_YES;
}
