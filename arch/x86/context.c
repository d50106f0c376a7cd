/* context.c: the application's state as an object: arch_context, read and written register by register. */
#include "arch/x86/bridge.h"
#include "arch/x86/frame_offsets.h"
#include "arch/x86/context.h"
#include "arch/x86/cpu.h"
#include "arch/x86/xstate.h"
#include "engine/thread.h"

/* ---- the xsave image ---- */
/* Parts: 5 is the mask registers, 6 the upper halves of zmm0-15, 7 zmm16-31. */
enum { C_X87, C_SSE, C_AVX, C_OPMASK = 5, C_ZMM_HI, C_HI_ZMM };
enum { X87_AREA = 32, XMM_AREA = 160, FXSAVE_CW = 0 };

void x86_xsave(u8 *area)
{
    memset(area + XSAVE_HEADER, 0, XSAVE_HEADER_SIZE);
    u32 mask = x86_bridge_mask;
    __asm__ volatile("xsave64 (%0)" : : "r"(area), "a"(mask), "d"(0) : "memory");
    *(u64 *)(area + XSAVE_HEADER) |= 3;           /* as stored, even if the CPU calls them unused: the x87 pointers count */
}

void x86_xrstor(const u8 *area)
{
    u32 mask = x86_bridge_mask;
    __asm__ volatile("xrstor64 (%0)" : : "r"(area), "a"(mask), "d"(0) : "memory");
}

void x86_fresh_vectors(void)
{
    u32 mxcsr = 0x1f80;
    __asm__ volatile("fninit; ldmxcsr %0" : : "m"(mxcsr));
}

/* A register is made of pieces in different parts of the image. */
struct piece { u8 *at; u32 size, component; };

static u32 vector_pieces(u8 *area, u32 num, u32 size, struct piece p[3])
{
    if (num >= 16) {
        if (!x86_component(C_HI_ZMM)->size)
            return 0;
        p[0] = (struct piece){ area + x86_component(C_HI_ZMM)->offset + (num - 16) * 64, size, C_HI_ZMM };
        return 1;
    }
    u32 n = 0;
    p[n++] = (struct piece){ area + XMM_AREA + num * 16, 16, C_SSE };
    if (size >= 32 && x86_component(C_AVX)->size)
        p[n++] = (struct piece){ area + x86_component(C_AVX)->offset + num * 16, 16, C_AVX };
    if (size >= 64 && x86_component(C_ZMM_HI)->size)
        p[n++] = (struct piece){ area + x86_component(C_ZMM_HI)->offset + num * 32, 32, C_ZMM_HI };
    return n;
}

static u32 pieces(u8 *area, struct reg_id r, struct piece p[3])
{
    switch ((enum reg_file)r.file) {
    case RF_XMM: case RF_YMM: case RF_ZMM: return vector_pieces(area, r.num, r.size, p);
    case RF_K:
        p[0] = (struct piece){ area + x86_component(C_OPMASK)->offset + r.num * 8, 8, C_OPMASK };
        return x86_component(C_OPMASK)->size != 0;
    case RF_MXCSR: p[0] = (struct piece){ area + XSAVE_MXCSR, 4, C_SSE }; return 1;
    case RF_ST: case RF_MM: p[0] = (struct piece){ area + X87_AREA + r.num * 16, r.size, C_X87 }; return 1;
    case RF_X87: p[0] = (struct piece){ area + r.num, r.size, C_X87 }; return 1;
    default: return 0;
    }
}

/* A component in its initial state has no meaningful bytes. */
static void materialize(u8 *area, u32 component)
{
    u64 *in_use = (u64 *)(area + XSAVE_HEADER);
    if (*in_use >> component & 1)
        return;
    *in_use |= 1ull << component;
    if (component == C_X87) {
        memset(area, 0, XSAVE_MXCSR);
        *(u16 *)(area + FXSAVE_CW) = 0x37f;
        memset(area + X87_AREA, 0, XMM_AREA - X87_AREA);
    } else if (component == C_SSE) {
        memset(area + XMM_AREA, 0, 256);          /* MXCSR is always stored */
    } else {
        memset(area + x86_component(component)->offset, 0, x86_component(component)->size);
    }
}

static bool xstate_read(u8 *area, struct reg_id r, u8 *to)
{
    struct piece p[3];
    u32 n = pieces(area, r, p), done = 0;
    for (u32 i = 0; i < n; i++) {
        bool is_set = *(u64 *)(area + XSAVE_HEADER) >> p[i].component & 1 || r.file == RF_MXCSR;
        if (is_set)
            memcpy(to + done, p[i].at, p[i].size);
        else if (r.file == RF_X87 && r.num == FXSAVE_CW)
            *(u16 *)to = 0x37f;
        else
            memset(to + done, 0, p[i].size);
        done += p[i].size;
    }
    if (n && done < r.size)
        memset(to + done, 0, r.size - done);
    return n;
}

static bool xstate_write(u8 *area, struct reg_id r, const u8 *from)
{
    struct piece p[3];
    u32 n = pieces(area, r, p), done = 0;
    for (u32 i = 0; i < n; i++) {
        materialize(area, p[i].component);
        memcpy(p[i].at, from + done, p[i].size);
        done += p[i].size;
    }
    return n;
}

/* What is in use, asked for with xgetbv(1): bits 17 and 18 are the tiles' configuration and data. */
bool arch_uses_tiles(void)
{
    u32 a, b, c, d, lo, hi;
    __asm__ volatile("cpuid" : "=a"(a), "=b"(b), "=c"(c), "=d"(d) : "a"(0xd), "c"(1));
    if (!(a & 4))
        return false;
    __asm__ volatile("xgetbv" : "=a"(lo), "=d"(hi) : "c"(1));
    return lo >> 17 & 3;
}

