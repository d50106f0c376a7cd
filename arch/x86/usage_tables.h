/* usage_tables.h: what usage.c knows of each opcode, in the opcode maps' own layout.
 *
 * An opcode's entry is a pair (operand form, flag effect). A form says how the registers named by modrm.rm, modrm.reg,
 * the opcode byte and VEX.vvvv are used, and which are used without being named. Vector registers do not count. */
#ifndef X86_USAGE_TABLES_H
#define X86_USAGE_TABLES_H
#include "arch/x86/decode.h"

enum { RAX, RCX, RDX, RBX, RSP, RBP, RSI, RDI };
#define BIT(r) ((u16)(1u << (r)))
#define ALL_FLAGS (X86_ARITH | X86_DF)

/* ---- Operand forms ---- */

/* An access: read, written or both, and the width, which decides whether a write kills. */
enum { ACC_R = 1, ACC_W = 2, ACC_SIZE = 0x0c };
enum { SIZE_B = 0,         /* byte: without REX, numbers 4..7 mean ah, ch, dh, bh */
       SIZE_V = 4,         /* 16, 32 or 64 bits by prefix */
       SIZE_Y = 8,         /* 32 or 64 bits: a write always kills */
       SIZE_N = 12 };      /* a write that may not happen, or not reach the upper half: never kills */
enum { Rb = ACC_R | SIZE_B, Wb = ACC_W | SIZE_B, RWb = Rb | Wb, Rv = ACC_R | SIZE_V, Wv = ACC_W | SIZE_V, RWv = Rv | Wv,
       Ry = ACC_R | SIZE_Y, Wy = ACC_W | SIZE_Y, RWy = Ry | Wy, Wn = ACC_W | SIZE_N, RWn = Wn | ACC_R };

enum form {
    NONE, UNKNOWN,
    /* arithmetic, moves: E = modrm.rm, G = modrm.reg; B byte, V by prefix, Y 32 or 64 bits, N never kills */
    EB_GB, EV_GV, GB_EB, GV_EV, RD_B, RD_V, MOV_EB_GB, MOV_EV_GV, MOV_GB_EB, MOV_GV_EV, MOV_GV_EB, MAY_GV_EV,
    XCHG_B, XCHG_V,
    EB_RW, EV_RW, EB_R, EV_R, EB_W, EV_W, EN_W, EY_W, EY_R, GV_W, GY_W, GV_R, GY_EB, GY_EV, GY_EY,
    A_RW, A_R, A_WB, LOAD_AB, LOAD_AV, STORE_A, CWD, XLAT,
    OP_WB, OP_WV, OP_RWV, OP_XCHG_A, MUL_B, MUL_V, DIV_V, SHIFT_B_CL, SHIFT_V_CL, SHLD_CL,
    CMPXCHG_B, CMPXCHG_V, CMPXCHG8, STACK, PUSH_OP, POP_OP, PUSH_E, POP_E, FRAME, SYSCALL,
    MOVS, STOS, LODS_B, LODS_V, SCAS, LOOP, JRCXZ,
    CPUID, RDTSC, RDTSCP, RD_BY_ECX, XSAVE, MASKMOV, MOVDIR64B, PCMPESTRM, PCMPESTRI, PCMPISTRI,
    GY_VY_EY, BLS, MULX, RORX,
    /* not forms but rows to look further in: by modrm.reg, by mandatory prefix */
    G_1B, G_1V, G_3B, G_3V, G_4, G_5, G_6, G_7, G_8, G_9, G_15, G_DA, G_DB, G_DF, G_0F1E,
    PP_2A, PP_2C, PP_7E, PP_BC, PP_F0, PP_F1, PP_F5, PP_F6, PP_F7, PP_F8, PP_FENCE, PP_RDRAND, PP_RDSEED, PP_AESKL,
    N_FORMS
};
enum { FIRST_GROUP = G_1B, FIRST_PP = PP_2A };

/* Registers used without being named. */
struct implicit {
    u16 reads, writes, kills;
    u8 memory;          /* accesses memory that no modrm names */
    u8 by_size;         /* kills count only when the operand has 32 or 64 bits */
};

struct form_info {
    u8 rm, reg, op, vvvv;
    struct implicit imp;
};

