/* symbol.h: addresses of the program's own functions. */
#ifndef LAUNCHER_SYMBOL_H
#define LAUNCHER_SYMBOL_H
#include <stdbool.h>
#include <stdint.h>
/* The function `name` of the ELF at `path`: its value, and the ELF's entry to relate it to. */
bool symbol_find(const char *path, const char *name, uint64_t *value, uint64_t *entry);
#endif
