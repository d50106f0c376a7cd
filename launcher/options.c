/* options.c: read the command line.
 *
 *   cotter [options] [-t TOOL [tool options]] -- PROGRAM [ARGS]
 *   cotter [options] run [options] NAME [tool options] -- PROGRAM [ARGS]
 *
 *   cotter [options] -p PID [--for=TIME] [-t TOOL [tool options] | run NAME [tool options]]
 *
 * Without -- nothing is started: there must be a process to attach to, and the words about it may stand behind the tool too.
 * What stands between a tool and -- is the tool's alone. A followed child's command line ends its options with
 * --exec-as PATH right before -- (see follow.c). */
#include "launcher/options_int.h"
#include "launcher/say.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct reader { char **next; int left; };

static const char *take(struct reader *r)
{
    if (!r->left)
        return NULL;
    r->left--;
    return *r->next++;
}

static const char *take_value(struct reader *r, const char *option)
{
    const char *value = take(r);
    if (!value || !strcmp(value, "--"))
        fail(STATUS_FAILED, "%s wants a value", option);
    return value;
}

/* A bare --stats: the word after "off". The next argument is its value only if it is one of the words. */
static void parse_bare_enum(struct options *o, const struct option *opt, struct reader *r, const char *arg)
{
    if (r->left && enum_index(opt->arg, *r->next) >= 0)
        option_set(o, opt, take(r));
    else if (!strncmp(opt->arg, "off|", 4))
        *option_word(o, opt) = 1;
    else
        fail(STATUS_FAILED, "%s wants one of %s", arg, opt->arg);
}

static void parse_long(struct options *o, struct reader *r, const char *arg)
{
    const char *name = arg + 2;
    size_t n = strcspn(name, "=");
    const struct option *opt = option_find(name, n);
    if (!opt) {
        char given[64];
        snprintf(given, sizeof given, "%.*s", (int)n, name);
        const char *near = option_nearest(given);
        fail(STATUS_FAILED, "unknown option --%s%s%s%s", given, near ? "; did you mean --" : " (see cotter --help)",
             near ? near : "", near ? "?" : "");
    }
    if (name[n])
        option_set(o, opt, name + n + 1);
    else if (opt->kind == KIND_FLAG)
        option_set(o, opt, "on");
    else if (opt->kind == KIND_ENUM)
        parse_bare_enum(o, opt, r, arg);
    else
        option_set(o, opt, take_value(r, arg));
}

static void parse_short(struct options *o, struct reader *r, const char *arg)
{
    if (!strcmp(arg, "-o")) {
        option_set(o, option_find("out", 3), take_value(r, arg));
        return;
    }
    if (strspn(arg + 1, "fqv") != strlen(arg + 1))
        fail(STATUS_FAILED, "unknown option %s (see cotter --help%s)", arg,
             arg[2] ? "; Pin's switches are understood by the pin in the folder that cotter --pin-root names" : "");
    for (const char *c = arg + 1; *c; c++) {
        switch (*c) {
        case 'f': o->engine.follow = 1; break;
        case 'q': o->engine.quiet = 1; break;
        case 'v': o->engine.verbose += o->engine.verbose < 9; break;
        }
    }
}

/* ---- attach ---- */
static void set_pid(struct options *o, const char *value)
{
    char *end;
    long n = strtol(value, &end, 10);
    if (*end || n <= 0 || n > 1 << 30)
        fail(STATUS_FAILED, "-p wants the id of a process, not '%s'", value);
    o->pid = (int)n;
}

/* 10s, 2m, 1h, 500ms; a bare number is seconds. */
static void set_for(struct options *o, const char *value)
{
    static const struct { const char *name; double ms; } units[] = {{"", 1e3}, {"s", 1e3}, {"ms", 1}, {"m", 6e4}, {"h", 3.6e6}};
    char *end;
    double n = strtod(value, &end);
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++)
        if (end != value && !strcmp(end, units[i].name) && n * units[i].ms >= 1 && n * units[i].ms < 1e12) {
            o->for_ms = (uint64_t)(n * units[i].ms);
            return;
        }
    fail(STATUS_FAILED, "--for wants a time such as 10s, 500ms or 2m, not '%s'", value);
}

/* True: it was one of the words about attaching. */
static bool parse_attach(struct options *o, struct reader *r, const char *arg)
{
    if (!strcmp(arg, "-p") || !strcmp(arg, "--pid") || !strcmp(arg, "-pid")) {
        o->returns = !strcmp(arg, "-pid");
        set_pid(o, take_value(r, arg));
    } else if (!strncmp(arg, "--pid=", 6))
        set_pid(o, arg + 6);
    else if (!strncmp(arg, "--for=", 6))
        set_for(o, arg + 6);
    else if (!strcmp(arg, "--for"))
        set_for(o, take_value(r, arg));
    else
        return false;
    return true;
}

static bool has_program(const struct reader *r)
{
    for (int i = 0; i < r->left; i++)
        if (!strcmp(r->next[i], "--"))
            return true;
    return false;
}

static void check_attach(const struct options *o)
{
    if (!o->pid)
        fail(STATUS_FAILED, "no program: put -- and the program after the tool's options, or -p PID to attach to a process");
    if (o->engine.follow)
        fail(STATUS_FAILED, "-f is for programs that Cotter starts; a process that is attached to is watched alone");
}

static bool is_help(const char *arg) { return !strcmp(arg, "-h") || !strcmp(arg, "-help") || !strcmp(arg, "--help"); }

