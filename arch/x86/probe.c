/* probe.c: instructions that are to run elsewhere, and jumps over them. See arch/probe.h.
 *
 * The copy lies within 2 GB of the original, so a rip-relative operand needs another displacement and a branch its longest
 * form; nothing else changes. The sizes do not depend on the distance: the places of all copies are known before the first
 * is written. */
#include "arch/probe.h"
#include "arch/x86/decode.h"
#include "base/sys.h"
#include "base/str.h"

enum { PUSH_ADDRESS = 13, JMP32 = 5, JCC32 = 6, SKIP = 2 };

static bool decode(addr_t at, size_t room, struct x86_insn *x)
{
    enum { WINDOW = 64 };                               /* with fewer bytes the decoder is slow */
    return x86_decode((const u8 *)at, (u32)MIN(room, (size_t)WINDOW), x) && x->len && x->kind != X86_BAD;
}

/* ---- what it is ---- */
static bool is_nop(const struct x86_insn *x, const u8 *bytes)
{
    if (x->kind == X86_INT)
        return bytes[0] == 0xcc;
    if (x->kind != X86_PLAIN || x->enc != X86_ENC_LEGACY || x->rep == 0xf3)
        return false;
    return (x->map == X86_MAP_1 && x->opcode == 0x90 && !(x->rex & 1)) || (x->map == X86_MAP_0F && x->opcode == 0x1f);
}

static bool has_target(const struct x86_insn *x)
{
    return x->kind == X86_JCC || x->kind == X86_JRCXZ || x->kind == X86_JMP || x->kind == X86_CALL || x->kind == X86_XBEGIN;
}

static u8 flow(const struct x86_insn *x)
{
    switch ((enum x86_kind)x->kind) {
    case X86_JMP: case X86_JMP_IND: case X86_RET: case X86_FAR: return FLOW_ENDS;
    default: return FLOW_ON;
    }
}

void arch_probe_decode(addr_t at, size_t room, struct arch_probe_insn *out)
{
    struct x86_insn x;
    const u8 *bytes = (const u8 *)at;
    *out = (struct arch_probe_insn){ .flow = FLOW_UNKNOWN, .len = 1 };
    if (!decode(at, room, &x))
        return;
    out->len = x.len;
    out->flow = flow(&x);
    out->is_padding = is_nop(&x, bytes);
    out->is_call = x.kind == X86_CALL;
    out->pushes_return = x.kind == X86_CALL || x.kind == X86_CALL_IND;
    out->is_breakpoint = x.kind == X86_INT && bytes[0] == 0xcc;
    out->is_indirect = x.kind == X86_JMP_IND;
    out->can_move = x.kind != X86_SYSENTER && !(x.kind == X86_XBEGIN && x.imm_size != 4);
    out->has_target = has_target(&x);
    if (out->has_target)
        out->target = x86_target(&x, at);
}

/* ---- the copy ---- */
static bool calls_next(const struct x86_insn *x) { return x->kind == X86_CALL && x->imm == 0; }

static u32 size_of(const struct x86_insn *x, bool returns_home)
{
    switch ((enum x86_kind)x->kind) {
    case X86_JCC: return JCC32;
    case X86_JRCXZ: return x->len + SKIP + JMP32;
    case X86_JMP: return JMP32;
    case X86_CALL: return calls_next(x) ? PUSH_ADDRESS : returns_home ? PUSH_ADDRESS + JMP32 : JMP32;
    default: return x->len;
    }
}

u32 arch_probe_size(addr_t from, size_t room, bool returns_home)
{
    struct x86_insn x;
    return decode(from, room, &x) ? size_of(&x, returns_home) : 1;
}

static bool put_distance(u8 *at, const u8 *end, addr_t target)
{
    s64 d = (s64)(target - (addr_t)end);
    s32 d32 = (s32)d;
    memcpy(at, &d32, 4);
    return d == d32;
}

static bool put_branch(u8 *to, u8 opcode, addr_t target)
{
    to[0] = opcode;
    return put_distance(to + 1, to + JMP32, target);
}

/* push imm32 extends the sign; the upper half is stored over it. Flags stay. */
static void put_push(u8 *to, addr_t value)
{
    u32 low = (u32)value, high = (u32)(value >> 32);
    to[0] = 0x68;
    memcpy(to + 1, &low, 4);
    memcpy(to + 5, "\xc7\x44\x24\x04", 4);              /* mov dword [rsp+4], imm32 */
    memcpy(to + 9, &high, 4);
}

