/* step.c: the application has set the trap flag: it wants a signal after each of its instructions. The CPU's own flag would
 * count those of the cache, so the dispatcher runs one instruction at a time without it, and what the instruction shows of
 * the flag, or does to it, is mended here. */
#include "arch/arch.h"
#include "arch_signal.h"
#include "arch/x86/cpu.h"

enum { FLAG_TF = 0x100, FLAG_ZF = 0x40, FLAG_RF = 0x10000, TRAP_DEBUG = 1 };
enum { STEP_PLAIN, STEP_POPF, STEP_PUSHF, STEP_SHADOW };      /* SHADOW: the next instruction's trap stands for both */

static bool is_string(const struct x86_insn *x)
{
    return x->enc == X86_ENC_LEGACY && x->map == X86_MAP_1 &&
           ((x->opcode >= 0xa4 && x->opcode <= 0xa7) || (x->opcode >= 0xaa && x->opcode <= 0xaf));
}

static bool decode_at(addr_t pc, struct x86_insn *x)
{
    u8 bytes[15];
    u32 n = sizeof bytes;
    while (n && !mem_copy_safely(bytes, (void *)pc, n))
        n--;
    return n && x86_decode(bytes, n, x);
}

static u8 kind_of(const struct x86_insn *x)
{
    enum { SS = 2 };
    if (x->kind == X86_WRITE_SEG && x->map == X86_MAP_1 && (x->modrm >> 3 & 7) == SS)
        return STEP_SHADOW;
    if (x->kind != X86_PLAIN || x->enc != X86_ENC_LEGACY || x->map != X86_MAP_1)
        return STEP_PLAIN;
    return x->opcode == 0x9d ? STEP_POPF : x->opcode == 0x9c ? STEP_PUSHF : STEP_PLAIN;
}

/* A repeated instruction is stepped by iterations: the others wait in `count`. */
static void hold_back(struct arch_thread *t, const struct x86_insn *x)
{
    u64 *rcx = &t->regs.gpr[RCX], n = x->addr32 ? (u32)*rcx : *rcx;
    if (!x->rep || !is_string(x) || n <= 1)
        return;
    t->step.count = n - 1;
    t->step.flags = t->regs.flags;
    t->step.ends_at = (x->opcode & 0xf6) != 0xa6 ? 0 : x->rep == 0xf3 ? 1 : 2;
    *rcx = 1;
}

void arch_step_wanted(struct arch_thread *t) { t->regs.flags |= FLAG_TF; }

/* popf, and the nop that lower.c puts behind it */
bool arch_has_set_trap(const u8 *code) { return code[-1] == 0x90 && code[-2] == 0x9d; }

bool arch_is_stepped_by_tracer(void)
{
    u64 flags;
    __asm__ volatile("pushfq\n\tpop %0" : "=r"(flags));
    return flags & FLAG_TF;
}

void arch_step_begin(struct arch_thread *t)
{
    struct x86_insn x = { 0 };
    t->step = (struct x86_step){ .pc = t->regs.pc };
    t->regs.flags &= ~(u64)FLAG_TF;
    if (!decode_at(t->regs.pc, &x))
        return;
    t->step.kind = kind_of(&x);
    hold_back(t, &x);
}

static void give_back(struct arch_thread *t, bool is_done)
{
    bool zero = t->regs.flags & FLAG_ZF;
    bool is_over = (t->step.ends_at == 1 && !zero) || (t->step.ends_at == 2 && zero);
    t->regs.gpr[RCX] = t->step.count + !is_done;
    if (!is_done || is_over)
        return;
    t->regs.pc = t->step.pc;
    if (!x86_is_amd())                            /* of Intel's, one that goes on says so, and has not changed the flags yet */
        t->regs.flags = t->step.flags | FLAG_TF | FLAG_RF;
}

static void show_flag(addr_t pushed)
{
    u8 byte;
    if (mem_copy_safely(&byte, (void *)(pushed + 1), 1)) {
        byte |= FLAG_TF >> 8;
        mem_copy_safely((void *)(pushed + 1), &byte, 1);
    }
}

bool arch_step_end(struct arch_thread *t, bool is_done)
{
    if (!is_done || t->step.kind != STEP_POPF)
        t->regs.flags |= FLAG_TF;
    if (is_done && t->step.kind == STEP_PUSHF)
        show_flag(t->regs.gpr[RSP]);
    if (t->step.count)
        give_back(t, is_done);
    t->step.count = 0;
    return is_done && t->step.kind != STEP_SHADOW;
}

bool arch_step_has_moved(const struct arch_thread *t) { return t->regs.pc != t->step.pc; }

void arch_step_fault(struct arch_fault *out) { *out = (struct arch_fault){ TRAP_DEBUG, 0, 0 }; }