/* Neither a program nor a process: what a tool does by itself. */
static bool runs_alone(const struct options *o)
{
    if (o->pid || !o->n_tool_args)
        return false;
    if (o->tool)
        return is_help(o->tool_args[0]);
    if (o->tool_args[0][0] != '-')
        fail(STATUS_FAILED, "no program: put -- in front of it, as in cotter run %s -- %s", o->bundled, o->tool_args[0]);
    return true;
}

/* -o is moved to the launcher's own: the name is meant where the user stands, not where the process does. */
static void parse_tool_args_of_attach(struct options *o, struct reader *r)
{
    const char *arg;
    o->tool_args = r->next;
    while ((arg = take(r)))
        if (!strcmp(arg, "-o"))
            option_set(o, option_find("out", 3), take_value(r, arg));
        else if (!parse_attach(o, r, arg)) {
            char **to = &o->tool_args[o->n_tool_args++];        /* exchanged, not overwritten: the list is the caller's */
            r->next[-1] = *to;
            *to = (char *)arg;
        }
    o->is_alone = runs_alone(o);
    if (!o->is_alone)
        check_attach(o);
}

static void parse_program(struct options *o, struct reader *r)
{
    if (!r->left && !o->exec_as)
        fail(STATUS_FAILED, "no program after --");
    if (o->pid)
        fail(STATUS_FAILED, "-p attaches to a process: no program can be given as well");
    if (o->for_ms)
        fail(STATUS_FAILED, "--for goes with -p PID: it says when to detach (to end a program: timeout 10 cotter ...)");
    if (!o->tool && !o->bundled && !o->exec_as && o->engine.out_file[0])
        fail(STATUS_FAILED, "-o names the file of a tool's report, and there is no tool (of the engine's own: --stats-file, --log)");
    o->argv = r->next;
    o->argc = r->left;
}

static void parse_tool_args(struct options *o, struct reader *r)
{
    if (!has_program(r)) {
        parse_tool_args_of_attach(o, r);
        return;
    }
    o->tool_args = r->next;
    for (;;) {
        const char *arg = take(r);
        if (!strcmp(arg, "--"))
            break;
        o->n_tool_args++;
    }
    int n = o->n_tool_args;
    if (n >= 2 && !strcmp(o->tool_args[n - 2], "--exec-as")) {
        o->exec_as = o->tool_args[n - 1];
        o->n_tool_args -= 2;
    }
    parse_program(o, r);
}

void options_parse(struct options *o, int n, char **args)
{
    struct reader r = {args, n};
    bool is_run = false;
    const char *arg;
    memset(o, 0, sizeof *o);
    option_defaults(o);
    while ((arg = take(&r))) {
        if (!strcmp(arg, "--")) {
            if (is_run)
                fail(STATUS_FAILED, "run wants the name of a tool (see cotter list)");
            parse_program(o, &r);
            return;
        }
        if (!strcmp(arg, "-t") || !strcmp(arg, "--tool")) {
            o->tool = take_value(&r, arg);
            parse_tool_args(o, &r);
            return;
        }
        if (parse_attach(o, &r, arg))
            continue;
        if (!strcmp(arg, "--exec-as"))
            o->exec_as = take_value(&r, arg);
        else if (!strncmp(arg, "--", 2))
            parse_long(o, &r, arg);
        else if (arg[0] == '-' && arg[1])
            parse_short(o, &r, arg);
        else if (is_run) {
            o->bundled = arg;
            parse_tool_args(o, &r);
            return;
        } else if (!strcmp(arg, "run"))
            is_run = true;
        else
            fail(STATUS_FAILED, "unknown command '%s'; to run a program: cotter -- %s", arg, arg);
    }
    if (o->pid && !is_run) {
        check_attach(o);
        return;
    }
    fail(STATUS_FAILED, is_run ? "run wants the name of a tool (see cotter list)"
                               : "no program: cotter [options] -- PROGRAM [ARGS] (see cotter --help)");
}

static int write_option(const struct options *o, const struct option *opt, char *out, size_t room)
{
    char word[64];
    switch (opt->kind) {
    case KIND_FLAG:
        return *option_word(o, opt) ? snprintf(out, room, "--%s", opt->name) : -1;
    case KIND_NUM:
        if (*option_num(o, opt) == opt->dflt)
            return -1;
        return snprintf(out, room, "--%s=%llu", opt->name, (unsigned long long)*option_num(o, opt));
    case KIND_TEXT:
        return *option_text(o, opt) ? snprintf(out, room, "--%s=%s", opt->name, option_text(o, opt)) : -1;
    case KIND_ENUM:
        if (*option_word(o, opt) == opt->dflt)
            return -1;
        enum_word(opt->arg, *option_word(o, opt), word, sizeof word);
        return snprintf(out, room, "--%s=%s", opt->name, word);
    }
    return -1;
}

size_t options_write(const struct options *o, char *out, size_t room, uint32_t *count)
{
    size_t used = 0;
    for (size_t i = 0; i < option_count; i++) {
        int n = write_option(o, &option_table[i], out + used, room - used);
        if (n < 0)
            continue;
        if ((size_t)n >= room - used)
            return 0;
        used += (size_t)n + 1;
        ++*count;
    }
    return used;
}

void options_help(void)
{
    enum { COLUMN = 36 };
    for (size_t i = 0; i < option_count; i++) {
        const struct option *opt = &option_table[i];
        char left[80];
        snprintf(left, sizeof left, "--%s%s%s", opt->name, opt->arg ? "=" : "", opt->arg ? opt->arg : "");
        printf("  %-*s", COLUMN, left);
        if (strlen(left) > COLUMN)
            printf("\n  %*s", COLUMN, "");
        printf(" %s", opt->help);
        if (opt->kind == KIND_NUM && opt->dflt && opt->dflt != opt->hi)
            printf(" [%llu]", (unsigned long long)opt->dflt);
        puts("");
    }
}
