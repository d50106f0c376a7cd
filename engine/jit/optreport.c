/* optreport.c: see optreport.h. */
#include "engine/jit/optreport.h"
#include "base/heap.h"
#include "base/print.h"
#include "engine/engine.h"
#include "engine/hooks.h"
#include "engine/log.h"
#include "engine/toolsym.h"

enum { N_SLOTS = 64 };
struct line {
    const void *fn;
    struct line *next;
    u32 counted, inlined, called;
    const char *why;                        /* of the last call that was not inlined */
};
static struct line *slots[N_SLOTS];

static struct line *line_of(const struct call *c)
{
    if (!opt->opt_report || !c->fn)
        return NULL;
    struct line **slot = &slots[((addr_t)c->fn >> 4) % N_SLOTS], *l = *slot;
    while (l && l->fn != c->fn)
        l = l->next;
    if (!l) {
        l = heap_alloc(sizeof *l);
        *l = (struct line){ .fn = c->fn, .next = *slot };
        *slot = l;
    }
    return l;
}

void optreport_counted(const struct call *c)
{
    struct line *l = line_of(c);
    if (l)
        l->counted++;
}

void optreport_inlined(const struct call *c)
{
    struct line *l = line_of(c);
    if (l)
        l->inlined++;
}

void optreport_called(const struct call *c, const char *why)
{
    struct line *l = line_of(c);
    if (!l)
        return;
    l->called++;
    l->why = why;
}

static void print_line(const struct line *l)
{
    struct toolsym s;
    char plain[256], text[512];
    const char *name = "analysis routine";
    size_t n = 0;
    if (toolsym_find(engine_handoff->tool_path, (addr_t)l->fn - engine_handoff->image_lo, &s))
        name = hooks.demangle && hooks.demangle(s.name, plain, sizeof plain) ? plain : s.name;
    if (l->counted)
        n += ct_format(text + n, sizeof text - n, "%u times summed up in place", l->counted);
    if (l->inlined)
        n += ct_format(text + n, sizeof text - n, "%s%u times inlined", n ? ", " : "", l->inlined);
    if (l->called)
        n += ct_format(text + n, sizeof text - n, "%s%u times called: %s", n ? ", " : "", l->called, l->why);
    ct_print(log_stderr(), "cotter: %s (0x%lx): %s\n", name, (unsigned long)l->fn, text);
}

void optreport_print(void)
{
    for (u32 i = 0; opt->opt_report && i < N_SLOTS; i++)
        for (const struct line *l = slots[i]; l; l = l->next)
            print_line(l);
}
