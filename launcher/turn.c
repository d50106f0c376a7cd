/* turn.c: one launcher at a time works on a process.
 *
 * Each of them finds the process in one of the states of handoff.h and takes the others' absence for granted: what is left
 * half-way was left by one that is dead. The lock is the kernel's, on the process's folder in /proc: it ends with its owner. Then
 * that one's threads may still be traced for a moment, since a process that dies closes its files first. */
#include "launcher/attach.h"
#include "launcher/say.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <unistd.h>

enum { NAP_US = 2000, TELL_MS = 3000, WAIT_MS = 60000, DYING_MS = 20000 };

static bool is_dying(pid_t tracer)
{
    char path[64], unused[1];
    snprintf(path, sizeof path, "/proc/%d/exe", tracer);
    return readlink(path, unused, sizeof unused) < 0 && errno == ENOENT;     /* it has no memory any more */
}

static bool has_dying_tracer(pid_t pid)
{
    char path[64];
    bool any = false;
    snprintf(path, sizeof path, "/proc/%d/task", pid);
    DIR *d = opendir(path);
    for (struct dirent *e; d && !any && (e = readdir(d));) {
        pid_t tracer = atoi(e->d_name) ? tracee_tracer(pid, atoi(e->d_name)) : 0;
        any = tracer && is_dying(tracer);
    }
    if (d)
        closedir(d);
    return any;
}

bool turn_take(pid_t pid)
{
    char path[64];
    bool told = false;
    snprintf(path, sizeof path, "/proc/%d", pid);
    int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);         /* stays open: the turn ends with this process */
    int64_t began = now_us();
    while (fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) && errno == EWOULDBLOCK && !command_is_gone()) {
        int64_t ms = (now_us() - began) / 1000;
        if (ms > TELL_MS && !told) {
            say("another cotter is at work on process %d; waiting for it", pid);
            told = true;
        }
        if (ms > WAIT_MS) {
            say("another cotter is at work on process %d and does not end: kill it, and try again", pid);
            return false;
        }
        nap_us(NAP_US);
    }
    for (int64_t end = now_us() + DYING_MS * 1000; now_us() < end && has_dying_tracer(pid);)
        nap_us(NAP_US);
    return !command_is_gone();
}
