/* emulate.c: instructions that cannot run in the cache: int 0x80, xbegin, popf that is watched, and those that store the x87
 * instruction pointer; here or in int80.c, selectors.c, far.c, strings.c. */
#include "arch/x86/emit.h"
#include "arch/x86/cpu.h"
#include "arch/x86/emulate.h"
#include "arch/x86/int80.h"
#include "arch/x86/strings.h"
#include "arch/x86/x87.h"
#include "arch/x86/xstate.h"
#include "base/heap.h"
#include "base/panic.h"
#include "base/print.h"
#include "base/sys.h"
#include "engine/cache/cache.h"
#include "engine/thread.h"

bool x86_stores_fip(const struct x86_insn *x);

void x86_refuse(const struct insn *in, const char *what)
{
    char text[128], bytes[40];
    u32 n = 0;
    arch_format(in, text, sizeof text);
    for (u32 i = 0; i < in->len && n + 4 < sizeof bytes; i++)
        n += (u32)ct_format(bytes + n, sizeof bytes - n, "%02x ", in->bytes[i]);
    ct_fatal("%s is not supported: %s (%s) at 0x%lx", what, text, bytes, in->pc);
}

/* Address of the memory operand. */
addr_t x86_operand_address(const struct thread *t, const struct insn *in)
{
    const struct x86_insn *x = &in->a.x;
    const u64 *g = t->arch.regs.gpr;
    u32 mod = x->modrm >> 6, rm = x->modrm & 7;
    u64 a = (u64)(s64)x->disp;
    if (x->rip_rel) {
        a += insn_next(in);
    } else if (rm == 4) {
        u8 sib = in->bytes[x->modrm_off + 1];
        u32 base = (u32)(sib & 7) | (x->rex & 1) << 3, index = (u32)(sib >> 3 & 7) | (x->rex & 2) << 2;
        if (!((sib & 7) == 5 && mod == 0))
            a += g[base];
        if (index != 4)
            a += g[index] << (sib >> 6);
    } else {
        a += g[rm | (x->rex & 1) << 3];
    }
    if (x->addr32)
        a = (u32)a;
    if (x->seg == X86_SEG_FS) {
        u64 base;
        __asm__("rdgsbase %0" : "=r"(base));
        a += base;
    } else if (x->seg == X86_SEG_GS) {
        a += t->arch.app_gs;
    }
    return a;
}

/* Run the instruction itself on [rdi], with edx:eax as the application has them. A fault in there is the engine's, so the
 * memory is probed first with the bytes it holds. */
static bool can_write(addr_t at, u32 size)
{
    u8 byte;
    if (!arch_is_canonical(at) || !arch_is_canonical(at + size) || at + size < at)
        return false;
    for (addr_t p = at; p < at + size; p = ROUND_DOWN(p, PAGE_SIZE) + PAGE_SIZE)
        if (!mem_copy_safely(&byte, (void *)p, 1) || !mem_copy_safely((void *)p, &byte, 1))
            return false;
    return true;
}

/* fnstenv and fnsave in their oldest form. */
static bool is_16_bit(const struct x86_insn *x) { return x->map == X86_MAP_1 && x->opsize16 && !(x->rex & 8); }

static u64 rdi_op(const struct x86_insn *x, void *to, u64 mask)
{
    u32 reg = x->modrm >> 3 & 7, lo = (u32)mask, hi = (u32)(mask >> 32);
    bool wide = x->rex & 8;
    if (x->map == X86_MAP_1) {
        if (x->opcode == 0xd9) {
            if (is_16_bit(x))
                __asm__ volatile("fnstenvs (%0)" : : "r"(to) : "memory");
            else
                __asm__ volatile("fnstenv (%0)" : : "r"(to) : "memory");
        } else if (is_16_bit(x)) {
            __asm__ volatile("fnsaves (%0)" : : "r"(to) : "memory");
        } else {
            __asm__ volatile("fnsave (%0)" : : "r"(to) : "memory");
        }
    } else if (x->opcode == 0xc7) {
        if (wide)
            __asm__ volatile("xsavec64 (%0)" : : "r"(to), "a"(lo), "d"(hi) : "memory");
        else
            __asm__ volatile("xsavec (%0)" : : "r"(to), "a"(lo), "d"(hi) : "memory");
    } else if (reg == 0) {
        if (wide)
            __asm__ volatile("fxsave64 (%0)" : : "r"(to) : "memory");
        else
            __asm__ volatile("fxsave (%0)" : : "r"(to) : "memory");
    } else if (reg == 4) {
        if (wide)
            __asm__ volatile("xsave64 (%0)" : : "r"(to), "a"(lo), "d"(hi) : "memory");
        else
            __asm__ volatile("xsave (%0)" : : "r"(to), "a"(lo), "d"(hi) : "memory");
    } else {
        if (wide)
            __asm__ volatile("xsaveopt64 (%0)" : : "r"(to), "a"(lo), "d"(hi) : "memory");
        else
            __asm__ volatile("xsaveopt (%0)" : : "r"(to), "a"(lo), "d"(hi) : "memory");
    }
    return 0;
}

static u32 image_size(const struct x86_insn *x)
{
    if (x->map == X86_MAP_1)
        return x->opcode == 0xd9 ? (is_16_bit(x) ? 14 : 28) : (is_16_bit(x) ? 94 : 108);
    return x->opcode == 0xae && (x->modrm >> 3 & 7) == 0 ? 512 : 576;
}