#define A BIT(RAX)
#define C BIT(RCX)
#define D BIT(RDX)
#define B BIT(RBX)
#define SP BIT(RSP)
#define BP BIT(RBP)
#define SI BIT(RSI)
#define DI BIT(RDI)
static const struct form_info forms[FIRST_GROUP] = {
    [EB_GB] = { .rm = RWb, .reg = Rb },      [EV_GV] = { .rm = RWv, .reg = Rv },
    [GB_EB] = { .rm = Rb, .reg = RWb },      [GV_EV] = { .rm = Rv, .reg = RWv },
    [RD_B] = { .rm = Rb, .reg = Rb },        [RD_V] = { .rm = Rv, .reg = Rv },
    [MOV_EB_GB] = { .rm = Wb, .reg = Rb },   [MOV_EV_GV] = { .rm = Wv, .reg = Rv },
    [MOV_GB_EB] = { .rm = Rb, .reg = Wb },   [MOV_GV_EV] = { .rm = Rv, .reg = Wv },
    [MOV_GV_EB] = { .rm = Rb, .reg = Wv },   [MAY_GV_EV] = { .rm = Rv, .reg = RWn },
    [XCHG_B] = { .rm = RWb, .reg = RWb },    [XCHG_V] = { .rm = RWv, .reg = RWv },
    [EB_RW] = { .rm = RWb },                 [EV_RW] = { .rm = RWv },
    [EB_R] = { .rm = Rb },                   [EV_R] = { .rm = Rv },
    [EB_W] = { .rm = Wb },                   [EV_W] = { .rm = Wv },
    [EN_W] = { .rm = Wn },                   [EY_W] = { .rm = Wy },
    [EY_R] = { .rm = Ry },                   [GV_W] = { .reg = Wv },
    [GY_W] = { .reg = Wy },                  [GV_R] = { .reg = Rv },
    [GY_EB] = { .reg = RWy, .rm = Rb },      [GY_EV] = { .reg = RWy, .rm = Rv },
    [GY_EY] = { .reg = RWy, .rm = Ry },

    [A_RW] = { .imp = { A, A, 0, 0, 0 } },      [A_R] = { .imp = { A, 0, 0, 0, 0 } },
    [A_WB] = { .imp = { 0, A, 0, 0, 0 } },      [LOAD_AB] = { .imp = { 0, A, 0, 1, 0 } },
    [LOAD_AV] = { .imp = { 0, A, A, 1, 1 } },   [STORE_A] = { .imp = { A, 0, 0, 1, 0 } },
    [CWD] = { .imp = { A, D, D, 0, 1 } },       [XLAT] = { .imp = { A | B, A, 0, 1, 0 } },

    [OP_WB] = { .op = Wb },                     [OP_WV] = { .op = Wv },
    [OP_RWV] = { .op = RWv },                   [OP_XCHG_A] = { .op = RWv, .imp = { A, A, 0, 0, 0 } },
    [MUL_B] = { .rm = Rb, .imp = { A, A, 0, 0, 0 } },
    [MUL_V] = { .rm = Rv, .imp = { A, A | D, D, 0, 1 } },
    [DIV_V] = { .rm = Rv, .imp = { A | D, A | D, 0, 0, 0 } },
    [SHIFT_B_CL] = { .rm = RWb, .imp = { C, 0, 0, 0, 0 } },
    [SHIFT_V_CL] = { .rm = RWv, .imp = { C, 0, 0, 0, 0 } },
    [SHLD_CL] = { .rm = RWv, .reg = Rv, .imp = { C, 0, 0, 0, 0 } },
    [CMPXCHG_B] = { .rm = RWb, .reg = Rb, .imp = { A, A, 0, 0, 0 } },
    [CMPXCHG_V] = { .rm = RWv, .reg = Rv, .imp = { A, A, 0, 0, 0 } },
    [CMPXCHG8] = { .imp = { A | B | C | D, A | D, 0, 0, 0 } },

    [STACK] = { .imp = { SP, SP, 0, 1, 0 } },
    [PUSH_OP] = { .op = Rv, .imp = { SP, SP, 0, 1, 0 } },  [POP_OP] = { .op = Wv, .imp = { SP, SP, 0, 1, 0 } },
    [PUSH_E] = { .rm = Rv, .imp = { SP, SP, 0, 1, 0 } },   [POP_E] = { .rm = Wv, .imp = { SP, SP, 0, 1, 0 } },
    [FRAME] = { .imp = { SP | BP, SP | BP, 0, 1, 0 } },
    /* The kernel may read and change any register (sigreturn, clone, ptrace). */
    [SYSCALL] = { .imp = { 0xffff, 0xffff, 0, 1, 0 } },

    [MOVS] = { .imp = { SI | DI, SI | DI, 0, 1, 0 } },     [STOS] = { .imp = { A | DI, DI, 0, 1, 0 } },
    [LODS_B] = { .imp = { SI, SI | A, 0, 1, 0 } },         [LODS_V] = { .imp = { SI, SI | A, A, 1, 1 } },
    [SCAS] = { .imp = { A | DI, DI, 0, 1, 0 } },
    [LOOP] = { .imp = { C, C, 0, 0, 0 } },                 [JRCXZ] = { .imp = { C, 0, 0, 0, 0 } },

    [CPUID] = { .imp = { A | C, A | B | C | D, B | D, 0, 0 } },
    [RDTSC] = { .imp = { 0, A | D, A | D, 0, 0 } },        [RDTSCP] = { .imp = { 0, A | C | D, A | C | D, 0, 0 } },
    [RD_BY_ECX] = { .imp = { C, A | D, A | D, 0, 0 } },
    [XSAVE] = { .imp = { A | D, 0, 0, 1, 0 } },            [MASKMOV] = { .imp = { DI, 0, 0, 1, 0 } },
    [MOVDIR64B] = { .reg = Ry, .imp = { 0, 0, 0, 1, 0 } },
    [PCMPESTRM] = { .imp = { A | D, 0, 0, 0, 0 } },        [PCMPESTRI] = { .imp = { A | D, C, C, 0, 0 } },
    [PCMPISTRI] = { .imp = { 0, C, C, 0, 0 } },

    [GY_VY_EY] = { .reg = Wy, .vvvv = Ry, .rm = Ry },      [BLS] = { .vvvv = Wy, .rm = Ry },
    [MULX] = { .reg = Wy, .vvvv = Wy, .rm = Ry, .imp = { D, 0, 0, 0, 0 } },
    [RORX] = { .reg = Wy, .rm = Ry },
};

