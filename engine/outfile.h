/* outfile.h: files that are written about a process: a tool's report, the statistics, the log.
 *
 *  (1) %p in the name is the pid.
 *  (2) What a child process writes never takes the place of its parent's file: without %p the name ends in the pid.
 *  (3) Nor that of what the same process wrote before an exec, or another one that had this pid: such a name ends in a number. */
#ifndef ENGINE_OUTFILE_H
#define ENGINE_OUTFILE_H
#include "base/types.h"
enum { OUTFILE_PATH_MAX = 2 * 4096 + 32 };
void outfile_init(void);                /* in the process that begins; again: nothing */
void outfile_forked(void);              /* in a forked child */
bool outfile_is_child(void);            /* forked, or executed with -f, by a process that runs under Cotter */
/* The name that the first process's file has: `path` has OUTFILE_PATH_MAX bytes. True: it holds the pid. */
bool outfile_expand(char *path, const char *pattern);
const char *outfile_why(long error);    /* in words, of a (negative) error number */
/* A private descriptor, or a negative error number. `path`: the name that was tried last. */
long outfile_open(char *path, const char *pattern);
#endif
