/* help.h: the commands that only print. */
#ifndef LAUNCHER_HELP_H
#define LAUNCHER_HELP_H
int help_print(void);
int help_version(void);
int help_list(void);
int doctor(void);
#endif
