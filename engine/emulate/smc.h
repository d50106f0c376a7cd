/* smc.h: self-modifying and generated code, found without the program's help. */
#ifndef EMULATE_SMC_H
#define EMULATE_SMC_H
#include "arch/arch.h"

void smc_turn_off(void);                        /* before the start: changed code goes unnoticed */
void smc_begin(void);                           /* a translation begins. Cache lock held, as for the rest of it. */
/* A trace is about to be made from this page: from now on a write to it is noticed. Cache lock held. */
void smc_watch(addr_t page);
/* A write fault at `address`: true if the page was watched. Its traces are gone then, and it may be written again. */
bool smc_write_fault(addr_t address);
void smc_forget(addr_t lo, addr_t hi);          /* the mapping was replaced. Cache lock held. */
/* The mapping is about to be replaced; should that fail, the pages are as the application left them. Cache lock held. */
void smc_release(addr_t lo, addr_t hi);
/* May somebody else write the code there, without a fault that tells? */
bool smc_is_foreign(addr_t at);
void smc_meet_relatives(void);                  /* another process may have the shared memory from now on */
void smc_silent_writers(void);                  /* the kernel may write to the program's memory at any time from now on */
bool smc_is_unwatched(addr_t at);               /* and even this thread's own writes there do not tell */
void smc_file_made(int fd);                     /* a file in memory that nobody else has */
bool smc_is_own_file(u64 inode);
/* The application is about to write to this file. If there is code from it, that is foreign from now on. */
void smc_file_written(int fd);
/* Writable shared memory was mapped there: it may be another view of code that was translated before. */
void smc_new_view(addr_t lo, addr_t hi);
u32 smc_given_prot(addr_t page, u32 prot);      /* what the application gave the page, if the kernel has `prot`. Cache lock held. */
/* Something other than application code is about to write there. False: nothing was watched. */
bool smc_expose(addr_t at, size_t n);
bool smc_is_watching(void);                     /* something is or has been watched; no lock needed */
bool smc_write(void *to, const void *from, size_t n);   /* mem_copy_safely to the application's memory */
/* Give all watched pages back, because the kernel itself failed to write; false if there were none. */
bool smc_unwatch_all(void);
void smc_recover(void);                         /* all of them, after cache_recover. Cache lock held. */
#endif
