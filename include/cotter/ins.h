/* ins.h: what an instruction is: kind, operands, registers, memory. Words and numbering of operands are XED's.
 * Only inside the callback that received the INS. */
#ifndef COTTER_INS_H
#define COTTER_INS_H

/* ---- Identity ---- */
OPCODE INS_Opcode(INS ins);                     /* XED_ICLASS_...; MOVSB also for rep movsb, where INS_Mnemonic says REP_MOVSB */
INT32 INS_Category(INS ins);                    /* XED_CATEGORY_... */
INT32 INS_Extension(INS ins);                   /* XED_EXTENSION_... */
static inline OPCODE OPCODE_INVALID(VOID) { return 0; }
static inline BOOL OPCODE_valid(OPCODE opcode) { return opcode != 0; }
#ifndef __cplusplus
const char *INS_Mnemonic(INS ins);
const char *INS_Disassemble(INS ins);
const char *OPCODE_StringShort(UINT32 opcode);
const char *CATEGORY_StringShort(UINT32 category);
const char *EXTENSION_StringShort(UINT32 extension);
#endif
VOID PIN_SetSyntaxIntel(VOID);                  /* text of INS_Disassemble from now on */
VOID PIN_SetSyntaxATT(VOID);
VOID PIN_SetSyntaxXED(VOID);                    /* all operands with their names, the implicit ones too */

/* The decoded instruction for the accessors of xed_decoded.h; and registers there and here. */
xed_decoded_inst_t *INS_XedDec(INS ins);
REG INS_XedExactMapToPinReg(xed_reg_enum_t reg);
xed_reg_enum_t INS_XedExactMapFromPinReg(REG reg);          /* XED_REG_INVALID: none */

/* ---- Control flow ---- */
BOOL INS_IsControlFlow(INS ins);                /* branch, call or return, xbegin and xend; not a system call */
BOOL INS_IsDirectControlFlow(INS ins);
BOOL INS_IsIndirectControlFlow(INS ins);
ADDRINT INS_DirectControlFlowTargetAddress(INS ins);
BOOL INS_IsBranch(INS ins);
BOOL INS_IsDirectBranch(INS ins);
BOOL INS_IsCall(INS ins);
BOOL INS_IsDirectCall(INS ins);
BOOL INS_IsProcedureCall(INS ins);
BOOL INS_IsPcMaterialization(INS ins);          /* a call of the next instruction */
BOOL INS_IsRet(INS ins);
BOOL INS_IsIRet(INS ins);
BOOL INS_IsFarRet(INS ins);
BOOL INS_IsFarCall(INS ins);
BOOL INS_IsFarJump(INS ins);
BOOL INS_IsDirectFarJump(INS ins);
BOOL INS_HasFallThrough(INS ins);
BOOL INS_IsValidForIpointAfter(INS ins);
BOOL INS_IsValidForIpointTakenBranch(INS ins);
BOOL INS_IsValidForIarg(INS ins, IARG_TYPE arg);
/* Older names. */
BOOL INS_IsBranchOrCall(INS ins);
BOOL INS_IsDirectBranchOrCall(INS ins);
BOOL INS_IsIndirectBranchOrCall(INS ins);
ADDRINT INS_DirectBranchOrCallTargetAddress(INS ins);

/* ---- Kinds ---- */
BOOL INS_IsSyscall(INS ins);
BOOL INS_IsSysenter(INS ins);
BOOL INS_IsSysret(INS ins);
SYSCALL_STANDARD INS_SyscallStd(INS ins);
BOOL INS_IsInterrupt(INS ins);
BOOL INS_IsHalt(INS ins);
BOOL INS_IsRDTSC(INS ins);
BOOL INS_IsXbegin(INS ins);
BOOL INS_IsXend(INS ins);
BOOL INS_IsMov(INS ins);
BOOL INS_IsMovFullRegRegSame(INS ins);
BOOL INS_IsLea(INS ins);
BOOL INS_IsNop(INS ins);
BOOL INS_IsSub(INS ins);
BOOL INS_IsXchg(INS ins);
BOOL INS_IsPrefetch(INS ins);
BOOL INS_IsCacheLineFlush(INS ins);
BOOL INS_IsMaskMov(INS ins);
BOOL INS_IsMovdir64b(INS ins);
BOOL INS_IsAmx(INS ins);
BOOL INS_IsStringop(INS ins);
BOOL INS_IsAtomicUpdate(INS ins);
BOOL INS_IsPredicated(INS ins);                 /* cmovcc, fcmovcc, repeated string instructions */
PREDICATE INS_GetPredicate(INS ins);
BOOL INS_IsOriginal(INS ins);
BOOL INS_IsAddedForFunctionReplacement(INS ins);
BOOL INS_Stutters(INS ins);
BOOL INS_HasRealRep(INS ins);
REG INS_RepCountRegister(INS ins);
REG INS_MaskRegister(INS ins);

/* ---- Prefixes ---- */
BOOL INS_LockPrefix(INS ins);
BOOL INS_RepPrefix(INS ins);
BOOL INS_RepnePrefix(INS ins);
BOOL INS_SegmentPrefix(INS ins);
REG INS_SegmentRegPrefix(INS ins);
BOOL INS_SegPrefixIsMemoryRead(INS ins);
BOOL INS_SegPrefixIsMemoryWrite(INS ins);
BOOL INS_AddressSizePrefix(INS ins);
BOOL INS_OperandSizePrefix(INS ins);
BOOL INS_BranchTakenPrefix(INS ins);
BOOL INS_BranchNotTakenPrefix(INS ins);

