/* ins.c: questions about an instruction: each is a field of the instruction view (xed.h). */
#include "api/api.h"
#include "api/seen.h"

#define CLAIM(function, claim) BOOL function(INS ins) { return xv_is(code_xed(ins), XV_IS_##claim); }

/* ---- identity ---- */
OPCODE INS_Opcode(INS ins) { return code_class(ins).opcode; }
INT32 INS_Category(INS ins) { return code_class(ins).category; }
INT32 INS_Extension(INS ins) { return code_class(ins).extension; }
const char *INS_Mnemonic(INS ins) { return xv_iclass_name(code_xed(ins)->iclass); }
const char *OPCODE_StringShort(UINT32 opcode) { return xv_iclass_name(opcode); }
const char *CATEGORY_StringShort(UINT32 category) { return xv_category_name(category); }
const char *EXTENSION_StringShort(UINT32 extension) { return xv_extension_name(extension); }

static enum { SYNTAX_INTEL, SYNTAX_ATT, SYNTAX_XED } syntax;

const char *INS_Disassemble(INS ins)
{
    static __thread char text[512];
    if (syntax == SYNTAX_ATT)
        arch_format(code_insn(ins), text, sizeof text);
    else if (syntax == SYNTAX_XED)
        xv_format_all(code_xed(ins), text, sizeof text);
    else
        xv_format(code_xed(ins), text, sizeof text);
    return text;
}

VOID PIN_SetSyntaxIntel(VOID) { syntax = SYNTAX_INTEL; }
VOID PIN_SetSyntaxATT(VOID) { syntax = SYNTAX_ATT; }
VOID PIN_SetSyntaxXED(VOID) { syntax = SYNTAX_XED; }

/* ---- control flow ---- */
CLAIM(INS_IsControlFlow, CONTROL_FLOW)
CLAIM(INS_IsDirectControlFlow, DIRECT_CONTROL_FLOW)
CLAIM(INS_IsIndirectControlFlow, INDIRECT_CONTROL_FLOW)
CLAIM(INS_IsBranch, BRANCH)
CLAIM(INS_IsDirectBranch, DIRECT_BRANCH)
CLAIM(INS_IsCall, CALL)
CLAIM(INS_IsDirectCall, DIRECT_CALL)
CLAIM(INS_IsProcedureCall, PROCEDURE_CALL)
CLAIM(INS_IsPcMaterialization, PC_MATERIALIZATION)
CLAIM(INS_IsRet, RET)
CLAIM(INS_IsIRet, IRET)
CLAIM(INS_IsFarRet, FAR_RET)
CLAIM(INS_IsFarCall, FAR_CALL)
CLAIM(INS_IsFarJump, FAR_JUMP)
CLAIM(INS_IsDirectFarJump, DIRECT_FAR_JUMP)
CLAIM(INS_HasFallThrough, FALL_THROUGH)
CLAIM(INS_IsValidForIpointTakenBranch, VALID_FOR_TAKEN)
CLAIM(INS_IsDirectBranchOrCall, DIRECT_CONTROL_FLOW)
CLAIM(INS_IsIndirectBranchOrCall, INDIRECT_CONTROL_FLOW)

/* Insertion behind a system call works (IARG_SYSRET_VALUE), but tools that ask take FALSE for "use the system-call callbacks",
 * and those that have both would see each call twice. */
BOOL INS_IsValidForIpointAfter(INS ins) { return xv_is(code_xed(ins), XV_IS_VALID_FOR_AFTER) && !INS_IsSyscall(ins); }
BOOL INS_IsBranchOrCall(INS ins) { return INS_IsBranch(ins) || INS_IsCall(ins); }