static u32 image_alignment(const struct x86_insn *x) { return x->map == X86_MAP_1 ? 1 : image_size(x) == 512 ? 16 : 64; }

/* The stored pointers have 64 bits in the 64-bit forms, else 32, or 16 in the oldest, which has no opcode. */
static void mend_image(const struct x86_insn *x, u8 *image, u32 full)
{
    static const struct x87_layout oldest = { 6, 10, 2, 0 }, env = { 12, 20, 4, 18 };
    bool is_wide = x->rex & 8;
    struct x87_layout fx = { FXSAVE_FIP, FXSAVE_FDP, is_wide ? 8 : 4, FXSAVE_FOP };
    struct x87_layout l = is_16_bit(x) ? oldest : x->map == X86_MAP_1 ? env : fx;
    if (!is_16_bit(x))
        memcpy(&full, image + l.fip, 4);
    x86_mend_x87(image, l, full);
}

/* The lower half of the pointer. AMD's fxsave has it only with an exception; the 32-bit environment has it, but loading that again,
 * as one must, cuts it down, which Intel's then remember. */
static u32 current_fip(void)
{
    u8 area[512] __attribute__((aligned(16)));
    u32 env[7];
    if (!x86_is_amd()) {
        __asm__ volatile("fxsave64 %0" : "=m"(area));
        return *(u32 *)(area + FXSAVE_FIP);
    }
    __asm__ volatile("fnstenv %0\n\tfldenv %0" : "+m"(env));
    return env[3];
}

/* Of an area with these features; they need not be in the order of their numbers. */
static u32 state_size(u64 features)
{
    u32 size = 0;
    for (u32 i = 2; i < X86_COMPONENTS; i++)
        if (features >> i & 1)
            size = MAX(size, x86_component(i)->offset + x86_component(i)->size);
    return size;
}

static enum emulate_result store_x87(struct thread *t, const struct insn *in)
{
    const struct x86_insn *x = &in->a.x;
    addr_t to = x86_operand_address(t, in);
    const u64 *g = t->arch.regs.gpr;
    u64 mask = (g[RDX] << 32) | (u32)g[RAX];
    u32 size = image_size(x);
    if (size >= 576)
        size = MAX(size, state_size(mask & x86_xfeatures));
    if (to % image_alignment(x) || !can_write(to, size))
        return EMULATE_PLAIN;
    u32 full = is_16_bit(x) ? current_fip() : 0;
    rdi_op(x, (void *)to, mask);
    mend_image(x, (u8 *)to, full);
    t->arch.regs.pc = insn_next(in);
    return EMULATE_DONE;
}

/* xbegin always aborts at once, with no reason given: every program must be ready for that. */
static enum emulate_result abort_transaction(struct thread *t, const struct insn *in)
{
    t->arch.regs.gpr[RAX] = 0;
    t->arch.regs.pc = x86_target(&in->a.x, in->pc);
    return EMULATE_DONE;
}

/* In a virtual machine it takes as long as hundreds of instructions, or thousands. */
static enum emulate_result answer_cpuid(struct thread *t, const struct insn *in)
{
    u64 *g = t->arch.regs.gpr;
    if (x86_cpuid_may_fault)
        return EMULATE_PLAIN;
    struct x86_answer r = x86_cpuid((u32)g[RAX], (u32)g[RCX]);
    g[RAX] = r.a;
    g[RBX] = r.b;
    g[RCX] = r.c;
    g[RDX] = r.d;
    t->arch.regs.pc = insn_next(in);
    return EMULATE_DONE;
}

static enum emulate_result popf(struct thread *t, const struct insn *in)
{
    enum { USER = 0x244dd5 };                      /* CF PF AF ZF SF TF DF OF NT AC ID */
    u64 *g = t->arch.regs.gpr, v = 0, mask = in->a.x.opsize16 ? USER & 0xffff : USER;
    u32 size = in->a.x.opsize16 ? 2 : 8;
    if (!x86_read_stack(t, g[RSP], &v, size))
        return EMULATE_FAULT;
    t->arch.regs.flags = (t->arch.regs.flags & ~mask) | (v & mask);
    g[RSP] += size;
    t->arch.regs.pc = insn_next(in);
    return EMULATE_DONE;
}

enum emulate_result arch_emulate(struct thread *t, const struct insn *in, struct emulate_out *out)
{
    *out = (struct emulate_out){ .sig = K_SIGSEGV, .code = 0x80 };       /* SI_KERNEL: what #GP gives */
    switch (in->a.x.kind) {
    case X86_INT: return x86_int80(t, in, out);
    case X86_WRITE_SEG: return x86_load_selector(t, in, out);
    case X86_READ_SEG: return x86_store_selector(t, in);
    case X86_XBEGIN: return abort_transaction(t, in);
    case X86_FAR: return x86_far_transfer(t, in, out);
    case X86_PLAIN:
        if (x86_stores_fip(&in->a.x))
            return store_x87(t, in);
        if (x86_is_cpuid(&in->a.x))
            return answer_cpuid(t, in);
        if (in->a.x.opcode == 0x9d)
            return popf(t, in);
        return x86_gs_string(t, in, out);
    case X86_BAD: x86_refuse(in, "an APX instruction");
    default: x86_refuse(in, "this instruction");
    }
}
