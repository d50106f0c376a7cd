/* decode_tables.h: the opcode maps of 64-bit mode, in the layout of the manuals. Only decode.c includes this file.
 *
 * A descriptor (u32) says what follows an opcode and what the instruction is. It may send the reader on to a row of
 * `sub`, chosen by the mandatory prefix, by modrm.mod and modrm.reg, or by modrm.rm; rows hold descriptors again. */
#ifndef X86_DECODE_TABLES_H
#define X86_DECODE_TABLES_H
#include "arch/x86/decode.h"

/* ---- Descriptor layout ---- */

enum imm_type {
    IMM_NONE, IMM_B, IMM_Z, IMM_V, IMM_D,
    IMM_BB,      /* extrq, insertq: two bytes */
    IMM_JZ16,    /* xbegin: the one branch whose displacement obeys a 66 prefix */
    IMM_ODD,     /* from here on: not a plain signed immediate */
    IMM_UB = IMM_ODD, IMM_UW, IMM_ENTER, IMM_MOFFS,
    IMM_TRAP,    /* int3 and int1: nothing follows, but the vector is known */
    IMM_SUFFIX,  /* 3DNow!: the opcode follows the operand */
    IMM_REGS,    /* a modrm byte of which mod is not looked at */
};

/* Bytes of an immediate by operand size: 32 bits, 16 bits (66), 64 bits (REX.W), both prefixes. */
static const u8 imm_bytes[16][4] = {
    [IMM_B] = { 1, 1, 1, 1 },  [IMM_Z] = { 4, 2, 4, 4 },    [IMM_V] = { 4, 2, 8, 8 },  [IMM_D] = { 4, 4, 4, 4 },
    [IMM_BB] = { 2, 2, 2, 2 }, [IMM_JZ16] = { 4, 2, 4, 4 }, [IMM_UB] = { 1, 1, 1, 1 }, [IMM_UW] = { 2, 2, 2, 2 },
    [IMM_ENTER] = { 3, 3, 3, 3 },
};

#define D_MODRM     0x1u
#define D_IMM(t)    ((u32)(t) << 1)           /* 4 bits */
#define D_KIND(k)   ((u32)(k) << 5)           /* 5 bits */
#define D_PP(mask)  ((u32)(mask) << 10)       /* 4 bits: mandatory prefixes with which the opcode exists */
#define D_MEM       0x4000u                   /* modrm must name memory */
#define D_REG       0x8000u                   /* modrm must name a register */
#define D_LOCK      0x10000u                  /* lock is allowed when the operand is memory */
#define D_LEA       0x20000u                  /* the address is never accessed */
#define D_CC        0x40000u                  /* the low opcode nibble is a condition */
#define D_BY(how)   ((u32)(how) << 19)        /* 2 bits: go on in `sub` */
#define D_PREFIX    0x200000u                 /* a prefix or an escape, not an opcode; row = enum prefix_class */
#define D_CHECK     0x400000u                 /* resolve or validate before use: off the hot path */
#define D_ROW(r)    ((u32)(r) << 23)          /* 9 bits */

#define D_GET_IMM(d)   ((d) >> 1 & 15)
#define D_GET_KIND(d)  ((d) >> 5 & 31)
#define D_GET_PP(d)    ((d) >> 10 & 15)
#define D_GET_BY(d)    ((d) >> 19 & 3)
#define D_GET_ROW(d)   ((d) >> 23)

enum { BY_NONE, BY_PP, BY_MODREG, BY_RM };
enum { PP_NONE, PP_66, PP_F3, PP_F2 };        /* in the order of VEX.pp */
enum { N_ = 1, P6 = 2, P3 = 4, P2 = 8, PANY = 15 };

enum prefix_class {
    PFX_REX, PFX_66, PFX_67, PFX_REP, PFX_LOCK, PFX_FS, PFX_GS, PFX_VOID,
    PFX_ESCAPES,                              /* from here on: no prefix, another opcode map */
    PFX_0F = PFX_ESCAPES, PFX_VEX2, PFX_VEX3, PFX_EVEX, PFX_XOP,
};

/* ---- Short names, as in the manuals: M = modrm, ib/iz = immediate, x = no operand bytes ---- */

#define PLAIN     (D_KIND(X86_PLAIN) | D_PP(PANY))
#define BAD       (D_KIND(X86_BAD) | D_PP(PANY))
#define OF(k)     (D_KIND(X86_##k) | D_PP(PANY))
#define IB        D_IMM(IMM_B)
#define IZ        D_IMM(IMM_Z)
#define x         PLAIN
#define M         (PLAIN | D_MODRM)
#define ML        (M | D_LOCK)
#define Mib       (M | IB)
#define Miz       (M | IZ)
#define xib       (PLAIN | IB)
#define xiz       (PLAIN | IZ)
#define xiv       (PLAIN | D_IMM(IMM_V))
#define Mo        (PLAIN | D_IMM(IMM_MOFFS))
#define jcc8      (OF(JCC) | D_CC | IB)
#define jccz      (OF(JCC) | D_CC | D_IMM(IMM_D))
#define Mcc       (M | D_CC)
#define jrc       (OF(JRCXZ) | IB)
#define priv      OF(PRIVILEGED)
#define privM     (priv | D_MODRM)
#define privR     (priv | D_IMM(IMM_REGS))
#define privN     ONLY(privM, N_)
#define badM      (BAD | D_MODRM)
#define nopM      (M | D_LEA)
#define mem       (M | D_MEM | D_CHECK)
#define reg       (M | D_REG | D_CHECK)
#define Mp(m)     (D_KIND(X86_PLAIN) | D_MODRM | D_PP(m) | D_CHECK)    /* exists with these mandatory prefixes only */
#define Mpm(m)    (Mp(m) | D_MEM)
#define Mpr(m)    (Mp(m) | D_REG)
#define ONLY(d, m)  (((d) & ~D_PP(PANY)) | D_PP(m) | D_CHECK)
#define prefix(c)   (D_PREFIX | D_ROW(PFX_##c))
#define by_pp(r)    (D_BY(BY_PP) | D_CHECK | D_ROW(ROW_##r))
#define by_reg(r)   (D_BY(BY_MODREG) | D_CHECK | D_ROW(ROW_##r))
#define by_rm(r)    (D_BY(BY_RM) | D_CHECK | D_ROW(ROW_##r))

/* ---- Rows. A by_reg group takes two: memory operand, then register operand. ---- */

