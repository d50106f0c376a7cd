/* place.c: what goes where in the private range, and what the planted ELF finds on its stack. */
#include "launcher/launch.h"
#include "launcher/stack.h"
#include "launcher/steps.h"
#include "base/types.h"
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>

static size_t strings_size(char **list)
{
    size_t n = 0;
    for (; *list; list++)
        n += strlen(*list) + 1 + sizeof *list;
    return n;
}

/* The stack is as large as the engine wants it on top of whatever arguments and environment need. */
void launch_place(const struct launch *l, struct placement *p)
{
    size_t strings = strings_size(l->tool_argv) + strings_size(l->tool_envp) + 2 * PAGE_SIZE;
    p->base = p->stack_lo = PRIV_LO;
    p->stack_hi = p->stack_lo + HANDOFF_STACK_SIZE + ROUND_UP(strings, PAGE_SIZE);
    p->handoff = p->stack_hi;
    p->steps = p->handoff + ROUND_UP(sizeof(struct handoff), PAGE_SIZE);
    p->image = p->steps + ROUND_UP(sizeof(struct steps), PAGE_SIZE);
    p->end = p->image + l->tool.span;
}

static uint64_t protection(uint32_t flags)
{
    return (flags & PF_R ? PROT_READ : 0u) | (flags & PF_W ? PROT_WRITE : 0u) | (flags & PF_X ? PROT_EXEC : 0u);
}

/* What lies beyond the file's part of a segment is zero from the reservation, except in the last page of that part. */
static void map_segment(const struct launch *l, const struct placement *p, const Elf64_Phdr *ph, struct steps *s)
{
    uint64_t lo = p->image + ROUND_DOWN(ph->p_vaddr, PAGE_SIZE), end = p->image + ph->p_vaddr + ph->p_filesz;
    if (!ph->p_filesz)
        return;
    STEPS_CALL(s, SYS_mmap, lo, lo, ROUND_UP(end, PAGE_SIZE) - lo, protection(ph->p_flags), MAP_PRIVATE | MAP_FIXED,
               (uint64_t)l->tool.fd, ROUND_DOWN(ph->p_offset, PAGE_SIZE));
    if (ph->p_memsz > ph->p_filesz && end % PAGE_SIZE)
        STEPS_ZERO(s, end, PAGE_SIZE - end % PAGE_SIZE);
}

/* The page of the steps themselves goes when the tool runs: see rt_handoff.c. */
void launch_map_tool(const struct launch *l, const struct placement *p, struct steps *s)
{
    STEPS_CALL(s, SYS_mmap, p->image, p->image, l->tool.span, PROT_READ | PROT_WRITE,
               MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, ~0ull, 0);
    for (int i = 0; i < l->tool.header.e_phnum; i++) {
        if (l->tool.phdr[i].p_type == PT_LOAD)
            map_segment(l, p, &l->tool.phdr[i], s);
    }
    STEPS_CALL(s, SYS_close, 0, (uint64_t)l->tool.fd);
    STEPS_CALL(s, SYS_mprotect, 0, p->base, p->steps - p->base, PROT_READ | PROT_WRITE);
}

/* plan->auxv comes in as the application's. */
void launch_plan_stack(const struct launch *l, const struct placement *p, struct stack_plan *plan)
{
    const Elf64_Ehdr *e = &l->tool.header;
    plan->top = p->stack_hi;
    plan->gap = 0;
    plan->execfn = l->tool.path;
    plan->platform = "x86_64";
    plan->argv = l->tool_argv;
    plan->envp = l->tool_envp;
    auxv_set(plan->auxv, AT_PHDR, p->image + e->e_phoff);
    auxv_set(plan->auxv, AT_PHENT, sizeof(Elf64_Phdr));
    auxv_set(plan->auxv, AT_PHNUM, e->e_phnum);
    auxv_set(plan->auxv, AT_ENTRY, p->image + e->e_entry);
    auxv_set(plan->auxv, AT_BASE, 0);
    auxv_set(plan->auxv, AT_SECURE, 0);
    auxv_set(plan->auxv, HANDOFF_AUXV, p->handoff);
}

void launch_fill_handoff(struct launch *l, const struct placement *p, const struct stack_plan *app)
{
    struct handoff *h = &l->handoff;
    h->steps_page = p->steps;
    h->image_lo = p->image;
    h->image_hi = p->end;
    h->stack_lo = p->stack_lo;
    h->stack_hi = p->stack_hi;
    h->app_phdr = auxv_get(app->auxv, AT_PHDR);
    h->app_entry = auxv_get(app->auxv, AT_ENTRY);
    h->app_base = auxv_get(app->auxv, AT_BASE);
    h->vdso = auxv_get(app->auxv, AT_SYSINFO_EHDR);
}
