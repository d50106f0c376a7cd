/* selectors.c: FS and GS are loaded and stored here, since the registers themselves are the engine's: their selectors stay null,
 * the application's are words of the thread. The other segment registers are the application's own.
 *  (1) What a load does to the base is for the CPU to say: the real GS is loaded and read.
 *  (2) It cannot fault: the descriptor is looked at before. */
#include "arch/x86/arch_types.h"
#include "arch/x86/cpu.h"
#include "arch/x86/emulate.h"
#include "arch/x86/inline.h"
#include "engine/emulate/smc.h"
#include "engine/thread.h"

enum { FS = 4, GS = 5, NULL_SELECTORS = 3, TABLE_AND_INDEX = 0xfffc };

/* ---- descriptors ---- */
u32 x86_access_rights(u16 selector)
{
    u32 rights = 0;
    bool is_known;
    __asm__("lar %2, %0" : "+r"(rights), "=@ccz"(is_known) : "r"((u32)selector));
    return is_known ? rights : 0;
}

static bool is_readable(u16 selector)
{
    bool yes;
    __asm__("verr %w1" : "=@ccz"(yes) : "r"(selector));
    return yes;
}

static bool is_writable(u16 selector)
{
    bool yes;
    __asm__("verw %w1" : "=@ccz"(yes) : "r"(selector));
    return yes;
}

enum emulate_result x86_selector_fault(struct emulate_out *out, u32 trap, u16 selector)
{
    enum { SI_KERNEL = 0x80 };
    *out = (struct emulate_out){ .sig = trap == TRAP_PROTECTION ? K_SIGSEGV : K_SIGBUS, .code = SI_KERNEL, .trap = trap,
                                 .err = selector & TABLE_AND_INDEX };
    return EMULATE_SIGNAL;
}

static bool may_be_data(u16 selector, struct emulate_out *out)
{
    if (selector <= NULL_SELECTORS)
        return true;
    if (!is_readable(selector))
        x86_selector_fault(out, TRAP_PROTECTION, selector);
    else if (!(x86_access_rights(selector) & RIGHTS_PRESENT))
        x86_selector_fault(out, TRAP_NOT_PRESENT, selector);
    else
        return true;
    return false;
}

bool x86_may_be_stack(u16 selector, struct emulate_out *out)
{
    enum { USER = 3 };
    if ((selector & 3) != USER || !is_writable(selector))
        x86_selector_fault(out, TRAP_PROTECTION, selector);
    else if (!(x86_access_rights(selector) & RIGHTS_PRESENT))
        x86_selector_fault(out, TRAP_STACK, selector);
    else
        return true;
    return false;
}

/* ---- memory ---- */
/* No address can be there: the stack has a trap of its own for that. */
static void blame_stack(struct thread *t)
{
    if (t->copy_fault.fault.trapno != TRAP_PROTECTION)
        return;
    t->copy_fault.fault.trapno = TRAP_STACK;
    t->copy_fault.sig = K_SIGBUS;
}

bool x86_read_stack(struct thread *t, addr_t at, void *to, u32 size)
{
    bool ok = mem_copy_safely(to, (void *)at, size);
    if (!ok)
        blame_stack(t);
    return ok;
}

bool x86_write_stack(struct thread *t, addr_t at, const void *from, u32 size)
{
    bool ok = smc_write((void *)at, from, size);
    if (!ok)
        blame_stack(t);
    return ok;
}

static bool is_on_stack(const struct x86_insn *x)
{
    struct x86_operand o;
    x86_operand(x, &o);
    return !x->seg && !x->rip_rel && (o.base == RSP || o.base == RBP);
}

bool x86_read_operand(struct thread *t, const struct insn *in, u32 from, void *to, u32 size)
{
    bool ok = mem_copy_safely(to, (void *)(x86_operand_address(t, in) + from), size);
    if (!ok && is_on_stack(&in->a.x))
        blame_stack(t);
    return ok;
}

u32 x86_far_size(const struct insn *in, bool is_on_stack)
{
    bool has_wide = is_on_stack || !x86_is_amd();
    return has_wide && in->a.x.rex & 8 ? 8 : in->a.x.opsize16 ? 2 : 4;
}

