/* image.h: images (programs and libraries), their sections, routines and symbols; and calls asked for ahead of time.
 *
 * IMG, SEC, RTN and SYM handles stay valid as long as the image is loaded. Analysis code that uses them takes the client
 * lock. Routines have names only if PIN_InitSymbols was called. */
#ifndef COTTER_IMAGE_H
#define COTTER_IMAGE_H

/* When an image is mapped, before its code runs; for those that are there at the start, before the application begins:
 * the program, its loader, the vdso. When it is unmapped, or at the end. Serialised. */
PIN_CALLBACK IMG_AddInstrumentFunction(IMAGECALLBACK fun, VOID *val);
PIN_CALLBACK IMG_AddUnloadFunction(IMAGECALLBACK fun, VOID *val);
/* For each routine of each image when it is mapped. */
PIN_CALLBACK RTN_AddInstrumentFunction(RTN_INSTRUMENT_CALLBACK fun, VOID *val);

/* ---- Images ---- */
IMG APP_ImgHead(VOID);
IMG APP_ImgTail(VOID);
IMG IMG_Next(IMG img);
IMG IMG_Prev(IMG img);
IMG IMG_Invalid(VOID);
BOOL IMG_Valid(IMG img);
IMG IMG_FindByAddress(ADDRINT address);
IMG IMG_FindImgById(UINT32 id);
UINT32 IMG_Id(IMG img);
ADDRINT IMG_LowAddress(IMG img);
ADDRINT IMG_HighAddress(IMG img);               /* the last byte */
ADDRINT IMG_LoadOffset(IMG img);
ADDRINT IMG_EntryAddress(IMG img);
ADDRINT IMG_Entry(IMG img);
ADDRINT IMG_StartAddress(IMG img);              /* a private copy of the whole file */
USIZE IMG_SizeMapped(IMG img);
UINT32 IMG_NumRegions(IMG img);
ADDRINT IMG_RegionLowAddress(IMG img, UINT32 n);
ADDRINT IMG_RegionHighAddress(IMG img, UINT32 n);
ADDRINT IMG_Gp(IMG img);
IMG_TYPE IMG_Type(IMG img);
BOOL IMG_IsMainExecutable(IMG img);
BOOL IMG_IsInterpreter(IMG img);
BOOL IMG_IsVDSO(IMG img);
BOOL IMG_IsStaticExecutable(IMG img);
BOOL IMG_hasLinesData(IMG img);
BOOL IMG_HasProperty(IMG img, IMG_PROPERTY property);
SEC IMG_SecHead(IMG img);
SEC IMG_SecTail(IMG img);
SYM IMG_RegsymHead(IMG img);
VOID IMG_Close(IMG img);
/* An image for code that no loader maps, or that the tool knows better: one section, routines by RTN_CreateAt. Its callbacks run at
 * IMG_ReplayImageLoad (before the start of the program: then), and at IMG_ReplayImageUnload. */
typedef enum { REPLAY_MODE_NONE = 0, REPLAY_MODE_IMAGEOPS = 1, REPLAY_MODE_ALL = 1 } REPLAY_MODE;
VOID PIN_SetReplayMode(UINT32 flags);           /* REPLAY_MODE_IMAGEOPS, before the start: there are no other images */
IMG IMG_CreateAt(const char *filename, ADDRINT start, USIZE size, ADDRINT loadOffset, BOOL mainExecutable);
VOID IMG_ReplayImageLoad(IMG img);
VOID IMG_ReplayImageUnload(IMG img);
/* A pointer of the tool's own, kept with the image. */
VOID IMG_SetLoaderInfo(IMG img, VOID *info);
VOID *IMG_GetLoaderInfo(IMG img);

/* ---- Sections ---- */
SEC SEC_Next(SEC sec);
SEC SEC_Prev(SEC sec);
SEC SEC_Invalid(VOID);
BOOL SEC_Valid(SEC sec);
IMG SEC_Img(SEC sec);
RTN SEC_RtnHead(SEC sec);
RTN SEC_RtnTail(SEC sec);
SEC_TYPE SEC_Type(SEC sec);
ADDRINT SEC_Address(SEC sec);
USIZE SEC_Size(SEC sec);
const VOID *SEC_Data(SEC sec);
BOOL SEC_Mapped(SEC sec);
BOOL SEC_IsReadable(SEC sec);
BOOL SEC_IsWriteable(SEC sec);
BOOL SEC_IsExecutable(SEC sec);

/* ---- Routines ---- */
RTN RTN_Next(RTN rtn);
RTN RTN_Prev(RTN rtn);
RTN RTN_Invalid(VOID);
BOOL RTN_Valid(RTN rtn);
SEC RTN_Sec(RTN rtn);
SYM RTN_Sym(RTN rtn);
UINT32 RTN_Id(RTN rtn);
ADDRINT RTN_Address(RTN rtn);
USIZE RTN_Size(RTN rtn);
USIZE RTN_Range(RTN rtn);                       /* up to the next routine */
AFUNPTR RTN_Funptr(RTN rtn);
BOOL RTN_IsArtificial(RTN rtn);                 /* code without a symbol */
BOOL RTN_IsDynamic(RTN rtn);
/* Of an indirect function: what its resolver chose, once it ran, and the resolver of that; else RTN_Invalid(). Calls and replacements asked
 * for on the resolver's routine are those of the implementation, unless PIN_InitSymbolsAlt got IFUNC_SYMBOLS. */