BOOL INS_IsValidForIarg(INS ins, IARG_TYPE arg)
{
    const struct xv_insn *x = code_xed(ins);
    switch (arg) {
    case IARG_MEMORYREAD_EA: case IARG_MEMORYREAD_PTR: case IARG_MEMORYREAD_SIZE: return xv_is(x, XV_IS_MEMORY_READ);
    case IARG_MEMORYREAD2_EA: case IARG_MEMORYREAD2_PTR: return xv_is(x, XV_IS_MEMORY_READ2);
    case IARG_MEMORYWRITE_EA: case IARG_MEMORYWRITE_PTR: case IARG_MEMORYWRITE_SIZE: return xv_is(x, XV_IS_MEMORY_WRITE);
    case IARG_MEMORYOP_EA: case IARG_MEMORYOP_PTR: case IARG_MEMORYOP_SIZE: case IARG_MEMORYOP_MASKED_ON:
    case IARG_MULTI_MEMORYACCESS_EA: return x->n_memory != 0;
    case IARG_EXPLICIT_MEMORY_EA: return xv_explicit_memory(x) != NULL;
    case IARG_BRANCH_TAKEN: case IARG_BRANCH_TARGET_ADDR: return xv_is(x, XV_IS_CONTROL_FLOW) && !xv_is(x, XV_IS_XBEGIN) && !xv_is(x, XV_IS_XEND);
    case IARG_FALLTHROUGH_ADDR: return xv_is(x, XV_IS_FALL_THROUGH);
    case IARG_SYSCALL_NUMBER: case IARG_SYSARG_VALUE: case IARG_SYSARG_REFERENCE: case IARG_SYSRET_VALUE: case IARG_SYSRET_ERRNO:
        return xv_is(x, XV_IS_SYSCALL);
    case IARG_FUNCRET_EXITPOINT_VALUE: case IARG_FUNCRET_EXITPOINT_REFERENCE: return xv_is(x, XV_IS_RET);
    case IARG_FUNCARG_CALLSITE_VALUE: case IARG_FUNCARG_CALLSITE_REFERENCE: return xv_is(x, XV_IS_CALL);
    case IARG_REWRITE_SCATTERED_MEMOP: return xv_is(x, XV_IS_SCATTERED);
    case IARG_MULTI_ELEMENT_OPERAND:
        for (u32 k = 0; k < x->n_operands; k++)
            if (x->op[k].n_elements > 1)
                return TRUE;
        return FALSE;
    case IARG_ORIG_FUNCPTR: case IARG_PROTOTYPE: return FALSE;
    default: return arg > IARG_INVALID && arg < IARG_LAST;
    }
}

ADDRINT INS_DirectControlFlowTargetAddress(INS ins)
{
    if (!INS_IsDirectControlFlow(ins))
        api_fatal("INS_DirectControlFlowTargetAddress: \"%s\" has no direct target", INS_Disassemble(ins));
    return xv_target(code_xed(ins));
}

ADDRINT INS_DirectBranchOrCallTargetAddress(INS ins) { return INS_DirectControlFlowTargetAddress(ins); }

/* ---- kinds ---- */
CLAIM(INS_IsSyscall, SYSCALL)
CLAIM(INS_IsSysenter, SYSENTER)
CLAIM(INS_IsSysret, SYSRET)
CLAIM(INS_IsInterrupt, INTERRUPT)
CLAIM(INS_IsHalt, HALT)
CLAIM(INS_IsRDTSC, RDTSC)
CLAIM(INS_IsXbegin, XBEGIN)
CLAIM(INS_IsXend, XEND)
CLAIM(INS_IsMov, MOV)
CLAIM(INS_IsMovFullRegRegSame, MOV_FULL_REG_REG_SAME)
CLAIM(INS_IsLea, LEA)
CLAIM(INS_IsNop, NOP)
CLAIM(INS_IsSub, SUB)
CLAIM(INS_IsXchg, XCHG)
CLAIM(INS_IsPrefetch, PREFETCH)
CLAIM(INS_IsCacheLineFlush, CACHE_LINE_FLUSH)
CLAIM(INS_IsMaskMov, MASKMOV)
CLAIM(INS_IsMovdir64b, MOVDIR64B)
CLAIM(INS_IsAmx, AMX)
CLAIM(INS_IsStringop, STRINGOP)
CLAIM(INS_IsAtomicUpdate, ATOMIC_UPDATE)
CLAIM(INS_IsPredicated, PREDICATED)
CLAIM(INS_Stutters, REAL_REP)
CLAIM(INS_HasRealRep, REAL_REP)
PREDICATE INS_GetPredicate(INS ins) { return (PREDICATE)code_xed(ins)->predicate; }
BOOL INS_IsOriginal(INS ins) { return code_xed(ins) != NULL; }
BOOL INS_IsAddedForFunctionReplacement(INS ins) { return code_xed(ins) == NULL; }
REG INS_RepCountRegister(INS ins) { return (REG)code_xed(ins)->rep_count_reg; }
REG INS_MaskRegister(INS ins) { return (REG)code_xed(ins)->mask_reg; }

