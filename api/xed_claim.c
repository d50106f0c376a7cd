/* xed_claim.c: what follows from class and operands: the registers read and written, and the claims. */
#include "api/xed_int.h"

/* ---- Registers ---- */

static void add_reg(u16 *list, u8 *n, u32 reg)
{
    if (reg == REG_INVALID_)
        return;
    for (u32 k = 0; k < *n; k++)
        if (list[k] == reg)
            return;
    if (*n < XV_MAX_REGS)
        list[(*n)++] = (u16)reg;
}

/* A write under a mask or a condition that may leave the register as it was is a write all the same, not a read: the
 * old value takes no part in the result's computation unless the operand says so. */
static void add_operand(struct xv_insn *x, const struct xv_operand *o)
{
    bool is_full_mask = x->evex.mask_op && o == &x->op[x->evex.mask_op] && o->reg == REG_K0;    /* k0 there: no mask */
    if (o->kind == XV_REG && o->access & XV_READ && !is_full_mask)
        add_reg(x->read, &x->n_read, o->reg);
    if (o->kind == XV_REG && o->access & XV_WRITE)
        add_reg(x->written, &x->n_written, o->reg);
    if (o->kind == XV_MEM || o->kind == XV_AGEN) {
        add_reg(x->read, &x->n_read, o->base);
        add_reg(x->read, &x->n_read, o->index);
        add_reg(x->read, &x->n_read, o->seg);
    }
}

/* The 4FMAPS instructions name the first of four registers, VP2INTERSECT the first of a pair. */
static void add_multisource(struct xv_insn *x, const struct xv_decoded *d)
{
    if (x->iclass == XED_ICLASS_VP2INTERSECTD || x->iclass == XED_ICLASS_VP2INTERSECTQ)
        add_reg(x->written, &x->n_written, REG_K0 + ((x->op[0].reg - REG_K0) ^ 1));
    for (u32 k = 0; k < d->i.operand_count; k++)
        if (d->op[k].type == ZYDIS_OPERAND_TYPE_REGISTER && d->op[k].attributes & ZYDIS_OATTRIB_IS_MULTISOURCE4)
            for (u32 n = 0; n < 4; n++)
                add_reg(x->read, &x->n_read, xv_reg_from_zydis((ZydisRegister)((d->op[k].reg.value & ~3u) + n)));
}

void xv_set_registers(struct xv_insn *x, const struct xv_decoded *d)
{
    const ZydisAccessedFlags *f = d->i.cpu_flags;
    for (u32 k = 0; k < x->n_operands; k++)
        add_operand(x, &x->op[k]);
    add_multisource(x, d);
    if (f) {
        x->flags_read = f->tested;
        x->flags_written = f->modified | f->set_0 | f->set_1 | f->undefined;
    }
}

/* ---- Control flow ---- */

static bool is_far(const struct xv_decoded *d) { return d->i.meta.branch_type == ZYDIS_BRANCH_TYPE_FAR; }
static bool has_relative(const struct xv_insn *x) { return x->n_operands && x->op[0].kind == XV_BRANCH; }

static u64 branch_claims(const struct xv_insn *x, const struct xv_decoded *d)
{
    bool is_jump = (x->category == XED_CATEGORY_COND_BR && has_relative(x) && x->iclass != XED_ICLASS_XBEGIN) ||
                   x->iclass == XED_ICLASS_JMP || x->iclass == XED_ICLASS_JMP_FAR;
    if (!is_jump)
        return 0;
    return XV_BIT(BRANCH) | XV_BIT(CONTROL_FLOW) | XV_BIT(VALID_FOR_TAKEN) |
           (has_relative(x) ? XV_BIT(DIRECT_BRANCH) | XV_BIT(DIRECT_CONTROL_FLOW) : XV_BIT(INDIRECT_CONTROL_FLOW)) |
           xv_if(is_far(d), XV_BIT(FAR_JUMP)) |
           xv_if(x->category == XED_CATEGORY_COND_BR, XV_BIT(FALL_THROUGH) | XV_BIT(VALID_FOR_AFTER));
}

