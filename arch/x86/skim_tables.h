/* skim_tables.h: how long plain instructions are, by opcode. tests/unit/skim_test.c compares it with the decoder, opcode by opcode.
 *
 * An opcode has a row. A row has a form for each upper five bits of the byte behind the opcode, which is modrm if there is one: mod and
 * reg say how many bytes follow, but for what rm adds. No row, or no form: not plain, or doubtful, and the decoder is asked. */
#ifndef X86_SKIM_TABLES_H
#define X86_SKIM_TABLES_H
#include "base/types.h"

/* Of a form. The lower three bits stand as in REX: with that bit the instruction names r11. WIDE: with REX.W it is longer. */
enum { FORM_B = 1, FORM_R = 4, FORM_WIDE = 8, FORM_LEN_SHIFT = 4, FORM_LEN = 15, HAS_MODRM = 0x100, FITS = 0x200, BRANCH_SHIFT = 12 };
enum skim_branch { NO_BRANCH, JCC_SHORT, JCC_NEAR, JMP_SHORT, JMP_NEAR, CALL_NEAR, RET_NEAR, N_SKIM_BRANCHES };

enum skim_row {
    ROW_NONE, ROW_M, ROW_M_B, ROW_M_D, ROW_0, ROW_0_R11, ROW_B, ROW_B_R11, ROW_D, ROW_V, ROW_V_R11,   /* modrm; byte, dword, 4 or 8 of immediate */
    ROW_MEM, ROW_REG, ROW_REG_B, ROW_POP, ROW_C6, ROW_C7, ROW_F6, ROW_F7, ROW_FE, ROW_FF, ROW_BT,
    ROW_JCC_SHORT, ROW_JCC_NEAR, ROW_JMP_SHORT, ROW_JMP_NEAR, ROW_CALL, ROW_RET, N_ROWS,
};

#define FORM(mod, reg, imm) (FITS | HAS_MODRM | (1 + (mod) + (imm)) << FORM_LEN_SHIFT | ((reg) == 3 ? FORM_R : 0))
#define FORMS(mod, imm) FORM(mod, 0, imm), FORM(mod, 1, imm), FORM(mod, 2, imm), FORM(mod, 3, imm), \
    FORM(mod, 4, imm), FORM(mod, 5, imm), FORM(mod, 6, imm), FORM(mod, 7, imm)
#define IN_MEMORY(imm) FORMS(0, imm), FORMS(1, imm), FORMS(4, imm)
#define EACH_MOD(what) { what(0), what(1), what(4), what(0) }
#define GROUP_FIRST(mod, imm) FORM(mod, 0, imm), 0, 0, 0, 0, 0, 0, 0
#define GROUP_POP(mod) GROUP_FIRST(mod, 0)
#define GROUP_C6(mod) GROUP_FIRST(mod, 1)
#define GROUP_C7(mod) GROUP_FIRST(mod, 4)
#define GROUP_TEST(mod, imm) FORM(mod, 0, imm), FORM(mod, 1, imm), FORM(mod, 2, 0), FORM(mod, 3, 0), FORM(mod, 4, 0), FORM(mod, 5, 0), \
    FORM(mod, 6, 0), FORM(mod, 7, 0)
#define GROUP_F6(mod) GROUP_TEST(mod, 1)
#define GROUP_F7(mod) GROUP_TEST(mod, 4)
#define GROUP_FE(mod) FORM(mod, 0, 0), FORM(mod, 1, 0), 0, 0, 0, 0, 0, 0
#define GROUP_FF(mod) FORM(mod, 0, 0), FORM(mod, 1, 0), 0, 0, 0, 0, FORM(mod, 6, 0), 0
#define GROUP_BT(mod) 0, 0, 0, 0, FORM(mod, 4, 1), FORM(mod, 5, 1), FORM(mod, 6, 1), FORM(mod, 7, 1)
#define WHATEVER(form) { [0 ... 31] = (form) }
#define WITHOUT(imm, bits) WHATEVER(FITS | (imm) << FORM_LEN_SHIFT | (bits))
#define BRANCH(which) WHATEVER((which) << BRANCH_SHIFT)