SYSCALL_STANDARD INS_SyscallStd(INS ins)
{
    const struct xv_insn *x = code_xed(ins);
    if (!xv_is(x, XV_IS_SYSCALL))
        return SYSCALL_STANDARD_INVALID;
    return x->iclass == XED_ICLASS_INT ? SYSCALL_STANDARD_IA32_LINUX : SYSCALL_STANDARD_IA32E_LINUX;
}

/* ---- prefixes ---- */
CLAIM(INS_LockPrefix, LOCK_PREFIX)
CLAIM(INS_RepPrefix, REP_PREFIX)
CLAIM(INS_RepnePrefix, REPNE_PREFIX)
CLAIM(INS_SegmentPrefix, SEGMENT_PREFIX)
CLAIM(INS_SegPrefixIsMemoryRead, SEG_READ)
CLAIM(INS_SegPrefixIsMemoryWrite, SEG_WRITE)
CLAIM(INS_AddressSizePrefix, ADDRESS_SIZE_PREFIX)
CLAIM(INS_OperandSizePrefix, OPERAND_SIZE_PREFIX)
CLAIM(INS_BranchTakenPrefix, BRANCH_TAKEN_PREFIX)
CLAIM(INS_BranchNotTakenPrefix, BRANCH_NOT_TAKEN_PREFIX)
REG INS_SegmentRegPrefix(INS ins) { return (REG)code_xed(ins)->seg_prefix; }

/* ---- registers ---- */
UINT32 INS_MaxNumRRegs(INS ins) { return code_xed(ins)->n_read; }
UINT32 INS_MaxNumWRegs(INS ins) { return code_xed(ins)->n_written; }

REG INS_RegR(INS ins, UINT32 k)
{
    const struct xv_insn *x = code_xed(ins);
    return k < x->n_read ? (REG)x->read[k] : REG_INVALID_;
}

REG INS_RegW(INS ins, UINT32 k)
{
    const struct xv_insn *x = code_xed(ins);
    return k < x->n_written ? (REG)x->written[k] : REG_INVALID_;
}

BOOL INS_RegRContain(INS ins, REG reg) { return xv_reads_reg(code_xed(ins), reg); }
BOOL INS_RegWContain(INS ins, REG reg) { return xv_writes_reg(code_xed(ins), reg); }
BOOL INS_FullRegRContain(INS ins, REG reg) { return xv_reads_full_reg(code_xed(ins), reg); }
BOOL INS_FullRegWContain(INS ins, REG reg) { return xv_writes_full_reg(code_xed(ins), reg); }
BOOL INS_RegIsImplicit(INS ins, REG reg) { return xv_reg_is_implicit(code_xed(ins), reg); }

/* ---- operands ---- */
/* Tools ask about operands before they look how many there are: what is not there is nothing. */
static const struct xv_operand no_operand = { .kind = XV_NONE, .n_elements = 1 };

static const struct xv_operand *operand(INS ins, UINT32 n)
{
    const struct xv_insn *x = code_xed(ins);
    return n < x->n_operands ? &x->op[n] : &no_operand;
}

static bool has_address(const struct xv_operand *o) { return o->kind == XV_MEM || o->kind == XV_AGEN; }