static u64 call_claims(const struct xv_insn *x, const struct xv_decoded *d)
{
    if (x->iclass != XED_ICLASS_CALL_NEAR && x->iclass != XED_ICLASS_CALL_FAR)
        return 0;
    bool calls_next = has_relative(x) && x->op[0].value == 0;     /* call; pop: the program asks for its own address */
    return XV_BIT(CALL) | XV_BIT(CONTROL_FLOW) | XV_BIT(VALID_FOR_TAKEN) |
           (has_relative(x) ? XV_BIT(DIRECT_CALL) | XV_BIT(DIRECT_CONTROL_FLOW) : XV_BIT(INDIRECT_CONTROL_FLOW)) |
           (calls_next ? XV_BIT(PC_MATERIALIZATION) : XV_BIT(PROCEDURE_CALL)) | xv_if(is_far(d), XV_BIT(FAR_CALL));
}

static u64 return_claims(const struct xv_insn *x)
{
    u64 ret = XV_BIT(RET) | XV_BIT(CONTROL_FLOW) | XV_BIT(INDIRECT_CONTROL_FLOW) | XV_BIT(VALID_FOR_TAKEN);
    switch (x->iclass) {
    case XED_ICLASS_RET_NEAR: return ret;
    case XED_ICLASS_RET_FAR: return ret | XV_BIT(FAR_RET);
    case XED_ICLASS_IRET: case XED_ICLASS_IRETD: case XED_ICLASS_IRETQ: return ret | XV_BIT(IRET);
    default: return 0;
    }
}

static u64 system_claims(const struct xv_insn *x)
{
    switch (x->iclass) {
    case XED_ICLASS_SYSCALL: return XV_BIT(SYSCALL) | XV_BIT(VALID_FOR_AFTER);
    case XED_ICLASS_SYSENTER: return XV_BIT(SYSCALL) | XV_BIT(SYSENTER);
    case XED_ICLASS_INT:
        return XV_BIT(INTERRUPT) | (x->op[0].value == 0x80 || (u8)x->op[0].value == 0x80 ?
                                    XV_BIT(SYSCALL) | XV_BIT(VALID_FOR_AFTER) : 0);
    case XED_ICLASS_SYSRET: case XED_ICLASS_SYSRET64: case XED_ICLASS_SYSEXIT:
        return XV_BIT(SYSRET);
    case XED_ICLASS_HLT: case XED_ICLASS_UD2: return XV_BIT(HALT);
    case XED_ICLASS_XBEGIN:
        return XV_BIT(XBEGIN) | XV_BIT(CONTROL_FLOW) | XV_BIT(DIRECT_CONTROL_FLOW) | XV_BIT(FALL_THROUGH);
    case XED_ICLASS_XEND: return XV_BIT(XEND) | XV_BIT(CONTROL_FLOW) | XV_BIT(FALL_THROUGH);
    case XED_ICLASS_RDTSC: case XED_ICLASS_RDTSCP: return XV_BIT(RDTSC);
    default: return xv_if(x->category == XED_CATEGORY_INTERRUPT, XV_BIT(INTERRUPT));
    }
}

/* Neither control flow nor a system call, nor an instruction that never completes: the next one follows. So it does
 * after xabort outside a transaction, and no transaction ever begins here. */
static u64 straight_claims(const struct xv_insn *x, u64 so_far)
{
    u64 leaves = XV_BIT(CONTROL_FLOW) | XV_BIT(SYSCALL) | XV_BIT(SYSRET) | XV_BIT(HALT);
    if (so_far & leaves)
        return 0;
    return XV_BIT(FALL_THROUGH) | XV_BIT(VALID_FOR_AFTER);
}

static u64 flow_claims(const struct xv_insn *x, const struct xv_decoded *d)
{
    u64 c = branch_claims(x, d) | call_claims(x, d) | return_claims(x) | system_claims(x);
    return c | straight_claims(x, c);
}

/* ---- Kinds of instruction ---- */

static bool is_full_move_to_itself(const struct xv_insn *x)
{
    return x->iclass == XED_ICLASS_MOV && x->op[0].kind == XV_REG && x->op[1].kind == XV_REG &&
           x->op[0].reg == x->op[1].reg && reg_class((REG)x->op[0].reg) == REG_CLASS_GR64;
}

