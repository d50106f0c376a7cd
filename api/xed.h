/* xed.h: one instruction as a tool sees it: class, category, extension, operands, registers, memory, text. The words
 * and the order of operands are those of XED, which Pin's interface is defined by; the decoder below is Zydis.
 *
 * xv_decode() turns bytes into a `struct xv_insn` that answers everything by reading a field: decode when a tool
 * first asks about an instruction, keep the struct as long as the handle. It holds no pointers and may be copied or
 * freed at will. No allocation, no locks, no global state that changes: any thread. */
#ifndef API_XED_H
#define API_XED_H
#include "base/types.h"
#include "api/xed_enum.h"
#include "api/xed_reg.h"

/* ---- Operands ---- */

enum xv_kind {
    XV_NONE,
    XV_REG,           /* INS_OperandIsReg */
    XV_MEM,           /* INS_OperandIsMemory */
    XV_AGEN,          /* INS_OperandIsAddressGenerator: lea, and the address-only operand of the bnd instructions */
    XV_IMM,           /* INS_OperandIsImmediate */
    XV_BRANCH,        /* INS_OperandIsBranchDisplacement */
    XV_FAR_POINTER,   /* never in 64-bit code */
};
enum { XV_READ = 1, XV_WRITE = 2, XV_COND_READ = 4, XV_COND_WRITE = 8 };   /* COND_* comes with the plain bit */
enum { XV_EXPLICIT, XV_IMPLICIT, XV_SUPPRESSED };                          /* implicit: fixed, but printed */

struct xv_operand {
    u8 kind;              /* enum xv_kind */
    u8 name;              /* xed_operand_enum_t: INS_OperandNameId */
    u8 visibility;        /* INS_OperandIsImplicit: not XV_EXPLICIT */
    u8 access;            /* XV_READ | ... */
    u8 scale;             /* 1, 2, 4, 8; 0 without index */
    u8 memop;             /* XV_MEM: its number among the memory operands */
    u16 width;            /* bits */
    u16 n_elements;       /* 1 unless a vector, gather or scatter; 0 for tiles */
    u16 element_width;    /* bits */
    u16 reg;              /* XV_REG: REG; XED's pseudo registers (its record that a push happens) are REG_INVALID_ */
    u16 seg, base, index; /* XV_MEM, XV_AGEN: REG or REG_INVALID_; seg only when it has an effect (fs, gs) */
    s64 value;            /* displacement; immediate, sign-extended from its encoding; branch: displacement */
};

/* ---- Claims: what INS_Is..., INS_Has... and the prefix questions ask, one bit each ---- */

#define XV_CLAIMS(X) \
    X(BRANCH) X(DIRECT_BRANCH) X(CALL) X(DIRECT_CALL) X(PROCEDURE_CALL) X(PC_MATERIALIZATION) X(RET) X(IRET) \
    X(CONTROL_FLOW) X(DIRECT_CONTROL_FLOW) X(INDIRECT_CONTROL_FLOW) X(DIRECT_FAR_JUMP) X(FAR_JUMP) X(FAR_CALL) \
    X(FAR_RET) \
    X(FALL_THROUGH)             /* INS_HasFallThrough */ \
    X(VALID_FOR_AFTER)          /* INS_IsValidForIpointAfter */ \
    X(VALID_FOR_TAKEN)          /* INS_IsValidForIpointTakenBranch */ \
    X(SYSCALL) X(SYSENTER) X(SYSRET) X(INTERRUPT) X(HALT) X(RDTSC) X(XBEGIN) X(XEND) X(MOV) \
    X(MOV_FULL_REG_REG_SAME) X(LEA) X(NOP) X(SUB) X(XCHG) X(PREFETCH) X(CACHE_LINE_FLUSH) X(MASKMOV) X(MOVDIR64B) \
    X(AMX) \
    X(STRINGOP) X(REAL_REP)     /* INS_HasRealRep, INS_Stutters */ \
    X(PREDICATED) X(ATOMIC_UPDATE) \
    X(MEMORY_READ) X(MEMORY_READ2) X(MEMORY_WRITE) X(EXPLICIT_MEMORY) X(MEMORY_VECTOR) X(SCATTERED) X(STANDARD_MEMOP) \
    X(STACK_READ) X(STACK_WRITE) X(IPREL_READ) X(IPREL_WRITE) X(VGATHER) X(VSCATTER) \
    X(SEG_READ) X(SEG_WRITE)    /* INS_SegPrefixIsMemoryRead, ...Write */ \
    X(REP_PREFIX) X(REPNE_PREFIX) X(LOCK_PREFIX) X(SEGMENT_PREFIX) X(OPERAND_SIZE_PREFIX) X(ADDRESS_SIZE_PREFIX) \
    X(BRANCH_TAKEN_PREFIX) X(BRANCH_NOT_TAKEN_PREFIX)