enum {
    ROW_G1B, ROW_G1B_R, ROW_G1Z, ROW_G1Z_R, ROW_G1A, ROW_G1A_R, ROW_G3B, ROW_G3B_R, ROW_G3Z, ROW_G3Z_R,
    ROW_G4, ROW_G4_R, ROW_G5, ROW_G5_R, ROW_G11B, ROW_G11B_R, ROW_G11Z, ROW_G11Z_R, ROW_XABORT, ROW_XBEGIN,
    ROW_SEG_RD, ROW_SEG_RD_R, ROW_SEG_WR, ROW_SEG_WR_R,
    ROW_D9, ROW_D9_R, ROW_D9_2, ROW_D9_4, ROW_D9_5, ROW_DA, ROW_DA_R, ROW_DA_5, ROW_DB, ROW_DB_R, ROW_DB_4, ROW_DD,
    ROW_DD_R, ROW_DE, ROW_DE_R, ROW_DE_3, ROW_DF, ROW_DF_R, ROW_DF_4,
    ROW_G6, ROW_G6_R, ROW_G7, ROW_G7_R, ROW_G7_0, ROW_G7_1, ROW_G7_2, ROW_G7_3, ROW_G7_5, ROW_G7_7, ROW_E8, ROW_EE,
    ROW_EF, ROW_FE, ROW_FF,
    ROW_0F12, ROW_0F16, ROW_0F78, ROW_0F79, ROW_0F2B, ROW_0FD6, ROW_EXTRQ, ROW_EXTRQ_R, ROW_CR, ROW_CR_R, ROW_A6,
    ROW_A6_R, ROW_A7, ROW_A7_R, ROW_XSTORE, ROW_RM0,
    ROW_G8, ROW_G8_R, ROW_G9, ROW_G9_NP, ROW_G9_NP_R, ROW_G9_66, ROW_G9_66_R, ROW_G9_F3, ROW_G9_F3_R, ROW_G9_F2,
    ROW_G9_F2_R, ROW_G12, ROW_G12_R, ROW_G14, ROW_G14_R, ROW_G15, ROW_G15_NP, ROW_G15_NP_R, ROW_G15_66, ROW_G15_66_R,
    ROW_G15_F3, ROW_G15_F3_R, ROW_G15_F2, ROW_G15_F2_R,
    ROW_38D8, ROW_38D8_R, ROW_38DC, ROW_38DC_F3, ROW_38DC_F3_R, ROW_38DD, ROW_38F0, ROW_38F5, ROW_38F6, ROW_38F8,
    ROW_HRESET, ROW_HRESET_R, ROW_HRESET_0, ROW_COUNT
};