static u64 class_claims(const struct xv_insn *x)
{
    switch (x->iclass) {
    case XED_ICLASS_MOV: return XV_BIT(MOV) | xv_if(is_full_move_to_itself(x), XV_BIT(MOV_FULL_REG_REG_SAME));
    case XED_ICLASS_LEA: return XV_BIT(LEA);
    case XED_ICLASS_SUB: case XED_ICLASS_SUB_LOCK: return XV_BIT(SUB);
    case XED_ICLASS_XCHG: return XV_BIT(XCHG);
    case XED_ICLASS_CLFLUSH: case XED_ICLASS_CLFLUSHOPT: case XED_ICLASS_CLWB: return XV_BIT(CACHE_LINE_FLUSH);
    case XED_ICLASS_MASKMOVQ: case XED_ICLASS_MASKMOVDQU: case XED_ICLASS_VMASKMOVDQU: return XV_BIT(MASKMOV);
    case XED_ICLASS_MOVDIR64B: return XV_BIT(MOVDIR64B);
    default: return 0;
    }
}

static u64 category_claims(const struct xv_insn *x)
{
    switch (x->category) {
    case XED_CATEGORY_NOP: case XED_CATEGORY_WIDENOP: return XV_BIT(NOP);
    case XED_CATEGORY_PREFETCH: case XED_CATEGORY_PREFETCHWT1: return XV_BIT(PREFETCH);
    case XED_CATEGORY_STRINGOP: case XED_CATEGORY_IOSTRINGOP: return XV_BIT(STRINGOP);
    case XED_CATEGORY_AMX_TILE: return XV_BIT(AMX);
    case XED_CATEGORY_CMOV: case XED_CATEGORY_FCMOV: return XV_BIT(PREDICATED);
    case XED_CATEGORY_AVX2GATHER: case XED_CATEGORY_GATHER: return XV_BIT(VGATHER);
    case XED_CATEGORY_SCATTER: return XV_BIT(VSCATTER);
    default: return 0;
    }
}

/* ---- Memory ---- */

static bool is_vector(u32 reg)
{
    enum reg_class c = reg_class((REG)reg);
    return c == REG_CLASS_XMM || c == REG_CLASS_YMM || c == REG_CLASS_ZMM;
}

static bool is_stack_reg(u32 reg) { return reg_full((REG)reg) == REG_RSP || reg_full((REG)reg) == REG_RBP; }

static u64 operand_claims(const struct xv_operand *o, u32 n_reads)
{
    bool reads = o->kind == XV_MEM && o->access & XV_READ, writes = o->kind == XV_MEM && o->access & XV_WRITE;
    u64 c = xv_if((o->kind == XV_MEM || o->kind == XV_AGEN) && o->visibility == XV_EXPLICIT, XV_BIT(EXPLICIT_MEMORY)) |
            xv_if(reads, XV_BIT(MEMORY_READ)) | xv_if(writes, XV_BIT(MEMORY_WRITE)) |
            xv_if(reads && n_reads, XV_BIT(MEMORY_READ2)) | xv_if(is_vector(o->index), XV_BIT(MEMORY_VECTOR));
    if (is_stack_reg(o->base))
        c |= xv_if(reads, XV_BIT(STACK_READ)) | xv_if(writes, XV_BIT(STACK_WRITE));
    if (reg_full((REG)o->base) == REG_RIP)
        c |= xv_if(reads, XV_BIT(IPREL_READ)) | xv_if(writes, XV_BIT(IPREL_WRITE));
    if (o->seg)
        c |= xv_if(reads, XV_BIT(SEG_READ)) | xv_if(writes, XV_BIT(SEG_WRITE));
    return c;
}

/* The xsave family touches parts of its area, as many as the machine has state. */
static bool is_xsave(const struct xv_insn *x)
{
    return x->category == XED_CATEGORY_XSAVE || x->category == XED_CATEGORY_XSAVEOPT;
}

