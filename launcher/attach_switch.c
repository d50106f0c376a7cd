/* attach_switch.c: all threads of a process from native to the engine: whenever the launcher dies, all are native in the end, or all are
 * the engine's (attach.c, (2)). */
#include "launcher/attach_int.h"
#include <errno.h>
#include <stdlib.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>

/* A call that had not begun to do anything, and is made again in any case (clone, fork, exec): not by the kernel, which would do it
 * where the engine's own instruction stands, but by the engine, when the thread comes to its own instruction again. */
static void rewind_call(struct tracee *t)
{
    enum { RESTARTNOINTR = -513, SYSCALL_LEN = 2 };
    struct handoff_regs *r = &t->at.regs;
    if (!t->in_call || (int64_t)r->rax != RESTARTNOINTR)
        return;
    r->rax = r->orig_rax;
    r->rip -= SYSCALL_LEN;
    r->orig_rax = ~0ull;
    t->in_call = false;
}

static void list_thread(struct attaching *a, struct tracee *t, struct handoff_thread *r)
{
    struct __ptrace_rseq_configuration c = {0};
    ptrace(PTRACE_GET_RSEQ_CONFIGURATION, t->tid, sizeof c, &c);
    struct borrow_home home = borrow_home_of(&t->at.regs, t->at.mask);
    *r = (struct handoff_thread){.tid = local_tid(a->all.pid, t->tid), .regs = t->at.regs, .mask = t->at.mask,
                                 .in_call = t->in_call, .rseq_at = c.rseq_abi_pointer, .rseq_size = c.rseq_abi_size,
                                 .rseq_signature = c.signature, .home_rax = home.rax, .home_pc = home.pc, .home_rbx = t->at.regs.rbx,
                                 .altstack = {0, 0, HANDOFF_UNKNOWN}};
}

bool attach_list_all(struct attaching *a)
{
    uint32_t n = (uint32_t)a->all.n;
    if (n > HANDOFF_MAX_THREADS)
        return attach_refuse(a, "it has too many threads", 0);
    a->record = calloc(n, sizeof *a->record);
    for (uint32_t i = 0; i < n; i++)
        rewind_call(&a->all.list[i]);
    for (uint32_t i = 0; i < n; i++)
        list_thread(a, &a->all.list[i], &a->record[i]);
    if (!attach_put(a, a->threads, a->record, n * sizeof *a->record) ||
        !attach_put(a, a->at.handoff + offsetof(struct handoff, n_threads), &n, sizeof n) || !attach_set_state(a, ATTACH_LISTED))
        return attach_refuse(a, "its memory cannot be written", -errno);
    if (!attach_wait_for(a, ATTACH_PREPARED) || !remote_read(a->all.pid, a->threads, a->record, n * sizeof *a->record))
        return attach_refuse(a, "the engine failed", 0);
    return remote_read(a->all.pid, a->at.handoff, &a->l->handoff, sizeof a->l->handoff) ||
           attach_refuse(a, "its memory cannot be read", -errno);
}

static uint64_t record_at(const struct attaching *a, int i) { return a->threads + (uint64_t)i * sizeof *a->record; }

/* At the gate: native, but for the pc and the register that tells it who it is. It waits there for the helper's word, and goes
 * on natively if that is no. Registers, then mask: the gate blocks all signals itself. */
static void gate_registers(const struct attaching *a, int i, struct handoff_regs *to)
{
    *to = a->all.list[i].at.regs;
    to->rip = a->l->handoff.gate;
    to->rbx = record_at(a, i);
    to->orig_rax = ~0ull;
}

static void send_to_gate(struct attaching *a, int i)
{
    uint64_t all = ~0ull;
    struct handoff_regs to;
    pid_t tid = a->all.list[i].tid;
    gate_registers(a, i, &to);
    if (!ptrace(PTRACE_SETREGS, tid, 0, &to))
        ptrace(PTRACE_SETSIGMASK, tid, sizeof all, &all);
}

static void enter_registers(const struct attaching *a, int i, struct handoff_regs *to)
{
    const struct handoff_regs *now = &a->all.list[i].at.regs;
    *to = a->record[i].enter;
    to->cs = now->cs, to->ss = now->ss, to->ds = now->ds, to->es = now->es;
}

/* A thread in a system call stays in it, and does not come through the gate. Alternate stack and restartable sequences are the
 * kernel's, per thread: only the thread itself can change them. From the gate it gets to `again`, which makes the call anew
 * with the right mask, and from there into the call. Each of the three is a place to go on from. */
static void enter_in_call(struct attaching *a, int i)
{
    enum { RSEQ_UNREGISTER = 1 };
    struct tracee *t = &a->all.list[i];
    struct handoff_thread *r = &a->record[i];
    struct handoff_regs to;
    uint64_t at = record_at(a, i);
    gate_registers(a, i, &to);
    to.rsp = r->enter.rsp;                                  /* not on the stack that is about to change */
    remote_lend(&t->at, &to, ~0ull);
    REMOTE_CALL(&t->at, SYS_sigaltstack, at + offsetof(struct handoff_thread, new_altstack),
                at + offsetof(struct handoff_thread, altstack));
    if (r->rseq_at)
        REMOTE_CALL(&t->at, SYS_rseq, r->rseq_at, r->rseq_size, RSEQ_UNREGISTER, r->rseq_signature);
    enter_registers(a, i, &to);
    to.rip = a->l->handoff.again;
    to.rbx = at;
    to.orig_rax = ~0ull;
    ptrace(PTRACE_SETREGS, t->tid, 0, &to);
    enter_registers(a, i, &to);
    incall_shorten(&t->call, &to, a->all.pid, t->tid, at + offsetof(struct handoff_thread, room));
    remote_settle(&t->at, &to, r->enter_mask);
}

/* A thread that was killed meanwhile takes the whole process with it: nothing to mend. */
void attach_switch_all(struct attaching *a)
{
    for (int i = 0; i < a->all.n; i++)
        send_to_gate(a, i);
    attach_set_state(a, ATTACH_SWITCHED);                          /* from here on there is no way back */
    attach_wait_for(a, ATTACH_INSTALLED);
    for (int i = 0; i < a->all.n; i++)
        if (a->all.list[i].in_call)
            enter_in_call(a, i);
    tracees_let_go(&a->all);
    if (a->helper)
        while (tracee_wait(a->helper, STOP_MS) > 0)
            ptrace(PTRACE_CONT, a->helper, 0, 0);
}
