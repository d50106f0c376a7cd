/* reg.h: registers: names, sizes, classes, sets. The enumeration REG is in xed_reg.h. */
#ifndef COTTER_REG_H
#define COTTER_REG_H

#define COTTER_REG_RANGE(name, lo, hi) static inline BOOL name(REG reg) { return reg >= (lo) && reg <= (hi); }

static inline REG REG_INVALID(VOID) { return REG_INVALID_; }
static inline BOOL REG_valid(REG reg) { return reg != REG_INVALID_; }
static inline REG REG_AppFlags(VOID) { return REG_GFLAGS; }

/* ---- Classes ---- */
COTTER_REG_RANGE(REG_is_gr, REG_GR_BASE, REG_GR_LAST)
COTTER_REG_RANGE(REG_is_gr64, REG_GR_BASE, REG_GR_LAST)
COTTER_REG_RANGE(REG_is_gr_type, REG_GR_BASE, REG_GR_LAST)
COTTER_REG_RANGE(REG_is_gr32, REG_EDI, REG_R15D)
COTTER_REG_RANGE(REG_is_gr16, REG_DI, REG_R15W)
COTTER_REG_RANGE(REG_is_gr8, REG_DIL, REG_AH)
COTTER_REG_RANGE(REG_is_Any8, REG_DIL, REG_AH)
COTTER_REG_RANGE(REG_is_Lower8, REG_DIL, REG_R15B)
COTTER_REG_RANGE(REG_is_Upper8, REG_BH, REG_AH)
COTTER_REG_RANGE(REG_is_Half16, REG_DI, REG_R15W)
COTTER_REG_RANGE(REG_is_Half32, REG_EDI, REG_R15D)
COTTER_REG_RANGE(REG_is_seg, REG_SEG_BASE, REG_SEG_LAST)
COTTER_REG_RANGE(REG_is_seg_base, REG_SEG_FS_BASE, REG_SEG_GS_BASE)
COTTER_REG_RANGE(REG_is_gs_or_fs, REG_SEG_FS, REG_SEG_GS)
COTTER_REG_RANGE(REG_is_mm, REG_MM_BASE, REG_MM_LAST)
COTTER_REG_RANGE(REG_is_xmm, REG_XMM_BASE, REG_XMM_LAST)
COTTER_REG_RANGE(REG_is_ymm, REG_YMM_BASE, REG_YMM_LAST)
COTTER_REG_RANGE(REG_is_zmm, REG_ZMM_BASE, REG_ZMM_LAST)
COTTER_REG_RANGE(REG_is_xmm_ymm_zmm, REG_XMM_BASE, REG_ZMM_LAST)
COTTER_REG_RANGE(REG_is_any_vector_reg, REG_XMM_BASE, REG_ZMM_LAST)
COTTER_REG_RANGE(REG_is_avx512_hi16_xmm, REG_XMM16, REG_XMM31)
COTTER_REG_RANGE(REG_is_avx512_hi16_ymm, REG_YMM16, REG_YMM31)
COTTER_REG_RANGE(REG_is_k_mask, REG_K_BASE, REG_K_LAST)
COTTER_REG_RANGE(REG_is_any_mask, REG_K_BASE, REG_K_LAST)
COTTER_REG_RANGE(REG_is_tmm, REG_TMM_FIRST, REG_TMM_LAST)
COTTER_REG_RANGE(REG_is_mxcsr, REG_MXCSR, REG_MXCSR)
COTTER_REG_RANGE(REG_is_any_mxcsr, REG_MXCSR, REG_MXCSR)
COTTER_REG_RANGE(REG_is_st, REG_ST_BASE, REG_ST_LAST)
COTTER_REG_RANGE(REG_is_flags, REG_GFLAGS, REG_GFLAGS)
COTTER_REG_RANGE(REG_is_flags_type, REG_GFLAGS, REG_GFLAGS)
COTTER_REG_RANGE(REG_is_status_flags, REG_STATUS_FLAGS, REG_STATUS_FLAGS)
COTTER_REG_RANGE(REG_is_status_flags_type, REG_STATUS_FLAGS, REG_STATUS_FLAGS)
COTTER_REG_RANGE(REG_is_app_status_flags_type, REG_STATUS_FLAGS, REG_STATUS_FLAGS)
COTTER_REG_RANGE(REG_is_df_flag, REG_DF_FLAG, REG_DF_FLAG)
COTTER_REG_RANGE(REG_is_df_flag_type, REG_DF_FLAG, REG_DF_FLAG)
COTTER_REG_RANGE(REG_is_app_df_flag_type, REG_DF_FLAG, REG_DF_FLAG)
COTTER_REG_RANGE(REG_is_stackptr_type, REG_STACK_PTR, REG_STACK_PTR)
COTTER_REG_RANGE(REG_is_representative_reg, REG_X87, REG_X87)
COTTER_REG_RANGE(REG_is_application, REG_APPLICATION_BASE, REG_APPLICATION_LAST)
COTTER_REG_RANGE(REG_is_machine, REG_MACHINE_BASE, REG_MACHINE_LAST)
COTTER_REG_RANGE(REG_is_reg, REG_RBASE, REG_LAST - 1)
COTTER_REG_RANGE(REG_is_buffer, REG_BUF_BASE0, REG_BUF_END9)
COTTER_REG_RANGE(REG_is_inst_scratch, REG_INST_G0, REG_BUF_END9)
COTTER_REG_RANGE(REG_is_pin_inst, REG_INST_G0, REG_BUF_END9)
static inline BOOL REG_is_fr_for_get_context(REG reg) { return (reg >= REG_FPSTATUS_BASE && reg <= REG_FPSTATUS_LAST) || reg == REG_MXCSR; }
static inline BOOL REG_is_flags_any_size_type(REG reg) { return reg == REG_GFLAGS || reg == REG_EFLAGS || reg == REG_FLAGS; }
static inline BOOL REG_is_any_flags_type(REG reg)
{
    return REG_is_flags_any_size_type(reg) || reg == REG_STATUS_FLAGS || reg == REG_DF_FLAG;
}
static inline BOOL REG_is_any_app_flags(REG reg) { return REG_is_any_flags_type(reg); }
static inline BOOL REG_is_fr(REG reg)
{
    return REG_is_mm(reg) || REG_is_xmm_ymm_zmm(reg) || REG_is_k_mask(reg) || REG_is_tmm(reg) || reg == REG_MXCSR ||
           (reg >= REG_FPST_BASE && reg <= REG_FPST_LAST);
}
static inline BOOL REG_is_br(REG reg) { return (VOID)reg, FALSE; }
static inline BOOL REG_is_pseudo(REG reg) { return (VOID)reg, FALSE; }
/* The engine keeps no registers of its own in the enumeration. */
#define COTTER_REG_NEVER(name) static inline BOOL name(REG reg) { return (VOID)reg, FALSE; }
COTTER_REG_NEVER(REG_is_pin)
COTTER_REG_NEVER(REG_is_pin64)
COTTER_REG_NEVER(REG_is_pin_gr)
COTTER_REG_NEVER(REG_is_pin_gr32)
COTTER_REG_NEVER(REG_is_pin_gr_half32)
COTTER_REG_NEVER(REG_is_pin_gpr)
COTTER_REG_NEVER(REG_is_pin_tmp)
COTTER_REG_NEVER(REG_is_pin_flags)
COTTER_REG_NEVER(REG_is_pin_status_flags)
COTTER_REG_NEVER(REG_is_pin_df_flag)
COTTER_REG_NEVER(REG_is_any_pin_flags)
COTTER_REG_NEVER(REG_is_pin_xmm)
COTTER_REG_NEVER(REG_is_pin_ymm)
COTTER_REG_NEVER(REG_is_pin_zmm)
COTTER_REG_NEVER(REG_is_pin_xmm_ymm_zmm)
COTTER_REG_NEVER(REG_is_pin_k_mask)
static inline REG REG_IdentityCopy(REG reg) { return reg; }

