/* memory.h: what the engine knows of the application's address space: which ranges it may execute. */
#ifndef EMULATE_MEMORY_H
#define EMULATE_MEMORY_H
#include "arch/arch.h"

struct fetch_fault;
void mem_init(void);

/* End of the executable, readable range that holds `at`; 0 with the fault that executing there raises. Cache lock held. */
addr_t mem_exec_end(addr_t at, struct fetch_fault *fault);
/* Protection of the executable mapping at `at` (K_PROT_*, and MEM_*); 0 when it is not known to be executable. */
enum { MEM_SHARED = 8, MEM_MAYBE_SHARED = 16, MEM_NAMED = 32 };     /* named: of a file that other processes can open */
u32 mem_exec_prot(addr_t at);
u32 mem_learn_prot(addr_t at);                  /* the same; asks the kernel where MEM_MAYBE_SHARED says so. Cache lock held */

bool mem_has_writable_code(addr_t lo, addr_t hi);

/* End of what is mapped at `at` without a gap from one file or segment; 0: no mapping begins there. */
addr_t mem_file_end(addr_t at);

/* A word at `at` that the program can change only by a call that the engine sees: it lies in a private mapping of a file, write
 * protected. A trace that relies on its value counts the page among its own. */
bool mem_constant(addr_t at, addr_t *value);
bool mem_is_file(addr_t lo, addr_t hi);         /* is all of it one private mapping of a file? */
void mem_file_mapped(addr_t lo, addr_t hi, u32 prot);

/* The application changed [lo, hi): now with this protection (0: gone). Traces made from it are void. */
void mem_changed(addr_t lo, addr_t hi, u32 prot);
/* The application is about to change [lo, hi), and may fail to: what is known of it is asked anew when it is executed. */
void mem_leaving(addr_t lo, addr_t hi);
void mem_contents_lost(addr_t lo, addr_t hi);   /* the mapping stays, its bytes do not */
bool mem_is_private(addr_t lo, addr_t hi);      /* does the range touch Cotter's own mappings? */
void mem_after_fork(void);
bool mem_take_over(u32 dead);                   /* true: a killed vfork child was changing what is known of the mappings */
void mem_recover(void);                         /* then, with no page protected by the engine: learns it anew */
#endif
