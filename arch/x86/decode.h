/* decode.h: the fast decoder. It answers what the translator asks of every instruction: how long is it, what kind is
 * it, where are its fields, which registers and flags does it touch. It reads tables in the opcode maps' own layout and
 * never allocates. Zydis answers the rest (operands, text) and is the judge of this decoder in tests/unit.
 *
 * A fact that the tables do not know is answered conservatively (everything read, nothing killed), never guessed. */
#ifndef X86_DECODE_H
#define X86_DECODE_H
#include "base/types.h"

enum x86_kind {
    X86_BAD,          /* not a valid instruction in 64-bit mode: raises #UD */
    X86_PLAIN,        /* runs anywhere once its rip-relative and segment operands are mended */
    X86_JCC,          /* conditional direct jump; cc = condition */
    X86_JRCXZ,        /* loop, loope, loopne, jrcxz, jecxz: rel8 only */
    X86_JMP,          /* direct unconditional jump */
    X86_CALL,         /* direct call */
    X86_JMP_IND,      /* near indirect jump through register or memory (ff /4) */
    X86_CALL_IND,     /* near indirect call (ff /2) */
    X86_RET,          /* near return, with or without imm16 */
    X86_FAR,          /* far jmp, call, ret, iret */
    X86_SYSCALL,      /* syscall */
    X86_SYSENTER,     /* sysenter */
    X86_INT,          /* int imm8 (imm says which), int3, int1/icebp */
    X86_READ_SEG,     /* mov r/m, sreg; push fs/gs */
    X86_WRITE_SEG,    /* mov sreg, r/m; pop fs/gs; lfs/lgs/lss */
    X86_FSGSBASE,     /* rdfsbase, rdgsbase, wrfsbase, wrgsbase: modrm.reg 0..3 says which */
    X86_XBEGIN,       /* xbegin rel16/32 */
    X86_PRIVILEGED,   /* valid encoding that raises #GP in user mode (hlt, cli, in/out, mov cr, ...) */
};

enum { X86_MAP_1, X86_MAP_0F, X86_MAP_0F38, X86_MAP_0F3A, X86_MAP_OTHER };   /* OTHER: XOP maps, EVEX maps 4-7, 3DNow! */
enum { X86_ENC_LEGACY, X86_ENC_VEX, X86_ENC_EVEX, X86_ENC_XOP, X86_ENC_3DNOW, X86_ENC_REX2 };
enum { X86_SEG_NONE, X86_SEG_FS = 4, X86_SEG_GS = 5 };                        /* es/cs/ss/ds prefixes are void: NONE */

/* Flag bits as in eflags. */
enum { X86_CF = 1, X86_PF = 4, X86_AF = 0x10, X86_ZF = 0x40, X86_SF = 0x80, X86_DF = 0x400, X86_OF = 0x800,
       X86_ARITH = X86_CF | X86_PF | X86_AF | X86_ZF | X86_SF | X86_OF };

struct x86_insn {
    u8 len;                 /* 1..15 */
    u8 kind;                /* enum x86_kind */
    u8 enc, map, opcode;    /* encoding family, opcode map, opcode byte */
    u8 has_modrm, modrm;
    u8 rex;                 /* REX byte or 0; for VEX/EVEX a REX-like byte (0x40|W R X B, true sense) made from the prefix */
    u8 seg;                 /* X86_SEG_FS or _GS when the instruction has that effective prefix, else NONE */
    u8 opsize16, addr32;    /* 66 and 67 prefixes present */
    u8 rep, lock;           /* 0, 0xf2 or 0xf3 ; f0 present */
    u8 vvvv;                /* VEX/EVEX.vvvv register number (true sense); 0xff if none */
    u8 opcode_off;          /* offset of the opcode byte */
    u8 vex_len;             /* bytes of a VEX prefix: 2 or 3 */
    u8 modrm_off;           /* offset of modrm (when has_modrm) */
    u8 disp_off, disp_size; /* displacement of the memory operand: size 0, 1, 4; 8 for moffs */
    u8 imm_off, imm_size;   /* immediate or branch displacement: total bytes (enter: 3) */
    u8 has_mem;             /* modrm names memory (mod != 3) and the instruction really accesses it or takes its address */
    u8 rip_rel;             /* memory operand is [rip+disp32] */
    u8 is_lea;              /* address only, no access: lea (and nop r/m is treated alike) */
    u8 cc;                  /* condition 0..15 for JCC (also setcc, cmovcc) */
    s64 imm;                /* sign-extended immediate, when imm_size <= 8 */
    s32 disp;               /* sign-extended displacement; EVEX: already multiplied out, unlike the byte at disp_off */
    u8 sib;                 /* SIB byte; meaningful when has_mem and modrm.rm is 4 */
};

/* Decode the instruction at p of which at most `avail` bytes may be read. Returns false with kind X86_BAD if it is
 * invalid, or with len = 0 when it does not end within `avail` bytes. */
bool x86_decode(const u8 *p, u32 avail, struct x86_insn *out);
/* The same, faster: whatever `avail` is, X86_WINDOW bytes can be read at p. */
enum { X86_WINDOW = 40 };
bool x86_decode_padded(const u8 *p, u32 avail, struct x86_insn *out);

/* General registers (bit n = register n, rax = 0 … r15 = 15) and flags. `*_may` sets are supersets; `*_kill` are written
 * whole (64 bits, 32-bit writes that zero the upper half count) on every execution. */
struct x86_usage {
    u16 reads, writes, kills;             /* GPRs: may be read; may be written; surely overwritten without being read first */
    u16 flags_read, flags_written, flags_killed;   /* X86_CF | ...; killed: surely overwritten (undefined counts as written, not killed) */
    bool touches_memory;                  /* explicit or implicit (push, string, xsave...) memory access: may fault */
    bool exact;                           /* the tables knew this opcode; false: conservative answer */
};
void x86_usage(const struct x86_insn *in, struct x86_usage *out);
bool x86_flag_usage(const struct x86_insn *in, struct x86_usage *out);      /* only the flags; false: not exact */

/* Target of a direct branch at address pc. */
static inline addr_t x86_target(const struct x86_insn *in, addr_t pc) { return pc + in->len + (addr_t)in->imm; }
#endif
