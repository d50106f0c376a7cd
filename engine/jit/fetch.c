/* fetch.c: the application's code bytes, copied into the engine before anything looks at them: the application may
 * unmap or rewrite them at any moment from another thread.
 *
 * The copy of one trace is kept whole, since instructions point into it until they are emitted. */
#include "engine/emulate/memory.h"
#include "engine/emulate/signal.h"
#include "engine/emulate/smc.h"
#include "engine/hooks.h"
#include "engine/jit/jit.h"

enum { TEXT_SIZE = 1 << 17, STEP = 128 };

static u8 text[TEXT_SIZE + DECODE_PADDING];
static u32 used;                           /* bytes of text in use */
struct fetch_window fetch_window;
#define win fetch_window

static bool is_watching;

void fetch_start(bool watch)
{
    used = win.len = 0;
    is_watching = watch;
    smc_begin();
}

/* From before the first byte is read, so that no write can come between reading and running. */
static void watch(addr_t lo, addr_t hi)
{
    for (addr_t page = ROUND_DOWN(lo, PAGE_SIZE); is_watching && page < hi; page += PAGE_SIZE)
        smc_watch(page);
}

/* From the tool, which answers for it: neither protection nor changes of memory matter. */
static bool grow_from_tool(addr_t end, u32 want, struct fetch_fault *fault)
{
    u32 n = (u32)hook_fetch(text + used, end, MIN(want, (u32)TEXT_SIZE - used));
    *fault = (struct fetch_fault){ end, K_SIGSEGV, 1, false };            /* SEGV_MAPERR */
    used += n;
    win.len += n;
    return n != 0;
}

static bool grow(addr_t pc, u32 want, struct fetch_fault *fault)
{
    addr_t end = win.pc + win.len;
    if (UNLIKELY(hooks.fetch != NULL))
        return grow_from_tool(end, want, fault);
    addr_t hi = mem_exec_end(end, fault);
    if (!hi)
        return false;
    u32 n = (u32)MIN((u64)want, hi - end);
    if (used + n > TEXT_SIZE)
        n = TEXT_SIZE - used;
    watch(end, end + n);
    if (n == 0 || !mem_copy_safely(text + used, (void *)end, n)) {
        *fault = (struct fetch_fault){ end, K_SIGBUS, 2, true };          /* BUS_ADRERR: beyond the end of a file */
        return false;
    }
    used += n;
    win.len += n;
    return true;
}

static bool covers(addr_t pc) { return pc - win.pc < win.len; }

static const u8 *view(addr_t pc, u32 *avail)
{
    *avail = (u32)(win.pc + win.len - pc);
    return win.bytes + (pc - win.pc);
}

const u8 *fetch_at(addr_t pc, u32 *avail, struct fetch_fault *fault)
{
    if (!covers(pc)) {
        if (pc != win.pc + win.len || !win.len) {
            win.pc = pc;
            win.bytes = text + used;
            win.len = 0;
        }
        /* Up to the end of the page first: the next page may be none of ours. */
        u32 to_page = (u32)(PAGE_SIZE - pc % PAGE_SIZE);
        if (!grow(pc, MIN((u32)STEP, to_page), fault))
            return NULL;
    }
    return view(pc, avail);
}

const u8 *fetch_more(addr_t pc, u32 *avail, struct fetch_fault *fault)
{
    /* An instruction that goes beyond the page wants no more of the next one than its end. */
    u32 to_page = (u32)(PAGE_SIZE - (win.pc + win.len) % PAGE_SIZE);
    if (!grow(pc, to_page == PAGE_SIZE ? arch_info.max_insn_len : MIN((u32)STEP, to_page), fault))
        return NULL;
    return view(pc, avail);
}

void fetch_correct(addr_t pc, const u8 *bytes, u32 n) { memcpy(win.bytes + (pc - win.pc), bytes, n); }
