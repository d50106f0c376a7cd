/* exec.h: the application replaces itself: natively, or under Cotter when children are followed. */
#ifndef EMULATE_EXEC_H
#define EMULATE_EXEC_H
#include "arch/arch.h"
#include "engine/hooks.h"
#include "loader/handoff.h"
struct exec_plan { bool is_followed, may_succeed; struct exec_child child; char path[OPT_PATH_MAX]; };
void exec_decide(const struct syscall_args *a, struct exec_plan *out);   /* natively or not; the tool has a say */
long exec_perform(const struct syscall_args *a, const struct exec_plan *p);   /* returns only on failure */
#endif
