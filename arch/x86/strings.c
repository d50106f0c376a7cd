/* strings.c: movs, cmps, lods and xlat with a GS operand, performed in C: no scratch register could stand in for rsi while
 * the instruction itself moves it. Hardly any program has one.
 *  (1) Registers are as after the last whole iteration when one faults or the work is cut short; the pc stays. */
#include "arch/x86/emit.h"
#include "arch/x86/strings.h"
#include "engine/thread.h"

enum { AT_ONCE = 65536 };                         /* iterations before signals are looked at */
enum { SI_KERNEL = 0x80 };

bool x86_try_compare(addr_t source, addr_t target, u32 form);          /* entry.S */

struct job {
    struct thread *t;
    const struct x86_insn *x;
    u32 size;
    u64 mask;                                     /* of address registers */
    s64 step;
};

static u64 *reg(struct job *j, u32 n) { return &j->t->arch.regs.gpr[n]; }
static void advance(struct job *j, u32 n) { *reg(j, n) = (*reg(j, n) + (u64)j->step) & j->mask; }

static bool is_compare(const struct x86_insn *x) { return (x->opcode | 1) == 0xa7; }
static bool is_load(const struct x86_insn *x) { return (x->opcode | 1) == 0xad; }

static bool read(struct job *j, addr_t at, u64 *value, struct emulate_out *out)
{
    *value = 0;
    out->address = at;
    out->is_read = true;
    return mem_copy_safely(value, (void *)at, j->size);
}

/* The flags of `left - right`, by the CPU itself. */
static void set_flags(struct job *j, u64 left, u64 right)
{
    u64 flags, *now = &j->t->arch.regs.flags;
    u32 up = 64 - j->size * 8;
    __asm__("cmp %2, %1\n\tpushfq\n\tpop %0" : "=r"(flags) : "r"(left << up), "r"(right << up) : "cc");
    /* AF and PF belong to the lowest byte. */
    u64 low;
    __asm__("cmpb %b2, %b1\n\tpushfq\n\tpop %0" : "=r"(low) : "q"(left), "q"(right) : "cc");
    enum { LOW = X86_AF | X86_PF, HIGH = X86_ARITH & ~LOW };
    *now = (*now & ~(u64)X86_ARITH) | (flags & HIGH) | (low & LOW);
}

static void set_accumulator(struct job *j, u64 v)
{
    u64 *a = reg(j, RAX);
    if (j->size == 8)
        *a = v;
    else if (j->size == 4)
        *a = (u32)v;
    else
        *a = (*a & ~((1ull << j->size * 8) - 1)) | v;
}

/* Which operand of a comparison is read first shows if neither can be. CPUs differ in that, and in which forms: the CPU itself makes the
 * comparison, and is seen to fault. */
static bool reads_target_first(struct job *j, addr_t source, addr_t target)
{
    const struct pending *p = &j->t->copy_fault;
    u32 prefix = j->x->rep == 0xf3 ? 1 : j->x->rep == 0xf2 ? 2 : 0, size = (u32)__builtin_ctz(j->size);
    if (x86_try_compare(source, target, prefix * 4 + size))
        return true;                              /* somebody has mapped them meanwhile: either will do */
    return p->info.code == SI_KERNEL ? !arch_is_canonical(target) : (addr_t)p->info.addr - target < j->size;
}

static bool read_both(struct job *j, addr_t source, addr_t target, u64 *from, u64 *to, struct emulate_out *out)
{
    bool has_target = read(j, target, to, out), has_source = read(j, source, from, out);
    if (!has_target && (has_source || reads_target_first(j, source, target)))
        out->address = target;
    return has_target && has_source;
}

static bool iterate(struct job *j, struct emulate_out *out)
{
    u64 from, to;
    addr_t source = j->t->arch.app_gs + (*reg(j, RSI) & j->mask), target = *reg(j, RDI) & j->mask;
    bool is_read = is_compare(j->x) ? read_both(j, source, target, &from, &to, out) : read(j, source, &from, out);
    if (!is_read)
        return false;
    if (is_load(j->x)) {
        set_accumulator(j, from);
    } else if (is_compare(j->x)) {
        set_flags(j, from, to);
    } else {
        out->address = target;
        out->is_read = false;
        if (!mem_copy_safely((void *)target, &from, j->size))
            return false;
    }
    advance(j, RSI);
    if (!is_load(j->x))
        advance(j, RDI);
    return true;
}

static bool is_over(struct job *j)
{
    bool equal = j->t->arch.regs.flags & X86_ZF;
    if (!(*reg(j, RCX) & j->mask))
        return true;
    return is_compare(j->x) && equal == (j->x->rep == 0xf2);
}

/* The operand at out->address cannot be accessed. If it lies across the end of a page, and the first page is good, it is the second. */
static void find_bad_page(struct job *j, struct emulate_out *out)
{
    addr_t at = out->address, second = ROUND_DOWN(at + j->size - 1, (addr_t)PAGE_SIZE);
    u8 byte;
    if (second > at && mem_copy_safely(&byte, (void *)at, 1) && (out->is_read || mem_copy_safely((void *)at, &byte, 1)))
        out->address = second;
}

/* At out->address: a page fault, or a general protection fault where no address can be. */
static enum emulate_result fault(struct emulate_out *out)
{
    out->code = 1;                                /* SEGV_MAPERR */
    if (!arch_is_canonical(out->address)) {
        out->code = SI_KERNEL;
        out->address = 0;
    }
    return EMULATE_SIGNAL;
}

static enum emulate_result translate_byte(struct job *j, const struct insn *in, struct emulate_out *out)
{
    u64 v;
    j->size = 1;
    addr_t at = j->t->arch.app_gs + ((*reg(j, RBX) + (u8)*reg(j, RAX)) & j->mask);
    if (!read(j, at, &v, out))
        return fault(out);
    set_accumulator(j, v);
    j->t->arch.regs.pc = insn_next(in);
    return EMULATE_DONE;
}

enum emulate_result x86_gs_string(struct thread *t, const struct insn *in, struct emulate_out *out)
{
    const struct x86_insn *x = &in->a.x;
    struct job j = { t, x, !(x->opcode & 1) ? 1 : x->rex & 8 ? 8 : x->opsize16 ? 2 : 4, x->addr32 ? 0xffffffffu : ~0ull, 0 };
    j.step = t->arch.regs.flags & X86_DF ? -(s64)j.size : (s64)j.size;
    if (x->opcode == 0xd7)
        return translate_byte(&j, in, out);
    for (u16 cut = x86_cut_by_string(x); cut; cut &= (u16)(cut - 1))
        *reg(&j, (u32)__builtin_ctz(cut)) &= j.mask;
    bool done = x->rep && !(*reg(&j, RCX) & j.mask);
    for (u32 n = 0; !done && n < AT_ONCE; n++) {
        if (!iterate(&j, out)) {
            find_bad_page(&j, out);
            return fault(out);
        }
        if (x->rep)
            *reg(&j, RCX) = (*reg(&j, RCX) - 1) & j.mask;
        done = !x->rep || is_over(&j);
    }
    if (done)
        t->arch.regs.pc = insn_next(in);
    return EMULATE_DONE;
}