/* The flags register, and its parts, of the same family: there is one family. */
static inline REG REG_get_full_flags_reg_of_type(REG reg) { return REG_is_any_flags_type(reg) ? REG_GFLAGS : REG_INVALID_; }
static inline REG REG_get_status_flags_reg_of_type(REG reg) { return REG_is_any_flags_type(reg) ? REG_STATUS_FLAGS : REG_INVALID_; }
static inline REG REG_get_df_flag_reg_of_type(REG reg) { return REG_is_any_flags_type(reg) ? REG_DF_FLAG : REG_INVALID_; }

static inline REG REG_corresponding_ymm_reg(REG xmm) { return (REG)(REG_YMM_BASE + (xmm - REG_XMM_BASE)); }
static inline REG REG_corresponding_zmm_reg(REG xmm) { return (REG)(REG_ZMM_BASE + (xmm - REG_XMM_BASE)); }

/* ---- Facts ---- */
BOOL REG_is_partialreg(REG reg);
REG REG_FullRegName(REG reg);                   /* al -> rax; what is whole stays */
UINT32 REG_Size(REG reg);                       /* bytes */
REGWIDTH REG_Width(REG reg);
BOOL REG_valid_for_iarg_reg_value(REG reg);
REG REG_LastSupportedXmm(VOID);
REG REG_LastSupportedYmm(VOID);
REG REG_LastSupportedZmm(VOID);
REG PIN_ClaimToolRegister(VOID);                /* an unused REG_INST_Gn, for good; REG_INVALID() when there is none */
UINT16 REG_ConvertX87AbridgedTagToFull(const FXSAVE *fxsave);
UINT8 REG_ConvertX87FullTagToAbridged(UINT16 fullTag);

