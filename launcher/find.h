/* find.h: the file that a program's name means. */
#ifndef LAUNCHER_FIND_H
#define LAUNCHER_FIND_H

/* As a shell finds it: a name with a slash is a path, others are searched for in PATH. Fails with status 126 or 127. */
const char *find_program(const char *name);
#endif
