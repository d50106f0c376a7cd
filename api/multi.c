/* multi.c: arguments about several memory accesses at once. What an instruction accesses is described when the call is
 * inserted; addresses and masks are worked out when it is made. */
#include "api/iarg.h"
#include <stdio.h>
#include <string.h>

u64 hook_value(u64 what, struct arch_context *c)
{
    const struct hook *h = (const struct hook *)what;
    return h->work_out(h, c);
}

static u64 reg_word(struct arch_context *c, struct reg_id r)
{
    u64 w = 0;
    arch_context_read(c, r, &w);
    return w;
}

/* ---- masks ---- */
/* Element i is on: a bit of a mask register, or the sign of an element of a vector. */
static bool is_on(struct arch_context *c, const struct xv_insn *x, u32 i, u32 element_bytes)
{
    REG mask = (REG)x->mask_reg;
    if (mask == REG_INVALID_ || mask == REG_K0)
        return true;
    u8 bytes[64] = { 0 };
    arch_context_read(c, reg_to_id(mask), bytes);
    if (reg_class(mask) == REG_CLASS_K)
        return bytes[i / 8] >> i % 8 & 1;
    return bytes[(i + 1) * element_bytes - 1] >> 7;
}

static bool any_on(struct arch_context *c, const struct xv_insn *x, const struct xv_operand *o)
{
    for (u32 i = 0; i < MAX(o->n_elements, 1u); i++)
        if (is_on(c, x, i, o->element_width / 8u))
            return true;
    return false;
}

static u64 masked_on(const struct hook *h, struct arch_context *c) { return any_on(c, &h->x, xv_memop(&h->x, h->memop)); }

/* ---- gathers and scatters: base + a vector of indices ---- */
static u32 index_bytes(const struct xv_insn *x)
{
    char name[64];
    snprintf(name, sizeof name, "%s", xv_iclass_name(x->iclass));
    const char *p = strstr(name, "GATHER");
    p = p ? p + 6 : strstr(name, "SCATTER") ? strstr(name, "SCATTER") + 7 : "D";
    return *p == 'Q' ? 8 : 4;
}

static u32 n_scattered(const struct xv_insn *x, const struct xv_operand *o)
{
    u32 by_index = reg_size((REG)o->index) / index_bytes(x), by_data = MAX(o->n_elements, 1u);
    return MIN(MIN(by_index, by_data), (u32)MAX_MULTI_MEMOPS);
}

void hook_fill_scattered(PIN_MULTI_MEM_ACCESS_INFO *out, struct arch_context *c, const struct xv_insn *x, const struct xv_operand *o)
{
    u8 index[64] = { 0 };
    u32 step = index_bytes(x), element = o->element_width / 8u;
    arch_context_read(c, reg_to_id((REG)o->index), index);
    u64 base = (u64)o->value + (o->base == REG_INVALID_ ? 0 : reg_word(c, reg_to_id((REG)o->base)));
    for (u32 i = 0; i < n_scattered(x, o) && out->numberOfMemops < MAX_MULTI_MEMOPS; i++) {
        s64 n = 0;
        memcpy(&n, index + i * step, step);
        if (step == 4)
            n = (s32)n;
        out->memop[out->numberOfMemops++] = (PIN_MEM_ACCESS_INFO){
            base + (u64)(n * (s64)MAX(o->scale, 1u)), o->access & XV_WRITE ? PIN_MEMOP_STORE : PIN_MEMOP_LOAD, element,
            is_on(c, x, i, element) };
    }
}

static void fill_plain(PIN_MULTI_MEM_ACCESS_INFO *out, struct arch_context *c, const struct xv_insn *x, const struct xv_operand *o)
{
    struct arch_address a;
    address_of(x, o, &a);
    u64 at = arch_address_value(&a, c->regs.gpr, c->fs_base, c->gs_base);
    bool on = any_on(c, x, o);
    if (o->access & XV_READ && out->numberOfMemops < MAX_MULTI_MEMOPS)
        out->memop[out->numberOfMemops++] = (PIN_MEM_ACCESS_INFO){ at, PIN_MEMOP_LOAD, o->width / 8u, on };
    if (o->access & XV_WRITE && out->numberOfMemops < MAX_MULTI_MEMOPS)
        out->memop[out->numberOfMemops++] = (PIN_MEM_ACCESS_INFO){ at, PIN_MEMOP_STORE, o->width / 8u, on };
}

static u64 multi_access(const struct hook *h, struct arch_context *c)
{
    static __thread PIN_MULTI_MEM_ACCESS_INFO info;
    info.numberOfMemops = 0;
    for (u32 k = 0; k < h->x.n_memory; k++) {
        const struct xv_operand *o = xv_memop(&h->x, k);
        REG index = (REG)o->index;
        if (index != REG_INVALID_ && REG_is_xmm_ymm_zmm(index))
            hook_fill_scattered(&info, c, &h->x, o);
        else
            fill_plain(&info, c, &h->x, o);
    }
    return (u64)&info;
}

