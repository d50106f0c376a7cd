/* borrow.h: where a thread of the target makes system calls for us, and how it gets home when we die in the middle.
 *
 * A stopped thread that is given other registers to make a call with must get its own back. When the tracer is killed
 * meanwhile, the kernel lets the thread run, with whatever it has. So behind the `syscall` instruction there is code that does
 * what the tracer would have done: signal mask, registers, and back. It is put where executable memory exists in every process
 * and is used by nobody: the end of the vdso's last page. The bytes are zero again afterwards. */
#ifndef LAUNCHER_BORROW_H
#define LAUNCHER_BORROW_H
#include "loader/handoff.h"
#include <stdbool.h>
#include <sys/types.h>

/* What the code behind the call cannot leave as it is. All other registers are home already. */
struct borrow_home { uint64_t mask, rax, rcx, rdx, rsi, rdi, r8, r9, r10, r11, pc; };

/* A place for it in the process; 0: there is none. Then calls are made without it. */
uint64_t borrow_find(pid_t pid, uint64_t vdso);
/* How a thread with these registers goes on: a call that the kernel would restart is made again. */
struct borrow_home borrow_home_of(const struct handoff_regs *r, uint64_t mask);
/* Through a thread that is stopped: so the process has not executed another program meanwhile. */
bool borrow_put(pid_t tid, uint64_t at, const struct borrow_home *home);
void borrow_wipe(pid_t tid, uint64_t at);           /* nobody is in it any more */
uint64_t borrow_entry(uint64_t at, bool is_clone);
uint64_t borrow_way_home(uint64_t at);              /* without a call */
#endif