/* ---- Flag effects ---- */

enum flag_effect {
    F_NONE, F_ADD, F_ADC, F_LOGIC, F_INC, F_MUL, F_DIV, F_BT, F_BSF, F_ZF, F_ALL_SET, F_BLS, F_BEXTR, F_CMC, F_CLC,
    F_CLD, F_SAHF, F_LAHF, F_PUSHF, F_POPF, F_STRING, F_STRCMP, F_SYSCALL, F_READ_ZF, F_ADCX, F_ADOX, F_FCOMI,
    F_FCMOV,
    F_CC, F_SHIFT_IMM, F_SHIFT_1, F_SHIFT_CL, F_SHLD_IMM,     /* these look at the instruction */
    F_STATIC = F_CC,
};

#define NOT_AF (X86_ARITH & ~X86_AF)
#define NOT_OF (X86_ARITH & ~X86_OF)
static const struct flag_use { u16 read, written, killed; } flag_effects[F_STATIC] = {
    [F_ADD] = { 0, X86_ARITH, X86_ARITH },           [F_ADC] = { X86_CF, X86_ARITH, X86_ARITH },
    [F_LOGIC] = { 0, X86_ARITH, NOT_AF },            [F_INC] = { 0, X86_ARITH & ~X86_CF, X86_ARITH & ~X86_CF },
    [F_MUL] = { 0, X86_ARITH, X86_CF | X86_OF },     [F_DIV] = { 0, X86_ARITH, 0 },
    [F_BT] = { 0, X86_ARITH, X86_CF },               [F_BSF] = { 0, X86_ARITH, X86_ZF },
    [F_ZF] = { 0, X86_ZF, X86_ZF },                  [F_ALL_SET] = { 0, X86_ARITH, X86_ARITH },
    [F_BLS] = { 0, X86_ARITH, X86_SF | X86_ZF | X86_OF | X86_CF },
    [F_BEXTR] = { 0, X86_ARITH, X86_ZF | X86_OF | X86_CF },
    [F_CMC] = { X86_CF, X86_CF, 0 },                 [F_CLC] = { 0, X86_CF, X86_CF },
    [F_CLD] = { 0, X86_DF, X86_DF },                 [F_SAHF] = { 0, NOT_OF, NOT_OF },
    [F_LAHF] = { NOT_OF, 0, 0 },                     [F_PUSHF] = { ALL_FLAGS, 0, 0 },
    [F_POPF] = { 0, ALL_FLAGS, ALL_FLAGS },          [F_STRING] = { X86_DF, 0, 0 },
    [F_STRCMP] = { X86_DF, X86_ARITH, X86_ARITH },   [F_SYSCALL] = { ALL_FLAGS, ALL_FLAGS, 0 },
    [F_READ_ZF] = { X86_ZF, 0, 0 },                  [F_ADCX] = { X86_CF, X86_CF, 0 },
    [F_ADOX] = { X86_OF, X86_OF, 0 },                [F_FCOMI] = { 0, X86_ARITH, X86_ZF | X86_PF | X86_CF },
    [F_FCMOV] = { X86_CF | X86_ZF | X86_PF, 0, 0 },
};

