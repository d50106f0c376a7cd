/* follow.c: see follow.h. */
#include "launcher/follow.h"
#include "launcher/say.h"
#include <errno.h>
#include <string.h>
#include <unistd.h>

static void append(struct handoff *h, const char *arg)
{
    size_t n = strlen(arg) + 1;
    if (n > sizeof h->follow_args - h->follow_args_size)
        fail(STATUS_FAILED, "with -f, the options and the tool's options may have %zu bytes at the most",
             sizeof h->follow_args);
    memcpy(h->follow_args + h->follow_args_size, arg, n);
    h->follow_args_size += (uint32_t)n;
    h->n_follow_args++;
}

void follow_fill(struct launch *l)
{
    struct handoff *h = &l->handoff;
    const struct options *o = l->options;
    if (!o->engine.follow)
        return;
    h->follow_args_size = (uint32_t)options_write(o, h->follow_args, sizeof h->follow_args, &h->n_follow_args);
    append(h, "-t");
    append(h, l->tool.path);
    for (int i = 0; i < o->n_tool_args; i++)
        append(h, o->tool_args[i]);
}

void follow_natively(const struct options *o, enum exe_verdict why)
{
    if (why > EXE_LOOP && !o->engine.quiet)
        say("%s runs without Cotter: %s", o->exec_as, exe_why(why));
    execve(o->exec_as, o->argv, environ);
    int e = errno;
    fail(e == ENOENT ? STATUS_NOT_FOUND : STATUS_CANNOT_EXECUTE, "cannot execute %s: %s", o->exec_as, strerror(e));
}