/* ---- contexts ---- */
u8 *arch_context_xstate(struct arch_context *c)
{
    if (c->xstate)
        return c->xstate;
    if (c->frame)
        x86_vectors_image(c->frame, c->own);
    else
        x86_xsave(c->own);
    return c->xstate = c->own;
}

/* The frame's registers in the CPU's own layout. */
void x86_vectors_image(const struct x86_frame *f, u8 *image)
{
    memset(image, 0, arch_context_xsize());
    *(u64 *)(image + XSAVE_HEADER) = x86_bridge_mask;
    *(u32 *)(image + XSAVE_MXCSR) = f->mxcsr;
    if (f->has_x87 == X87_SAVED)
        memcpy(image, f->x87, XSAVE_MXCSR), memcpy(image + X87_AREA, f->x87 + X87_AREA, XMM_AREA - X87_AREA);
    else
        *(u16 *)(image + FXSAVE_CW) = 0x37f;
    for (u32 i = 0; i < (x86_vector_size == 64 ? 32 : 16); i++) {
        struct reg_id r = { RF_ZMM, (u8)i, 0, (u8)x86_vector_size };
        xstate_write(image, r, f->vectors + i * x86_vector_size);
    }
    for (u32 i = 0; x86_vector_size == 64 && i < 8; i++)
        xstate_write(image, (struct reg_id){ RF_K, (u8)i, 0, 8 }, (const u8 *)&f->masks[i]);
    if (!f->is_wide)                              /* as in use they would be slow: uppers.h */
        *(u64 *)(image + XSAVE_HEADER) &= ~(1ull << C_AVX | 1ull << C_ZMM_HI);
}

u32 arch_context_xsize(void) { return MIN((u32)ARCH_XSTATE_MAX, x86_xsize); }

void arch_context_copy(struct arch_context *to, const struct arch_context *from)
{
    u8 *x = arch_context_xstate((struct arch_context *)from);
    if (to != from)
        memcpy(to, from, offsetof(struct arch_context, own));
    if (to->own != x)
        memcpy(to->own, x, arch_context_xsize());
    to->xstate = to->own;
    to->frame = NULL;
    to->is_const = 0;
}



void x86_context_bases(struct arch_context *c, struct thread *t)
{
    c->fs_base = x86_app_fs();
    c->gs_base = t->arch.app_gs;
    c->fs_selector = t->arch.fs_selector;
    c->gs_selector = t->arch.gs_selector;
    memcpy(c->tool_reg, t->arch.tool_reg, sizeof c->tool_reg);
}

void arch_context_get(struct arch_context *c, struct thread *t, bool is_const)
{
    c->regs = t->arch.regs;
    x86_context_bases(c, t);
    c->xstate = t->arch.hosted;                   /* hosted code: the registers hold the tool's by now */
    c->frame = NULL;
    c->is_const = is_const;
}

void arch_context_put(struct thread *t, struct arch_context *c)
{
    t->arch.regs = c->regs;
    t->arch.app_gs = c->gs_base;
    memcpy(t->arch.tool_reg, c->tool_reg, sizeof c->tool_reg);
    __asm__ volatile("wrgsbase %0" : : "r"(c->fs_base));
    if (c->frame)
        arch_context_xstate(c);
    if (!c->xstate || c->xstate == t->arch.hosted)
        return;
    if (t->arch.hosted)
        memcpy(t->arch.hosted, c->xstate, arch_context_xsize());
    else
        x86_xrstor(c->xstate);
}

/* Where a register other than vector and x87 state lies; NULL: not here. */
static u8 *word_of(const struct arch_context *c, struct reg_id r)
{
    struct arch_context *w = (struct arch_context *)c;
    switch ((enum reg_file)r.file) {
    case RF_GPR: return (u8 *)&w->regs.gpr[r.num] + r.offset;
    case RF_FLAGS: return (u8 *)&w->regs.flags;
    case RF_PC: return (u8 *)&w->regs.pc;
    case RF_TOOL: return (u8 *)&w->tool_reg[r.num] + r.offset;
    case RF_FS_BASE: return (u8 *)&w->fs_base;
    case RF_GS_BASE: return (u8 *)&w->gs_base;
    default: return NULL;
    }
}

static u16 selector(const struct arch_context *c, u32 num)
{
    enum { CS, SS, DS, ES, FS, GS };
    switch (num) {
    case CS: return 0x33;
    case SS: return 0x2b;
    case FS: return c->fs_selector;
    case GS: return c->gs_selector;
    default: return 0;
    }
}

bool arch_context_read(const struct arch_context *c, struct reg_id r, void *to)
{
    u8 *w = word_of(c, r);
    if (w) {
        memcpy(to, w, r.size);
        return true;
    }
    if (r.file == RF_SEG) {
        *(u16 *)to = selector(c, r.num);
        return true;
    }
    return xstate_read(arch_context_xstate((struct arch_context *)c), r, to);
}

bool arch_context_write(struct arch_context *c, struct reg_id r, const void *from)
{
    u8 *w = word_of(c, r);
    if (w) {
        if (r.file == RF_GPR && r.size == 4)
            memset(w, 0, 8);
        memcpy(w, from, r.size);
        return true;
    }
    return xstate_write(arch_context_xstate(c), r, from);
}
