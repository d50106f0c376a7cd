/* returns.c: see returns.h. */
#include "arch_signal.h"
#include "arch/x86/cpu.h"
#include "arch/x86/landing.h"
#include "arch/x86/returns.h"
#include "engine/cache/cache.h"
#include "engine/engine.h"
#include "engine/thread.h"

struct slot { u64 minus_pc; const u8 *code; };
static struct slot *const table = (struct slot *)TABLE_RETURN;

/* What a slot may have instead of an address: it has never had one; it has none, but a thread may still think so (see (1)); it is
 * free for any. No address is -1 or -2. */
enum { EMPTY = 0, WAITS = 1, FREE = 2 };

extern u8 x86_return[], x86_return_plain[], x86_return_dead[], x86_return_push[], x86_return_missing[], x86_return_miss[];

static bool is_plain;                   /* the CPU has no fast pext: an index of fixed size */
static u32 n_slots;                     /* where searches begin; they go on behind the last one, if need be */
static u32 most_slots;
static u32 n_used;                      /* not EMPTY */
static u32 n_taken;                     /* by an address */
static u64 waits_since;                 /* epoch of the last one that WAITS */
static u32 n_refused;

bool x86_returns_overflowed(void) { return n_refused > n_slots / 8; }

/* Slots behind the last one where a search begins. The last of them stays empty. */
enum { SPILL = RETURN_SPILL / sizeof(struct slot) };

static void set_size(u32 n)
{
    n_slots = n;
    *(u32 *)RETURN_MASK = n - 1;
}

/* With a layout at random it is too small sometimes, and sometimes as on other CPUs. */
bool x86_returns_init(void)
{
    enum { FIRST = 1 << 12, FIXED = 1 << 18, TINY = 1 << 6, TOO_SMALL = 1 << 9 };
    if (n_slots || !x86_has_crc32())
        return n_slots;
    is_plain = !x86_fast_pext() || opt->random_layout & 2;
    most_slots = is_plain ? FIXED : opt->random_layout & 1 ? TOO_SMALL : RETURN_SLOTS;
    set_size(is_plain ? FIXED : opt->random_layout ? TINY : FIRST);
    return true;
}

/* As the routine computes it: without touching a flag. */
static u32 home(addr_t pc)
{
    u64 h = 0;
    __asm__("crc32q %1, %0" : "+r"(h) : "r"(pc));
    return is_plain ? (u32)(u16)h * 4 + ((u32)h >> 24) : (u32)h & (n_slots - 1);
}

static bool is_address(const struct slot *s) { return s->minus_pc > FREE; }
static bool is_dead(const struct slot *s) { return s->code == x86_return_dead; }

static struct slot *find(addr_t pc)
{
    struct slot *s = &table[home(pc)];
    while (s->minus_pc != EMPTY && s->minus_pc != -pc)
        s++;
    return s->minus_pc == EMPTY ? NULL : s;
}

static void set_code(struct slot *s, const u8 *code) { __atomic_store_n(&s->code, code, __ATOMIC_RELEASE); }
static void set_tag(struct slot *s, u64 tag) { __atomic_store_n(&s->minus_pc, tag, __ATOMIC_RELEASE); }

/* ---- room ---- */
static void let_wait(struct slot *s)
{
    set_tag(s, WAITS);
    set_code(s, x86_return_dead);
    waits_since = cache_epoch();
    n_taken--;
}

/* Slots of code that is gone: in the first round they lose their address, in the next one they are free. */
static void sweep(void)
{
    bool are_over = thr_oldest_epoch() > waits_since;
    for (struct slot *s = table; s < table + n_slots + SPILL; s++) {
        if (s->minus_pc == WAITS && are_over)
            set_tag(s, FREE);
        else if (is_address(s) && is_dead(s))
            let_wait(s);
    }
}

static bool put(addr_t pc, const u8 *code);

/* Twice as many. An address is searched from where it was before, or from as far behind the old end: those go there, and what they
 * leave behind waits. */
static void grow(void)
{
    u32 n = n_slots;
    set_size(2 * n);
    for (struct slot *s = table; s < table + n + SPILL; s++) {
        addr_t pc = -s->minus_pc;
        const u8 *code = s->code;
        if (!is_address(s) || is_dead(s) || find(pc) == s)
            continue;
        let_wait(s);
        put(pc, code);
    }
}

/* An address that is not in the first slot where it is searched costs a branch that the CPU does not predict: cc1 takes 1.84 times its
 * native time with a third of the slots taken, 3.4 times with two thirds. */
static bool is_crowded(void) { return n_taken > n_slots / 5 * 2 || n_used > n_slots / 5 * 4; }
static bool is_full(void) { return n_used > n_slots / 10 * 9; }

