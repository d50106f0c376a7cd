/* memory_int.h: the kernel's list of mappings, for memory.c and views.c. */
#ifndef EMULATE_MEMORY_INT_H
#define EMULATE_MEMORY_INT_H
#include "engine/emulate/memory.h"

struct file_place { u64 dev_major, dev_minor, inode, offset; };

/* Every line of the list, until f says that it has seen enough. */
void mem_each_mapping(bool (*f)(const char *line, void *arg), void *arg);
/* Where the permissions of a line are ("rwxs"), or NULL: no such line. */
const char *mem_parse_mapping(const char *line, u64 *lo, u64 *hi, struct file_place *at);
u32 mem_prot_of(const char *perms);
#endif