RTN RTN_IFuncImplementation(RTN rtn);
RTN RTN_IFuncResolver(RTN rtn);
RTN RTN_FindByAddress(ADDRINT address);
RTN RTN_FindByName(IMG img, const CHAR *name);
/* Between RTN_Open and RTN_Close, of one routine at a time: its instructions, and calls at its entry (IPOINT_BEFORE) or
 * before each of its returns (IPOINT_AFTER). Not from INS and TRACE callbacks. */
VOID RTN_Open(RTN rtn);
VOID RTN_Close(RTN rtn);
INS RTN_InsHead(RTN rtn);
INS RTN_InsHeadOnly(RTN rtn);
INS RTN_InsTail(RTN rtn);
UINT32 RTN_NumIns(RTN rtn);
VOID RTN_InsertCall(RTN rtn, IPOINT action, AFUNPTR fun, ...);
RTN INS_Rtn(INS ins);
RTN TRACE_Rtn(TRACE trace);

/* ---- Symbols: functions ---- */
SYM SYM_Next(SYM sym);
SYM SYM_Prev(SYM sym);
SYM SYM_Invalid(VOID);
BOOL SYM_Valid(SYM sym);
ADDRINT SYM_Value(SYM sym);                     /* as in the file */
ADDRINT SYM_Address(SYM sym);                   /* as mapped */
UINT32 SYM_Index(SYM sym);
BOOL SYM_Dynamic(SYM sym);
BOOL SYM_GeneratedByPin(SYM sym);
BOOL SYM_IFuncResolver(SYM sym);
BOOL SYM_IFuncImplementation(SYM sym);          /* a resolver chose it, as far as seen */

#ifndef __cplusplus
const char *IMG_Name(IMG img);
const char *SEC_Name(SEC sec);
const char *RTN_Name(RTN rtn);
const char *SYM_Name(SYM sym);
const char *RTN_FindNameByAddress(ADDRINT address);
const char *PIN_UndecorateSymbolName(const char *name, UNDECORATION style);
RTN RTN_CreateAt(ADDRINT address, const char *name);
IMG IMG_Open(const char *file);
/* file: until the next call; each may be NULL. 0 and "" when nothing is known. */
VOID PIN_GetSourceLocation(ADDRINT address, INT32 *column, INT32 *line, const char **file);
#endif

/* ---- Replacing routines ---- */
typedef enum {
    PARG_INVALID, PARG_POINTER, PARG_BOOL, PARG_CHAR, PARG_UCHAR, PARG_SCHAR, PARG_SHORT, PARG_USHORT, PARG_INT, PARG_UINT,
    PARG_LONG, PARG_ULONG, PARG_LONGLONG, PARG_ULONGLONG, PARG_FLOAT, PARG_DOUBLE, PARG_VOID, PARG_ENUM, PARG_AGGREGATE, PARG_END
} PARG_TYPE;
typedef struct { PARG_TYPE _parg; size_t _size; } PARG_T;
typedef struct { UINT32 native : 1; } CALL_APPLICATION_FUNCTION_PARAM;
#ifndef __cplusplus
#define PIN_PARG(type) ((PARG_T){ _Generic((type *)0, void *: PARG_VOID, float *: PARG_FLOAT, double *: PARG_DOUBLE, \
    _Bool *: PARG_BOOL, char *: PARG_CHAR, unsigned char *: PARG_UCHAR, signed char *: PARG_SCHAR, short *: PARG_SHORT, \
    unsigned short *: PARG_USHORT, int *: PARG_INT, unsigned *: PARG_UINT, long *: PARG_LONG, unsigned long *: PARG_ULONG, \
    long long *: PARG_LONGLONG, unsigned long long *: PARG_ULONGLONG, default: PARG_POINTER), sizeof(type) })
#define PIN_PARG_ENUM(type) ((PARG_T){ PARG_ENUM, sizeof(type) })
#define PIN_PARG_END() ((PARG_T){ PARG_END, 0 })
#endif
/* A prototype: the result's PIN_PARG, the convention, a name, the arguments' PIN_PARGs, PIN_PARG_END(). */
PROTO PROTO_Allocate(PARG_T result, CALLINGSTD_TYPE standard, const char *name, ...);
VOID PROTO_Free(PROTO proto);

/* From now on `fun` runs in the routine's place, like an analysis routine, with the same arguments; its result is the
 * application's. Gives the original entry, for PIN_CallApplicationFunction. From IMG and RTN callbacks. */
AFUNPTR RTN_Replace(RTN rtn, AFUNPTR fun);
/* The same with arguments of your choice: IARG_ORIG_FUNCPTR, IARG_FUNCARG_ENTRYPOINT_VALUE, IARG_CONTEXT, ..., IARG_END. */
AFUNPTR RTN_ReplaceSignature(RTN rtn, AFUNPTR fun, ...);
/* Run a routine of the application: PIN_PARG(result), &result, then PIN_PARG(type), value, ..., PIN_PARG_END(). PIN_PARG(void)
 * has no &result, and PIN_PARG_END() alone has neither. A replaced routine runs in its original form. From replacement and
 * analysis routines. */
VOID PIN_CallApplicationFunction(const CONTEXT *ctxt, THREADID tid, CALLINGSTD_TYPE standard, AFUNPTR fun,
                                 CALL_APPLICATION_FUNCTION_PARAM *param, ...);
/* The pc of ctxt and the return addresses of the application's stack, innermost first; how many. By .eh_frame of the images, else by
 * frame pointers. */
INT PIN_Backtrace(const CONTEXT *ctxt, VOID **buffer, INT size);
#endif