static const u16 skim_forms[N_ROWS][32] = {
    [ROW_M] = { IN_MEMORY(0), FORMS(0, 0) },
    [ROW_M_B] = { IN_MEMORY(1), FORMS(0, 1) },
    [ROW_M_D] = { IN_MEMORY(4), FORMS(0, 4) },
    [ROW_0] = WITHOUT(0, 0),
    [ROW_0_R11] = WITHOUT(0, FORM_B),
    [ROW_B] = WITHOUT(1, 0),
    [ROW_B_R11] = WITHOUT(1, FORM_B),
    [ROW_D] = WITHOUT(4, 0),
    [ROW_V] = WITHOUT(4, FORM_WIDE),
    [ROW_V_R11] = WITHOUT(4, FORM_WIDE | FORM_B),
    [ROW_MEM] = { IN_MEMORY(0) },
    [ROW_REG] = { [24] = FORMS(0, 0) },
    [ROW_REG_B] = { [24] = FORMS(0, 1) },
    [ROW_POP] = EACH_MOD(GROUP_POP),
    [ROW_C6] = EACH_MOD(GROUP_C6),
    [ROW_C7] = EACH_MOD(GROUP_C7),
    [ROW_F6] = EACH_MOD(GROUP_F6),
    [ROW_F7] = EACH_MOD(GROUP_F7),
    [ROW_FE] = EACH_MOD(GROUP_FE),
    [ROW_FF] = EACH_MOD(GROUP_FF),
    [ROW_BT] = EACH_MOD(GROUP_BT),
    [ROW_JCC_SHORT] = BRANCH(JCC_SHORT),
    [ROW_JCC_NEAR] = BRANCH(JCC_NEAR),
    [ROW_JMP_SHORT] = BRANCH(JMP_SHORT),
    [ROW_JMP_NEAR] = BRANCH(JMP_NEAR),
    [ROW_CALL] = BRANCH(CALL_NEAR),
    [ROW_RET] = BRANCH(RET_NEAR),
};

/* add, or, adc, sbb, and, sub, xor, cmp */
#define ARITHMETIC(op) [op ... (op) + 3] = ROW_M, [(op) + 4] = ROW_B, [(op) + 5] = ROW_D
/* Whatever prefix is in front of 0f. */
#define IN_EACH_MAP \
    [0x1e ... 0x1f] = ROW_M, [0x40 ... 0x4f] = ROW_M, [0x90 ... 0x9f] = ROW_M, [0xa3] = ROW_M, [0xa4] = ROW_M_B, [0xa5] = ROW_M, \
    [0xab] = ROW_M, [0xac] = ROW_M_B, [0xad] = ROW_M, [0xaf ... 0xb1] = ROW_M, [0xb3] = ROW_M, [0xb6 ... 0xb7] = ROW_M, [0xba] = ROW_BT, \
    [0xbb ... 0xbf] = ROW_M, [0xc0 ... 0xc1] = ROW_M
/* What vectors of bytes, words and dwords have in common, of 8 bytes or 16. */
#define OF_INTEGERS \
    [0x60 ... 0x6b] = ROW_M, [0x6e ... 0x6f] = ROW_M, [0x70] = ROW_M_B, [0x74 ... 0x76] = ROW_M, [0x7e ... 0x7f] = ROW_M, [0xc4] = ROW_M_B, \
    [0xc5] = ROW_REG_B, [0xd1 ... 0xd5] = ROW_M, [0xd7] = ROW_REG, [0xd8 ... 0xe5] = ROW_M, [0xe8 ... 0xef] = ROW_M, [0xf1 ... 0xf6] = ROW_M, \
    [0xf8 ... 0xfe] = ROW_M