/* ---- one operand, element by element ---- */
static PIN_OP_ELEMENT_ACCESS access_of(const struct xv_operand *o)
{
    bool reads = o->access & XV_READ, writes = (o->access & XV_WRITE) != 0;
    return reads && writes ? PIN_OP_ELEMENT_ACCESS_READWRITE : writes ? PIN_OP_ELEMENT_ACCESS_WRITE : PIN_OP_ELEMENT_ACCESS_READ;
}

static bool is_scattered(const struct xv_operand *o)
{
    return o->kind == XV_MEM && o->index != REG_INVALID_ && REG_is_xmm_ymm_zmm((REG)o->index);
}

static void fill_element_addresses(COTTER_ELEMENTS *e, const struct hook *h, const struct xv_operand *o, struct arch_context *c)
{
    PIN_MULTI_MEM_ACCESS_INFO all = { .numberOfMemops = 0 };
    struct arch_address a;
    if (is_scattered(o)) {
        hook_fill_scattered(&all, c, &h->x, o);
        e->numOfElements = MIN(e->numOfElements, all.numberOfMemops);
    } else {
        address_of(&h->x, o, &a);
        e->address = arch_address_value(&a, c->regs.gpr, c->fs_base, c->gs_base);
    }
    for (u32 i = 0; i < e->numOfElements; i++)
        e->element[i].address = is_scattered(o) ? all.memop[i].memoryAddress : e->address + i * e->elementSize;
}

static u64 elements(const struct hook *h, struct arch_context *c)
{
    static __thread COTTER_ELEMENTS e;
    const struct xv_operand *o = &h->x.op[h->memop];
    e.isMemory = o->kind == XV_MEM;
    e.size = o->width / 8u;
    e.elementSize = o->element_width / 8u;
    e.numOfElements = MIN(MAX(o->n_elements, 1u), (u32)ARRAY_LEN(e.element));
    e.address = 0;
    e.access = access_of(o);
    if (e.isMemory)
        fill_element_addresses(&e, h, o, c);
    for (u32 i = 0; i < e.numOfElements; i++)
        e.element[i].mask = is_on(c, &h->x, i, e.elementSize);
    return (u64)&e;
}

/* ---- addresses as the tool translates them ---- */
static MEMORY_ADDR_TRANS_CALLBACK translate;
static VOID *translate_val;

VOID PIN_AddMemoryAddressTransFunction(MEMORY_ADDR_TRANS_CALLBACK fun, VOID *val)
{
    translate = fun;
    translate_val = val;
}

MEMORY_ADDR_TRANS_CALLBACK PIN_GetMemoryAddressTransFunction(VOID) { return translate; }
bool has_translation(void) { return translate != NULL; }

static u64 translated(const struct hook *h, struct arch_context *c)
{
    const struct xv_operand *o = xv_memop(&h->x, h->memop);
    struct arch_address a;
    address_of(&h->x, o, &a);
    PIN_MEM_TRANS_INFO info = {
        .threadIndex = thr_self.index, .addr = arch_address_value(&a, c->regs.gpr, c->fs_base, c->gs_base),
        .bytes = o->width / 8u, .memOpType = h->is_write ? PIN_MEMOP_STORE : PIN_MEMOP_LOAD, .ip = h->x.address };
    info.flags.bits.isAtomic = xv_is(&h->x, XV_IS_ATOMIC_UPDATE);
    info.flags.bits.isRmw = access_of(o) == PIN_OP_ELEMENT_ACCESS_READWRITE;
    info.flags.bits.isPrefetch = xv_is(&h->x, XV_IS_PREFETCH);
    return translate ? translate(&info, translate_val) : info.addr;
}

u64 hook_make(INS ins, u32 memop, u64 (*work_out)(const struct hook *, struct arch_context *))
{
    struct hook *h = instr_keep(sizeof *h);
    h->work_out = work_out;
    h->x = *code_xed(ins);
    h->memop = memop;
    return (u64)h;
}

u64 hook_multi_access(INS ins) { return hook_make(ins, 0, multi_access); }
u64 hook_masked_on(INS ins, UINT32 memop) { return hook_make(ins, memop, masked_on); }
u64 hook_elements(INS ins, UINT32 operand) { return hook_make(ins, operand, elements); }

u64 hook_translated(INS ins, UINT32 memop, bool is_write)
{
    u64 h = hook_make(ins, memop, translated);
    ((struct hook *)h)->is_write = is_write;
    return h;
}
