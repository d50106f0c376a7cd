/* routine.c: look at the machine code of an analysis routine, once, and at everything that it calls directly: which
 * registers may it change? What cannot be seen (an indirect call, a system call, too much code) may change all that the
 * calling convention allows. */
#include "arch/x86/bridge.h"
#include "base/heap.h"
#include "engine/engine.h"
#include "engine/jit/promote.h"

enum { MAX_SEEN = 1024, N_SLOTS = 256 };

/* Instructions already looked at, and those still to be. */
static struct { const u8 *seen[MAX_SEEN]; u32 n, done; } work;
static struct routine *slots[N_SLOTS];

static bool is_in_image(const u8 *p)
{
    return (addr_t)p >= engine_handoff->image_lo && (addr_t)p < engine_handoff->image_hi;
}

static void give_up(struct routine *r)
{
    r->clobbers = CALLER_SAVED;
    r->uses_vectors = true;
    r->sees_memory = true;
    r->is_known = false;
}

static bool add_work(const u8 *p)
{
    for (u32 i = 0; i < work.n; i++)
        if (work.seen[i] == p)
            return true;
    if (work.n == MAX_SEEN || !is_in_image(p))
        return false;
    work.seen[work.n++] = p;
    return true;
}

/* Anything that is not surely an instruction on general registers counts as one on vectors. */
bool x86_touches_vectors(const struct x86_insn *x)
{
    u8 op = x->opcode;
    if (x->enc == X86_ENC_VEX)                       /* the bit-field instructions of BMI */
        return !((x->map == X86_MAP_0F38 && op >= 0xf2 && op <= 0xf7) || (x->map == X86_MAP_0F3A && op == 0xf0));
    if (x->enc != X86_ENC_LEGACY)
        return true;
    switch (x->map) {
    case X86_MAP_1: return (op >= 0xd8 && op <= 0xdf) || op == 0x9b;
    case X86_MAP_0F:
        if ((op >= 0x10 && op <= 0x17) || (op >= 0x28 && op <= 0x2f) || (op >= 0x50 && op <= 0x7f) || op == 0x0e ||
            op == 0x0f || op == 0xae || op == 0xc2 || (op >= 0xc4 && op <= 0xc7) || op >= 0xd0)
            return !(op == 0xc7 && x->has_mem && (x->modrm >> 3 & 7) == 1) && op != 0xff;
        return false;
    case X86_MAP_0F38: return op < 0xf0;
    default: return true;
    }
}

/* Where control goes. False: nobody knows. */
static bool follow(const u8 *p, const struct x86_insn *x)
{
    const u8 *next = p + x->len, *target = next + x->imm;
    switch ((enum x86_kind)x->kind) {
    case X86_PLAIN: case X86_READ_SEG: return add_work(next);
    case X86_JCC: case X86_JRCXZ: case X86_CALL: return add_work(next) && add_work(target);
    case X86_JMP: return add_work(target);
    case X86_RET: return true;
    case X86_BAD: return x->map == X86_MAP_0F && x->opcode == 0x0b;      /* ud2: does not come back */
    default: return false;
    }
}

/* push, pop, call, ret, leave, and operands relative to the stack pointer */
static bool is_in_frame(const struct x86_insn *x)
{
    u8 op = x->opcode;
    if (x->has_mem)
        return (x->modrm & 7) == 4 && (x->sib & 7) == RSP && !(x->rex & 1);
    return x->map == X86_MAP_1 && ((op >= 0x50 && op <= 0x5f) || op == 0x68 || op == 0x6a || op == 0xe8 || op == 0xc3 || op == 0xc9);
}

static bool look_at(struct routine *r, const u8 *p)
{
    struct x86_insn x;
    struct x86_usage u;
    u64 room = engine_handoff->image_hi - (addr_t)p;
    if (!x86_decode(p, (u32)MIN(room, 15ul), &x) && x.kind != X86_BAD)
        return false;
    x86_usage(&x, &u);
    r->clobbers |= u.writes & CALLER_SAVED;
    r->uses_vectors |= x86_touches_vectors(&x);
    r->sees_memory |= (u.touches_memory && !is_in_frame(&x)) || !u.exact;
    return follow(p, &x);
}

static void analyse(struct routine *r)
{
    if (promote_keeps_registers(r->fn)) {
        r->is_known = r->sees_memory = true;
        return;
    }
    work.n = work.done = 0;
    r->is_known = add_work(r->fn);
    while (r->is_known && work.done < work.n)
        r->is_known = look_at(r, work.seen[work.done++]);
    if (!r->is_known)
        give_up(r);
}

/* ---- what a callback looks at ---- */
static bool is_call_of(const u8 *p, const struct x86_insn *x, bool (*is_blind)(const void *))
{
    return (x->kind == X86_CALL || x->kind == X86_JMP) && is_blind(p + x->len + x->imm);
}

/* Up to 8 bytes, which may lie across two words. */
static bool note_words(u64 at, struct sight *s)
{
    if (s->n + 2 > MAX_SEEN_WORDS)
        return false;
    s->word[s->n++] = at & ~7ull;
    s->word[s->n++] = (at + 7) & ~7ull;
    return true;
}

/* What gcc compares with at the end of a routine, at fs:0x28. */
static bool is_canary(const struct x86_insn *x)
{
    enum { AT = 0x28, MOV_LOAD = 0x8b, SUB_LOAD = 0x2b, NO_BASE = 0x25 };
    return x->map == X86_MAP_1 && (x->opcode == MOV_LOAD || x->opcode == SUB_LOAD) && x->modrm >> 6 == 0 && x->sib == NO_BASE && x->disp == AT;
}

static bool notes_access(const u8 *p, const struct x86_insn *x, struct sight *s)
{
    struct x86_usage u;
    x86_usage(x, &u);
    if (!u.exact || x->enc != X86_ENC_LEGACY || x86_is_x87_or_mmx(x))
        return false;
    if (!u.touches_memory || is_in_frame(x))
        return true;
    if (x->seg == X86_SEG_FS) {
        s->uses_tls |= !is_canary(x);
        return true;
    }
    return x->has_mem && x->rip_rel && !x86_touches_vectors(x) && note_words((u64)p + x->len + (u64)(s64)x->disp, s);
}

static bool looks_at_words_only(const u8 *p, bool (*is_blind)(const void *), struct sight *s)
{
    struct x86_insn x;
    u64 room = engine_handoff->image_hi - (addr_t)p;
    if (!x86_decode(p, (u32)MIN(room, 15ul), &x))
        return false;
    if (is_call_of(p, &x, is_blind))
        return x.kind == X86_JMP || add_work(p + x.len);
    return notes_access(p, &x, s) && follow(p, &x);
}

bool arch_sees_words_only(const void *fn, bool (*is_blind)(const void *), struct sight *s)
{
    work.n = work.done = 0;
    bool ok = add_work(fn);
    while (ok && work.done < work.n)
        ok = looks_at_words_only(work.seen[work.done++], is_blind, s);
    return ok;
}

const struct routine *x86_routine(const void *fn)
{
    struct routine **slot = &slots[((addr_t)fn >> 4) % N_SLOTS], *r;
    for (r = *slot; r; r = r->next)
        if (r->fn == fn)
            return r;
    r = heap_alloc(sizeof *r);
    r->fn = fn;
    r->next = *slot;
    *slot = r;
    analyse(r);
    return r;
}