#define ROW8(d) { d, d, d, d, d, d, d, d }
#define GX   (OF(FAR) | D_MODRM)
static const u32 sub[ROW_COUNT][8] = {
    /* 80, 83: cmp alone may not be locked */
    [ROW_G1B]   = { ML|IB, ML|IB, ML|IB, ML|IB, ML|IB, ML|IB, ML|IB, Mib },
    [ROW_G1B_R] = ROW8(Mib),
    [ROW_G1Z]   = { ML|IZ, ML|IZ, ML|IZ, ML|IZ, ML|IZ, ML|IZ, ML|IZ, Miz },
    [ROW_G1Z_R] = ROW8(Miz),
    [ROW_G1A]   = { M, badM, badM, badM, badM, badM, badM, badM },
    [ROW_G1A_R] = { M, badM, badM, badM, badM, badM, badM, badM },
    [ROW_G3B]   = { Mib, Mib, ML, ML, M, M, M, M },
    [ROW_G3B_R] = { Mib, Mib, M, M, M, M, M, M },
    [ROW_G3Z]   = { Miz, Miz, ML, ML, M, M, M, M },
    [ROW_G3Z_R] = { Miz, Miz, M, M, M, M, M, M },
    [ROW_G4]    = { ML, ML, badM, badM, badM, badM, badM, badM },
    [ROW_G4_R]  = { M, M, badM, badM, badM, badM, badM, badM },
    [ROW_G5]    = { ML, ML, OF(CALL_IND)|D_MODRM, GX, OF(JMP_IND)|D_MODRM, GX, M, badM },
    [ROW_G5_R]  = { M, M, OF(CALL_IND)|D_MODRM, badM, OF(JMP_IND)|D_MODRM, badM, M, badM },
    [ROW_G11B]  = { Mib, badM, badM, badM, badM, badM, badM, badM },
    [ROW_G11B_R] = { Mib, badM, badM, badM, badM, badM, badM, by_rm(XABORT) },
    [ROW_G11Z]  = { Miz, badM, badM, badM, badM, badM, badM, badM },
    [ROW_G11Z_R] = { Miz, badM, badM, badM, badM, badM, badM, by_rm(XBEGIN) },
    [ROW_XABORT] = { Mib, badM, badM, badM, badM, badM, badM, badM },
    [ROW_XBEGIN] = { OF(XBEGIN)|D_MODRM|D_IMM(IMM_JZ16), badM, badM, badM, badM, badM, badM, badM },
#define RS (OF(READ_SEG) | D_MODRM)
#define WS (OF(WRITE_SEG) | D_MODRM)
    [ROW_SEG_RD]   = { RS, RS, RS, RS, RS, RS, badM, badM },
    [ROW_SEG_RD_R] = { RS, RS, RS, RS, RS, RS, badM, badM },
    [ROW_SEG_WR]   = { WS, badM, WS, WS, WS, WS, badM, badM },
    [ROW_SEG_WR_R] = { WS, badM, WS, WS, WS, WS, badM, badM },

    /* x87. D8 and DC have no holes. */
    [ROW_D9]   = { M, badM, M, M, M, M, M, M },
    [ROW_D9_R] = { M, M, by_rm(D9_2), M, by_rm(D9_4), by_rm(D9_5), M, M },
    [ROW_D9_2] = { M, badM, badM, badM, badM, badM, badM, badM },
    [ROW_D9_4] = { M, M, badM, badM, M, M, badM, badM },
    [ROW_D9_5] = { M, M, M, M, M, M, M, badM },
    [ROW_DA]   = ROW8(M),
    [ROW_DA_R] = { M, M, M, M, badM, by_rm(DA_5), badM, badM },
    [ROW_DA_5] = { badM, M, badM, badM, badM, badM, badM, badM },
    [ROW_DB]   = { M, M, M, M, badM, M, badM, M },
    [ROW_DB_R] = { M, M, M, M, by_rm(DB_4), M, M, badM },
    [ROW_DB_4] = { M, M, M, M, M, badM, badM, badM },
    [ROW_DD]   = { M, M, M, M, M, badM, M, M },
    [ROW_DD_R] = { M, M, M, M, M, M, badM, badM },
    [ROW_DE]   = ROW8(M),
    [ROW_DE_R] = { M, M, M, by_rm(DE_3), M, M, M, M },
    [ROW_DE_3] = { badM, M, badM, badM, badM, badM, badM, badM },
    [ROW_DF]   = ROW8(M),
    [ROW_DF_R] = { M, M, M, M, by_rm(DF_4), M, M, badM },
    [ROW_DF_4] = { M, badM, badM, badM, badM, badM, badM, badM },

    [ROW_G6]   = { M, M, privM, privM, M, M, badM, badM },
    [ROW_G6_R] = { M, M, privM, privM, M, M, badM, badM },
    /* 0f 01. Hypercalls are plain: whether one works in user mode is for the hypervisor to say. */
    [ROW_G7]   = { M, M, privM, privM, M, Mp(P3), privM, privM | D_LEA },
    [ROW_G7_R] = { by_rm(G7_0), by_rm(G7_1), by_rm(G7_2), by_rm(G7_3), M, by_rm(G7_5), privM, by_rm(G7_7) },
    [ROW_G7_0] = { privN, Mp(N_), privN, privN, privN, privN, badM, badM },
    [ROW_G7_1] = { privN, privN, privN, privN, ONLY(privM, P6), ONLY(privM, P6), ONLY(privM, P6), ONLY(privM, N_|P6) },
    [ROW_G7_2] = { Mp(N_), privN, badM, badM, Mp(N_), Mp(N_), Mp(N_), Mp(N_) },
    [ROW_G7_3] = { privM, M, privM, privM, privM, privM, privM, privM },
    [ROW_G7_5] = { by_pp(E8), Mp(P2), Mp(P3), badM, ONLY(OF(FAR) | D_MODRM, P3), Mp(P3), by_pp(EE), by_pp(EF) },
    [ROW_G7_7] = { privM, M, Mp(N_|P3), Mp(N_), M, M, by_pp(FE), by_pp(FF) },
    [ROW_E8]   = { M, badM, privM, M },
    [ROW_EE]   = { M, badM, M, badM },
    [ROW_EF]   = { M, badM, M, badM },
    [ROW_FE]   = { privM, badM, privM, privM },
    [ROW_FF]   = { privM, badM, privM, privM },

    [ROW_0F12] = { M, mem, M, M },
    [ROW_0F16] = { M, mem, M, badM },
    [ROW_0F2B] = { mem, mem, mem, mem },
    [ROW_0F78] = { privM, by_reg(EXTRQ), badM, reg | D_IMM(IMM_BB) },
    [ROW_0F79] = { privM, reg, badM, reg },
    [ROW_EXTRQ] = ROW8(badM),
    [ROW_EXTRQ_R] = { M | D_IMM(IMM_BB), badM, badM, badM, badM, badM, badM, badM },
    [ROW_0FD6] = { badM, M, reg, reg },
    /* mov to and from control registers */
    [ROW_CR]   = { privR, BAD, privR, privR, privR, BAD, BAD, BAD },
    [ROW_CR_R] = { privR, BAD, privR, privR, privR, BAD, BAD, BAD },
    [ROW_A6]   = ROW8(badM),
    [ROW_A6_R] = { by_rm(RM0), by_rm(RM0), by_rm(RM0), badM, badM, badM, badM, badM },
    [ROW_A7]   = ROW8(badM),
    [ROW_A7_R] = { by_rm(XSTORE), by_rm(RM0), by_rm(RM0), by_rm(RM0), by_rm(RM0), by_rm(RM0), badM, badM },
    [ROW_XSTORE] = { Mp(N_|P6|P3), badM, badM, badM, badM, badM, badM, badM },
    [ROW_RM0]  = { Mp(P3), badM, badM, badM, badM, badM, badM, badM },
    [ROW_G8]   = { badM, badM, badM, badM, Mib, ML|IB, ML|IB, ML|IB },
    [ROW_G8_R] = { badM, badM, badM, badM, Mib, Mib, Mib, Mib },
    [ROW_G9]   = { by_reg(G9_NP), by_reg(G9_66), by_reg(G9_F3), by_reg(G9_F2) },
    [ROW_G9_NP]   = { badM, ML, badM, privM, M, privM, privM, privM },
    [ROW_G9_NP_R] = { badM, badM, badM, badM, badM, badM, M, M },
    [ROW_G9_66]   = { badM, ML, badM, badM, badM, badM, privM, badM },
    [ROW_G9_66_R] = { badM, badM, badM, badM, badM, badM, M, M },
    [ROW_G9_F3]   = { badM, ML, badM, badM, badM, badM, privM, badM },
    [ROW_G9_F3_R] = { badM, badM, badM, badM, badM, badM, M, M },
    [ROW_G9_F2]   = { badM, ML, badM, badM, badM, badM, badM, badM },
    [ROW_G9_F2_R] = ROW8(badM),
    [ROW_G12]  = ROW8(badM),
    [ROW_G12_R] = { badM, badM, Mp(N_|P6)|IB, badM, Mp(N_|P6)|IB, badM, Mp(N_|P6)|IB, badM },
    [ROW_G14]  = ROW8(badM),
    [ROW_G14_R] = { badM, badM, Mp(N_|P6)|IB, Mp(P6)|IB, badM, badM, Mp(N_|P6)|IB, Mp(P6)|IB },
    [ROW_G15]  = { by_reg(G15_NP), by_reg(G15_66), by_reg(G15_F3), by_reg(G15_F2) },
    [ROW_G15_NP]   = ROW8(M),
    [ROW_G15_NP_R] = { badM, badM, badM, badM, badM, M, M, M },
    [ROW_G15_66]   = { badM, badM, badM, badM, badM, badM, M, M },
    [ROW_G15_66_R] = { badM, badM, badM, badM, badM, badM, M, badM },
#define FG (OF(FSGSBASE) | D_MODRM)
    [ROW_G15_F3]   = { badM, badM, badM, badM, M, badM, privM, badM },
    [ROW_G15_F3_R] = { FG, FG, FG, FG, M, M, M, badM },
    [ROW_G15_F2]   = ROW8(badM),
    [ROW_G15_F2_R] = { badM, badM, badM, badM, badM, badM, M, badM },

    [ROW_38D8]   = { M, M, M, M, badM, badM, badM, badM },
    [ROW_38D8_R] = ROW8(badM),
    [ROW_38DC]   = { badM, M, by_reg(38DC_F3), badM },
    [ROW_38DC_F3]   = ROW8(M),
    [ROW_38DC_F3_R] = ROW8(privM),
    [ROW_38DD]   = { badM, M, mem, badM },
    [ROW_38F0]   = { mem, mem, badM, M },
    [ROW_38F5]   = { badM, privM | D_MEM | D_CHECK, badM, badM },
    [ROW_38F6]   = { mem, M, M, badM },
    [ROW_38F8]   = { badM, mem, privM | D_MEM | D_CHECK, mem },
    [ROW_HRESET]   = ROW8(badM),
    [ROW_HRESET_R] = { by_rm(HRESET_0), badM, badM, badM, badM, badM, badM, badM },
    [ROW_HRESET_0] = { privM | IB, badM, badM, badM, badM, badM, badM, badM },
};

