/* reg.c: registers of the tool interface in the engine's terms. */
#include "api/iarg.h"
#include <stdio.h>

/* Offsets in the fxsave image of the x87 control registers, from REG_FPCW on. */
static const u8 fp_offset[] = { 0, 2, 4, 8, 12, 6, 16, 20 };

struct reg_id reg_to_id(REG reg)
{
    u8 size = (u8)reg_size(reg), none = 0;
    switch (reg_class(reg)) {
    case REG_CLASS_GR64: case REG_CLASS_GR32: case REG_CLASS_GR16: case REG_CLASS_LOW8:
        return (struct reg_id){ RF_GPR, (u8)reg_machine_number(reg), 0, size };
    case REG_CLASS_HIGH8: return (struct reg_id){ RF_GPR, (u8)reg_machine_number(reg), 1, 1 };
    case REG_CLASS_FLAGS: case REG_CLASS_FLAGS_PART: case REG_CLASS_STATUS_FLAGS: case REG_CLASS_DF_FLAG:
        return (struct reg_id){ RF_FLAGS, 0, 0, size };
    case REG_CLASS_IP: case REG_CLASS_IP_PART: return (struct reg_id){ RF_PC, 0, 0, size };
    case REG_CLASS_SEG: return (struct reg_id){ RF_SEG, (u8)(reg - REG_SEG_BASE), 0, 2 };
    case REG_CLASS_SEG_BASE: return (struct reg_id){ reg == REG_SEG_FS_BASE ? RF_FS_BASE : RF_GS_BASE, 0, 0, 8 };
    case REG_CLASS_INST: return (struct reg_id){ RF_TOOL, (u8)(reg - REG_INST_G0), 0, 8 };
    case REG_CLASS_INST_HALF: return (struct reg_id){ RF_TOOL, (u8)(reg - REG_INST_G0D), 0, 4 };
    case REG_CLASS_XMM: return (struct reg_id){ RF_XMM, (u8)(reg - REG_XMM0), 0, 16 };
    case REG_CLASS_YMM: return (struct reg_id){ RF_YMM, (u8)(reg - REG_YMM0), 0, 32 };
    case REG_CLASS_ZMM: return (struct reg_id){ RF_ZMM, (u8)(reg - REG_ZMM0), 0, 64 };
    case REG_CLASS_K: return (struct reg_id){ RF_K, (u8)(reg - REG_K0), 0, 8 };
    case REG_CLASS_MXCSR: return (struct reg_id){ RF_MXCSR, 0, 0, 4 };
    case REG_CLASS_ST: return (struct reg_id){ RF_ST, (u8)(reg - REG_ST0), 0, 10 };
    case REG_CLASS_MM: return (struct reg_id){ RF_MM, (u8)(reg - REG_MM0), 0, 8 };
    case REG_CLASS_FPSTATE: return (struct reg_id){ RF_X87, fp_offset[reg - REG_FPCW], 0, size };
    default: return (struct reg_id){ RF_NONE, none, none, none };
    }
}

/* ---- the interface ---- */
BOOL REG_is_partialreg(REG reg) { return reg_is_partial(reg); }
REG REG_FullRegName(REG reg) { return reg_full(reg); }
UINT32 REG_Size(REG reg) { return reg_size(reg); }
REGWIDTH REG_Width(REG reg) { return reg_width(reg); }
const char *REG_StringShort(REG reg) { return reg_name(reg); }

BOOL REG_valid_for_iarg_reg_value(REG reg)
{
    switch (reg_to_id(reg).file) {
    case RF_GPR: case RF_SEG: case RF_FS_BASE: case RF_GS_BASE: case RF_TOOL: return TRUE;
    case RF_FLAGS: return reg != REG_EFLAGS && reg != REG_FLAGS;
    case RF_PC: return reg == REG_INST_PTR;
    default: return FALSE;
    }
}

/* libgcc's own answer would be a constructor in every tool, with ten times cpuid: 6 us each on a virtual machine. */
bool reg_has_state(u32 parts)
{
    u32 lo, hi;
    __asm__("xgetbv" : "=a"(lo), "=d"(hi) : "c"(0));
    return (lo & parts) == parts;
}

static bool has_avx512(void) { return reg_has_state(STATE_ZMM); }

REG REG_LastSupportedXmm(VOID) { return has_avx512() ? REG_XMM31 : REG_XMM15; }
REG REG_LastSupportedYmm(VOID) { return has_avx512() ? REG_YMM31 : REG_YMM15; }
REG REG_LastSupportedZmm(VOID) { return has_avx512() ? REG_ZMM31 : REG_INVALID_; }

