/* context.h: the application's registers as an object. A CONTEXT that a routine received is copied with PIN_SaveContext
 * only; changes to one reach the application on return from a callback that says so, or through PIN_ExecuteAt. */
#ifndef COTTER_CONTEXT_H
#define COTTER_CONTEXT_H

/* Integer registers, flags, instruction pointer, segment bases, tool registers; x87 control words and MXCSR. */
ADDRINT PIN_GetContextReg(const CONTEXT *ctxt, REG reg);
VOID PIN_SetContextReg(CONTEXT *ctxt, REG reg, ADDRINT val);
/* Any register, REG_Size(reg) bytes. */
VOID PIN_GetContextRegval(const CONTEXT *ctxt, REG reg, UINT8 *val);
VOID PIN_SetContextRegval(CONTEXT *ctxt, REG reg, const UINT8 *val);
VOID PIN_SaveContext(const CONTEXT *from, CONTEXT *to);
BOOL PIN_ContextContainsState(CONTEXT *ctxt, PROCESSOR_STATE state);
BOOL PIN_SupportsProcessorState(PROCESSOR_STATE state);
REGSET PIN_GetFullContextRegsSet(VOID);

/* All of the vector and x87 state, in the CPU's own format. */
VOID PIN_GetContextFPState(const CONTEXT *ctxt, FPSTATE *fpstate);
VOID PIN_SetContextFPState(CONTEXT *ctxt, const FPSTATE *fpstate);
VOID PIN_GetContextFXSave(const CONTEXT *ctxt, FXSAVE *fxsave);
VOID PIN_SetContextFXSave(CONTEXT *ctxt, const FXSAVE *fxsave);

/* Leave the analysis routine for good and go on at ctxt. Only from analysis and replacement routines. At the same
 * instruction its calls are made again: the tool must see to it that this ends. */
VOID PIN_ExecuteAt(const CONTEXT *ctxt) __attribute__((noreturn));
#endif