/* ---- One-byte map ---- */

#define ALU(lockable) lockable, lockable, M, M, xib, xiz
static const u32 map_1[256] = {
    /* 00 */ ALU(ML), BAD, BAD, ALU(ML), BAD, prefix(0F),
    /* 10 */ ALU(ML), BAD, BAD, ALU(ML), BAD, BAD,
    /* 20 */ ALU(ML), prefix(VOID), BAD, ALU(ML), prefix(VOID), BAD,
    /* 30 */ ALU(ML), prefix(VOID), BAD, ALU(M), prefix(VOID), BAD,
    /* 40 */ prefix(REX), prefix(REX), prefix(REX), prefix(REX), prefix(REX), prefix(REX), prefix(REX), prefix(REX),
             prefix(REX), prefix(REX), prefix(REX), prefix(REX), prefix(REX), prefix(REX), prefix(REX), prefix(REX),
    /* 50 */ x, x, x, x, x, x, x, x, x, x, x, x, x, x, x, x,
    /* 60 */ BAD, BAD, prefix(EVEX), M, prefix(FS), prefix(GS), prefix(66), prefix(67),
             xiz, Miz, xib, Mib, priv, priv, priv, priv,
    /* 70 */ jcc8, jcc8, jcc8, jcc8, jcc8, jcc8, jcc8, jcc8, jcc8, jcc8, jcc8, jcc8, jcc8, jcc8, jcc8, jcc8,
    /* 80 */ by_reg(G1B), by_reg(G1Z), BAD, by_reg(G1B), M, M, ML, ML,
             M, M, M, M, by_reg(SEG_RD), mem | D_LEA, by_reg(SEG_WR), prefix(XOP),
    /* 90 */ x, x, x, x, x, x, x, x, x, x, BAD, x, x, x, x, x,
    /* a0 */ Mo, Mo, Mo, Mo, x, x, x, x, xib, xiz, x, x, x, x, x, x,
    /* b0 */ xib, xib, xib, xib, xib, xib, xib, xib, xiv, xiv, xiv, xiv, xiv, xiv, xiv, xiv,
    /* c0 */ Mib, Mib, OF(RET) | D_IMM(IMM_UW), OF(RET), prefix(VEX3), prefix(VEX2), by_reg(G11B), by_reg(G11Z),
             PLAIN | D_IMM(IMM_ENTER), x, OF(FAR) | D_IMM(IMM_UW), OF(FAR),
             OF(INT) | D_IMM(IMM_TRAP), OF(INT) | D_IMM(IMM_UB), BAD, OF(FAR),
    /* d0 */ M, M, M, M, BAD, BAD, BAD, x, M, by_reg(D9), by_reg(DA), by_reg(DB), M, by_reg(DD), by_reg(DE), by_reg(DF),
    /* e0 */ jrc, jrc, jrc, jrc, priv | IB, priv | IB, priv | IB, priv | IB,
             OF(CALL) | D_IMM(IMM_D), OF(JMP) | D_IMM(IMM_D), BAD, OF(JMP) | IB, priv, priv, priv, priv,
    /* f0 */ prefix(LOCK), OF(INT) | D_IMM(IMM_TRAP), prefix(REP), prefix(REP), priv, x, by_reg(G3B), by_reg(G3Z),
             x, x, priv, priv, x, x, by_reg(G4), by_reg(G5),
};

/* 8f /0, when it is no XOP prefix. */
static const u32 group_pop = by_reg(G1A);

/* ---- Two-byte map ---- */

#define PS    Mp(N_|P6)               /* the packed pair: mmx/ps and 66 */
#define PSm   Mpm(N_|P6)
#define PSr   Mpr(N_|P6)
#define ALL4  Mp(PANY)
#define P66   Mp(P6)
static const u32 map_0f[256] = {
    /* 00 */ by_reg(G6), by_reg(G7), M, M, BAD, OF(SYSCALL), priv, priv,
             priv, priv, BAD, BAD, BAD, nopM, x, M | D_IMM(IMM_SUFFIX),
    /* 10 */ ALL4, ALL4, by_pp(0F12), PSm, PS, PS, by_pp(0F16), PSm, nopM, nopM, nopM, nopM, nopM, nopM, nopM, nopM,
    /* 20 */ by_reg(CR), privR, by_reg(CR), privR, BAD, BAD, BAD, BAD,
             PS, PS, ALL4, by_pp(0F2B), ALL4, ALL4, PS, PS,
    /* 30 */ priv, x, priv, x, OF(SYSENTER), priv, BAD, ONLY(priv, N_), BAD, BAD, BAD, BAD, BAD, BAD, BAD, BAD,
    /* 40 */ Mcc, Mcc, Mcc, Mcc, Mcc, Mcc, Mcc, Mcc, Mcc, Mcc, Mcc, Mcc, Mcc, Mcc, Mcc, Mcc,
    /* 50 */ PSr, ALL4, Mp(N_|P3), Mp(N_|P3), PS, PS, PS, PS, ALL4, ALL4, ALL4, Mp(N_|P6|P3), ALL4, ALL4, ALL4, ALL4,
    /* 60 */ PS, PS, PS, PS, PS, PS, PS, PS, PS, PS, PS, PS, P66, P66, PS, Mp(N_|P6|P3),
    /* 70 */ ALL4 | IB, by_reg(G12), by_reg(G12), by_reg(G14), PS, PS, PS, ONLY(x, N_),
             by_pp(0F78), by_pp(0F79), BAD, BAD, Mp(P6|P2), Mp(P6|P2), Mp(N_|P6|P3), Mp(N_|P6|P3),
    /* 80 */ jccz, jccz, jccz, jccz, jccz, jccz, jccz, jccz, jccz, jccz, jccz, jccz, jccz, jccz, jccz, jccz,
    /* 90 */ Mcc, Mcc, Mcc, Mcc, Mcc, Mcc, Mcc, Mcc, Mcc, Mcc, Mcc, Mcc, Mcc, Mcc, Mcc, Mcc,
    /* a0 */ OF(READ_SEG), OF(WRITE_SEG), x, M, Mib, M, by_reg(A6), by_reg(A7),
             OF(READ_SEG), OF(WRITE_SEG), priv, ML, Mib, M, by_pp(G15), M,
    /* b0 */ ML, ML, OF(WRITE_SEG) | D_MODRM | D_MEM | D_CHECK, ML, OF(WRITE_SEG) | D_MODRM | D_MEM | D_CHECK,
             OF(WRITE_SEG) | D_MODRM | D_MEM | D_CHECK, M, M, Mp(P3), badM, by_reg(G8), ML, M, M, M, M,
    /* c0 */ ML, ML, ALL4 | IB, Mpm(N_), PS | IB, PSr | IB, PS | IB, by_pp(G9), x, x, x, x, x, x, x, x,
    /* d0 */ Mp(P6|P2), PS, PS, PS, PS, PS, by_pp(0FD6), PSr, PS, PS, PS, PS, PS, PS, PS, PS,
    /* e0 */ PS, PS, PS, PS, PS, PS, Mp(P6|P3|P2), PSm, PS, PS, PS, PS, PS, PS, PS, PS,
    /* f0 */ Mpm(P2), PS, PS, PS, PS, PS, PS, PSr, PS, PS, PS, PS, PS, PS, PS, badM,
};

