/* probe_unwind.c: exceptions of a natively running program.
 *
 * They pass routines with calls behind them, and routines of the tool's that stand in for others: the program's unwinder is told of
 * the planted ELF's frames, as a just-in-time compiler tells it of its own. That is done when the first exception is thrown: at
 * the time when libgcc is loaded it may not have been relocated yet. */
#include "api/probe.h"
#include "base/sys.h"
#include "engine/engine.h"
#include <elf.h>

extern const Elf64_Ehdr __ehdr_start __attribute__((visibility("hidden")));

typedef void (*register_frames)(const void *begin, void *object);
static register_frames tell;                    /* the program's __register_frame_info */

/* .eh_frame, of which .eh_frame_hdr has the distance: four bytes that begin with the fifth. */
static const void *own_frames(void)
{
    enum { VERSION = 1, PCREL_SDATA4 = 0x1b };
    const u8 *base = (const u8 *)&__ehdr_start;
    const Elf64_Phdr *ph = (const void *)(base + __ehdr_start.e_phoff);
    for (u32 i = 0; i < __ehdr_start.e_phnum; i++) {
        const u8 *hdr = base + ph[i].p_vaddr;
        if (ph[i].p_type == PT_GNU_EH_FRAME && hdr[0] == VERSION && hdr[1] == PCREL_SDATA4)
            return hdr + 4 + *(const s32 *)(hdr + 4);
    }
    return NULL;
}

static void throw_begins(addr_t sp)
{
    static u64 object[16];                      /* libgcc's own: six words */
    register_frames f = __atomic_exchange_n(&tell, NULL, __ATOMIC_ACQ_REL);
    const void *frames = f ? own_frames() : NULL;
    if (frames) {
        engine_handoff->is_known = 1;
        f(frames, object);
    }
    native_show_returns(sp);
}

void probes_watch_unwinding(struct sym_image *sym)
{
    static const char *const beginning[] = { "_Unwind_RaiseException", "_Unwind_Resume_or_Rethrow", "_Unwind_ForcedUnwind" };
    static bool has_told;
    const struct sym_routine *r = sym ? sym_routine_by_name(sym, "__register_frame_info") : NULL;
    if (r && !has_told) {
        has_told = true;
        __atomic_store_n(&tell, (register_frames)r->address, __ATOMIC_RELEASE);
    }
    for (u32 i = 0; i < ARRAY_LEN(beginning); i++)
        probe_call_before_named(sym, beginning[i], (AFUNPTR)throw_begins);
    probe_call_before_named(sym, "__cxa_begin_catch", (AFUNPTR)native_catch_again);
}
