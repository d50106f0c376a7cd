/* dump.c: --dump-trace and --log: traces as text, before and after. */
#include "base/print.h"
#include "base/sys.h"
#include "engine/cache/cache.h"
#include "engine/engine.h"
#include "engine/jit/instrument.h"
#include "engine/jit/jit.h"
#include "engine/log.h"
#include "engine/toolsym.h"

bool dump_wants(addr_t pc, const struct insn *list, u32 n)
{
    if (!opt->dump_trace[0])
        return false;
    if (!strcmp(opt->dump_trace, "all"))
        return true;
    addr_t want = log_dump_address();
    for (u32 i = 0; i < n; i++)
        if (want >= list[i].pc && want < insn_next(&list[i]))
            return true;
    return false;
}

static void hex(char *to, size_t size, const u8 *bytes, u32 n)
{
    size_t at = 0;
    for (u32 i = 0; i < n && at + 3 < size; i++)
        at += ct_format(to + at, size - at, "%02x", bytes[i]);
}

void dump_insns(const char *stage, const struct insn *list, u32 n)
{
    char text[128], bytes[40];
    log_line("trace at 0x%lx, %s: %u instructions", list[0].pc, stage, n);
    for (u32 i = 0; i < n; i++) {
        arch_format(&list[i], text, sizeof text);
        hex(bytes, sizeof bytes, list[i].bytes, list[i].len);
        log_line("  %12lx  %-30s %s", list[i].pc, bytes, text);
    }
}

/* What is done there instead of, or by, a routine of the tool. */
static void name_call(const struct call *c, char *to, size_t size)
{
    struct toolsym s;
    if (c->is_case)
        ct_format(to, size, "to version %u", c->version);
    else if (c->flags & CALL_BUFFER)
        ct_format(to, size, "record in buffer %u", (u32)c->buffer);
    else if (c->flags & CALL_COUNT)
        ct_format(to, size, "add to a word");
    else if (toolsym_find(engine_handoff->tool_path, (addr_t)c->fn - engine_handoff->image_lo, &s))
        ct_format(to, size, "%s", s.name);
    else
        ct_format(to, size, "0x%lx", (addr_t)c->fn);
}

void dump_calls(const char *stage, const struct insn *list, u32 n)
{
    static const char *points[] = { [POINT_BEFORE] = "before", [POINT_AFTER] = "after", [POINT_TAKEN] = "taken" };
    char name[256];
    log_line("trace at 0x%lx, %s: %u instructions", list[0].pc, stage, n);
    for (u32 i = 0; i < n; i++)
        for (u32 p = 0; p < N_POINTS; p++)
            for (const struct call *c = instr_calls(i, p); c; c = c->next) {
                name_call(c, name, sizeof name);
                log_line("  %12lx  %-6s %s, %u argument%s%s%s", list[i].pc, points[p], name, (u32)c->n_args, c->n_args == 1 ? "" : "s",
                         c->flags & CALL_IF ? ", decides on the next" : "", c->flags & CALL_ANYWHERE ? ", may be moved" : "");
            }
}

static void dump_range(const u8 *p, const u8 *end)
{
    char text[128], bytes[40];
    while (p < end) {
        size_t n = arch_format_cache(p, text, sizeof text);
        hex(bytes, sizeof bytes, p, (u32)n);
        struct place at;
        if (cache_locate((addr_t)p, &at) && at.at_start)
            log_line("  %lx %12lx  %-30s %s", (u64)p, at.pc, bytes, text);
        else
            log_line("  %lx %12s  %-30s %s", (u64)p, "", bytes, text);
        p += n;
    }
}

void dump_code(const char *stage, struct trace *t, u32 serial)
{
    log_line("trace at 0x%lx, %s: number %u, %u bytes for %u", t->pc, stage, serial, t->size, t->app_bytes);
    dump_range(trace_code(t), trace_code(t) + t->size);
    for (u32 i = 0; i < t->n_exits; i++) {
        struct exit *x = &trace_exits(t)[i];
        log_line("  exit %u -> 0x%lx (stub %lx)", i, exit_target(x), (u64)cache_ptr(exit_stub(x)));
    }
}