/* ---- Three-byte maps. Holes are zero: a descriptor of kind X86_BAD. ---- */

static const u32 map_0f38[256] = {
    [0x00 ... 0x0b] = PS, [0x10] = P66, [0x14 ... 0x15] = P66, [0x17] = P66, [0x1c ... 0x1e] = PS,
    [0x20 ... 0x25] = P66, [0x28 ... 0x29] = P66, [0x2a] = Mpm(P6), [0x2b] = P66,
    [0x30 ... 0x35] = P66, [0x37 ... 0x41] = P66,
    [0x80 ... 0x82] = ONLY(privM, P6) | D_MEM,
    [0xc8 ... 0xcd] = Mp(N_), [0xcf] = P66,
    [0xd8] = ONLY(by_reg(38D8), P3), [0xdb] = P66, [0xdc] = by_pp(38DC), [0xdd ... 0xdf] = by_pp(38DD),
    [0xf0 ... 0xf1] = by_pp(38F0), [0xf5] = by_pp(38F5), [0xf6] = by_pp(38F6), [0xf8] = by_pp(38F8), [0xf9] = Mpm(N_),
    [0xfa ... 0xfb] = Mpr(P3), [0xfc] = Mpm(PANY),
};

static const u32 map_0f3a[256] = {
    [0x08 ... 0x0e] = P66 | IB, [0x0f] = PS | IB, [0x14 ... 0x17] = P66 | IB, [0x20 ... 0x22] = P66 | IB,
    [0x40 ... 0x42] = P66 | IB, [0x44] = P66 | IB, [0x60 ... 0x63] = P66 | IB,
    [0xcc] = Mp(N_) | IB, [0xce ... 0xcf] = P66 | IB, [0xdf] = P66 | IB, [0xf0] = ONLY(by_reg(HRESET), P3),
};

/* ---- VEX, EVEX and XOP maps ----
 * For each opcode: with which pp it exists, and for which of these the operand must be memory or a register. Rules on
 * W, L, vvvv, masks and rounding are left to the CPU: they change neither the length nor the fields. */

#define V(pp)       ((u16)(pp))
#define Vm(pp)      ((u16)((pp) | (pp) << 4))
#define Vr(pp)      ((u16)((pp) | (pp) << 8))
#define V_MEM(v)    ((v) >> 4 & 15)
#define V_REG(v)    ((v) >> 8 & 15)
#define V_IB        0x1000u
#define V_NO_MODRM  0x2000u
#define V_GROUP     0x4000u          /* modrm.reg is part of the opcode: see decode.c */

enum { VEX_0F, VEX_0F38, VEX_0F3A, EVEX_0F, EVEX_0F38, EVEX_0F3A, EVEX_4, EVEX_5, EVEX_6, XOP_8, XOP_9, XOP_A,
       VECTOR_MAPS };
