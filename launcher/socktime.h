/* socktime.h: calls on sockets that have a timeout of their own (SO_RCVTIMEO, SO_SNDTIMEO).
 *
 * They end with EINTR at every stop, and are made again like the others of incall.h. What is left of the time cannot be given
 * to the call; it is given to the socket, until the thread is in the call again. */
#ifndef LAUNCHER_SOCKTIME_H
#define LAUNCHER_SOCKTIME_H
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

bool socktime_is_candidate(long call);                          /* may be such a call, if the descriptor is such a socket */
int64_t socktime_of(long call, pid_t pid, int fd);              /* its timeout; 0: none */
bool socktime_shorten(long call, pid_t pid, pid_t tid, int fd, int64_t left_us);
void socktime_restore(void);                    /* those threads have been let go: their sockets as they were, when they wait */
#endif
