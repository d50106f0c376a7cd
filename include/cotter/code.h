/* code.h: instructions, basic blocks and traces as instrumentation callbacks see them, and the calls they insert.
 *
 * Callbacks run when code is about to run for the first time, and again when it is translated anew; they are serialised.
 * Inserted calls run each time the code does, on the application's threads, with no lock held. */
#ifndef COTTER_CODE_H
#define COTTER_CODE_H

PIN_CALLBACK INS_AddInstrumentFunction(INS_INSTRUMENT_CALLBACK fun, VOID *val);
PIN_CALLBACK TRACE_AddInstrumentFunction(TRACE_INSTRUMENT_CALLBACK fun, VOID *val);

/* ---- Walking ---- */
BBL TRACE_BblHead(TRACE trace);
BBL TRACE_BblTail(TRACE trace);
ADDRINT TRACE_Address(TRACE trace);
USIZE TRACE_Size(TRACE trace);
UINT32 TRACE_NumBbl(TRACE trace);
UINT32 TRACE_NumIns(TRACE trace);
BOOL TRACE_HasFallThrough(TRACE trace);
BOOL TRACE_Original(TRACE trace);

INS BBL_InsHead(BBL bbl);
INS BBL_InsTail(BBL bbl);
BBL BBL_Next(BBL bbl);
BBL BBL_Prev(BBL bbl);
BOOL BBL_Valid(BBL bbl);
BOOL BBL_Original(BBL bbl);
ADDRINT BBL_Address(BBL bbl);
USIZE BBL_Size(BBL bbl);
UINT32 BBL_NumIns(BBL bbl);
BOOL BBL_HasFallThrough(BBL bbl);

INS INS_Next(INS ins);
INS INS_Prev(INS ins);
INS INS_Invalid(VOID);
BOOL INS_Valid(INS ins);
ADDRINT INS_Address(INS ins);
ADDRINT INS_NextAddress(INS ins);
USIZE INS_Size(INS ins);

/* ---- Argument lists that are made piece by piece, for IARG_IARGLIST ---- */
IARGLIST IARGLIST_Alloc(VOID);
VOID IARGLIST_AddArguments(IARGLIST args, ...);
VOID IARGLIST_Free(IARGLIST args);

/* ---- Inserting calls: object, point, routine, arguments, IARG_END ---- */
VOID INS_InsertCall(INS ins, IPOINT action, AFUNPTR fun, ...);
VOID INS_InsertPredicatedCall(INS ins, IPOINT action, AFUNPTR fun, ...);
VOID INS_InsertIfCall(INS ins, IPOINT action, AFUNPTR fun, ...);
VOID INS_InsertThenCall(INS ins, IPOINT action, AFUNPTR fun, ...);
VOID INS_InsertIfPredicatedCall(INS ins, IPOINT action, AFUNPTR fun, ...);
VOID INS_InsertThenPredicatedCall(INS ins, IPOINT action, AFUNPTR fun, ...);
VOID BBL_InsertCall(BBL bbl, IPOINT action, AFUNPTR fun, ...);
VOID BBL_InsertIfCall(BBL bbl, IPOINT action, AFUNPTR fun, ...);
VOID BBL_InsertThenCall(BBL bbl, IPOINT action, AFUNPTR fun, ...);
VOID TRACE_InsertCall(TRACE trace, IPOINT action, AFUNPTR fun, ...);
VOID TRACE_InsertIfCall(TRACE trace, IPOINT action, AFUNPTR fun, ...);
VOID TRACE_InsertThenCall(TRACE trace, IPOINT action, AFUNPTR fun, ...);

/* ---- Versions of traces: the same code with different calls ---- */
/* A trace of version v goes on to traces of version v; the first has version 0. After a signal it is 0 again, so that version 0
 * must do for all code. A version is a number or a pointer. */
ADDRINT TRACE_Version(TRACE trace);
/* What the trace leads to from this block on, or until another block has a version of its own, is of this version. */
VOID BBL_SetTargetVersion(BBL bbl, ADDRINT version);
/* Before the instruction: if the tool register holds the value, begin the instruction anew in a trace of that version. Several
 * make a switch; IARG_CALL_ORDER may follow, then IARG_END. */
VOID INS_InsertVersionCase(INS ins, REG reg, INT32 value, ADDRINT version, ...);

/* ---- Changing the code: after all callbacks have seen it as it was ---- */
VOID INS_Delete(INS ins);                       /* the calls at it stay */
VOID INS_InsertDirectJump(INS ins, IPOINT point, ADDRINT target);      /* IPOINT_BEFORE, IPOINT_AFTER */
VOID INS_InsertIndirectJump(INS ins, IPOINT point, REG reg);
/* Memory operand `memop` is where the tool register says, which a call at the instruction sets (IARG_RETURN_REGS); implicit
 * operands of stack and string instructions, calls and returns too. Not gathers and scatters (see below), enter, and what addresses memory
 * in odd ways: those end the run with a message. */
VOID INS_RewriteMemoryOperand(INS ins, UINT32 memop, REG reg);
/* The elements of a gather or scatter are where a call at it says that is given IARG_REWRITE_SCATTERED_MEMOP. */
VOID INS_RewriteScatteredMemoryOperand(INS ins, UINT32 memop);
#endif