UINT32 INS_OperandCount(INS ins) { return code_xed(ins)->n_operands; }
UINT32 INS_OperandNameId(INS ins, UINT32 n) { return operand(ins, n)->name; }
BOOL INS_OperandIsImplicit(INS ins, UINT32 n) { return operand(ins, n)->visibility != XV_EXPLICIT; }
/* A base register that stands beside a memory operand is part of that, says Pin; INS_OperandReg tells it all the same. */
static bool is_base(const struct xv_operand *o) { return o->name == XED_OPERAND_BASE0 || o->name == XED_OPERAND_BASE1; }
BOOL INS_OperandIsReg(INS ins, UINT32 n) { return operand(ins, n)->kind == XV_REG && !is_base(operand(ins, n)); }
REG INS_OperandReg(INS ins, UINT32 n) { return operand(ins, n)->kind == XV_REG ? (REG)operand(ins, n)->reg : REG_INVALID_; }
BOOL INS_OperandIsSegmentReg(INS ins, UINT32 n) { return REG_is_seg(INS_OperandReg(ins, n)); }
BOOL INS_OperandIsImmediate(INS ins, UINT32 n) { return operand(ins, n)->kind == XV_IMM; }
UINT64 INS_OperandImmediate(INS ins, UINT32 n) { return (UINT64)operand(ins, n)->value; }
BOOL INS_OperandIsBranchDisplacement(INS ins, UINT32 n) { return operand(ins, n)->kind == XV_BRANCH; }
BOOL INS_OperandIsMemory(INS ins, UINT32 n) { return operand(ins, n)->kind == XV_MEM; }
BOOL INS_OperandIsAddressGenerator(INS ins, UINT32 n) { return operand(ins, n)->kind == XV_AGEN; }

BOOL INS_OperandIsFixedMemop(INS ins, UINT32 n)
{
    return operand(ins, n)->kind == XV_MEM && operand(ins, n)->visibility != XV_EXPLICIT;
}

REG INS_OperandMemoryBaseReg(INS ins, UINT32 n) { return has_address(operand(ins, n)) ? (REG)operand(ins, n)->base : REG_INVALID_; }
REG INS_OperandMemoryIndexReg(INS ins, UINT32 n) { return has_address(operand(ins, n)) ? (REG)operand(ins, n)->index : REG_INVALID_; }
REG INS_OperandMemorySegmentReg(INS ins, UINT32 n) { return has_address(operand(ins, n)) ? (REG)operand(ins, n)->seg : REG_INVALID_; }
UINT32 INS_OperandMemoryScale(INS ins, UINT32 n) { return operand(ins, n)->scale ? operand(ins, n)->scale : 1; }
ADDRDELTA INS_OperandMemoryDisplacement(INS ins, UINT32 n) { return has_address(operand(ins, n)) ? operand(ins, n)->value : 0; }
UINT32 INS_OperandWidth(INS ins, UINT32 n) { return operand(ins, n)->width; }
UINT32 INS_OperandSize(INS ins, UINT32 n) { return operand(ins, n)->width / 8u; }
BOOL INS_OperandRead(INS ins, UINT32 n) { return operand(ins, n)->access & XV_READ; }
BOOL INS_OperandWritten(INS ins, UINT32 n) { return (operand(ins, n)->access & XV_WRITE) != 0; }
BOOL INS_OperandReadOnly(INS ins, UINT32 n) { return INS_OperandRead(ins, n) && !INS_OperandWritten(ins, n); }
BOOL INS_OperandWrittenOnly(INS ins, UINT32 n) { return !INS_OperandRead(ins, n) && INS_OperandWritten(ins, n); }
BOOL INS_OperandReadAndWritten(INS ins, UINT32 n) { return INS_OperandRead(ins, n) && INS_OperandWritten(ins, n); }
BOOL INS_OperandHasElements(INS ins, UINT32 n) { return operand(ins, n)->n_elements != 1; }
UINT32 INS_OperandElementCount(INS ins, UINT32 n) { return operand(ins, n)->n_elements; }
USIZE INS_OperandElementSize(INS ins, UINT32 n) { return operand(ins, n)->element_width / 8u; }
UINT32 INS_EffectiveAddressWidth(INS ins) { return code_xed(ins)->address_width; }

