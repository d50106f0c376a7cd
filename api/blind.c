/* blind.c: functions of this interface that look at nothing of the tool's but their arguments. A callback for new code that calls
 * only these, and names the words it looks at, need not find its counters up to date (engine/jit/promote.h). References are weak: a
 * tool gets only what it calls itself. */
#include "api/api.h"

#define FOR_EACH_BLIND(X) \
    X(TRACE_Address) X(TRACE_BblHead) X(TRACE_BblTail) X(TRACE_HasFallThrough) X(TRACE_NumBbl) X(TRACE_NumIns) X(TRACE_Original) \
    X(TRACE_Size) X(TRACE_Version) X(TRACE_InsertCall) X(TRACE_InsertIfCall) X(TRACE_InsertThenCall) \
    X(BBL_Address) X(BBL_HasFallThrough) X(BBL_InsHead) X(BBL_InsTail) X(BBL_Next) X(BBL_NumIns) X(BBL_Original) X(BBL_Prev) X(BBL_Size) \
    X(BBL_Valid) X(BBL_InsertCall) X(BBL_InsertIfCall) X(BBL_InsertThenCall) \
    X(INS_Address) X(INS_Category) X(INS_Extension) X(INS_HasFallThrough) X(INS_InsertCall) X(INS_InsertFillBuffer) \
    X(INS_InsertFillBufferPredicated) X(INS_InsertIfCall) X(INS_InsertPredicatedCall) X(INS_InsertThenCall) X(INS_Invalid) \
    X(INS_IsBranch) X(INS_IsCall) X(INS_IsControlFlow) X(INS_IsDirectCall) X(INS_IsIndirectControlFlow) X(INS_IsMemoryRead) \
    X(INS_IsMemoryWrite) X(INS_IsNop) X(INS_IsRet) X(INS_IsStackRead) X(INS_IsStackWrite) X(INS_IsSyscall) \
    X(INS_IsValidForIpointAfter) X(INS_IsValidForIpointTakenBranch) X(INS_MemoryOperandCount) X(INS_MemoryOperandIsRead) \
    X(INS_MemoryOperandIsWritten) X(INS_MemoryOperandSize) X(INS_Next) X(INS_NextAddress) X(INS_Opcode) X(INS_OperandCount) \
    X(INS_OperandWidth) X(INS_Prev) X(INS_Size) X(INS_Valid)

#define IS_WEAK(name) extern __typeof__(name) name __attribute__((weak));
FOR_EACH_BLIND(IS_WEAK)

bool blind_is(const void *fn)
{
#define ADDRESS(name) (const void *)name,
    const void *const all[] = { FOR_EACH_BLIND(ADDRESS) };
    for (u32 i = 0; i < sizeof all / sizeof *all; i++)
        if (fn && all[i] == fn)
            return true;
    return false;
}
