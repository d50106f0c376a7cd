/* tool.h: the ELF to be planted: a static-PIE that carries the engine, a tool and the tool's libc. */
#ifndef LAUNCHER_TOOL_H
#define LAUNCHER_TOOL_H
#include <dirent.h>
#include <elf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { TOOL_PATH_MAX = 1024, TOOL_PHDR_MAX = 24 };

struct tool {
    char path[TOOL_PATH_MAX];       /* absolute */
    int fd;
    Elf64_Ehdr header;
    Elf64_Phdr phdr[TOOL_PHDR_MAX];
    uint64_t span;                  /* bytes of address space, whole pages */
};

/* Find it (a path, or the name of a bundled tool), open it, check it. Fails with a clear line and status 125. */
void tool_open_path(struct tool *t, const char *path);
void tool_open_bundled(struct tool *t, const char *name);
void tool_open_none(struct tool *t);

int tool_list(struct dirent ***list);       /* the bundled tools, in the order of their names: how many */

/* The line that a bundled tool says about itself. False: it has none, or cannot be read. */
bool tool_read_about(const char *path, char *text, size_t room);

/* The folder with libcotter.a and the bundled tools: beside the folder of the command. */
const char *tool_library(void);
const char *tool_launcher(void);    /* absolute path of the command */
#endif