/* ---- memory ---- */
static const struct xv_operand *memop(INS ins, UINT32 k)
{
    const struct xv_insn *x = code_xed(ins);
    return k < x->n_memory ? xv_memop(x, k) : &no_operand;
}

UINT32 INS_MemoryOperandCount(INS ins) { return code_xed(ins)->n_memory; }
BOOL INS_MemoryOperandIsRead(INS ins, UINT32 k) { return memop(ins, k)->access & XV_READ; }
BOOL INS_MemoryOperandIsWritten(INS ins, UINT32 k) { return (memop(ins, k)->access & XV_WRITE) != 0; }
USIZE INS_MemoryOperandSize(INS ins, UINT32 k) { return memop(ins, k)->width / 8u; }
UINT32 INS_MemoryOperandElementCount(INS ins, UINT32 k) { return memop(ins, k)->n_elements; }
USIZE INS_MemoryOperandElementSize(INS ins, UINT32 k) { return memop(ins, k)->element_width / 8u; }

UINT32 INS_MemoryOperandIndexToOperandIndex(INS ins, UINT32 k)
{
    if (k >= code_xed(ins)->n_memory)
        api_fatal("INS_MemoryOperandIndexToOperandIndex: there is no memory operand %u: %s", k, INS_Disassemble(ins));
    return code_xed(ins)->memory[k];
}

CLAIM(INS_IsMemoryRead, MEMORY_READ)
CLAIM(INS_IsMemoryWrite, MEMORY_WRITE)
CLAIM(INS_HasMemoryRead2, MEMORY_READ2)
CLAIM(INS_HasExplicitMemoryReference, EXPLICIT_MEMORY)
CLAIM(INS_HasMemoryVector, MEMORY_VECTOR)
CLAIM(INS_HasScatteredMemoryAccess, SCATTERED)
CLAIM(INS_IsStandardMemop, STANDARD_MEMOP)
CLAIM(INS_hasKnownMemorySize, STANDARD_MEMOP)
CLAIM(INS_IsStackRead, STACK_READ)
CLAIM(INS_IsStackWrite, STACK_WRITE)
CLAIM(INS_IsIpRelRead, IPREL_READ)
CLAIM(INS_IsIpRelWrite, IPREL_WRITE)
CLAIM(INS_IsVgather, VGATHER)
CLAIM(INS_IsVscatter, VSCATTER)
USIZE INS_MemoryReadSize(INS ins) { return xv_read_size(code_xed(ins)); }
USIZE INS_MemoryWriteSize(INS ins) { return xv_write_size(code_xed(ins)); }

static const struct xv_operand *explicit_memory(INS ins) { return xv_explicit_memory(code_xed(ins)); }
REG INS_MemoryBaseReg(INS ins) { return explicit_memory(ins) ? (REG)explicit_memory(ins)->base : REG_INVALID_; }
REG INS_MemoryIndexReg(INS ins) { return explicit_memory(ins) ? (REG)explicit_memory(ins)->index : REG_INVALID_; }
UINT32 INS_MemoryScale(INS ins) { return explicit_memory(ins) && explicit_memory(ins)->scale ? explicit_memory(ins)->scale : 1; }
ADDRDELTA INS_MemoryDisplacement(INS ins) { return explicit_memory(ins) ? explicit_memory(ins)->value : 0; }

VOID GetNumberAndSizeOfMemAccesses(INS ins, int *numAccesses, int *accessSize, int *indexSize)
{
    const struct xv_insn *x = code_xed(ins);
    if (!xv_is(x, XV_IS_SCATTERED))
        api_fatal("GetNumberAndSizeOfMemAccesses: neither a gather nor a scatter: %s", INS_Disassemble(ins));
    *numAccesses = xv_memop(x, 0)->n_elements;
    *accessSize = xv_memop(x, 0)->element_width / 8;
    *indexSize = x->index_size;
}
