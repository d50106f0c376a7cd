/* leak.c: see leak.h. A conservative mark phase. Roots: the registers and the stack of each thread, from its stack pointer on,
 * and all other writable memory of the program. Any aligned word that holds an address in a block keeps the block. */
#include "tool.h"
#include "callstack.h"
#include "heap.h"
#include "errors.h"
#include "leak.h"

enum { MARK_NONE, MARK_REACHED, MARK_INDIRECT };
struct stack_of { ADDRINT sp; ADDRINT regs[17]; UINT32 n_regs; };
static VEC(struct stack_of) ends;               /* threads at their end, one for each that lived until the report */

/* ---- registers ---- */
static VOID thread_ends(THREADID tid, const CONTEXT *ctxt, INT32 code, VOID *v)
{
    struct stack_of s = { .sp = PIN_GetContextReg(ctxt, REG_STACK_PTR) };
    for (REG r = REG_GR_BASE; r <= REG_GR_LAST && s.n_regs < 17; r = (REG)(r + 1))
        s.regs[s.n_regs++] = PIN_GetContextReg(ctxt, r);
    if (!PIN_IsProcessExiting())
        return;
    VEC_ADD(ends, s);
}

VOID leak_begin(VOID) { PIN_AddThreadFiniFunction(thread_ends, 0); }

/* ---- marking ---- */
static VEC(struct chunk *) work;
static UINT8 mark_with;

static VOID reach(ADDRINT word)
{
    if (!arena_has(word))
        return;
    struct chunk *c = arena_near(word);
    /* One past the end counts: it is how loops keep a place. An empty block is pointed to by its address. */
    if (c && c->life == LIFE_LIVE && c->mark == MARK_NONE && word >= c->at && word <= c->at + c->size) {
        c->mark = mark_with;
        VEC_ADD(work, c);
    }
}

static VOID scan_words(const ADDRINT *words, size_t n)
{
    for (size_t i = 0; i < n; i++)
        reach(words[i]);
}

static VOID finish_work(VOID)
{
    while (work.n) {
        struct chunk *c = work.at[--work.n];
        scan_words((ADDRINT *)((c->at + 7) & ~7ul), c->size / sizeof(ADDRINT));
    }
}

/* ---- the program's memory ---- */
static VOID scan_range(ADDRINT from, ADDRINT to)
{
    ADDRINT words[PAGE / sizeof(ADDRINT)];
    for (ADDRINT a = from & ~7ul; a < to;) {
        size_t n = PAGE - a % PAGE < to - a ? PAGE - a % PAGE : to - a;
        if (PIN_SafeCopy(words, (VOID *)a, n) == n)
            scan_words(words, n / sizeof *words);
        a += n;
    }
    finish_work();
}

/* Of a stack only what lies at and above the stack pointer. */
static ADDRINT live_part(ADDRINT from, ADDRINT to)
{
    for (size_t i = 0; i < ends.n; i++)
        if (ends.at[i].sp >= from && ends.at[i].sp < to)
            return ends.at[i].sp;
    return from;
}

/* Everything of the tool and of the engine lies in one range of addresses. */
#define PRIVATE_LO 0x550000000000ul
#define PRIVATE_HI 0x555500000000ul
static bool is_ours(ADDRINT from)
{
    return arena_has(from) || arena_has(from - STATE_GAP) || (from >= PRIVATE_LO && from < PRIVATE_HI);
}

static VOID scan_memory(VOID)
{
    char line[512], access[8];
    unsigned long from, to, inode;
    FILE *f = fopen("/proc/self/maps", "r");
    VEC(struct { ADDRINT from; ADDRINT to; }) maps = { 0 };
    while (f && fgets(line, sizeof line, f))
        if (sscanf(line, "%lx-%lx %7s %*x %*s %lu", &from, &to, access, &inode) == 4 && access[0] == 'r' && access[1] == 'w' &&
            !is_ours(from)) {
            VEC_GROW(maps);
            maps.at[maps.n].from = live_part(from, to);
            maps.at[maps.n++].to = to;
        }
    if (f)
        fclose(f);
    for (size_t i = 0; i < maps.n; i++)
        scan_range(maps.at[i].from, maps.at[i].to);
}

/* ---- counting ---- */
static struct leak_sums sums;

static VOID clear(struct chunk *c) { c->mark = MARK_NONE; }

/* What only a lost block points to is lost with it: marked from each unmarked block on, without that block itself. */
static VOID spread(struct chunk *c)
{
    if (c->mark != MARK_NONE)
        return;
    mark_with = MARK_INDIRECT;
    VEC_ADD(work, c);
    finish_work();
    if (c->mark == MARK_INDIRECT)
        c->mark = MARK_NONE;                    /* part of a ring: this one stands for it */
}

static VOID count(struct chunk *c)
{
    UINT64 *bytes = c->mark == MARK_REACHED ? &sums.reachable_bytes : c->mark == MARK_NONE ? &sums.lost_bytes : &sums.indirect_bytes;
    *bytes += c->size;
    bytes[1]++;
    if (c->mark != MARK_REACHED)
        errors_add(c->mark == MARK_NONE ? ERROR_LEAK : ERROR_LEAK_INDIRECT, c->made, c->at, c->size, c, NULL);
}

struct leak_sums leak_find(VOID)
{
    sums = (struct leak_sums){ 0 };
    arena_each(clear);
    mark_with = MARK_REACHED;
    for (size_t i = 0; i < ends.n; i++)
        scan_words(ends.at[i].regs, ends.at[i].n_regs);
    scan_memory();
    arena_each(spread);
    arena_each(count);
    return sums;
}