/* ---- loads ---- */
/* `base` goes through the real register: some CPUs clear it with a null selector, some keep it. */
static u64 base_after(u16 selector, u64 base)
{
    u64 own;
    __asm__ volatile("rdgsbase %0\n\twrgsbase %1\n\tmov %w2, %%gs\n\trdgsbase %1\n\tmov %w3, %%gs\n\twrgsbase %0"
                     : "=&r"(own), "+r"(base) : "r"(selector), "r"((u16)0));
    return base;
}

static void load(struct thread *t, u32 segment, u16 selector)
{
    if (segment == FS) {
        t->arch.fs_selector = selector;
        __asm__ volatile("wrgsbase %0" : : "r"(base_after(selector, x86_app_fs())));
    } else {
        t->arch.gs_selector = selector;
        t->arch.app_gs = base_after(selector, t->arch.app_gs);
    }
}

static void set_register(u64 *r, u64 value, u32 size)
{
    if (size == 2)
        memcpy(r, &value, 2);
    else
        *r = size == 4 ? (u32)value : value;
}

static u32 reg_field(const struct x86_insn *x) { return (u32)(x->modrm >> 3 & 7) | (x->rex & 4) << 1; }
static u32 rm_field(const struct x86_insn *x) { return (u32)(x->modrm & 7) | (u32)(x->rex & 1) << 3; }
static bool is_pop(const struct x86_insn *x) { return x->opcode == 0xa1 || x->opcode == 0xa9; }
static u32 stack_size(const struct x86_insn *x) { return x->opsize16 && !(x->rex & 8) ? 2 : 8; }

/* pop, mov, lfs and lgs. All is read before anything is written. */
enum emulate_result x86_load_selector(struct thread *t, const struct insn *in, struct emulate_out *out)
{
    const struct x86_insn *x = &in->a.x;
    u64 *g = t->arch.regs.gpr, offset = 0;
    u16 selector = 0;
    bool is_mov = x->map == X86_MAP_1, pops = !is_mov && is_pop(x);
    u32 size = is_mov || pops ? 0 : x86_far_size(in, false);
    if (pops) {
        if (!x86_read_stack(t, g[RSP], &offset, stack_size(x)))
            return EMULATE_FAULT;
        selector = (u16)offset;
    } else if (!x->has_mem) {
        selector = (u16)g[rm_field(x)];
    } else if (!x86_read_operand(t, in, 0, &offset, size) || !x86_read_operand(t, in, size, &selector, 2)) {
        return EMULATE_FAULT;
    }
    if (!may_be_data(selector, out))
        return EMULATE_SIGNAL;
    load(t, is_mov ? x->modrm >> 3 & 7 : x->opcode == 0xa1 || x->opcode == 0xb4 ? FS : GS, selector);
    if (pops)
        g[RSP] += stack_size(x);
    else if (!is_mov)
        set_register(&g[reg_field(x)], offset, size);
    t->arch.regs.pc = insn_next(in);
    return EMULATE_DONE;
}

/* ---- stores ---- */
enum emulate_result x86_store_selector(struct thread *t, const struct insn *in)
{
    const struct x86_insn *x = &in->a.x;
    u64 *g = t->arch.regs.gpr;
    bool is_mov = x->map == X86_MAP_1;
    u32 segment = is_mov ? x->modrm >> 3 & 7 : x->opcode == 0xa0 ? FS : GS, size = stack_size(x);
    u64 value = segment == FS ? t->arch.fs_selector : t->arch.gs_selector;
    if (!is_mov) {
        if (!x86_write_stack(t, g[RSP] - size, &value, size))
            return EMULATE_FAULT;
        g[RSP] -= size;
    } else if (!x->has_mem) {
        set_register(&g[rm_field(x)], value, size);
    } else if (!smc_write((void *)x86_operand_address(t, in), &value, 2)) {
        if (is_on_stack(x))
            blame_stack(t);
        return EMULATE_FAULT;
    }
    t->arch.regs.pc = insn_next(in);
    return EMULATE_DONE;
}