/* ---- A tile configuration, as IARG_REG_CONST_REFERENCE of REG_TILECONFIG and ldtilecfg have it: 64 bytes ---- */
static inline UINT8 TileCfg_GetPaletteID(const UINT8 *config) { return config[0]; }
static inline UINT32 TileCfg_GetTileBytesPerRow(const UINT8 *config, REG tmm)
{
    UINT32 n = (UINT32)(tmm - REG_TMM_BASE) * 2;
    return (UINT32)config[16 + n] | (UINT32)config[17 + n] << 8;
}
static inline UINT32 TileCfg_GetTileRows(const UINT8 *config, REG tmm) { return config[48 + (tmm - REG_TMM_BASE)]; }

/* ---- Sets ---- */
typedef struct REGSET { UINT64 word[(REG_LAST + 63) / 64]; } REGSET;
#ifdef __cplusplus
#define COTTER_REGSET REGSET &
#define COTTER_REGSET_CONST const REGSET &
#else
#define COTTER_REGSET REGSET *
#define COTTER_REGSET_CONST const REGSET *
#endif
#define REG_FirstInRegset REG_RBASE
#define REG_LastInRegset ((REG)(REG_LAST - 1))
VOID REGSET_Insert(COTTER_REGSET set, REG reg);
VOID REGSET_Remove(COTTER_REGSET set, REG reg);
BOOL REGSET_Contains(COTTER_REGSET_CONST set, REG reg);
VOID REGSET_Clear(COTTER_REGSET set);
VOID REGSET_AddAll(COTTER_REGSET set);
REG REGSET_PopNext(COTTER_REGSET set);          /* takes the lowest out; REG_INVALID() when empty */
UINT32 REGSET_PopCount(COTTER_REGSET_CONST set);
BOOL REGSET_PopCountIsZero(COTTER_REGSET_CONST set);

#ifndef __cplusplus
const char *REG_StringShort(REG reg);
const char *REGSET_StringShort(const REGSET *set);
#endif
#endif