#define XV_ENUM(name) XV_IS_##name,
enum xv_claim { XV_CLAIMS(XV_ENUM) XV_N_CLAIMS };
#undef XV_ENUM
_Static_assert(XV_N_CLAIMS <= 64, "one bit of a u64 per claim");

/* ---- The instruction ---- */

enum { XV_MAX_OPERANDS = 16, XV_MAX_REGS = 24 };
enum xv_rounding { XV_ROUND_DEFAULT, XV_ROUND_NEAREST, XV_ROUND_DOWN, XV_ROUND_UP, XV_ROUND_ZERO, XV_ROUND_SAE };

struct xv_insn {
    addr_t address;
    u64 claims;                         /* 1 << XV_IS_... */
    u8 length;
    u8 bytes[15];
    u16 iclass, category, extension;    /* XED_ICLASS_... */
    u8 n_operands, n_memory;            /* INS_OperandCount, INS_MemoryOperandCount */
    u8 memory[6];                       /* INS_MemoryOperandIndexToOperandIndex */
    u8 n_read, n_written;               /* INS_MaxNumRRegs, INS_MaxNumWRegs */
    u8 predicate;                       /* PREDICATE of INS_GetPredicate */
    u8 address_width;                   /* bits: INS_EffectiveAddressWidth */
    u8 index_size;                      /* gather, scatter: bytes of one index; else 0 */
    u16 seg_prefix;                     /* INS_SegmentRegPrefix: REG or REG_INVALID_ */
    u16 mask_reg;                       /* INS_MaskRegister */
    u16 rep_count_reg;                  /* INS_RepCountRegister */
    struct {                            /* how an EVEX instruction is modified */
        u8 mask_op;                     /* operand with the write mask; 0: none */
        u8 broadcast;                   /* its memory operand is repeated this often; 0: not */
        u8 rounding;                    /* enum xv_rounding */
        bool is_zeroing;
    } evex;
    u32 flags_read, flags_written;      /* eflags bits that are tested; set, cleared, changed or left undefined */
    u16 read[XV_MAX_REGS];              /* INS_RegR: of operands and addresses, each once, in operand order */
    u16 written[XV_MAX_REGS];           /* INS_RegW */
    struct xv_operand op[XV_MAX_OPERANDS];
};

/* Decode the instruction at `bytes`, of which `avail` may be read, as if it lay at `address`. False: no valid
 * instruction known to the view; then *out has class XED_ICLASS_INVALID, no operands, and the length that the
 * engine's decoder tells, else 1. */
bool xv_decode(struct xv_insn *out, const u8 *bytes, u32 avail, addr_t address);

static inline bool xv_is(const struct xv_insn *x, enum xv_claim claim) { return x->claims >> claim & 1; }
static inline addr_t xv_next(const struct xv_insn *x) { return x->address + x->length; }
static inline const struct xv_operand *xv_memop(const struct xv_insn *x, u32 i) { return &x->op[x->memory[i]]; }
/* Operand with the explicit memory reference (or lea's address), NULL if none:
 * INS_Memory{BaseReg,IndexReg,Scale,...}. */
