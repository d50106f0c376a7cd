/* main.c: the cotter command. Understands the command line, checks program and tool, and starts them. */
#include "launcher/attach.h"
#include "launcher/build.h"
#include "launcher/find.h"
#include "launcher/follow.h"
#include "launcher/help.h"
#include "launcher/launch.h"
#include "launcher/say.h"
#include "loader/exe.h"
#include "loader/symbol.h"
#include "base/types.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <time.h>
#include <unistd.h>

static struct launch the_launch;
static struct options the_options;

static const struct { const char *word; int (*run)(void); } plain_commands[] = {
    {"--help", help_print}, {"-h", help_print}, {"-help", help_print}, {"help", help_print}, {"--version", help_version},
    {"list", help_list}, {"doctor", doctor}, {"--pin-root", build_pin_root},
};

/* `cotter help NAME` is `cotter run NAME --help`. */
static void help_on_tool(const char *name)
{
    struct tool t;
    tool_open_bundled(&t, name);
    execv(t.path, (char *[]){ t.path, "--help", NULL });
    fail(STATUS_FAILED, "cannot execute %s: %s", t.path, strerror(errno));
}

static void run_plain_command(int argc, char **argv)
{
    if (argc == 3 && !strcmp(argv[1], "help") && argv[2][0] != '-')
        help_on_tool(argv[2]);
    for (size_t i = 0; argc > 1 && i < ARRAY_LEN(plain_commands); i++) {
        if (strcmp(argv[1], plain_commands[i].word))
            continue;
        if (argc > 2)
            fail(STATUS_FAILED, "%s stands alone: '%s' is too much", argv[1], argv[2]);
        exit(plain_commands[i].run());
    }
    if (argc > 1 && !strcmp(argv[1], "build"))
        exit(build_tool(argc - 2, argv + 2));
    if (argc > 1 && !strcmp(argv[1], "new"))
        exit(build_new(argc - 2, argv + 2));
    if (argc > 1 && !strcmp(argv[1], "detach"))
        exit(detach_command(argc - 2, argv + 2));
}

static void check_program(struct launch *l)
{
    static struct exe exe;
    if (exe_examine(l->program, &exe) == EXE_OK)
        return;
    const char *why = exe_why(exe.verdict);
    if (l->options->exec_as)
        follow_natively(l->options, exe.verdict);
    if (!strcmp(exe.culprit, l->program))
        fail(exe_status(exe.verdict), "cannot execute %s: %s", l->program, why);
    fail(exe_status(exe.verdict), "cannot execute %s: its interpreter %s: %s", l->program, exe.culprit, why);
}

static void open_tool(struct launch *l)
{
    const struct options *o = l->options;
    if (o->bundled)
        tool_open_bundled(&l->tool, o->bundled);
    else if (o->tool)
        tool_open_path(&l->tool, o->tool);
    else
        tool_open_none(&l->tool);
}

/* `cotter run NAME --help`, or a report that is compared with another: no program to run, the tool is one itself. */
static void run_tool_alone(struct launch *l)
{
    const struct options *o = l->options;
    char **argv = calloc((size_t)o->n_tool_args + 2, sizeof *argv);
    open_tool(l);
    argv[0] = l->tool.path;
    memcpy(argv + 1, o->tool_args, (size_t)o->n_tool_args * sizeof *argv);
    execv(l->tool.path, argv);
    fail(STATUS_FAILED, "cannot execute %s: %s", l->tool.path, strerror(errno));
}

/* Pin's own form: the tool finds its options between its name and "--". */
static char **make_tool_argv(const struct launch *l)
{
    const struct options *o = l->options;
    char **argv = calloc((size_t)(3 + o->n_tool_args + 1 + o->argc + 1), sizeof *argv);
    int n = 0;
    if (!argv)
        fail(STATUS_FAILED, "out of memory");
    argv[n++] = "cotter";
    argv[n++] = "-t";
    argv[n++] = (char *)l->tool.path;
    for (int i = 0; i < o->n_tool_args; i++)
        argv[n++] = o->tool_args[i];
    argv[n++] = "--";
    for (int i = 0; i < o->argc; i++)
        argv[n++] = o->argv[i];
    return argv;
}