static const u16 vector_maps[VECTOR_MAPS][256] = {
    [VEX_0F] = {
        [0x10 ... 0x11] = V(PANY), [0x12] = V(PANY) | P6 << 4, [0x13] = Vm(N_|P6), [0x14 ... 0x15] = V(N_|P6),
        [0x16] = V(N_|P6|P3) | P6 << 4, [0x17] = Vm(N_|P6), [0x28 ... 0x29] = V(N_|P6), [0x2a] = V(P3|P2),
        [0x2b] = Vm(N_|P6), [0x2c ... 0x2d] = V(P3|P2), [0x2e ... 0x2f] = V(N_|P6), [0x41 ... 0x42] = Vr(N_|P6),
        [0x44 ... 0x47] = Vr(N_|P6), [0x4a ... 0x4b] = Vr(N_|P6), [0x50] = Vr(N_|P6), [0x51] = V(PANY),
        [0x52 ... 0x53] = V(N_|P3), [0x54 ... 0x57] = V(N_|P6), [0x58 ... 0x5a] = V(PANY), [0x5b] = V(N_|P6|P3),
        [0x5c ... 0x5f] = V(PANY), [0x60 ... 0x6e] = V(P6), [0x6f] = V(P6|P3), [0x70] = V(P6|P3|P2) | V_IB,
        [0x71 ... 0x73] = Vr(P6) | V_IB | V_GROUP, [0x74 ... 0x76] = V(P6), [0x77] = V(N_) | V_NO_MODRM,
        [0x7c ... 0x7d] = V(P6|P2), [0x7e ... 0x7f] = V(P6|P3), [0x90] = V(N_|P6), [0x91] = Vm(N_|P6),
        [0x92 ... 0x93] = Vr(N_|P6|P2), [0x98 ... 0x99] = Vr(N_|P6), [0xae] = Vm(N_) | V_GROUP, [0xc2] = V(PANY) | V_IB,
        [0xc4] = V(P6) | V_IB, [0xc5] = Vr(P6) | V_IB, [0xc6] = V(N_|P6) | V_IB, [0xd0] = V(P6|P2),
        [0xd1 ... 0xd6] = V(P6), [0xd7] = Vr(P6), [0xd8 ... 0xe5] = V(P6), [0xe6] = V(P6|P3|P2), [0xe7] = Vm(P6),
        [0xe8 ... 0xef] = V(P6), [0xf0] = Vm(P2), [0xf1 ... 0xf6] = V(P6), [0xf7] = Vr(P6), [0xf8 ... 0xfe] = V(P6),
    },
    [VEX_0F38] = {
        [0x00 ... 0x0f] = V(P6), [0x13] = V(P6), [0x16 ... 0x19] = V(P6), [0x1a] = Vm(P6), [0x1c ... 0x1e] = V(P6),
        [0x20 ... 0x25] = V(P6), [0x28 ... 0x29] = V(P6), [0x2a] = Vm(P6), [0x2b] = V(P6), [0x2c ... 0x2f] = Vm(P6),
        [0x30 ... 0x41] = V(P6), [0x45 ... 0x47] = V(P6), [0x49] = V(N_|P6|P2) | P6 << 4 | P2 << 8,
        [0x4b] = Vm(P6|P3|P2), [0x50 ... 0x51] = V(PANY), [0x52 ... 0x53] = V(P6), [0x58 ... 0x59] = V(P6),
        [0x5a] = Vm(P6), [0x5c] = Vr(P3|P2), [0x5e] = Vr(PANY), [0x72] = V(P3), [0x78 ... 0x79] = V(P6),
        [0x8c] = Vm(P6), [0x8e] = Vm(P6), [0x90 ... 0x93] = Vm(P6), [0x96 ... 0x9f] = V(P6), [0xa6 ... 0xaf] = V(P6),
        [0xb0] = Vm(PANY), [0xb1] = Vm(P6|P3), [0xb4 ... 0xbf] = V(P6), [0xcb ... 0xcd] = Vr(P2), [0xcf] = V(P6),
        [0xd2 ... 0xd3] = V(N_|P6|P3), [0xda] = V(PANY), [0xdb ... 0xdf] = V(P6), [0xe0 ... 0xef] = Vm(P6),
        [0xf2] = V(N_), [0xf3] = V(N_) | V_GROUP, [0xf5] = V(N_|P3|P2), [0xf6] = V(P2), [0xf7] = V(PANY),
    },
    [VEX_0F3A] = {
        [0x00 ... 0x02] = V(P6), [0x04 ... 0x06] = V(P6), [0x08 ... 0x0f] = V(P6), [0x14 ... 0x19] = V(P6),
        [0x1d] = V(P6), [0x20 ... 0x22] = V(P6), [0x30 ... 0x33] = Vr(P6), [0x38 ... 0x39] = V(P6),
        [0x40 ... 0x42] = V(P6), [0x44] = V(P6), [0x46] = V(P6), [0x48 ... 0x4c] = V(P6), [0x5c ... 0x63] = V(P6),
        [0x68 ... 0x6f] = V(P6), [0x78 ... 0x7f] = V(P6), [0xce ... 0xcf] = V(P6), [0xde ... 0xdf] = V(P6),
        [0xf0] = V(P2),
    },
    [EVEX_0F] = {
        [0x10 ... 0x11] = V(PANY), [0x12] = V(PANY) | P6 << 4, [0x13] = Vm(N_|P6), [0x14 ... 0x15] = V(N_|P6),
        [0x16] = V(N_|P6|P3) | P6 << 4, [0x17] = Vm(N_|P6), [0x28 ... 0x29] = V(N_|P6), [0x2a] = V(P3|P2),
        [0x2b] = Vm(N_|P6), [0x2c ... 0x2d] = V(P3|P2), [0x2e ... 0x2f] = V(N_|P6), [0x51] = V(PANY),
        [0x54 ... 0x57] = V(N_|P6), [0x58 ... 0x5a] = V(PANY), [0x5b] = V(N_|P6|P3), [0x5c ... 0x5f] = V(PANY),
        [0x60 ... 0x6e] = V(P6), [0x6f] = V(P6|P3|P2), [0x70] = V(P6|P3|P2) | V_IB,
        [0x71 ... 0x73] = V(P6) | V_IB | V_GROUP, [0x74 ... 0x76] = V(P6), [0x78 ... 0x79] = V(PANY),
        [0x7a ... 0x7b] = V(P6|P3|P2), [0x7e] = V(P6|P3), [0x7f] = V(P6|P3|P2), [0xc2] = V(PANY) | V_IB,
        [0xc4] = V(P6) | V_IB, [0xc5] = Vr(P6) | V_IB, [0xc6] = V(N_|P6) | V_IB, [0xd1 ... 0xd6] = V(P6),
        [0xd8 ... 0xe5] = V(P6), [0xe6] = V(P6|P3|P2), [0xe7] = Vm(P6), [0xe8 ... 0xef] = V(P6),
        [0xf1 ... 0xf6] = V(P6), [0xf8 ... 0xfe] = V(P6),
    },
    [EVEX_0F38] = {
        [0x00] = V(P6), [0x04] = V(P6), [0x0b ... 0x0d] = V(P6), [0x10 ... 0x15] = V(P6|P3), [0x16] = V(P6),
        [0x18 ... 0x19] = V(P6), [0x1a ... 0x1b] = Vm(P6), [0x1c ... 0x1f] = V(P6), [0x20 ... 0x27] = V(P6|P3),
        [0x28 ... 0x29] = V(P6|P3) | P3 << 8, [0x2a] = V(P6|P3) | P6 << 4 | P3 << 8, [0x2b ... 0x2d] = V(P6),
        [0x30 ... 0x35] = V(P6|P3), [0x36 ... 0x37] = V(P6), [0x38 ... 0x3a] = V(P6|P3) | P3 << 8,
        [0x3b ... 0x40] = V(P6), [0x42 ... 0x47] = V(P6), [0x4c ... 0x4f] = V(P6), [0x50 ... 0x51] = V(P6),
        [0x52] = V(P6|P3|P2) | P2 << 4, [0x53] = V(P6|P2) | P2 << 4, [0x54 ... 0x55] = V(P6), [0x58 ... 0x59] = V(P6),
        [0x5a ... 0x5b] = Vm(P6), [0x62 ... 0x66] = V(P6), [0x68] = V(P2), [0x70 ... 0x71] = V(P6),
        [0x72] = V(P6|P3|P2), [0x73] = V(P6), [0x75 ... 0x79] = V(P6), [0x7a ... 0x7c] = Vr(P6),
        [0x7d ... 0x7f] = V(P6), [0x83] = V(P6), [0x88 ... 0x8b] = V(P6), [0x8d] = V(P6), [0x8f] = V(P6),
        [0x90 ... 0x93] = Vm(P6), [0x96 ... 0x99] = V(P6), [0x9a ... 0x9b] = V(P6|P2) | P2 << 4,
        [0x9c ... 0x9f] = V(P6), [0xa0 ... 0xa3] = Vm(P6), [0xa6 ... 0xa9] = V(P6),
        [0xaa ... 0xab] = V(P6|P2) | P2 << 4, [0xac ... 0xaf] = V(P6), [0xb4 ... 0xbf] = V(P6), [0xc4] = V(P6),
        [0xc6 ... 0xc7] = Vm(P6) | V_GROUP, [0xc8] = V(P6), [0xca ... 0xcd] = V(P6), [0xcf] = V(P6),
        [0xdc ... 0xdf] = V(P6),
    },
    [EVEX_0F3A] = {
        [0x00 ... 0x01] = V(P6), [0x03 ... 0x05] = V(P6), [0x08] = V(N_|P6), [0x09] = V(P6), [0x0a] = V(N_|P6),
        [0x0b] = V(P6), [0x0f] = V(P6), [0x14 ... 0x1b] = V(P6), [0x1d ... 0x1f] = V(P6), [0x20 ... 0x23] = V(P6),
        [0x25] = V(P6), [0x26 ... 0x27] = V(N_|P6), [0x38 ... 0x3b] = V(P6), [0x3e ... 0x3f] = V(P6),
        [0x42 ... 0x44] = V(P6), [0x50 ... 0x51] = V(P6), [0x54 ... 0x55] = V(P6), [0x56 ... 0x57] = V(N_|P6),
        [0x66 ... 0x67] = V(N_|P6), [0x70 ... 0x73] = V(P6), [0xc2] = V(N_|P3), [0xce ... 0xcf] = V(P6),
    },
    [EVEX_5] = {
        [0x10 ... 0x11] = V(P3), [0x1d] = V(N_|P6), [0x2a] = V(P3), [0x2c ... 0x2d] = V(P3), [0x2e ... 0x2f] = V(N_),
        [0x51] = V(N_|P3), [0x58 ... 0x59] = V(N_|P3), [0x5a] = V(PANY), [0x5b] = V(N_|P6|P3),
        [0x5c ... 0x5f] = V(N_|P3), [0x6e] = V(P6), [0x78 ... 0x79] = V(N_|P6|P3), [0x7a] = V(P6|P2), [0x7b] = V(P6|P3),
        [0x7c] = V(N_|P6), [0x7d] = V(PANY), [0x7e] = V(P6),
    },
    [EVEX_6] = {
        [0x13] = V(N_|P6), [0x2c ... 0x2d] = V(P6), [0x42 ... 0x43] = V(P6), [0x4c ... 0x4f] = V(P6),
        [0x56 ... 0x57] = V(P3|P2), [0x96 ... 0x9f] = V(P6), [0xa6 ... 0xaf] = V(P6), [0xb6 ... 0xbf] = V(P6),
        [0xd6 ... 0xd7] = V(P3|P2),
    },
    [XOP_8] = {
        [0x85 ... 0x87] = V(N_), [0x8e ... 0x8f] = V(N_), [0x95 ... 0x97] = V(N_), [0x9e ... 0x9f] = V(N_),
        [0xa2 ... 0xa3] = V(N_), [0xa6] = V(N_), [0xb6] = V(N_), [0xc0 ... 0xc3] = V(N_), [0xcc ... 0xcf] = V(N_),
        [0xec ... 0xef] = V(N_),
    },
    [XOP_9] = {
        [0x01 ... 0x02] = V(N_) | V_GROUP, [0x12] = Vr(N_) | V_GROUP, [0x80 ... 0x83] = V(N_), [0x90 ... 0x9b] = V(N_),
        [0xc1 ... 0xc3] = V(N_), [0xc6 ... 0xc7] = V(N_), [0xcb] = V(N_), [0xd1 ... 0xd3] = V(N_),
        [0xd6 ... 0xd7] = V(N_), [0xdb] = V(N_), [0xe1 ... 0xe3] = V(N_),
    },
    [XOP_A] = { [0x10] = V(N_), [0x12] = V(N_) | V_GROUP },
};