static u64 memory_claims(const struct xv_insn *x)
{
    u64 c = 0;
    u32 n_reads = 0;
    for (u32 k = 0; k < x->n_operands; k++) {
        c |= operand_claims(&x->op[k], n_reads);
        n_reads += x->op[k].kind == XV_MEM && x->op[k].access & XV_READ;
    }
    bool is_tile = x->category == XED_CATEGORY_AMX_TILE && x->n_memory && x->op[x->memory[0]].n_elements == 0;
    bool is_scattered = c & XV_BIT(MEMORY_VECTOR) || is_tile;
    bool is_standard = !is_scattered && !(is_xsave(x) && x->n_memory);
    return c | xv_if(is_scattered, XV_BIT(SCATTERED)) | xv_if(is_standard, XV_BIT(STANDARD_MEMOP));
}

/* ---- Prefixes ---- */

static u64 prefix_claims(struct xv_insn *x, const ZydisDecodedInstruction *i)
{
    u64 c = 0;
    u8 jcc = i->opcode_map == ZYDIS_OPCODE_MAP_DEFAULT ? 0x70 : 0x80;
    bool is_conditional = x->category == XED_CATEGORY_COND_BR && has_relative(x) && (i->opcode & 0xf0) == jcc;
    for (u32 k = 0; k < i->raw.prefix_count; k++) {
        switch (i->raw.prefixes[k].value) {
        case 0xf3: c |= XV_BIT(REP_PREFIX); break;
        case 0xf2: c |= XV_BIT(REPNE_PREFIX); break;
        case 0xf0: c |= XV_BIT(LOCK_PREFIX); break;
        case 0x66: c |= XV_BIT(OPERAND_SIZE_PREFIX); break;
        case 0x67: c |= XV_BIT(ADDRESS_SIZE_PREFIX); break;
        case 0x64: c |= XV_BIT(SEGMENT_PREFIX); x->seg_prefix = REG_SEG_FS; break;
        case 0x65: c |= XV_BIT(SEGMENT_PREFIX); x->seg_prefix = REG_SEG_GS; break;
        case 0x2e: c |= xv_if(is_conditional, XV_BIT(BRANCH_NOT_TAKEN_PREFIX)); break;
        case 0x3e: c |= xv_if(is_conditional, XV_BIT(BRANCH_TAKEN_PREFIX)); break;
        }
    }
    return c;
}

static u64 rep_claims(struct xv_insn *x, const ZydisDecodedInstruction *i)
{
    if (!(i->attributes & (ZYDIS_ATTRIB_HAS_REP | ZYDIS_ATTRIB_HAS_REPE | ZYDIS_ATTRIB_HAS_REPNE)))
        return 0;
    x->rep_count_reg = i->address_width == 32 ? REG_ECX : REG_RCX;
    return XV_BIT(REAL_REP) | XV_BIT(PREDICATED);
}

static u64 atomic_claims(const struct xv_insn *x, const ZydisDecodedInstruction *i)
{
    bool swaps_memory = x->iclass == XED_ICLASS_XCHG && x->n_memory;
    return xv_if(i->attributes & ZYDIS_ATTRIB_HAS_LOCK || swaps_memory, XV_BIT(ATOMIC_UPDATE));
}

/* ---- Predicate ---- */

/* By condition code, as encoded in the opcode's low four bits. */
static const u8 conditions[16] = {
    PREDICATE_OVERFLOW, PREDICATE_NOT_OVERFLOW, PREDICATE_BELOW, PREDICATE_NOT_BELOW, PREDICATE_ZERO,
    PREDICATE_NOT_ZERO, PREDICATE_BELOW_OR_EQUAL, PREDICATE_NOT_BELOW_OR_EQUAL, PREDICATE_SIGN, PREDICATE_NOT_SIGN,
    PREDICATE_PARITY, PREDICATE_NOT_PARITY, PREDICATE_LESS, PREDICATE_NOT_LESS, PREDICATE_LESS_OR_EQUAL,
    PREDICATE_NOT_LESS_OR_EQUAL,
};