static const u16 cc_reads[8] = {
    X86_OF, X86_CF, X86_ZF, X86_CF | X86_ZF, X86_SF, X86_PF, X86_SF | X86_OF, X86_ZF | X86_SF | X86_OF,
};

/* ---- Opcode entries ---- */

#define E(form, flags) ((u16)((form) | (flags) << 8))
#define ENTRY_FORM(e)  ((e) & 0xff)
#define ENTRY_FLAGS(e) ((e) >> 8)
#define O(form) E(form, F_NONE)             /* operands only */
#define F(flags) E(NONE, flags)             /* flags only */
#define n_  E(NONE, F_NONE)
#define u_  E(UNKNOWN, F_NONE)
#define REP4(e) e, e, e, e
#define REP8(e) REP4(e), REP4(e)
#define REP16(e) REP8(e), REP8(e)
#define ALU(f) E(EB_GB, f), E(EV_GV, f), E(GB_EB, f), E(GV_EV, f), E(A_RW, f), E(A_RW, f), u_, u_
#define CMP E(RD_B, F_ADD), E(RD_V, F_ADD), E(RD_B, F_ADD), E(RD_V, F_ADD), E(A_R, F_ADD), E(A_R, F_ADD), u_, u_

static const u16 use_1[256] = {
    /* 00 */ ALU(F_ADD), ALU(F_LOGIC),
    /* 10 */ ALU(F_ADC), ALU(F_ADC),
    /* 20 */ ALU(F_LOGIC), ALU(F_ADD),
    /* 30 */ ALU(F_LOGIC), CMP,
    /* 40 */ REP16(u_),
    /* 50 */ REP8(O(PUSH_OP)), REP8(O(POP_OP)),
    /* 60 */ u_, u_, u_, O(MOV_GV_EV), REP4(u_), O(STACK), E(MOV_GV_EV, F_MUL), O(STACK), E(MOV_GV_EV, F_MUL), REP4(u_),
    /* 70 */ REP16(F(F_CC)),
    /* 80 */ O(G_1B), O(G_1V), u_, O(G_1V), E(RD_B, F_LOGIC), E(RD_V, F_LOGIC), O(XCHG_B), O(XCHG_V),
             O(MOV_EB_GB), O(MOV_EV_GV), O(MOV_GB_EB), O(MOV_GV_EV), O(EV_W), O(GV_W), O(EV_R), O(POP_E),
    /* 90 */ REP8(O(OP_XCHG_A)),
             O(A_RW), O(CWD), u_, n_, E(STACK, F_PUSHF), E(STACK, F_POPF), E(A_R, F_SAHF), E(A_WB, F_LAHF),
    /* a0 */ O(LOAD_AB), O(LOAD_AV), O(STORE_A), O(STORE_A),
             E(MOVS, F_STRING), E(MOVS, F_STRING), E(MOVS, F_STRCMP), E(MOVS, F_STRCMP),
             E(A_R, F_LOGIC), E(A_R, F_LOGIC), E(STOS, F_STRING), E(STOS, F_STRING),
             E(LODS_B, F_STRING), E(LODS_V, F_STRING), E(SCAS, F_STRCMP), E(SCAS, F_STRCMP),
    /* b0 */ REP8(O(OP_WB)), REP8(O(OP_WV)),
    /* c0 */ E(EB_RW, F_SHIFT_IMM), E(EV_RW, F_SHIFT_IMM), O(STACK), O(STACK), u_, u_, O(EB_W), O(EV_W),
             O(FRAME), O(FRAME), u_, u_, REP4(u_),
    /* d0 */ E(EB_RW, F_SHIFT_1), E(EV_RW, F_SHIFT_1), E(SHIFT_B_CL, F_SHIFT_CL), E(SHIFT_V_CL, F_SHIFT_CL),
             u_, u_, u_, O(XLAT), n_, n_, O(G_DA), O(G_DB), n_, n_, n_, O(G_DF),
    /* e0 */ E(LOOP, F_READ_ZF), E(LOOP, F_READ_ZF), O(LOOP), O(JRCXZ), REP4(u_), O(STACK), n_, u_, n_, REP4(u_),
    /* f0 */ u_, u_, u_, u_, u_, F(F_CMC), O(G_3B), O(G_3V),
             F(F_CLC), F(F_CLC), u_, u_, F(F_CLD), F(F_CLD), O(G_4), O(G_5),
};