/* ---- EVEX: the unit of an 8-bit displacement, by what the memory operand is ----
 * FULL, HALF ...: a whole vector or a part of one, or with broadcast one element (4 or 8 bytes by W; _H: 2 bytes).
 * One nibble per pp. An opcode that is not listed is TUP_FULL. */

enum { TUP_FULL, TUP_FULL_H, TUP_HALF, TUP_HALF_H, TUP_QUARTER, TUP_EIGHTH,
       TUP_W,              /* 4 or 8 bytes by W */
       TUP_BW,             /* 1 or 2 bytes by W */
       TUP_HALF_FULL,      /* half a vector with W = 0, a whole one with W = 1 */
       TUP_DUP,            /* vmovddup: 8 bytes or a whole vector */
       TUP_1, TUP_2, TUP_4, TUP_8, TUP_16 };

#define TP(np, p66, pf3, pf2) ((u16)(TUP_##np | TUP_##p66 << 4 | TUP_##pf3 << 8 | TUP_##pf2 << 12))
#define T(t) TP(t, t, t, t)
#define FLOATS TP(FULL, FULL, 4, 8)       /* ps, pd, ss, sd */
#define HALFS TP(FULL_H, FULL, 2, FULL)   /* ph, sh */
static const u16 evex_tuples[6][256] = {
    [EVEX_0F - EVEX_0F] = {
        [0x10 ... 0x11] = FLOATS, [0x12] = TP(8, 8, FULL, DUP), [0x13] = T(8), [0x16] = TP(8, 8, FULL, FULL),
        [0x17] = T(8), [0x2a] = T(W), [0x2c ... 0x2d] = FLOATS, [0x2e ... 0x2f] = T(W), [0x51] = FLOATS,
        [0x58 ... 0x59] = FLOATS, [0x5a] = TP(HALF, FULL, 4, 8), [0x5c ... 0x5f] = FLOATS, [0x6e] = T(W),
        [0x78 ... 0x79] = TP(FULL, HALF_FULL, 4, 8), [0x7a] = TP(FULL, HALF_FULL, HALF_FULL, FULL),
        [0x7b] = TP(FULL, HALF_FULL, W, W), [0x7e] = T(W), [0xc2] = FLOATS, [0xc4] = T(2), [0xd1 ... 0xd3] = T(16),
        [0xd6] = T(8), [0xe1 ... 0xe2] = T(16), [0xe6] = TP(FULL, FULL, HALF_FULL, FULL), [0xf1 ... 0xf3] = T(16),
    },
    [EVEX_0F38 - EVEX_0F] = {
        [0x10] = TP(FULL, FULL, HALF, FULL), [0x11] = TP(FULL, FULL, QUARTER, FULL),
        [0x12] = TP(FULL, FULL, EIGHTH, FULL), [0x13] = T(HALF), [0x14] = TP(FULL, FULL, QUARTER, FULL),
        [0x15] = TP(FULL, FULL, HALF, FULL), [0x18] = T(W), [0x19] = T(8), [0x1a] = T(16), [0x1b] = T(HALF),
        [0x20] = T(HALF), [0x21] = T(QUARTER), [0x22] = T(EIGHTH), [0x23] = T(HALF), [0x24] = T(QUARTER),
        [0x25] = T(HALF), [0x2d] = T(W), [0x30] = T(HALF), [0x31] = T(QUARTER), [0x32] = T(EIGHTH), [0x33] = T(HALF),
        [0x34] = T(QUARTER), [0x35] = T(HALF), [0x43] = T(W), [0x4d] = T(W), [0x4f] = T(W),
        [0x52 ... 0x53] = TP(FULL, FULL, FULL, 16), [0x58] = T(W), [0x59] = T(8), [0x5a] = T(16), [0x5b] = T(HALF),
        [0x62 ... 0x63] = T(BW), [0x78] = T(1), [0x79] = T(2), [0x88 ... 0x8b] = T(W), [0x90 ... 0x93] = T(W),
        [0x99] = T(W), [0x9a] = TP(FULL, FULL, FULL, 16), [0x9b] = TP(FULL, W, FULL, 16), [0x9d] = T(W), [0x9f] = T(W),
        [0xa0 ... 0xa3] = T(W), [0xa9] = T(W), [0xaa] = TP(FULL, FULL, FULL, 16), [0xab] = TP(FULL, W, FULL, 16),
        [0xad] = T(W), [0xaf] = T(W), [0xb9] = T(W), [0xbb] = T(W), [0xbd] = T(W), [0xbf] = T(W),
        [0xc6 ... 0xc7] = T(W), [0xcb] = T(W), [0xcd] = T(W),
    },
    [EVEX_0F3A - EVEX_0F] = {
        [0x08] = HALFS, [0x0a] = TP(2, W, FULL, FULL), [0x0b] = T(W), [0x14] = T(1), [0x15] = T(2), [0x16] = T(W),
        [0x17] = T(4), [0x18 ... 0x19] = T(16), [0x1a ... 0x1b] = T(HALF), [0x1d] = T(HALF), [0x20] = T(1),
        [0x21] = T(4), [0x22] = T(W), [0x26] = HALFS, [0x27] = TP(2, W, FULL, FULL), [0x38 ... 0x39] = T(16),
        [0x3a ... 0x3b] = T(HALF), [0x51] = T(W), [0x55] = T(W), [0x56] = HALFS, [0x57] = TP(2, W, FULL, FULL),
        [0x66] = HALFS, [0x67] = TP(2, W, FULL, FULL), [0xc2] = HALFS,
    },
    [EVEX_5 - EVEX_0F] = {
        [0x10 ... 0x11] = T(2), [0x1d] = TP(4, FULL, FULL, FULL), [0x2a] = T(W), [0x2c ... 0x2f] = T(2), [0x51] = HALFS,
        [0x58 ... 0x59] = HALFS, [0x5a] = TP(QUARTER, FULL, 2, 8), [0x5b] = TP(FULL, HALF_H, HALF_H, FULL),
        [0x5c ... 0x5f] = HALFS, [0x6e] = T(2), [0x78 ... 0x79] = TP(HALF_H, QUARTER, 2, FULL),
        [0x7a] = TP(FULL, QUARTER, FULL, FULL), [0x7b] = TP(FULL, QUARTER, W, FULL), [0x7c ... 0x7d] = T(FULL_H),
        [0x7e] = T(2),
    },
    [EVEX_6 - EVEX_0F] = {
        [0x13] = TP(2, HALF_H, FULL, FULL), [0x2c] = T(FULL_H), [0x2d] = T(2), [0x42] = T(FULL_H), [0x43] = T(2),
        [0x4c] = T(FULL_H), [0x4d] = T(2), [0x4e] = T(FULL_H), [0x4f] = T(2), [0x57] = T(W),
        [0x96 ... 0x98] = T(FULL_H), [0x99] = T(2), [0x9a] = T(FULL_H), [0x9b] = T(2), [0x9c] = T(FULL_H),
        [0x9d] = T(2), [0x9e] = T(FULL_H), [0x9f] = T(2), [0xa6 ... 0xa8] = T(FULL_H), [0xa9] = T(2),
        [0xaa] = T(FULL_H), [0xab] = T(2), [0xac] = T(FULL_H), [0xad] = T(2), [0xae] = T(FULL_H), [0xaf] = T(2),
        [0xb6 ... 0xb8] = T(FULL_H), [0xb9] = T(2), [0xba] = T(FULL_H), [0xbb] = T(2), [0xbc] = T(FULL_H),
        [0xbd] = T(2), [0xbe] = T(FULL_H), [0xbf] = T(2), [0xd7] = T(W),
    },
};

