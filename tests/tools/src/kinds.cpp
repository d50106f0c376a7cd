/* kinds.cpp: what the INS functions say of each instruction of a routine. */
#include "pin.H"

static std::string Words(INS ins)
{
    std::string s;
    auto put = [&](BOOL yes, const std::string &word) { if (yes) s += (s.empty() ? "" : " ") + word; };
    put(INS_IsNop(ins), "nop");
    put(INS_IsCall(ins), "call");
    put(INS_IsIRet(ins), "iret");
    put(INS_IsFarRet(ins), "farret");
    put(INS_IsRet(ins) && !INS_IsFarRet(ins), "ret");
    put(INS_IsBranch(ins), "branch");
    put(INS_IsMov(ins), "mov");
    put(INS_IsMovFullRegRegSame(ins), "same");
    put(INS_IsLea(ins), "lea");
    put(INS_IsSub(ins), "sub");
    put(INS_IsXchg(ins), "xchg");
    put(INS_IsSyscall(ins), "syscall");
    put(INS_IsSysenter(ins), "sysenter");
    put(INS_IsInterrupt(ins), "interrupt");
    put(INS_IsHalt(ins), "halt");
    put(INS_IsRDTSC(ins), "rdtsc");
    put(INS_IsPrefetch(ins), "prefetch");
    put(INS_IsCacheLineFlush(ins), "flush");
    put(INS_IsStringop(ins), "string");
    put(INS_IsVgather(ins), "gather");
    put(INS_IsMaskMov(ins), "maskmov");
    put(INS_IsControlFlow(ins), "flow");
    put(INS_IsDirectControlFlow(ins), "direct");
    put(INS_IsIndirectControlFlow(ins), "indirect");
    put(INS_IsProcedureCall(ins), "proc");
    put(INS_IsPcMaterialization(ins), "material");
    put(INS_IsControlFlow(ins) && INS_HasFallThrough(ins), "fall");
    put(INS_IsAtomicUpdate(ins), "atomic");
    put(INS_LockPrefix(ins), "lock");
    put(INS_RepPrefix(ins), "rep");
    put(INS_RepnePrefix(ins), "repne");
    put(INS_IsPredicated(ins), "pred");
    put(INS_HasRealRep(ins), "real-rep:" + REG_StringShort(INS_RepCountRegister(ins)));
    put(REG_valid(INS_MaskRegister(ins)), "mask:" + REG_StringShort(INS_MaskRegister(ins)));
    put(INS_OperandSizePrefix(ins) && INS_IsNop(ins), "osize");
    put(INS_BranchTakenPrefix(ins), "hint-taken");
    put(INS_BranchNotTakenPrefix(ins), "hint-not-taken");
    put(INS_IsMemoryRead(ins), "read");
    put(INS_HasMemoryRead2(ins), "read2");
    put(INS_IsMemoryWrite(ins), "write");
    put(INS_IsStackRead(ins), "stack-read");
    put(INS_IsStackWrite(ins), "stack-write");
    put(INS_IsIpRelRead(ins), "iprel-read");
    put(INS_IsIpRelWrite(ins), "iprel-write");
    put(INS_SegmentPrefix(ins) && REG_is_gs_or_fs(INS_SegmentRegPrefix(ins)), "seg:" + REG_StringShort(INS_SegmentRegPrefix(ins)));
    put(INS_SegPrefixIsMemoryRead(ins), "seg-read");
    put(INS_SegPrefixIsMemoryWrite(ins), "seg-write");
    put(INS_AddressSizePrefix(ins), "asize");
    put(INS_MemoryOperandCount(ins) && INS_IsStandardMemop(ins), "std");
    put(INS_HasScatteredMemoryAccess(ins), "scattered");
    put(INS_HasMemoryVector(ins), "vector");
    for (UINT32 k = 0; k < INS_OperandCount(ins); k++)
        put(INS_OperandIsSegmentReg(ins, k) && !INS_OperandIsImplicit(ins, k), "segop");
    put(INS_IsValidForIpointAfter(ins), "after");
    put(INS_IsValidForIpointTakenBranch(ins), "taken");
    for (UINT32 k = 0; k < INS_OperandCount(ins); k++)
        put(INS_OperandIsAddressGenerator(ins, k), "agen");
    return s;
}

