/* unwind.c: the application's stack, by the call-frame information of its images (.eh_frame), which compilers write for all code;
 * where there is none, by frame pointers. Nothing is trusted: memory is copied safely, and a frame must lie above the last. */
#include "api/image.h"
#include <dwarf.h>
#include <elfutils/libdw.h>
#include <stdlib.h>

/* DWARF's numbers of the registers. */
enum { DW_RBP = 6, DW_RSP = 7, DW_RA = 16, N_DW = 17, MAX_STACK = 32 };
static const REG by_number[N_DW] = { REG_RAX, REG_RDX, REG_RCX, REG_RBX, REG_RSI, REG_RDI, REG_RBP, REG_RSP, REG_R8, REG_R9,
                                     REG_R10, REG_R11, REG_R12, REG_R13, REG_R14, REG_R15, REG_RIP };
struct frame { u64 reg[N_DW]; u64 cfa; };

static bool load(u64 at, u64 *out) { return PIN_SafeCopy(out, (VOID *)at, 8) == 8; }

/* ---- expressions: as much as call-frame information uses ---- */
struct machine { u64 stack[MAX_STACK]; u32 n; };

static bool push(struct machine *m, u64 v)
{
    if (m->n == MAX_STACK)
        return false;
    m->stack[m->n++] = v;
    return true;
}

static bool binary(struct machine *m, u8 op)
{
    if (m->n < 2)
        return false;
    u64 b = m->stack[--m->n], *a = &m->stack[m->n - 1];
    switch (op) {
    case DW_OP_plus: *a += b; return true;
    case DW_OP_minus: *a -= b; return true;
    case DW_OP_and: *a &= b; return true;
    case DW_OP_or: *a |= b; return true;
    case DW_OP_mul: *a *= b; return true;
    case DW_OP_shl: *a = b < 64 ? *a << b : 0; return true;
    case DW_OP_shr: *a = b < 64 ? *a >> b : 0; return true;
    case DW_OP_ge: *a = (s64)*a >= (s64)b; return true;
    case DW_OP_gt: *a = (s64)*a > (s64)b; return true;
    case DW_OP_le: *a = (s64)*a <= (s64)b; return true;
    case DW_OP_lt: *a = (s64)*a < (s64)b; return true;
    case DW_OP_eq: *a = *a == b; return true;
    case DW_OP_ne: *a = *a != b; return true;
    default: return false;
    }
}

static bool step(struct machine *m, const Dwarf_Op *o, const struct frame *f)
{
    if (o->atom >= DW_OP_breg0 && o->atom <= DW_OP_breg31) {
        u32 r = o->atom - DW_OP_breg0;
        return r < N_DW && push(m, f->reg[r] + o->number);
    }
    if (o->atom >= DW_OP_lit0 && o->atom <= DW_OP_lit31)
        return push(m, o->atom - DW_OP_lit0);
    switch (o->atom) {
    case DW_OP_bregx: return o->number < N_DW && push(m, f->reg[o->number] + o->number2);
    case DW_OP_call_frame_cfa: return push(m, f->cfa);
    case DW_OP_const1u: case DW_OP_const1s: case DW_OP_const2u: case DW_OP_const2s: case DW_OP_const4u: case DW_OP_const4s:
    case DW_OP_const8u: case DW_OP_const8s: case DW_OP_constu: case DW_OP_consts: case DW_OP_addr: return push(m, o->number);
    case DW_OP_plus_uconst: return m->n && (m->stack[m->n - 1] += o->number, true);
    case DW_OP_deref: return m->n && load(m->stack[m->n - 1], &m->stack[m->n - 1]);
    case DW_OP_dup: return m->n && push(m, m->stack[m->n - 1]);
    case DW_OP_stack_value: return true;
    default: return binary(m, o->atom);
    }
}

static bool evaluate(const Dwarf_Op *ops, size_t n, const struct frame *f, u64 *out)
{
    struct machine m = { .n = 0 };
    for (size_t i = 0; i < n; i++)
        if (!step(&m, &ops[i], f))
            return false;
    if (!m.n)
        return false;
    *out = m.stack[m.n - 1];
    return true;
}

/* ---- one frame up ---- */
static Dwarf_CFI *cfi_of(struct image *m)
{
    if (!m->has_cfi) {
        size_t size;
        char *file = (char *)sym_file(m->sym, &size);
        elf_version(EV_CURRENT);
        m->elf = file ? elf_memory(file, size) : NULL;
        m->cfi = m->elf ? dwarf_getcfi_elf(m->elf) : NULL;
        m->has_cfi = true;
    }
    return m->cfi;
}

/* A saved register is at an address, or is a value. False: it is lost. */
static bool restore(Dwarf_Frame *d, u32 r, const struct frame *f, u64 *out)
{
    Dwarf_Op memory[3], *ops;
    size_t n;
    if (dwarf_frame_register(d, (int)r, memory, &ops, &n))
        return false;
    if (!n) {
        *out = f->reg[r];
        return ops == NULL;                     /* unchanged; else undefined */
    }
    u64 v;
    if (!evaluate(ops, n, f, &v))
        return false;
    if (ops[n - 1].atom != DW_OP_stack_value)
        return load(v, out);
    *out = v;
    return true;
}

static bool up_by_cfi(struct frame *f, bool is_call)
{
    addr_t pc = f->reg[DW_RA] - is_call;        /* behind a call may be another function */
    struct image *m = image_at(pc);
    Dwarf_CFI *cfi = m ? cfi_of(m) : NULL;
    Dwarf_Frame *d;
    Dwarf_Op *ops;
    size_t n;
    if (!cfi || dwarf_cfi_addrframe(cfi, pc - sym_bias(m->sym), &d))
        return false;
    struct frame next = *f;
    bool ok = !dwarf_frame_cfa(d, &ops, &n) && evaluate(ops, n, f, &f->cfa);
    for (u32 r = 0; ok && r < N_DW; r++)
        if (!restore(d, r, f, &next.reg[r]))
            next.reg[r] = 0;
    free(d);
    next.reg[DW_RSP] = f->cfa;
    if (!ok || next.reg[DW_RSP] <= f->reg[DW_RSP])
        return false;
    *f = next;
    return true;
}

static bool up_by_frame_pointer(struct frame *f)
{
    u64 bp = f->reg[DW_RBP], pair[2];
    if (bp < f->reg[DW_RSP] || PIN_SafeCopy(pair, (VOID *)bp, sizeof pair) != sizeof pair)
        return false;
    f->reg[DW_RBP] = pair[0];
    f->reg[DW_RSP] = bp + 16;
    f->reg[DW_RA] = pair[1];
    return true;
}

INT PIN_Backtrace(const CONTEXT *ctxt, VOID **buffer, INT size)
{
    struct frame f = { .cfa = 0 };
    INT n = 0;
    for (u32 r = 0; r < N_DW; r++)
        f.reg[r] = PIN_GetContextReg(ctxt, by_number[r]);
    client_lock();
    while (n < size && f.reg[DW_RA]) {
        buffer[n++] = (VOID *)f.reg[DW_RA];
        if (!up_by_cfi(&f, n > 1) && !up_by_frame_pointer(&f))
            break;
    }
    client_unlock();
    return n;
}

void unwind_forget(struct image *m)
{
    if (m->cfi)
        dwarf_cfi_end(m->cfi);
    if (m->elf)
        elf_end(m->elf);
}
