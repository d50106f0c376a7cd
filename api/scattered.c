/* scattered.c: gathers and scatters whose elements are elsewhere. The instruction is left out; in its place, behind all other calls at
 * it, the elements are moved one by one as the instruction would have done. */
#include "api/iarg.h"
#include <limits.h>
#include <string.h>

static __thread COTTER_SCATTERED elements;      /* as the tool left them */
static __thread addr_t elements_of;             /* the instruction they are of; 0: the tool was not asked */

static void work_out(COTTER_SCATTERED *e, const struct xv_insn *x, u32 memop, struct arch_context *c)
{
    PIN_MULTI_MEM_ACCESS_INFO all = { .numberOfMemops = 0 };
    hook_fill_scattered(&all, c, x, xv_memop(x, memop));
    e->numOfElements = all.numberOfMemops;
    e->elementSize = xv_memop(x, memop)->element_width / 8u;
    for (u32 i = 0; i < e->numOfElements; i++) {
        e->element[i].address = all.memop[i].memoryAddress;
        e->element[i].mask = all.memop[i].maskOn;
    }
}

static u64 scattered(const struct hook *h, struct arch_context *c)
{
    work_out(&elements, &h->x, h->memop, c);
    elements_of = h->x.address;
    return (u64)&elements;
}

u64 hook_scattered(INS ins, UINT32 memop) { return hook_make(ins, memop, scattered); }

/* ---- the instruction's work ---- */
enum { WIDEST = 64 };

static REG whole(REG reg)
{
    u32 num = reg_to_id(reg).num;
    return (REG)((PIN_SupportsProcessorState(PROCESSOR_STATE_ZMM) ? REG_ZMM0 : REG_YMM0) + num);
}

/* The vector that is gathered into or scattered from. */
static REG data_reg(const struct xv_insn *x)
{
    for (u32 k = 0; k < x->n_operands; k++)
        if (x->op[k].kind == XV_REG && x->op[k].reg != x->mask_reg && REG_is_xmm_ymm_zmm((REG)x->op[k].reg))
            return (REG)x->op[k].reg;
    return REG_INVALID_;
}

static void clear_mask(CONTEXT *c, REG mask)
{
    static const u8 zero[WIDEST];
    if (mask != REG_INVALID_)
        PIN_SetContextRegval(c, REG_is_k_mask(mask) ? mask : whole(mask), zero);
}

static void raise_fault(const CONTEXT *c, THREADID tid, addr_t pc, addr_t at, bool is_write)
{
    CONTEXT full;
    EXCEPTION_INFO info;
    PIN_SaveContext(c, &full);
    PIN_InitAccessFaultInfo(&info, EXCEPTCODE_ACCESS_INVALID_ADDRESS, pc, at, is_write ? FAULTY_ACCESS_WRITE : FAULTY_ACCESS_READ);
    PIN_RaiseException(&full, tid, &info);
}

static void perform(CONTEXT *c, THREADID tid, const struct hook *h)
{
    u8 data[WIDEST] = { 0 }, after[WIDEST] = { 0 };
    REG reg = data_reg(&h->x);
    bool is_write = xv_memop(&h->x, h->memop)->access & XV_WRITE;
    if (elements_of != h->x.address)
        work_out(&elements, &h->x, h->memop, (struct arch_context *)c);
    elements_of = 0;
    PIN_GetContextRegval(c, whole(reg), data);
    for (u32 i = 0; i < elements.numOfElements; i++) {
        u32 size = elements.elementSize, at = i * size;
        VOID *place = (VOID *)elements.element[i].address;
        memcpy(after + at, data + at, size);
        if (elements.element[i].mask && (is_write ? PIN_SafeCopy(place, data + at, size) : PIN_SafeCopy(after + at, place, size)) != size)
            raise_fault(c, tid, h->x.address, (addr_t)place, is_write);
    }
    if (!is_write)
        PIN_SetContextRegval(c, whole(reg), after);
    clear_mask(c, (REG)h->x.mask_reg);
}

VOID INS_RewriteScatteredMemoryOperand(INS ins, UINT32 memop)
{
    if (!INS_HasScatteredMemoryAccess(ins) || memop >= INS_MemoryOperandCount(ins))
        api_fatal("INS_RewriteScatteredMemoryOperand: memory operand %u is none of a gather or scatter: %s", memop, INS_Disassemble(ins));
    if (code_is_of_routine(ins))
        api_fatal("INS_RewriteScatteredMemoryOperand: from INS and TRACE callbacks only");
    struct call *c = instr_new_call(3);
    c->fn = (const void *)perform;
    c->order = INT_MAX;
    c->n_args = 3;
    c->arg[0] = (struct arg){ .kind = ARG_CONTEXT, .offset_size = 8, .value = CONTEXT_PARTIAL | CONTEXT_OUT_XSTATE };
    c->arg[1] = (struct arg){ .kind = ARG_THREAD, .offset_size = 4 };
    c->arg[2] = (struct arg){ .kind = ARG_CONST, .offset_size = 8, .value = hook_make(ins, memop, NULL) };
    instr_add(code_index(ins), POINT_BEFORE, c);
    INS_Delete(ins);
}