/* A call that is the callee's own business to return from: its return address is the original one. */
static bool put_call(u8 *to, const struct x86_insn *x, addr_t next, addr_t target, addr_t returns_to)
{
    if (calls_next(x)) {                                /* to learn where it is */
        put_push(to, next);
        return true;
    }
    if (!returns_to)
        return put_branch(to, 0xe8, target);
    put_push(to, returns_to);
    return put_branch(to + PUSH_ADDRESS, 0xe9, target);
}

static bool put_plain(u8 *to, const struct x86_insn *x, const u8 *bytes, addr_t next)
{
    memcpy(to, bytes, x->len);
    return !x->rip_rel || put_distance(to + x->disp_off, to + x->len, next + (addr_t)(s64)x->disp);
}

/* Its own form reaches 127 bytes only: it skips a jump over the long one. */
static bool put_loop(u8 *to, const struct x86_insn *x, const u8 *bytes, addr_t target)
{
    memcpy(to, bytes, x->len);
    to[x->imm_off] = SKIP;
    to[x->len] = 0xeb;
    to[x->len + 1] = JMP32;
    return put_branch(to + x->len + SKIP, 0xe9, target);
}

static bool put_condition(u8 *to, u8 cc, addr_t target)
{
    to[0] = 0x0f;
    to[1] = 0x80 | cc;
    return put_distance(to + 2, to + JCC32, target);
}

bool arch_probe_copy(u8 *to, addr_t from, size_t room, addr_t target, addr_t returns_to)
{
    struct x86_insn x;
    const u8 *bytes = (const u8 *)from;
    if (!decode(from, room, &x))
        return false;
    switch ((enum x86_kind)x.kind) {
    case X86_JCC: return put_condition(to, x.cc, target);
    case X86_JRCXZ: return put_loop(to, &x, bytes, target);
    case X86_JMP: return put_branch(to, 0xe9, target);
    case X86_CALL: return put_call(to, &x, from + x.len, target, returns_to);
    case X86_XBEGIN:
        memcpy(to, bytes, x.len);
        return put_distance(to + x.imm_off, to + x.len, target);
    default: return put_plain(to, &x, bytes, from + x.len);
    }
}

/* In a signal frame the flags follow, then the segment registers, user code's CS first. */
bool arch_probe_is_saved_pc(const addr_t *word, const addr_t *end)
{
    enum { ALWAYS_SET = 2, USER_CS = 0x33 };
    return word + 2 < end && word[1] & ALWAYS_SET && word[1] >> 22 == 0 && (word[2] & 0xffff) == USER_CS;
}

/* ---- jumps ---- */
bool arch_probe_jump(u8 bytes[ARCH_PROBE_JUMP], addr_t at, addr_t to)
{
    s64 d = (s64)(to - (at + JMP32));
    s32 d32 = (s32)d;
    bytes[0] = 0xe9;
    memcpy(bytes + 1, &d32, 4);
    return d == d32;
}

u64 *arch_probe_slot(u8 slot[ARCH_PROBE_SLOT], u64 to)
{
    u64 *word = (u64 *)(slot + 8);
    memcpy(slot, "\xff\x25\x02\x00\x00\x00\x0f\x0b", 8);        /* jmp [rip+2]; ud2 */
    *word = to;
    return word;
}

/* ---- calls that end at every stop ---- */
bool arch_probe_call_again(u64 *r)
{
    enum { RDX = 12, R10 = 7, R8 = 9, RAX = 10, ORIG_RAX = 15, EXT_ARG = 8, RESTARTNOHAND = -514 };
    bool again;
    if ((s64)r[RAX] != -E_INTR)
        return false;
    switch ((s64)r[ORIG_RAX]) {
    case __NR_epoll_wait: case __NR_epoll_pwait: again = (s32)r[R10] < 0; break;
    case __NR_epoll_pwait2: case __NR_semtimedop: again = !r[R10]; break;
    case __NR_rt_sigtimedwait: again = !r[RDX]; break;
    case __NR_io_getevents: again = !r[R8]; break;
    case __NR_io_uring_enter: again = !(r[R10] & EXT_ARG); break;
    case __NR_semop: again = true; break;
    default: again = false;
    }
    if (again)
        r[RAX] = (u64)(s64)RESTARTNOHAND;
    return again;
}
