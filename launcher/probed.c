/* probed.c: what probe mode leaves in a process, when its probes have been removed. All threads are stopped.
 *
 *  (1) A thread may still be in the tool's code, or come back to it: its pc, its stack pointer and every word of its stack are
 *      looked at. A word that is a leftover of an earlier call looks the same; then the memory stays, too.
 *  (2) Return addresses that were exchanged are put back. From then on nothing leads to the tool. */
#include "launcher/attach.h"
#include "base/types.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>

enum { STACK_MAX = 64 << 20, PART = 1 << 16 };

struct leftovers {
    pid_t pid;
    const struct handoff *h;
    struct handoff_near *near;
    struct handoff_return *returns;
};

static bool read_list(pid_t pid, uint64_t at, uint32_t n, size_t size, void *out)
{
    void **list = out;
    *list = calloc(n + 1, size);
    return *list && (!n || remote_read(pid, at, *list, n * size));
}

static bool is_tools_code(const struct leftovers *l, uint64_t v)
{
    if (v == l->h->return_to)
        return false;                           /* put back: see (2) */
    if (v >= l->h->image_lo && v < l->h->image_hi)
        return true;
    for (uint32_t i = 0; i < l->h->n_near; i++)
        if (v - l->near[i].lo < l->near[i].size)
            return true;
    return false;
}

static bool is_private(const struct leftovers *l, uint64_t v) { return (v >= PRIV_LO && v < PRIV_HI) || is_tools_code(l, v); }

/* The mapping that the stack pointer is in; 0: not the thread's own stack, which libcs keep its thread pointer at the top of, but
 * a handler's or a coroutine's: then there is another one with frames on it, and nobody knows where. */
static uint64_t end_of_stack(pid_t pid, uint64_t sp, uint64_t thread_pointer)
{
    char path[64], line[4600];
    uint64_t end = 0;
    snprintf(path, sizeof path, "/proc/%d/maps", remote_face(pid));
    FILE *f = fopen(path, "re");
    for (unsigned long lo, hi; f && !end && fgets(line, sizeof line, f);)
        if (sscanf(line, "%lx-%lx", &lo, &hi) == 2 && sp >= lo && sp < hi) {
            if (strstr(line, "[stack]") || (thread_pointer >= lo && thread_pointer < hi))
                end = MIN(hi, sp + STACK_MAX);
            break;
        }
    if (f)
        fclose(f);
    return end;
}

static bool stack_is_free(const struct leftovers *l, const struct handoff_regs *r)
{
    static uint64_t part[PART / 8];
    uint64_t at = ROUND_UP(r->rsp, 8ul), end = end_of_stack(l->pid, r->rsp, r->fs_base);
    for (size_t n; at < end; at += n) {
        n = MIN(end - at, (uint64_t)PART);
        if (!remote_read(l->pid, at, part, n))
            return false;
        for (size_t i = 0; i < n / 8; i++)
            if (is_tools_code(l, part[i]))
                return false;
    }
    return end != 0;
}

static bool is_free(const struct leftovers *l, const struct tracees *s)
{
    for (int i = 0; i < s->n; i++) {
        const struct handoff_regs *r = &s->list[i].at.regs;
        if (is_private(l, r->rip) || is_private(l, r->rsp) || !stack_is_free(l, r))
            return false;
    }
    return true;
}

static void put_back_returns(const struct leftovers *l)
{
    struct remote target = {.pid = l->pid};
    for (uint32_t i = 0; i < l->h->n_returns; i++) {
        const struct handoff_return *r = &l->returns[i];
        uint64_t now = 0;
        if (r->slot && remote_read(l->pid, r->slot, &now, sizeof now) && now == l->h->return_to)
            remote_write(&target, r->slot, &r->to, sizeof r->to);
    }
}

static void unmap_near(const struct leftovers *l, struct tracee *t)
{
    for (uint32_t i = 0; i < l->h->n_near; i++)
        REMOTE_CALL(&t->at, SYS_munmap, l->near[i].lo, l->near[i].size);
}

/* The register that the tool's data was found by: the program does not use it. */
static void clear_bases(struct tracees *s)
{
    for (int i = 0; i < s->n; i++)
        s->list[i].at.regs.gs_base = 0;
}

bool probed_leave(struct tracees *s, const struct handoff *h)
{
    struct leftovers l = {.pid = s->pid, .h = h};
    bool ok = !h->is_known && read_list(s->pid, h->near, h->n_near, sizeof *l.near, &l.near) &&
              read_list(s->pid, h->returns, h->n_returns, sizeof *l.returns, &l.returns) && is_free(&l, s);
    if (ok) {
        put_back_returns(&l);
        clear_bases(s);
        unmap_near(&l, &s->list[0]);
    }
    free(l.near);
    free(l.returns);
    return ok;
}
