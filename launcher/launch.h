/* launch.h: start a program with the tool planted in it. */
#ifndef LAUNCHER_LAUNCH_H
#define LAUNCHER_LAUNCH_H
#include "launcher/options.h"
#include "launcher/tool.h"
#include "loader/handoff.h"

/* Everything both ways in need to know. The record is complete but for the target's addresses. */
struct launch {
    int name_in_proc;                   /* of the program's process: /proc may be that of an outer pid namespace */
    const struct options *options;
    struct tool tool;
    const char *program;        /* what execve() gets */
    char **argv, **envp;        /* likewise */
    char **tool_argv, **tool_envp;
    struct handoff handoff;
};

/* Where things lie in the private range; the same for both ways in. [base, image) is mapped first, with `steps` in it;
 * the steps map the rest. */
struct placement { uint64_t base, stack_lo, stack_hi, handoff, steps, image, end; };
void launch_place(const struct launch *l, struct placement *p);
struct steps;
void launch_map_tool(const struct launch *l, const struct placement *p, struct steps *s);

/* The auxiliary vector that the planted ELF finds, made from the application's. */
struct stack_plan;
void launch_plan_stack(const struct launch *l, const struct placement *p, struct stack_plan *plan);
void launch_fill_handoff(struct launch *l, const struct placement *p, const struct stack_plan *app_auxv);

/* launch.c: by ptrace. Comes back only when ptrace is refused, with the error number. */
int launch_by_ptrace(struct launch *l);
/* plant.c: `pid` is ours, stopped at its first instruction. Ends it with status 125 when something fails. */
void plant(struct launch *l, int pid);
/* uexec.c: without ptrace, inside this process. */
void launch_by_exec(struct launch *l) __attribute__((noreturn));
#endif