static const u16 use_0f[256] = {
    /* 00 */ O(G_6), O(G_7), E(MAY_GV_EV, F_ZF), E(MAY_GV_EV, F_ZF), u_, E(SYSCALL, F_SYSCALL), u_, u_,
             REP4(u_), u_, n_, n_, n_,
    /* 10 */ REP8(n_), n_, n_, O(EY_R), O(EY_R), n_, n_, O(G_0F1E), n_,
    /* 20 */ REP8(u_), n_, n_, O(PP_2A), n_, O(PP_2C), O(PP_2C), F(F_ALL_SET), F(F_ALL_SET),
    /* 30 */ u_, O(RDTSC), u_, O(RD_BY_ECX), REP4(u_), REP8(u_),
    /* 40 */ REP16(E(MAY_GV_EV, F_CC)),
    /* 50 */ O(GY_W), n_, n_, n_, REP4(n_), REP8(n_),
    /* 60 */ REP8(n_), REP4(n_), n_, n_, O(EY_R), n_,
    /* 70 */ REP8(n_), n_, n_, u_, u_, n_, n_, O(PP_7E), n_,
    /* 80 */ REP16(F(F_CC)),
    /* 90 */ REP16(E(EB_W, F_CC)),
    /* a0 */ O(STACK), O(STACK), O(CPUID), E(RD_V, F_BT), E(EV_GV, F_SHLD_IMM), E(SHLD_CL, F_SHIFT_CL), u_, u_,
             O(STACK), O(STACK), u_, E(EV_GV, F_BT), E(EV_GV, F_SHLD_IMM), E(SHLD_CL, F_SHIFT_CL), O(G_15),
             E(GV_EV, F_MUL),
    /* b0 */ E(CMPXCHG_B, F_ADD), E(CMPXCHG_V, F_ADD), O(GV_W), E(EV_GV, F_BT),
             O(GV_W), O(GV_W), O(MOV_GV_EB), O(MOV_GV_EV),
             E(MOV_GV_EV, F_ALL_SET), u_, O(G_8), E(EV_GV, F_BT), O(PP_BC), O(PP_BC), O(MOV_GV_EB), O(MOV_GV_EV),
    /* c0 */ E(XCHG_B, F_ADD), E(XCHG_V, F_ADD), n_, O(GV_R), O(EY_R), O(GY_W), n_, O(G_9), REP8(O(OP_RWV)),
    /* d0 */ REP4(n_), n_, n_, n_, O(GY_W), REP8(n_),
    /* e0 */ REP16(n_),
    /* f0 */ REP4(n_), n_, n_, n_, O(MASKMOV), REP4(n_), n_, n_, n_, u_,
};

/* Vector maps: what is not listed touches no general register except through its memory operand, and no flag. */
enum { USE_0F38, USE_0F3A, USE_VEX_0F, USE_VEX_0F38, USE_VEX_0F3A, USE_EVEX_0F, USE_EVEX_0F38, USE_EVEX_0F3A,
       USE_EVEX_OTHER, USE_XOP, USE_MAPS };

