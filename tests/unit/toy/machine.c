/* machine.c: see machine.h. What dispatch/run.c does, for a CPU that is played.
 *
 * Wherever the cache says that an application instruction starts, the registers must be what they are by the book:
 * this tests emission, links, landings and the map of each trace at once. */
#include "engine/jit/promote.h"
#include "machine.h"

/* Let the book catch up: it reaches this pc with the same registers within the length of a trace. */
static void catch_up(struct sim *s, addr_t pc)
{
    for (u32 i = 0; i < 600; i++) {
        if (s->book.pc == pc && toy_same(&s->book, &s->arch.regs))
            return;
        CHECK(toy_step(&s->book));
        s->n_steps++;
    }
    CHECK(!"the book comes here too");
}

void sim_start(struct sim *s, addr_t pc)
{
    s->code = NULL;
    s->is_new = true;
    s->arch.regs.pc = pc;
    s->book = s->arch.regs;
}

static bool enter(struct sim *s, struct exit *x, enum entry_kind why)
{
    struct fetch_fault fault;
    addr_t pc = s->arch.regs.pc;
    catch_up(s, pc);
    cache_lock_take();
    cache_reclaim();
    struct trace *to = jit_get(pc, 0, why, NULL, &fault);
    if (to && x)
        cache_link(x, to);
    if (to && why != ENTRY_JUMP)
        arch_landing_add(&s->arch, to, why);
    s->epoch = cache_epoch();
    s->code = to ? trace_code(to) : NULL;
    s->is_new = false;
    cache_lock_drop();
    CHECK(to || !toy_step(&s->book));
    return to;
}

/* A system call or an emulated instruction. */
static void perform(struct sim *s, struct exit *x)
{
    s->arch.regs.pc = exit_target(x) + x->insn_len;
    if (x->kind == EXIT_EMULATE)
        s->arch.regs.r[1] = ~s->arch.regs.r[1];
    else
        s->arch.regs.r[0] += *toy_at(exit_target(x) + 1);
}

static bool dispatch(struct sim *s)
{
    if (s->is_new)
        return enter(s, NULL, ENTRY_JUMP);
    if (s->arch.exit_id <= ARCH_EXIT_RETURN) {
        s->arch.regs.pc = s->arch.indirect_target;
        return enter(s, NULL, s->arch.exit_id == ARCH_EXIT_RETURN ? ENTRY_RETURN : ENTRY_INDIRECT);
    }
    struct exit *x = ref_ptr(s->arch.exit_id);
    s->arch.regs.pc = exit_target(x);
    if (x->kind == EXIT_JUMP || x->kind == EXIT_CALL)
        return enter(s, x, ENTRY_JUMP);
    perform(s, x);
    return enter(s, NULL, ENTRY_JUMP);
}

static bool locate(struct sim *s, struct place *at)
{
    return s->code && cache_locate((addr_t)s->code, at);
}

bool sim_step(struct sim *s)
{
    struct place at;
    bool trapped = false;
    if (!s->code && !dispatch(s))
        return false;
    if (locate(s, &at) && at.at_start)
        catch_up(s, at.pc);
    u8 *from = s->code;
    s->code = toy_run(&s->arch, from, &trapped);
    if (trapped) {
        CHECK(cache_locate((addr_t)from, &at));
        catch_up(s, at.pc);
        CHECK(!toy_step(&s->book));
    }
    return !trapped;
}

void sim_interrupt(struct sim *s)
{
    struct place at;
    while (s->code && !(locate(s, &at) && at.at_start))
        if (!sim_step(s)) {
            sim_start(s, region_base[0]);
            break;
        }
    if (s->code) {
        catch_up(s, at.pc);
        promote_settle(at.trace, at.entry, false, 0, 0);
        sim_start(s, at.pc);
    } else if (!s->is_new && !dispatch(s)) {
        sim_start(s, region_base[0]);
    } else if (s->code) {
        sim_start(s, s->arch.regs.pc);
    }
    s->epoch = 0;
}

void sim_run_once(struct sim *s)
{
    struct fetch_fault fault;
    struct trace *t = jit_once(s->arch.regs.pc, false, &fault);
    if (!t)
        return;
    s->epoch = cache_epoch();
    s->code = trace_code(t);
    s->is_new = false;
}
