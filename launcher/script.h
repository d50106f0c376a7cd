/* script.h: what the kernel makes of a file that begins with #!. */
#ifndef LAUNCHER_SCRIPT_H
#define LAUNCHER_SCRIPT_H

/* Follows #! lines. *path becomes the ELF program to run, *argv its arguments. */
void script_resolve(const char **path, char ***argv);
#endif