#define PEXTR_PINSR [0x14 ... 0x17] = O(EY_W), [0x20] = O(EY_R), [0x22] = O(EY_R)
#define PCMPSTR [0x60] = E(PCMPESTRM, F_ALL_SET), [0x61] = E(PCMPESTRI, F_ALL_SET), [0x62] = F(F_ALL_SET), \
                [0x63] = E(PCMPISTRI, F_ALL_SET)
#define CONVERSIONS [0x2a] = O(PP_2A), [0x2c ... 0x2d] = O(PP_2C), [0x2e ... 0x2f] = F(F_ALL_SET), [0x6e] = O(EY_R), \
                    [0x7e] = O(PP_7E)
#define UNSIGNED_CONVERSIONS [0x78 ... 0x79] = O(PP_2C), [0x7b] = O(PP_2A)

static const u16 use_vector[USE_MAPS][256] = {
    [USE_0F38] = { [0x17] = F(F_ALL_SET), [0xd8] = u_, [0xdc ... 0xdf] = O(PP_AESKL), [0xf0] = O(PP_F0),
                   [0xf1] = O(PP_F1), [0xf5] = u_, [0xf6] = O(PP_F6), [0xf8] = O(PP_F8), [0xf9] = O(GV_R),
                   [0xfa ... 0xfc] = u_ },
    [USE_0F3A] = { PEXTR_PINSR, PCMPSTR, [0xf0] = u_ },
    [USE_VEX_0F] = { CONVERSIONS, [0x50] = O(GY_W), [0x92] = O(EY_R), [0x93] = O(GY_W), [0x98 ... 0x99] = F(F_ALL_SET),
                     [0xc4] = O(EY_R), [0xc5] = O(GY_W), [0xd7] = O(GY_W), [0xf7] = O(MASKMOV) },
    [USE_VEX_0F38] = { [0x0e ... 0x0f] = F(F_ALL_SET), [0x17] = F(F_ALL_SET), [0xe0 ... 0xef] = u_,
                       [0xf2] = E(GY_VY_EY, F_BLS), [0xf3] = E(BLS, F_BLS), [0xf5] = O(PP_F5),
                       [0xf6] = O(MULX), [0xf7] = O(PP_F7) },
    [USE_VEX_0F3A] = { PEXTR_PINSR, PCMPSTR, [0xf0] = O(RORX) },
    [USE_EVEX_0F] = { CONVERSIONS, UNSIGNED_CONVERSIONS, [0xc4] = O(EY_R), [0xc5] = O(GY_W) },
    [USE_EVEX_0F38] = { [0x7a ... 0x7c] = O(EY_R) },
    [USE_EVEX_0F3A] = { PEXTR_PINSR },
    /* Maps 5 and 6 share a table: their opcodes with general registers differ in number or in pp. */
    [USE_EVEX_OTHER] = { CONVERSIONS, UNSIGNED_CONVERSIONS },
    [USE_XOP] = { [0x00 ... 0x1f] = u_ },     /* TBM and LWP */
};

/* ---- Rows by modrm.reg: memory operand, register operand ---- */

#define SAME(...) { { __VA_ARGS__ }, { __VA_ARGS__ } }
#define ROW(g) [(g) - FIRST_GROUP]
#define FCMOV4 REP4(F(F_FCMOV))
#define GROUP_1(rw, r) SAME(E(rw, F_ADD), E(rw, F_LOGIC), E(rw, F_ADC), E(rw, F_ADC), E(rw, F_LOGIC), E(rw, F_ADD), \
                            E(rw, F_LOGIC), E(r, F_ADD))
#define GROUP_3(r, rw, mul, div) SAME(E(r, F_LOGIC), E(r, F_LOGIC), O(rw), E(rw, F_ADD), E(mul, F_MUL), E(mul, F_MUL), \
                                      E(div, F_DIV), E(div, F_DIV))
