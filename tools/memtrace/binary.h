/* binary.h: the compact form of a trace of accesses.
 *
 *   file    "CTMEM1\n\0", then chunks
 *   chunk   u8 type, u32 thread, u32 n: bytes of what follows (numbers are little-endian)
 *   'S'     new sites, numbered from 0 in the order of the file: u64 pc, u32 size, u8 kind ('R', 'W') each; thread is 0
 *   'A'     accesses of the thread in order: varint site, then varint zigzag(address - the site's address before, 0 at
 *           first in each chunk). A varint has 7 bits in a byte, lowest first; the top bit says that more follow. */
#ifndef MEMTRACE_BINARY_H
#define MEMTRACE_BINARY_H

struct access { ADDRINT address; UINT64 site; };
struct site { ADDRINT pc; UINT32 size; char kind; };
struct sites { VEC(struct site) v; struct map known; size_t n_written; };
VOID binary_write(FILE *f, UINT32 thread, struct sites *s, const struct access *a, size_t n);
#endif