const struct xv_operand *xv_explicit_memory(const struct xv_insn *x);
/* INS_Opcode: the class, but that of a repeated string instruction without the repetition (MOVSB where iclass says REP_MOVSB);
 * a lock stays (ADD_LOCK). So tools that look for MOVSB or STOSQ find them, as with Pin. */
u32 xv_opcode(const struct xv_insn *x);
/* Target of a direct branch, call or xbegin; 0 if it has none. */
addr_t xv_target(const struct xv_insn *x);
u32 xv_read_size(const struct xv_insn *x);                        /* bytes; INS_MemoryReadSize, ...WriteSize */
u32 xv_write_size(const struct xv_insn *x);
bool xv_reads_reg(const struct xv_insn *x, REG reg);              /* exactly this register: INS_RegRContain */
bool xv_writes_reg(const struct xv_insn *x, REG reg);
bool xv_reads_full_reg(const struct xv_insn *x, REG reg);         /* any part of it: INS_FullRegRContain */
bool xv_writes_full_reg(const struct xv_insn *x, REG reg);
bool xv_reg_is_implicit(const struct xv_insn *x, REG reg);        /* an implicit operand: INS_RegIsImplicit */

/* INS_Disassemble: Intel syntax in XED's manner. Returns the length; cut off at `size`. */
u32 xv_format(const struct xv_insn *x, char *text, u32 size);
/* The class and every operand with its name, suppressed ones too: XED's own syntax. */
u32 xv_format_all(const struct xv_insn *x, char *text, u32 size);

/* Names; "INVALID" when out of range. */
const char *xv_iclass_name(u32 iclass);            /* OPCODE_StringShort, INS_Mnemonic: JNZ, CALL_NEAR, REP_MOVSB */
const char *xv_category_name(u32 category);        /* CATEGORY_StringShort: COND_BR */
const char *xv_extension_name(u32 extension);      /* EXTENSION_StringShort: BASE, AVX512EVEX */

/* ---- Registers ---- */

enum reg_class {
    REG_CLASS_NONE, REG_CLASS_GR64, REG_CLASS_GR32, REG_CLASS_GR16, REG_CLASS_LOW8, REG_CLASS_HIGH8, REG_CLASS_SEG,
    REG_CLASS_FLAGS, REG_CLASS_FLAGS_PART, REG_CLASS_IP, REG_CLASS_IP_PART, REG_CLASS_MM, REG_CLASS_XMM,
    REG_CLASS_YMM, REG_CLASS_ZMM, REG_CLASS_K, REG_CLASS_TMM, REG_CLASS_TILECONFIG, REG_CLASS_MXCSR,
    REG_CLASS_MXCSRMASK, REG_CLASS_FPSTATE, REG_CLASS_ST, REG_CLASS_SYSTEM, REG_CLASS_STATUS_FLAGS,
    REG_CLASS_DF_FLAG, REG_CLASS_SEG_BASE, REG_CLASS_INST, REG_CLASS_INST_HALF, REG_CLASS_BUF, REG_CLASS_X87,
};

const char *reg_name(REG reg);                     /* REG_StringShort; "*invalid*" */
u32 reg_size(REG reg);                             /* bytes; 0 for none */
REGWIDTH reg_width(REG reg);
enum reg_class reg_class(REG reg);
REG reg_full(REG reg);                             /* REG_FullRegName: al -> rax, xmm3 stays, invalid stays */
bool reg_is_partial(REG reg);
/* The number that the machine gives an integer register or a part of it (rax 0 ... r15 15, ah 0), -1 for others; and
 * back. */
int reg_machine_number(REG reg);
REG reg_from_machine_number(u32 number, u32 bytes);
#endif