static void make_room(void)
{
    static u64 swept;                             /* when: it takes long */
    if (n_slots == most_slots && swept == cache_epoch())
        return;
    swept = cache_epoch();
    sweep();
    sweep();                                      /* both rounds, if no thread is in the way */
    if (is_crowded() && n_slots < most_slots)
        grow();
}

/* Where pc could go. */
static struct slot *slot_for(addr_t pc)
{
    struct slot *s = &table[home(pc)], *free = NULL;
    for (; s->minus_pc != EMPTY; s++) {
        if (s->minus_pc == -pc)
            return s;
        if (s->minus_pc == FREE && !free)
            free = s;
    }
    if (free)
        return free;
    return is_full() || s == table + n_slots + SPILL - 1 ? NULL : s;
}

/* ---- entries ---- */
static bool put(addr_t pc, const u8 *code)
{
    struct slot *s = slot_for(pc);
    if (!s)
        return false;
    if (!pc)
        return true;                              /* cannot be told from EMPTY */
    n_used += s->minus_pc == EMPTY;
    n_taken += !is_address(s);
    set_code(s, code);
    set_tag(s, -pc);
    return true;
}

static void add(struct trace *t, addr_t pc, const u8 *code)
{
    if (is_crowded())
        make_room();
    if (put(pc, code))
        t->arch_flags |= TF_LAND_RETURN;
    else
        n_refused++;
}

void x86_return_add(struct trace *t, const u8 *code) { add(t, t->pc, code); }

static bool is_within(const struct trace *t, const u8 *code)
{
    const u8 *body = trace_code(t);
    return code >= body - t->prefix && code < body + t->size;
}

/* A trace that begins there may be entered by a piece of code of its own. */
static void forget(const struct trace *t, addr_t pc)
{
    struct slot *s = find(pc);
    if (s && (is_within(t, s->code) || (pc == t->pc && s->code == x86_call_piece(t))))
        set_code(s, x86_return_dead);
}

/* Its places behind calls are among those that the map names. */
void x86_returns_remove(struct trace *t)
{
    if (!(t->arch_flags & TF_LAND_RETURN) || !n_used)
        return;
    forget(t, t->pc);
    for (struct map_reader r = map_begin(t); map_next(&r);)
        forget(t, t->pc + (addr_t)(s64)r.last.app);
}

void x86_returns_clear(void)
{
    for (struct slot *s = table; n_used && s < table + n_slots + SPILL; s++)
        if (is_address(s))
            set_code(s, x86_return_dead);
    n_refused = 0;
}

void x86_returns_end(void) { n_slots = n_used = 0; }

/* ---- places behind calls, of the trace that is being emitted ---- */
static struct { addr_t pc; const u8 *code; } site[512];
static u32 n_sites;

void x86_sites_begin(void) { n_sites = 0; }

void put_site(struct emit *e, addr_t pc)
{
    if (n_sites < ARRAY_LEN(site)) {              /* else the dispatcher finds a way */
        site[n_sites].pc = pc;
        site[n_sites++].code = e->p;
    }
    put_drop_word(e);
}

void x86_sites_commit(struct trace *t)
{
    for (u32 i = 0; i < n_sites; i++)
        add(t, site[i].pc, site[i].code);
    n_sites = 0;
}

void put_return(struct emit *e)
{
    put_bytes(e, "\x4c\x8b\x1c\x24", 4);          /* mov r11, [rsp] */
    put_jump(e, is_plain ? x86_return_plain : x86_return);
}

/* ---- faults ---- */
/* A call of precall pushes a word that the application's does not, and that is dropped unread: it may be left out. */
static bool leave_out_push(struct k_sigcontext *mc)
{
    enum { PAGE_FAULT = 14, CALL = 0xe8, LEN = 5 };
    s32 distance;
    if (mc->trapno != PAGE_FAULT || mc->cr2 != mc->rsp - 8 || !cache_holds(mc->rip) || *(const u8 *)mc->rip != CALL)
        return false;
    memcpy(&distance, (const u8 *)mc->rip + 1, 4);
    addr_t to = mc->rip + LEN + (addr_t)(s64)distance;
    if (!cache_holds(to))
        return false;                             /* an analysis routine: its word is its return address */
    mc->rsp -= 8;
    mc->rip = to;
    return true;
}

/* With site, a return through an empty entry goes to address 0; with precall, only one that wants to: 0 is as good as EMPTY. The
 * application itself cannot: its jumps go by the tables. The option tells which; what is in use now may be something else since. */
bool x86_mend_return(struct k_sigcontext *mc)
{
    if (mc->rip == 0)
        mc->rip = (u64)(opt->returns == RETURNS_SITE ? x86_return_miss : x86_return_dead);
    else if (mc->rip == (u64)x86_return_push)
        mc->rip = (u64)x86_return_missing;
    else
        return leave_out_push(mc);
    return true;
}