/* Variables that steer a libc are meant for the program's. The tool's must leave restartable sequences alone: the
 * kernel allows one registration per thread, and that is the program's. */
static char **make_tool_envp(char **envp)
{
    static const char *const kept_away[] = {"LD_", "GLIBC_TUNABLES=", "MALLOC_"};
    size_t n = 0, used = 0;
    while (envp[n])
        n++;
    char **out = calloc(n + 2, sizeof *out);
    if (!out)
        fail(STATUS_FAILED, "out of memory");
    for (size_t i = 0; i < n; i++) {
        bool keep = true;
        for (size_t k = 0; k < sizeof kept_away / sizeof kept_away[0]; k++)
            keep = keep && strncmp(envp[i], kept_away[k], strlen(kept_away[k]));
        if (keep)
            out[used++] = envp[i];
    }
    out[used] = "GLIBC_TUNABLES=glibc.pthread.rseq=0:glibc.cpu.hwcaps=-AVX512VL,-AVX512F";
    return out;
}

/* --dump-trace=FUNCTION; addresses and "all" are the engine's own business. */
static void find_dump_function(struct launch *l)
{
    const char *name = l->options->engine.dump_trace;
    struct symbol s = { 0 };
    if (!name[0] || (name[0] >= '0' && name[0] <= '9') || !strcmp(name, "all"))
        return;
    int fd = open(l->program, O_RDONLY | O_CLOEXEC);
    if (symbol_find(fd, name, &s))
        l->handoff.dump_offset = (int64_t)(s.value - s.entry);
    else if (s.is_static)                       /* else a library may have it: the engine looks when it is mapped */
        fail(STATUS_FAILED, "--dump-trace: %s has no function %s (or is stripped); give an address", l->program, name);
    close(fd);
}

static void fill_handoff(struct launch *l, uint64_t start_ns)
{
    struct handoff *h = &l->handoff;
    h->magic = HANDOFF_MAGIC;
    h->version = HANDOFF_VERSION;
    h->launch_ns = start_ns;
    h->is_followed = l->options->exec_as != NULL;
    h->opt = l->options->engine;
    snprintf(h->launcher_path, sizeof h->launcher_path, "%s", tool_launcher());
    snprintf(h->tool_path, sizeof h->tool_path, "%s", l->tool.path);
    follow_fill(l);
    find_dump_function(l);
}

static uint64_t now_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/* The engine keeps the program's FS base in GS; without these instructions each access would be a system call. */
static void check_machine(void)
{
    enum { HWCAP2_FSGSBASE_BIT = 1 << 1 };
    if (!(getauxval(AT_HWCAP2) & HWCAP2_FSGSBASE_BIT))
        fail(STATUS_FAILED, "the CPU or the kernel lacks FSGSBASE (Linux 5.9 or newer is needed): see cotter doctor");
}

static void start(struct launch *l)
{
    uint32_t way = l->options->inject;
    int refused = way == INJECT_EXEC ? 0 : launch_by_ptrace(l);
    if (way == INJECT_PTRACE)
        fail(STATUS_FAILED, "ptrace is refused (%s): try --inject=exec, or see cotter doctor", strerror(refused));
    if (way == INJECT_AUTO && l->options->engine.verbose)
        say("ptrace is refused (%s): using the user-space exec", strerror(refused));
    launch_by_exec(l);
}

int main(int argc, char **argv)
{
    struct launch *l = &the_launch;
    uint64_t start_ns = now_ns();
    run_plain_command(argc, argv);
    options_parse(&the_options, argc - 1, argv + 1);
    l->options = &the_options;
    if (the_options.is_alone)
        run_tool_alone(l);
    l->argv = the_options.argv;
    l->envp = environ;
    if (!the_options.pid) {
        l->program = the_options.exec_as ? the_options.exec_as : find_program(l->argv[0]);
        check_program(l);
    }
    check_machine();
    open_tool(l);
    l->tool_argv = make_tool_argv(l);
    l->tool_envp = make_tool_envp(l->envp);
    fill_handoff(l, start_ns);
    if (the_options.pid)
        return attach_command(l);
    start(l);
    return STATUS_FAILED;
}
