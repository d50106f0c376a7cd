/* client.h: the client lock, which serialises the tool's callbacks. The same thread may take it again. It ranks above the
 * cache lock: who wants both takes this one first. */
#ifndef ENGINE_CLIENT_H
#define ENGINE_CLIENT_H
#include "base/types.h"

int client_self(void);                          /* kernel id of the calling thread */
void client_lock(void);
void client_unlock(void);
bool client_lock_died_with(u32 tid);            /* a killed vfork child had it */
bool client_lock_is_mine(void);                 /* does the calling thread have it? */
void client_lock_take_over(void);               /* then: nobody has it */
void client_lock_forked(void);                  /* in a child whose parent held it across the fork */
void client_lock_release_all(void);             /* the caller will not come back */
#endif
