/* returns.h: with precall, where a return finds the place behind its call.
 *
 * All returns jump to one routine (entry.S), which looks the address up and goes there by a return instruction: the CPU has
 * predicted where, since the call was a call instruction, and which routine did the search does not matter to it. So a place
 * behind a call needs no code of its own but what drops the word that stands for it, a return none but what fetches the address,
 * and large programs are full of both.
 *
 * The table is open: {-pc, code}, in low memory, by a hash of the address, and on to the next slot until one is empty. It grows.
 *
 *  (1) It is changed under the cache lock and read without. A reader sees the address of a slot first, and its code then; a writer
 *      stores them the other way round. A slot that has had one address gets another only when every thread has been in the
 *      dispatcher since it lost that: nobody takes the code of one for the other's.
 *  (2) What is not found is looked for by the dispatcher. So it is never wrong to take something out, or to move it.
 *  (3) Code in the table begins by dropping the word: rsp points to the application's return address. */
#ifndef X86_RETURNS_H
#define X86_RETURNS_H
#include "arch/x86/emit.h"

/* The table can be used: its memory is there, and the CPU can search it. */
bool x86_returns_init(void);
bool x86_returns_overflowed(void);                  /* there was no room for one: it must be given up */

void put_return(struct emit *e);                    /* go where the word at rsp says; r11 is at home */
void put_site(struct emit *e, addr_t pc);           /* the place behind a call, right here */

void x86_sites_begin(void);                         /* a trace is emitted; those of the one before that was not committed are void */
void x86_sites_commit(struct trace *t);
void x86_return_add(struct trace *t, const u8 *code);          /* of its beginning */
void x86_returns_remove(struct trace *t);           /* whatever leads into it */
void x86_returns_clear(void);                       /* nothing leads anywhere */
void x86_returns_end(void);                         /* its memory goes */

/* Calls and returns of precall write a word beyond the top of the stack, where there may be no memory; some returns go to address 0.
 * Was that the fault? Then go on as if it had not been. */
struct k_sigcontext;
bool x86_mend_return(struct k_sigcontext *mc);
#endif