/* What must hold of every instruction. */
static UINT64 wrong;
#define CHECK(claim) do { if (!(claim)) { wrong++; std::cerr << INS_Disassemble(ins) << ": " #claim << std::endl; } } while (0)
static VOID Rules(INS ins)
{
    CHECK(INS_IsBranchOrCall(ins) == (INS_IsBranch(ins) || INS_IsCall(ins)) && INS_Stutters(ins) == INS_HasRealRep(ins));
    CHECK(INS_IsOriginal(ins) && !INS_IsAddedForFunctionReplacement(ins) && !INS_IsSysret(ins) && !INS_IsXbegin(ins) && !INS_IsXend(ins));
    CHECK(!INS_IsAmx(ins) && !INS_IsMovdir64b(ins) && !INS_IsVscatter(ins) && !INS_IsDirectFarJump(ins) && !INS_IsFarCall(ins) && !INS_IsFarJump(ins));
    CHECK(INS_IsDirectCall(ins) == (INS_IsCall(ins) && INS_IsDirectControlFlow(ins)) && INS_IsDirectBranch(ins) == (INS_IsBranch(ins) && INS_IsDirectControlFlow(ins)));
    CHECK(INS_IsDirectBranchOrCall(ins) == INS_IsDirectControlFlow(ins) && INS_IsIndirectBranchOrCall(ins) == INS_IsIndirectControlFlow(ins));
    CHECK(!INS_IsDirectControlFlow(ins) || INS_DirectBranchOrCallTargetAddress(ins) == INS_DirectControlFlowTargetAddress(ins));
    CHECK((INS_SyscallStd(ins) != SYSCALL_STANDARD_INVALID) == INS_IsSyscall(ins) && (INS_GetPredicate(ins) != PREDICATE_ALWAYS_TRUE) == INS_IsPredicated(ins));
    CHECK(INS_hasKnownMemorySize(ins) == INS_IsStandardMemop(ins));
    for (UINT32 k = 0; k < INS_OperandCount(ins); k++) {
        BOOL r = INS_OperandRead(ins, k), w = INS_OperandWritten(ins, k);
        CHECK(INS_OperandReadOnly(ins, k) == (r && !w) && INS_OperandWrittenOnly(ins, k) == (w && !r) && INS_OperandReadAndWritten(ins, k) == (r && w));
        CHECK(INS_OperandSize(ins, k) == INS_OperandWidth(ins, k) / 8);
        CHECK(INS_OperandHasElements(ins, k) == (INS_OperandElementCount(ins, k) != 1));
        CHECK(!INS_OperandIsFixedMemop(ins, k) || (INS_OperandIsMemory(ins, k) && INS_OperandIsImplicit(ins, k)));
        BOOL is_base = xed_operand_is_memory_addressing_register((xed_operand_enum_t)INS_OperandNameId(ins, k));
        CHECK(is_base + INS_OperandIsReg(ins, k) + INS_OperandIsMemory(ins, k) + INS_OperandIsImmediate(ins, k) + INS_OperandIsBranchDisplacement(ins, k) +
              INS_OperandIsAddressGenerator(ins, k) == 1);
        if (INS_OperandIsReg(ins, k) && REG_valid(INS_OperandReg(ins, k))) {
            REG reg = INS_OperandReg(ins, k);
            CHECK((!r || INS_RegRContain(ins, reg)) && (!w || INS_RegWContain(ins, reg)) && (!r || INS_FullRegRContain(ins, REG_FullRegName(reg))));
            CHECK(!INS_OperandIsImplicit(ins, k) || INS_RegIsImplicit(ins, reg));
        }
    }
    for (UINT32 m = 0; m < INS_MemoryOperandCount(ins); m++) {
        UINT32 k = INS_MemoryOperandIndexToOperandIndex(ins, m);
        CHECK(INS_OperandIsMemory(ins, k) && INS_MemoryOperandElementCount(ins, m) == INS_OperandElementCount(ins, k));
        CHECK(INS_MemoryOperandElementSize(ins, m) == INS_OperandElementSize(ins, k));
        if (!INS_OperandIsImplicit(ins, k) && INS_HasExplicitMemoryReference(ins))
            CHECK(INS_MemoryBaseReg(ins) == INS_OperandMemoryBaseReg(ins, k) && INS_MemoryIndexReg(ins) == INS_OperandMemoryIndexReg(ins, k) &&
                  INS_MemoryScale(ins) == INS_OperandMemoryScale(ins, k) && INS_MemoryDisplacement(ins) == INS_OperandMemoryDisplacement(ins, k));
    }
    int accesses, size, index;
    if (INS_IsVgather(ins)) {
        GetNumberAndSizeOfMemAccesses(ins, &accesses, &size, &index);
        CHECK(accesses == 4 && size == 4 && index == 4);
    }
}

static VOID Image(IMG img, VOID *)
{
    RTN rtn = RTN_FindByName(img, "kinds");
    if (!RTN_Valid(rtn))
        return;
    RTN_Open(rtn);
    UINT32 n = 0;
    for (INS ins = RTN_InsHead(rtn); INS_Valid(ins); ins = INS_Next(ins), n++) {
        std::cout << Words(ins) << std::endl;
        Rules(ins);
        if (INS_Valid(INS_Next(ins)) && INS_Address(INS_Prev(INS_Next(ins))) != INS_Address(ins))
            wrong++;
    }
    if (n != RTN_NumIns(rtn) || INS_Address(RTN_InsHeadOnly(rtn)) != RTN_Address(rtn) || INS_NextAddress(RTN_InsTail(rtn)) != RTN_Address(rtn) + RTN_Size(rtn))
        wrong++;
    PIN_SetSyntaxATT();
    std::cout << "# " << INS_Disassemble(INS_Next(RTN_InsHead(rtn))) << std::endl;
    PIN_SetSyntaxXED();
    std::cout << "# " << INS_Disassemble(INS_Next(RTN_InsHead(rtn))) << std::endl;
    PIN_SetSyntaxIntel();
    std::cout << "# " << INS_Disassemble(INS_Next(RTN_InsHead(rtn))) << std::endl;
    RTN_Close(rtn);
    wrong += n != RTN_NumIns(rtn);
    std::cout << "# wrong " << wrong << (INS_Valid(INS_Invalid()) ? " valid" : "") << std::endl;
}

int main(int argc, char **argv)
{
    PIN_InitSymbols();
    if (PIN_Init(argc, argv))
        return 1;
    IMG_AddInstrumentFunction(Image, 0);
    PIN_StartProgram();
}