enum { MAP_ONE, MAP_TWO, MAP_66, MAP_F3, MAP_F2, N_MAPS };        /* one byte; 0f without a prefix, and with each of them */
static const u8 skim_rows[N_MAPS][256] = {
    [MAP_ONE] = {
        ARITHMETIC(0x00), ARITHMETIC(0x08), ARITHMETIC(0x10), ARITHMETIC(0x18),
        ARITHMETIC(0x20), ARITHMETIC(0x28), ARITHMETIC(0x30), ARITHMETIC(0x38),
        [0x50 ... 0x52] = ROW_0, [0x53] = ROW_0_R11, [0x54 ... 0x5a] = ROW_0, [0x5b] = ROW_0_R11, [0x5c ... 0x5f] = ROW_0,
        [0x63] = ROW_M, [0x68] = ROW_D, [0x69] = ROW_M_D, [0x6a] = ROW_B, [0x6b] = ROW_M_B, [0x70 ... 0x7f] = ROW_JCC_SHORT,
        [0x80] = ROW_M_B, [0x81] = ROW_M_D, [0x83] = ROW_M_B, [0x84 ... 0x8b] = ROW_M, [0x8d] = ROW_MEM, [0x8f] = ROW_POP,
        [0x90 ... 0x92] = ROW_0, [0x93] = ROW_0_R11, [0x94 ... 0x99] = ROW_0, [0xa8] = ROW_B, [0xa9] = ROW_D,
        [0xb0 ... 0xb2] = ROW_B, [0xb3] = ROW_B_R11, [0xb4 ... 0xb7] = ROW_B, [0xb8 ... 0xba] = ROW_V, [0xbb] = ROW_V_R11, [0xbc ... 0xbf] = ROW_V,
        [0xc0 ... 0xc1] = ROW_M_B, [0xc3] = ROW_RET, [0xc6] = ROW_C6, [0xc7] = ROW_C7, [0xc9] = ROW_0, [0xd0 ... 0xd3] = ROW_M,
        [0xe8] = ROW_CALL, [0xe9] = ROW_JMP_NEAR, [0xeb] = ROW_JMP_SHORT, [0xf5] = ROW_0, [0xf6] = ROW_F6, [0xf7] = ROW_F7,
        [0xf8 ... 0xf9] = ROW_0, [0xfc ... 0xfd] = ROW_0, [0xfe] = ROW_FE, [0xff] = ROW_FF,
    },
    [MAP_TWO] = {
        IN_EACH_MAP, OF_INTEGERS, [0x10 ... 0x12] = ROW_M, [0x13] = ROW_MEM, [0x14 ... 0x16] = ROW_M, [0x17] = ROW_MEM,
        [0x18 ... 0x1d] = ROW_M, [0x28 ... 0x2a] = ROW_M, [0x2b] = ROW_MEM, [0x2c ... 0x2f] = ROW_M, [0x31] = ROW_0, [0x50] = ROW_REG,
        [0x51 ... 0x5f] = ROW_M, [0x77] = ROW_0, [0x80 ... 0x8f] = ROW_JCC_NEAR, [0xc2] = ROW_M_B, [0xc3] = ROW_MEM,
        [0xc6] = ROW_M_B, [0xc8 ... 0xca] = ROW_0, [0xcb] = ROW_0_R11, [0xcc ... 0xcf] = ROW_0, [0xe7] = ROW_MEM, [0xf7] = ROW_REG,
    },
    [MAP_66] = {
        IN_EACH_MAP, OF_INTEGERS, [0x10 ... 0x11] = ROW_M, [0x12 ... 0x13] = ROW_MEM, [0x14 ... 0x15] = ROW_M, [0x16 ... 0x17] = ROW_MEM,
        [0x28 ... 0x2a] = ROW_M, [0x2b] = ROW_MEM, [0x2c ... 0x2f] = ROW_M, [0x50] = ROW_REG, [0x51] = ROW_M, [0x54 ... 0x5f] = ROW_M,
        [0x6c ... 0x6d] = ROW_M, [0x7c ... 0x7d] = ROW_M, [0xc2] = ROW_M_B, [0xc6] = ROW_M_B, [0xd0] = ROW_M, [0xd6] = ROW_M,
        [0xe6] = ROW_M, [0xe7] = ROW_MEM, [0xf7] = ROW_REG,
    },
    [MAP_F3] = {
        IN_EACH_MAP, [0x10 ... 0x12] = ROW_M, [0x16] = ROW_M, [0x2a] = ROW_M, [0x2c ... 0x2d] = ROW_M, [0x51 ... 0x53] = ROW_M,
        [0x58 ... 0x5f] = ROW_M, [0x6f] = ROW_M, [0x70] = ROW_M_B, [0x7e ... 0x7f] = ROW_M, [0xb8] = ROW_M, [0xc2] = ROW_M_B, [0xe6] = ROW_M,
    },
    [MAP_F2] = {
        IN_EACH_MAP, [0x10 ... 0x12] = ROW_M, [0x2a] = ROW_M, [0x2c ... 0x2d] = ROW_M, [0x51] = ROW_M, [0x58 ... 0x5a] = ROW_M,
        [0x5c ... 0x5f] = ROW_M, [0x70] = ROW_M_B, [0x7c ... 0x7d] = ROW_M, [0xc2] = ROW_M_B, [0xd0] = ROW_M, [0xe6] = ROW_M, [0xf0] = ROW_MEM,
    },
};

/* What rm adds, if there is modrm. Of these bits too the lowest stand as in REX; modrm.mod is zero: BASE_FREE. */
enum { RM_SIB = 0x10, RM_RIP = 0x20, BASE_FREE = 0x40 };
#define RM(free, sib, rip) (free), (free), (free), (free) | FORM_B, (free) | (sib), (free) | (rip), (free), (free)
#define TIMES8(...) __VA_ARGS__, __VA_ARGS__, __VA_ARGS__, __VA_ARGS__, __VA_ARGS__, __VA_ARGS__, __VA_ARGS__, __VA_ARGS__
static const u8 skim_modrm[256] = {
    TIMES8(RM(BASE_FREE, RM_SIB, RM_RIP)), TIMES8(RM(0, RM_SIB, 0)), TIMES8(RM(0, RM_SIB, 0)), TIMES8(RM(0, 0, 0)),
};
/* And of SIB: with BASE_FREE in both, four bytes more. */
#define SIB(index) (index), (index), (index), (index) | FORM_B, (index), (index) | BASE_FREE, (index), (index)
#define SIB_SCALE SIB(0), SIB(0), SIB(0), SIB(2), SIB(0), SIB(0), SIB(0), SIB(0)
static const u8 skim_sib[256] = { SIB_SCALE, SIB_SCALE, SIB_SCALE, SIB_SCALE };
#endif
