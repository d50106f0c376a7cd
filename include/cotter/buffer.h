/* buffer.h: records that calls append to a buffer of the thread; the tool gets the buffer when it is full. */
#ifndef COTTER_BUFFER_H
#define COTTER_BUFFER_H

/* In main(): records of recordSize bytes, numPages pages of them for each thread. The callback gets a full buffer, and at a
 * thread's end what there is; it returns the buffer to fill next: the same one, or one from PIN_AllocateBuffer. 0: failed. */
BUFFER_ID PIN_DefineTraceBuffer(size_t recordSize, UINT32 numPages, TRACE_BUFFER_CALLBACK fun, VOID *val);
VOID *PIN_AllocateBuffer(BUFFER_ID id);
VOID PIN_DeallocateBuffer(BUFFER_ID id, VOID *buf);
VOID *PIN_GetBufferPointer(CONTEXT *ctxt, BUFFER_ID id);      /* where the calling thread's next record goes */

/* Append a record: IARG, its parameters, its byte offset in the record; repeated; IARG_END. */
VOID INS_InsertFillBuffer(INS ins, IPOINT action, BUFFER_ID id, ...);
VOID INS_InsertFillBufferPredicated(INS ins, IPOINT action, BUFFER_ID id, ...);
VOID INS_InsertFillBufferThen(INS ins, IPOINT action, BUFFER_ID id, ...);
#endif