static u8 predicate_of(const struct xv_insn *x, const ZydisDecodedInstruction *i)
{
    switch (x->iclass) {
    case XED_ICLASS_FCMOVB: return PREDICATE_BELOW;
    case XED_ICLASS_FCMOVE: return PREDICATE_ZERO;
    case XED_ICLASS_FCMOVBE: return PREDICATE_BELOW_OR_EQUAL;
    case XED_ICLASS_FCMOVU: return PREDICATE_PARITY;
    case XED_ICLASS_FCMOVNB: return PREDICATE_NOT_BELOW;
    case XED_ICLASS_FCMOVNE: return PREDICATE_NOT_ZERO;
    case XED_ICLASS_FCMOVNBE: return PREDICATE_NOT_BELOW_OR_EQUAL;
    case XED_ICLASS_FCMOVNU: return PREDICATE_NOT_PARITY;
    }
    if (x->category == XED_CATEGORY_CMOV)
        return conditions[i->opcode & 15];
    if (x->claims & XV_BIT(REAL_REP))
        return x->rep_count_reg == REG_ECX ? PREDICATE_ECX_NON_ZERO : PREDICATE_RCX_NON_ZERO;
    return PREDICATE_ALWAYS_TRUE;
}

/* ---- Masks ---- */

static u16 mask_of(const struct xv_insn *x, const ZydisDecodedInstruction *i)
{
    if (i->avx.mask.mode != ZYDIS_MASK_MODE_INVALID && i->avx.mask.mode != ZYDIS_MASK_MODE_DISABLED)
        return (u16)xv_reg_from_zydis(i->avx.mask.reg);
    if (x->category == XED_CATEGORY_AVX2GATHER)
        return x->op[2].reg;                       /* destination, memory, mask */
    return REG_INVALID_;
}

void xv_set_claims(struct xv_insn *x, const struct xv_decoded *d)
{
    x->address_width = d->i.address_width;
    x->claims = flow_claims(x, d) | class_claims(x) | category_claims(x) | memory_claims(x) | prefix_claims(x, &d->i) |
                rep_claims(x, &d->i) | atomic_claims(x, &d->i);
    x->predicate = predicate_of(x, &d->i);
    x->mask_reg = mask_of(x, &d->i);
}

/* ---- Questions ---- */

const struct xv_operand *xv_explicit_memory(const struct xv_insn *x)
{
    for (u32 k = 0; k < x->n_operands; k++)
        if (x->op[k].visibility == XV_EXPLICIT && (x->op[k].kind == XV_MEM || x->op[k].kind == XV_AGEN))
            return &x->op[k];
    return NULL;
}

addr_t xv_target(const struct xv_insn *x)
{
    return has_relative(x) ? xv_next(x) + (addr_t)x->op[0].value : 0;
}

static u32 access_size(const struct xv_insn *x, u8 access)
{
    for (u32 i = 0; i < x->n_memory; i++)
        if (xv_memop(x, i)->access & access)
            return xv_memop(x, i)->width / 8;
    return 0;
}

u32 xv_read_size(const struct xv_insn *x) { return access_size(x, XV_READ); }
u32 xv_write_size(const struct xv_insn *x) { return access_size(x, XV_WRITE); }

static bool contains(const u16 *list, u32 n, REG reg, bool in_full)
{
    for (u32 k = 0; k < n; k++)
        if (list[k] == reg || (in_full && reg_full((REG)list[k]) == reg_full(reg)))
            return true;
    return false;
}

bool xv_reads_reg(const struct xv_insn *x, REG reg) { return contains(x->read, x->n_read, reg, false); }
bool xv_writes_reg(const struct xv_insn *x, REG reg) { return contains(x->written, x->n_written, reg, false); }
bool xv_reads_full_reg(const struct xv_insn *x, REG reg) { return contains(x->read, x->n_read, reg, true); }
bool xv_writes_full_reg(const struct xv_insn *x, REG reg) { return contains(x->written, x->n_written, reg, true); }

bool xv_reg_is_implicit(const struct xv_insn *x, REG reg)
{
    for (u32 k = 0; k < x->n_operands; k++)
        if (x->op[k].kind == XV_REG && x->op[k].reg == reg && x->op[k].visibility != XV_EXPLICIT)
            return true;
    return false;
}
