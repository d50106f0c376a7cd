/* probe.h: probe mode, for the other files of the tool interface. */
#ifndef API_PROBE_H
#define API_PROBE_H
#include "api/image.h"
#include "engine/native.h"

/* A call of a routine of ours, with the stack pointer, before a routine of the application. False: refused. */
bool probe_call_before(addr_t at, size_t size, size_t room, AFUNPTR fun);
bool probe_lead_to(addr_t at, size_t size, size_t room, addr_t to);             /* a bare jump */
/* Our own routine around one of the application's, beneath what the tool puts there: the routine itself; NULL: refused. */
const void *probe_wrap(addr_t at, size_t size, size_t room, const void *fun);

/* probe_threads.c: the tool's functions for each thread that is there; they have run when these return. */
void probes_tell_attach(void);
void probes_tell_detach(void);
/* A call of a routine of ours that gets the stack pointer. */
struct call *probe_own_call(AFUNPTR fun);

/* The application's code runs from now on. is_attached: that of the images whose callbacks run, too. */
void probes_start_running(bool is_attached);
void probes_remove_all(void);
void probes_image_loaded(struct image *m);      /* probe_watch.c: what we want to know of the program ourselves */
bool probe_call_before_named(struct sym_image *sym, const char *name, AFUNPTR fun);
void probes_watch_unwinding(struct sym_image *sym);     /* probe_unwind.c: of an image that throws or catches */
void probes_image_unloaded(struct image *m);    /* its probes are gone with it */
#endif
