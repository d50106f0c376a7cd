/* buffer.h: hooks of the record buffers. */
#ifndef API_BUFFER_H
#define API_BUFFER_H
#include "api/api.h"

u32 buffer_record_size(u32 n);
void buffer_is_full(struct thread *t, u32 n, struct arch_context *c);
void buffers_begin(struct thread *t);
void buffers_end(struct thread *t, const CONTEXT *c);
#endif