/* 3DNow!: the opcode is the last byte. One bit per opcode, 64 to a word. */
#define BIT(n) (1ull << ((n) & 63))
static const u64 suffix_3dnow[4] = {
    BIT(0x0c) | BIT(0x0d) | BIT(0x1c) | BIT(0x1d),
    0,
    BIT(0x8a) | BIT(0x8e) | BIT(0x90) | BIT(0x94) | BIT(0x96) | BIT(0x97) | BIT(0x9a) | BIT(0x9e) |
        BIT(0xa0) | BIT(0xa4) | BIT(0xa6) | BIT(0xa7) | BIT(0xaa) | BIT(0xae) | BIT(0xb0) | BIT(0xb4) | BIT(0xb6) |
        BIT(0xb7) | BIT(0xbb) | BIT(0xbf),
    0,
};

/* ---- modrm: what follows it ---- */

/* The low three bits count the bytes of displacement. */
#define MR_SIB      8
#define MR_RIP      16
#define MR_MEM      32
/* Index: mod << 3 | rm. */
static const u8 modrm_class[32] = {
    MR_MEM, MR_MEM, MR_MEM, MR_MEM, MR_MEM | MR_SIB, MR_MEM | MR_RIP | 4, MR_MEM, MR_MEM,
    MR_MEM | 1, MR_MEM | 1, MR_MEM | 1, MR_MEM | 1, MR_MEM | MR_SIB | 1, MR_MEM | 1, MR_MEM | 1, MR_MEM | 1,
    MR_MEM | 4, MR_MEM | 4, MR_MEM | 4, MR_MEM | 4, MR_MEM | MR_SIB | 4, MR_MEM | 4, MR_MEM | 4, MR_MEM | 4,
    0, 0, 0, 0, 0, 0, 0, 0,
};

#undef x
#undef M
#undef mem
#undef reg
#undef prefix
#endif
