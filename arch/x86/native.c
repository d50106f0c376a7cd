/* native.c: probe mode on x86: thread pointers, stubs, the start. See arch/native.h. */
#include "arch/native.h"
#include "arch/x86/context.h"
#include "arch/x86/entry_offsets.h"
#include "arch/x86/emit.h"
#include "arch/x86/native_offsets.h"
#include "base/str.h"
#include "arch/x86/xstate.h"
#include "base/sys.h"
#include "engine/native.h"
#include "engine/thread.h"
#include "loader/handoff.h"

_Static_assert(offsetof(struct arch_native_frame, flags) == NATIVE_FLAGS, "");
_Static_assert(offsetof(struct arch_native_frame, back) == NATIVE_BACK, "");
_Static_assert(sizeof(struct arch_native_frame) == NATIVE_SIZE, "");
_Static_assert(offsetof(struct native_probe, returns_float) == NATIVE_RETURNS_FLOAT, "");
_Static_assert(offsetof(struct native_probe, uses_vectors) == NATIVE_USES_VECTORS, "");
_Static_assert(PRIV_LO >> 40 == PRIVATE_TOP && PRIV_HI >> 40 == PRIVATE_TOP, "");

_Static_assert(NATIVE_XSAVE == ARCH_XSTATE_MAX, "");

void arch_native_init(void) { x86_facts_init(); }

/* ---- the tool's thread pointer ---- */
u64 arch_native_pointer_of(const struct thread *t) { return (u64)t - (u64)(s64)x86_tls; }
u64 arch_native_seen(const struct thread *t) { return t->arch.native_fs; }

void arch_native_use(struct thread *t, u64 app_pointer)
{
    t->arch.native_fs = app_pointer;
    __asm__ volatile("wrgsbase %0" : : "r"(arch_native_pointer_of(t)) : "memory");
}

/* ---- stubs ---- */
void x86_gate_calls(void);
void x86_gate_calls_all(void);
void x86_gate_jump(void);
void x86_gate_signature(void);

static void put_word(u8 *to, const void *value) { memcpy(to, &value, 8); }

static void put_calls(u8 *s, const void *gate, const struct native_probe *p, const void *next)
{
    memcpy(s, "\x48\x8d\x64\x24\x80"                    /*  0: lea rsp, [rsp-128] */
              "\xff\x15\x15\x00\x00\x00"                /*  5: call [32] */
              "\x48\x8d\xa4\x24\x80\x00\x00\x00"        /* 11: lea rsp, [rsp+128] */
              "\xff\x25\x17\x00\x00\x00", 25);          /* 19: jmp [48] */
    put_word(s + 32, gate);
    put_word(s + 11 + STUB_RECORD, p);
    put_word(s + 48, next);
}

static void put_tool_jump(u8 *s, const void *gate, const void *value)
{
    memcpy(s, "\x49\xbb", 2);                           /* mov r11, value */
    put_word(s + 2, value);
    memcpy(s + 10, "\xff\x25\x00\x00\x00\x00", 6);      /* jmp [16] */
    put_word(s + 16, gate);
}

void arch_native_stub(u8 room[ARCH_STUB_SIZE], enum arch_stub kind, const struct native_probe *p, const void *next)
{
    switch (kind) {
    case STUB_CALLS: put_calls(room, (const void *)x86_gate_calls, p, next); break;
    case STUB_CALLS_ALL: put_calls(room, (const void *)x86_gate_calls_all, p, next); break;
    case STUB_JUMP: put_tool_jump(room, (const void *)x86_gate_jump, next); break;
    case STUB_SIGNATURE: put_tool_jump(room, (const void *)x86_gate_signature, p); break;
    }
}

/* ---- errands ---- */
enum { PT_RAX = 10, PT_ORIG_RAX = 15, PT_PC = 16, SYSCALL_LEN = 2, RESTART_SYSCALL = 219, GET_RSEQ = 0x420f };
enum { RESTARTSYS = -512, RESTARTNOINTR = -513, RESTARTNOHAND = -514, RESTARTBLOCK = -516 };

/* The kernel would not notice that it has left a restartable sequence, and it must not come back into the middle. */
static bool is_in_sequence(int tid, addr_t pc)
{
    struct { u64 at; u32 size, signature, flags, unused; } c = { 0 };
    struct { u32 version, flags; u64 start, length, abort; } *section;
    if (sys_failed(sys4(__NR_ptrace, GET_RSEQ, tid, sizeof c, &c)) || !c.at)
        return false;
    memcpy(&section, (void *)(c.at + 8), sizeof section);
    return section && pc - section->start < section->length;
}

bool arch_native_divert(u8 room[ARCH_STUB_SIZE], const struct native_probe *p, int tid, u64 *r)
{
    addr_t home = r[PT_PC];
    if ((s64)r[PT_ORIG_RAX] >= 0)
        switch ((s64)r[PT_RAX]) {
        case RESTARTSYS: case RESTARTNOINTR: case RESTARTNOHAND: r[PT_RAX] = r[PT_ORIG_RAX]; home -= SYSCALL_LEN; break;
        case RESTARTBLOCK: r[PT_RAX] = RESTART_SYSCALL; home -= SYSCALL_LEN; break;
        }
    else if (is_in_sequence(tid, home))
        return false;
    arch_native_stub(room, STUB_CALLS_ALL, p, (const void *)home);
    r[PT_PC] = (u64)room;
    r[PT_ORIG_RAX] = ~0ull;
    return true;
}

/* ---- the start ---- */
void x86_native_enter(const struct handoff_regs *r) NORETURN;

void arch_native_enter(const struct handoff_regs *r)
{
    x86_fresh_process();
    x86_native_enter(r);
}
