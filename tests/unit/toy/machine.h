/* machine.h: simulated threads that run toy code through the cache, each in step with the same program by the book. */
#ifndef TOY_MACHINE_H
#define TOY_MACHINE_H
#include "toy.h"

void sim_start(struct sim *s, addr_t pc);       /* go on there with its registers */
bool sim_step(struct sim *s);                   /* one cache instruction, or out to the dispatcher; false: trap */
void sim_interrupt(struct sim *s);              /* out of the cache, as a signal would bring it */
void sim_run_once(struct sim *s);               /* its next instruction alone; it is in the dispatcher */
#endif
