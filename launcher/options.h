/* options.h: the command line, understood. */
#ifndef LAUNCHER_OPTIONS_H
#define LAUNCHER_OPTIONS_H
#include "loader/handoff.h"
#include <stdbool.h>
#include <stddef.h>

enum { INJECT_AUTO, INJECT_PTRACE, INJECT_EXEC };

struct options {
    struct handoff_options engine;
    uint32_t inject;
    const char *tool;           /* as given with -t; NULL: none */
    const char *bundled;        /* as given with `run`; NULL: none */
    char **tool_args;           /* between the tool and -- */
    int n_tool_args;
    bool is_alone;              /* no program: the tool answers by itself (--help) */
    int pid;                    /* attach to this process; 0: start a program */
    bool returns;               /* -pid: leave when it is attached to */
    uint64_t for_ms;            /* --for: detach after this time; 0: when asked to */
    const char *exec_as;        /* followed child: execute exactly this file (see follow.c) */
    char **argv;                /* the program and its arguments; NULL: none was given */
    int argc;
};

/* Fails with a clear line and status 125. `args` is the command line without the command's name. */
void options_parse(struct options *o, int n, char **args);

/* "--name=value" for each option that differs from its default, into `out` (NUL-separated). Returns the bytes written,
 * adds to *count; 0 when `room` is too small. */
size_t options_write(const struct options *o, char *out, size_t room, uint32_t *count);
void options_help(void);
#endif