/* ---- Registers, implicit ones and those of addresses included ---- */
UINT32 INS_MaxNumRRegs(INS ins);
UINT32 INS_MaxNumWRegs(INS ins);
REG INS_RegR(INS ins, UINT32 k);
REG INS_RegW(INS ins, UINT32 k);
BOOL INS_RegRContain(INS ins, REG reg);
BOOL INS_RegWContain(INS ins, REG reg);
BOOL INS_FullRegRContain(INS ins, REG reg);
BOOL INS_FullRegWContain(INS ins, REG reg);
BOOL INS_RegIsImplicit(INS ins, REG reg);

/* ---- Operands ---- */
UINT32 INS_OperandCount(INS ins);
UINT32 INS_OperandNameId(INS ins, UINT32 n);
BOOL INS_OperandIsImplicit(INS ins, UINT32 n);
/* FALSE for the base register that stands beside the memory operand of a push or a string instruction (XED_OPERAND_BASE0); what
 * register that is, INS_OperandReg tells. */
BOOL INS_OperandIsReg(INS ins, UINT32 n);
REG INS_OperandReg(INS ins, UINT32 n);
BOOL INS_OperandIsSegmentReg(INS ins, UINT32 n);
BOOL INS_OperandIsImmediate(INS ins, UINT32 n);
UINT64 INS_OperandImmediate(INS ins, UINT32 n);
BOOL INS_OperandIsBranchDisplacement(INS ins, UINT32 n);
BOOL INS_OperandIsMemory(INS ins, UINT32 n);
BOOL INS_OperandIsFixedMemop(INS ins, UINT32 n);
BOOL INS_OperandIsAddressGenerator(INS ins, UINT32 n);
REG INS_OperandMemoryBaseReg(INS ins, UINT32 n);
REG INS_OperandMemoryIndexReg(INS ins, UINT32 n);
REG INS_OperandMemorySegmentReg(INS ins, UINT32 n);
UINT32 INS_OperandMemoryScale(INS ins, UINT32 n);
ADDRDELTA INS_OperandMemoryDisplacement(INS ins, UINT32 n);
UINT32 INS_OperandWidth(INS ins, UINT32 n);     /* bits */
UINT32 INS_OperandSize(INS ins, UINT32 n);      /* bytes */
BOOL INS_OperandRead(INS ins, UINT32 n);
BOOL INS_OperandWritten(INS ins, UINT32 n);
BOOL INS_OperandReadOnly(INS ins, UINT32 n);
BOOL INS_OperandWrittenOnly(INS ins, UINT32 n);
BOOL INS_OperandReadAndWritten(INS ins, UINT32 n);
BOOL INS_OperandHasElements(INS ins, UINT32 n);
UINT32 INS_OperandElementCount(INS ins, UINT32 n);
USIZE INS_OperandElementSize(INS ins, UINT32 n);
UINT32 INS_EffectiveAddressWidth(INS ins);

/* ---- Memory operands, numbered from 0; implicit ones count, lea's does not ---- */
UINT32 INS_MemoryOperandCount(INS ins);
BOOL INS_MemoryOperandIsRead(INS ins, UINT32 memop);
BOOL INS_MemoryOperandIsWritten(INS ins, UINT32 memop);
USIZE INS_MemoryOperandSize(INS ins, UINT32 memop);
UINT32 INS_MemoryOperandIndexToOperandIndex(INS ins, UINT32 memop);
UINT32 INS_MemoryOperandElementCount(INS ins, UINT32 memop);
USIZE INS_MemoryOperandElementSize(INS ins, UINT32 memop);
BOOL INS_IsMemoryRead(INS ins);
BOOL INS_IsMemoryWrite(INS ins);
BOOL INS_HasMemoryRead2(INS ins);
BOOL INS_HasExplicitMemoryReference(INS ins);
BOOL INS_HasMemoryVector(INS ins);
BOOL INS_HasScatteredMemoryAccess(INS ins);
BOOL INS_IsStandardMemop(INS ins);
BOOL INS_IsStackRead(INS ins);
BOOL INS_IsStackWrite(INS ins);
BOOL INS_IsIpRelRead(INS ins);
BOOL INS_IsIpRelWrite(INS ins);
BOOL INS_IsVgather(INS ins);
BOOL INS_IsVscatter(INS ins);
USIZE INS_MemoryReadSize(INS ins);
USIZE INS_MemoryWriteSize(INS ins);
BOOL INS_hasKnownMemorySize(INS ins);
/* Of the explicit memory operand. */
REG INS_MemoryBaseReg(INS ins);
REG INS_MemoryIndexReg(INS ins);
UINT32 INS_MemoryScale(INS ins);
ADDRDELTA INS_MemoryDisplacement(INS ins);
/* Of a gather or scatter: how many accesses, bytes of each, bytes of an index. */
VOID GetNumberAndSizeOfMemAccesses(INS ins, int *numAccesses, int *accessSize, int *indexSize);
#endif
