/* help.c: see help.h. */
#include "launcher/help.h"
#include "launcher/options.h"
#include "launcher/tool.h"
#include <stdio.h>

int help_print(void)
{
    puts("Run a program under a just-in-time compiler and let a tool insert code into it.\n"
         "\n"
         "  cotter [options] -- PROGRAM [ARGS]                          run under the engine, no tool\n"
         "  cotter [options] -t TOOL [tool options] -- PROGRAM [ARGS]   run with a tool\n"
         "  cotter [options] run NAME [tool options] -- PROGRAM [ARGS]  run with a bundled tool\n"
         "  cotter [options] -p PID [--for=TIME] [-t TOOL [tool options]]  attach to a process; Ctrl-C, or TIME, detaches\n"
         "  cotter run NAME -p PID [--for=TIME] [-o FILE] [tool options]   the same with a bundled tool\n"
         "  cotter detach PID                                           let a process go on natively\n"
         "  cotter list                                                 name the bundled tools\n"
         "  cotter build tool.c [-o tool] [flags]                       compile a tool (C or C++)\n"
         "  cotter new NAME                                             begin a tool: NAME.c\n"
         "  cotter --pin-root                                           a PIN_ROOT for the makefiles of Pintools\n"
         "  cotter doctor                                               check this machine\n"
         "  cotter --help | help NAME | --version                       this; the options of a bundled tool\n"
         "\n"
         "The exit status is the program's. Of Cotter's own: 125 failed, 126 cannot execute, 127 not found.\n"
         "\n"
         "Options (-f: --follow, -v: --verbose, -q: --quiet, -o FILE: --out=FILE):");
    options_help();
    return 0;
}

int help_version(void)
{
    printf("cotter %s (tool interface %u)\n", COTTER_VERSION, HANDOFF_VERSION);
    return 0;
}

int help_list(void)
{
    char file[TOOL_PATH_MAX + 300], about[256];
    struct dirent **list;
    int n = tool_list(&list);
    for (int i = 0; i < n; i++) {
        snprintf(file, sizeof file, "%s/tools/%s", tool_library(), list[i]->d_name);
        if (tool_read_about(file, about, sizeof about))
            printf("%-14s %s\n", list[i]->d_name, about);
        else
            puts(list[i]->d_name);
    }
    return 0;
}