static const u16 groups[FIRST_PP - FIRST_GROUP][2][8] = {
    ROW(G_1B) = GROUP_1(EB_RW, EB_R),
    ROW(G_1V) = GROUP_1(EV_RW, EV_R),
    ROW(G_3B) = GROUP_3(EB_R, EB_RW, MUL_B, MUL_B),
    ROW(G_3V) = GROUP_3(EV_R, EV_RW, MUL_V, DIV_V),
    ROW(G_4) = SAME(E(EB_RW, F_INC), E(EB_RW, F_INC), u_, u_, REP4(u_)),
    ROW(G_5) = SAME(E(EV_RW, F_INC), E(EV_RW, F_INC), O(PUSH_E), u_, O(EV_R), u_, O(PUSH_E), u_),
    /* sldt, str, smsw: where the kernel emulates them (UMIP), only 16 bits are written */
    ROW(G_6) = SAME(O(EN_W), O(EN_W), u_, u_, E(EV_R, F_ZF), E(EV_R, F_ZF), u_, u_),
    ROW(G_7) = SAME(n_, n_, u_, u_, n_, u_, u_, u_),     /* register operands: entry_0f01 */
    ROW(G_8) = SAME(REP4(u_), E(EV_R, F_BT), E(EV_RW, F_BT), E(EV_RW, F_BT), E(EV_RW, F_BT)),
    ROW(G_9) = { { u_, E(CMPXCHG8, F_ZF), u_, u_, O(XSAVE), u_, u_, u_ },
                 { REP4(u_), u_, u_, O(PP_RDRAND), O(PP_RDSEED) } },
    ROW(G_15) = { { n_, n_, n_, n_, O(XSAVE), O(XSAVE), O(XSAVE), n_ },
                  { O(EY_W), O(EY_W), O(EY_R), O(EY_R), O(EY_R), O(PP_FENCE), O(PP_FENCE), n_ } },
    ROW(G_DA) = { { REP8(n_) }, { FCMOV4, REP4(n_) } },
    ROW(G_DB) = { { REP8(n_) }, { FCMOV4, n_, F(F_FCOMI), F(F_FCOMI), n_ } },
    ROW(G_DF) = { { REP8(n_) }, { REP4(n_), O(A_WB), F(F_FCOMI), F(F_FCOMI), n_ } },
    /* f3 0f 1e /1 reads the shadow stack pointer where there is one, and does nothing elsewhere */
    ROW(G_0F1E) = { { REP8(n_) }, { n_, O(EN_W), n_, n_, REP4(n_) } },
};

/* ---- Rows by mandatory prefix: none, 66, f3, f2 ---- */

#undef ROW
#define ROW(p) [(p) - FIRST_PP]
static const u16 by_prefix[N_FORMS - FIRST_PP][4] = {
    ROW(PP_2A) = { n_, n_, O(EY_R), O(EY_R) },
    ROW(PP_2C) = { n_, n_, O(GY_W), O(GY_W) },
    ROW(PP_7E) = { O(EY_W), O(EY_W), n_, u_ },
    /* bsf and bsr leave the destination alone when the source is zero; tzcnt and lzcnt are bsf and bsr on older CPUs */
    ROW(PP_BC) = { REP4(E(MAY_GV_EV, F_BSF)) },
    ROW(PP_F0) = { O(GV_W), O(GV_W), u_, O(GY_EB) },
    ROW(PP_F1) = { O(GV_R), O(GV_R), u_, O(GY_EV) },
    ROW(PP_F5) = { E(GY_VY_EY, F_BLS), u_, O(GY_VY_EY), O(GY_VY_EY) },
    ROW(PP_F6) = { O(GV_R), E(GY_EY, F_ADCX), E(GY_EY, F_ADOX), u_ },
    ROW(PP_F7) = { E(GY_VY_EY, F_BEXTR), O(GY_VY_EY), O(GY_VY_EY), O(GY_VY_EY) },
    ROW(PP_F8) = { u_, O(MOVDIR64B), u_, u_ },
    ROW(PP_FENCE) = { n_, u_, O(EY_R), u_ },
    ROW(PP_RDRAND) = { E(EV_W, F_ALL_SET), E(EV_W, F_ALL_SET), u_, u_ },
    ROW(PP_RDSEED) = { E(EV_W, F_ALL_SET), E(EV_W, F_ALL_SET), O(EY_W), u_ },
    ROW(PP_AESKL) = { u_, n_, u_, u_ },
};
#endif
