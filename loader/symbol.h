/* symbol.h: functions of ELF files by name, for --dump-trace=FUNCTION. Asked by the launcher for the program, and by the engine for
 * libraries as they are mapped. No libc. */
#ifndef COTTER_SYMBOL_H
#define COTTER_SYMBOL_H
#include <stdbool.h>
#include <stdint.h>
struct symbol {
    uint64_t value, entry;      /* of the function, and of the file's entry to relate it to */
    bool is_static;             /* the file needs no interpreter */
};
bool symbol_find(int fd, const char *name, struct symbol *out);         /* is_static is told even if there is none */
/* `*from` gets where the function lies, counted from where the segment at `offset` of the file is mapped. */
bool symbol_in_segment(int fd, const char *name, uint64_t offset, uint64_t *from);
#endif
