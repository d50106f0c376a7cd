/* xed_reg.c: facts about registers. */
#include "api/xed_int.h"

struct reg_info { const char *name; u16 bytes; u8 class; };

#define INFO(name, text, bytes, class) [REG_##name] = { text, bytes, REG_CLASS_##class },
static const struct reg_info info[REG_LAST] = {
    [REG_INVALID_] = { "*invalid*", 0, REG_CLASS_NONE },
    [REG_NONE] = { "*none*", 0, REG_CLASS_NONE },
    REG_LIST(INFO)
};

static const struct reg_info *info_of(REG reg) { return &info[(u32)reg < REG_LAST ? reg : REG_INVALID_]; }

const char *reg_name(REG reg) { return info_of(reg)->name; }
u32 reg_size(REG reg) { return info_of(reg)->bytes; }
enum reg_class reg_class(REG reg) { return info_of(reg)->class; }

REGWIDTH reg_width(REG reg)
{
    if (reg_class(reg) == REG_CLASS_X87)
        return REGWIDTH_REG_X87;
    switch (reg_size(reg)) {
    case 1: return REGWIDTH_8;
    case 2: return REGWIDTH_16;
    case 4: return REGWIDTH_32;
    case 8: return REGWIDTH_64;
    case 10: return REGWIDTH_80;
    case 16: return REGWIDTH_128;
    case 32: return REGWIDTH_256;
    case 64: return REGWIDTH_512;
    case 1024: return REGWIDTH_TILE;
    default: return REGWIDTH_INVALID;
    }
}

/* Partial integer registers are listed in the order of the full ones; the high bytes begin at rbx. */
REG reg_full(REG reg)
{
    switch (reg_class(reg)) {
    case REG_CLASS_GR32: return (REG)(REG_RDI + (reg - REG_EDI));
    case REG_CLASS_GR16: return (REG)(REG_RDI + (reg - REG_DI));
    case REG_CLASS_LOW8: return (REG)(REG_RDI + (reg - REG_DIL));
    case REG_CLASS_HIGH8: return (REG)(REG_RBX + (reg - REG_BH));
    case REG_CLASS_FLAGS_PART: return REG_RFLAGS;
    case REG_CLASS_IP_PART: return REG_RIP;
    case REG_CLASS_INST_HALF: return (REG)(REG_INST_G0 + (reg - REG_INST_G0D));
    default: return (u32)reg < REG_LAST ? reg : REG_INVALID_;
    }
}

bool reg_is_partial(REG reg) { return reg_full(reg) != reg; }

/* Machine numbers of the full registers in enum order. */
static const u8 machine_numbers[16] = { 7, 6, 5, 4, 3, 2, 1, 0, 8, 9, 10, 11, 12, 13, 14, 15 };

int reg_machine_number(REG reg)
{
    REG full = reg_full(reg);
    return reg_class(full) == REG_CLASS_GR64 ? machine_numbers[full - REG_GR_BASE] : -1;
}

REG reg_from_machine_number(u32 number, u32 bytes)
{
    static const REG first[] = { [1] = REG_DIL, [2] = REG_DI, [4] = REG_EDI, [8] = REG_RDI };
    if (number > 15 || bytes >= ARRAY_LEN(first) || !first[bytes])
        return REG_INVALID_;
    return (REG)(first[bytes] + machine_numbers[number]);    /* the permutation is its own inverse */
}

/* ---- Zydis's numbers ---- */

#define SAME(name) [ZYDIS_REGISTER_##name] = REG_##name,
#define SAME_LISTED(name, text, bytes, class) SAME(name)
#define SEGMENT(name) [ZYDIS_REGISTER_##name] = REG_SEG_##name,
static const u16 from_zydis[ZYDIS_REGISTER_MAX_VALUE + 1] = {
    REG_LIST_GR64(SAME_LISTED) REG_LIST_GR32(SAME_LISTED) REG_LIST_GR16(SAME_LISTED) REG_LIST_GR8(SAME_LISTED)
    REG_LIST_8(SAME_LISTED, MM, "", 0, 0) REG_LIST_32(SAME_LISTED, XMM, "", 0, 0)
    REG_LIST_32(SAME_LISTED, YMM, "", 0, 0) REG_LIST_32(SAME_LISTED, ZMM, "", 0, 0)
    REG_LIST_8(SAME_LISTED, K, "", 0, 0) REG_LIST_8(SAME_LISTED, TMM, "", 0, 0)
    REG_LIST_8(SAME_LISTED, ST, "", 0, 0) REG_LIST_8(SAME_LISTED, DR, "", 0, 0) SEGMENT(ES) SEGMENT(CS) SEGMENT(SS)
    SEGMENT(DS) SEGMENT(FS) SEGMENT(GS) SAME(RIP) SAME(EIP) SAME(IP) SAME(RFLAGS) SAME(EFLAGS) SAME(FLAGS)
    SAME(CR0) SAME(CR1) SAME(CR2) SAME(CR3) SAME(CR4) SAME(CR8) SAME(LDTR) SAME(TR) SAME(TR3) SAME(TR4) SAME(TR5)
    SAME(TR6) SAME(TR7) SAME(MXCSR)
    [ZYDIS_REGISTER_X87CONTROL] = REG_FPCW, [ZYDIS_REGISTER_X87STATUS] = REG_FPSW, [ZYDIS_REGISTER_X87TAG] = REG_FPTAG,
};

REG xv_reg_from_zydis(ZydisRegister r)
{
    return (u32)r <= ZYDIS_REGISTER_MAX_VALUE ? (REG)from_zydis[r] : REG_INVALID_;
}