REG PIN_ClaimToolRegister(VOID)
{
    static u32 claimed;
    u32 n = __atomic_fetch_add(&claimed, 1, __ATOMIC_RELAXED);
    return n <= REG_INST_G29 - REG_INST_G0 ? (REG)(REG_INST_G0 + n) : REG_INVALID_;
}

/* The full tag says for each register: 0 valid, 1 zero, 2 special, 3 empty; the abridged one only: not empty. */
static u32 full_tag(const u8 *st)
{
    u64 mantissa;
    u16 exponent;
    __builtin_memcpy(&mantissa, st, 8);
    __builtin_memcpy(&exponent, st + 8, 2);
    exponent &= 0x7fff;
    if (!exponent && !mantissa)
        return 1;
    return exponent == 0x7fff || !exponent || !(mantissa >> 63) ? 2 : 0;
}

UINT16 REG_ConvertX87AbridgedTagToFull(const FXSAVE *f)
{
    u32 top = f->_fsw >> 11 & 7, tag = 0;
    for (u32 physical = 0; physical < 8; physical++) {
        u32 st = (physical - top) & 7;
        u32 t = f->_ftw >> physical & 1 ? full_tag(f->_sts[st]._byte) : 3;
        tag |= t << physical * 2;
    }
    return (UINT16)tag;
}

UINT8 REG_ConvertX87FullTagToAbridged(UINT16 full)
{
    u32 tag = 0;
    for (u32 i = 0; i < 8; i++)
        tag |= (u32)((full >> i * 2 & 3) != 3) << i;
    return (UINT8)tag;
}

/* ---- sets ---- */
VOID REGSET_Insert(REGSET *s, REG r) { s->word[r / 64] |= 1ull << r % 64; }
VOID REGSET_Remove(REGSET *s, REG r) { s->word[r / 64] &= ~(1ull << r % 64); }
BOOL REGSET_Contains(const REGSET *s, REG r) { return s->word[r / 64] >> r % 64 & 1; }
VOID REGSET_Clear(REGSET *s) { *s = (REGSET){ { 0 } }; }

VOID REGSET_AddAll(REGSET *s)
{
    for (REG r = REG_FirstInRegset; r <= REG_LastInRegset; r++)
        REGSET_Insert(s, r);
}

REG REGSET_PopNext(REGSET *s)
{
    for (u32 i = 0; i < ARRAY_LEN(s->word); i++)
        if (s->word[i]) {
            REG r = (REG)(i * 64 + (u32)__builtin_ctzll(s->word[i]));
            REGSET_Remove(s, r);
            return r;
        }
    return REG_INVALID_;
}

UINT32 REGSET_PopCount(const REGSET *s)
{
    u32 n = 0;
    for (u32 i = 0; i < ARRAY_LEN(s->word); i++)
        n += (u32)__builtin_popcountll(s->word[i]);
    return n;
}

BOOL REGSET_PopCountIsZero(const REGSET *s) { return REGSET_PopCount(s) == 0; }

const char *REGSET_StringShort(const REGSET *s)
{
    static __thread char text[4096];
    u32 n = 0;
    text[0] = 0;
    for (REG r = REG_FirstInRegset; r <= REG_LastInRegset && n + 32 < sizeof text; r++)
        if (REGSET_Contains(s, r))
            n += (u32)snprintf(text + n, sizeof text - n, "%s%s", n ? " " : "", reg_name(r));
    return text;
}

/* Which registers a partial context writes back, in the terms of arch.h. */
u64 regset_out_bits(const REGSET *s)
{
    u64 bits = 0;
    for (REG r = REG_FirstInRegset; r <= REG_LastInRegset; r++) {
        if (!REGSET_Contains(s, r))
            continue;
        struct reg_id id = reg_to_id(r);
        if (id.file == RF_GPR)
            bits |= 1ull << (CONTEXT_OUT_GPR + id.num);
        else if (id.file == RF_TOOL)
            bits |= 1ull << (CONTEXT_OUT_TOOL + id.num);
        else if (id.file == RF_FLAGS)
            bits |= CONTEXT_OUT_FLAGS;
        else if ((id.file != RF_NONE && id.file != RF_PC) || r == REG_X87)      /* the whole of the x87 is no register of the CPU */
            bits |= CONTEXT_OUT_XSTATE;
    }
    return bits;
}

bool regset_is_only(const REGSET *s, REG reg) { return s && REGSET_PopCount(s) == 1 && REGSET_Contains(s, reg); }

bool regset_has_all_vectors(const REGSET *s)
{
    bool all = REGSET_Contains(s, REG_X87);
    for (u32 i = 0; i < 16; i++)
        all &= REGSET_Contains(s, (REG)(REG_XMM0 + i)) || REGSET_Contains(s, (REG)(REG_YMM0 + i)) ||
               REGSET_Contains(s, (REG)(REG_ZMM0 + i));
    return all;
}
