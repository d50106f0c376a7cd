/* types.h: the words of the tool interface: basic types, handles, enumerations, callback types.
 * Included by pin.h at file scope and by pin.H inside a namespace, so it includes nothing itself. */
#ifndef COTTER_TYPES_H
#define COTTER_TYPES_H

#define VOID void
typedef char CHAR;
typedef int8_t INT8;
typedef int16_t INT16;
typedef int32_t INT32;
typedef int64_t INT64;
typedef uint8_t UINT8;
typedef uint16_t UINT16;
typedef uint32_t UINT32;
typedef uint64_t UINT64;
typedef int INT;
typedef unsigned int UINT;
typedef float FLT32;
typedef double FLT64;
typedef UINT64 ADDRINT;
typedef INT64 ADDRDELTA;
typedef UINT64 ANYADDR;
typedef unsigned int USIZE;
typedef UINT32 THREADID;
typedef UINT64 PIN_THREAD_UID;
typedef INT32 OS_THREAD_ID;
typedef UINT32 OS_PROCESS_ID;
typedef INT32 NATIVE_TID;
typedef INT32 NATIVE_PID;
typedef INT32 TLS_KEY;
typedef UINT32 BUFFER_ID;
typedef UINT16 OPCODE;
typedef UINT64 REG_CLASS_BITS;
typedef VOID *PIN_CONFIGURATION_INFO;
typedef VOID *CHILD_PROCESS;
#ifdef __cplusplus
typedef bool BOOL;
#else
typedef unsigned char BOOL;
#endif
#ifndef TRUE
#define TRUE 1
#define FALSE 0
#endif

/* An analysis routine of any type. In C a cast is needed all the same: (AFUNPTR)f, or AFUNPTR(f). */
typedef VOID (*AFUNPTR)();
#ifndef __cplusplus
#define AFUNPTR(f) ((AFUNPTR)(f))
#endif
typedef VOID ROOT_THREAD_FUNC(VOID *arg);
typedef VOID (*DESTRUCTFUN)(VOID *value);

/* Handles are one number each, 0 for none, and of different types, so that a BBL is not taken where an INS is meant.
 * Valid as long as the callback that received them, unless its function says more. */
#ifdef __cplusplus
extern "C++" {
template <int KIND> class INDEX {
  public:
    INT32 index;
    INDEX() : index(0) {}
    explicit INDEX(INT32 i) : index(i) {}
    BOOL is_valid() const { return index > 0; }
    INT32 q() const { return index; }
    VOID q_set(INT32 i) { index = i; }
    VOID invalidate() { index = 0; }
    bool operator==(const INDEX &o) const { return index == o.index; }
    bool operator!=(const INDEX &o) const { return index != o.index; }
    bool operator<(const INDEX &o) const { return index < o.index; }
};
}
typedef INDEX<1> IMG;
typedef INDEX<2> SEC;
typedef INDEX<3> RTN;
typedef INDEX<4> BBL;
typedef INDEX<5> INS;
typedef INDEX<6> SYM;
typedef INDEX<7> APP;
#else
typedef struct { INT32 index; } IMG;
typedef struct { INT32 index; } SEC;
typedef struct { INT32 index; } RTN;
typedef struct { INT32 index; } BBL;
typedef struct { INT32 index; } INS;
typedef struct { INT32 index; } SYM;
typedef struct { INT32 index; } APP;
#endif
typedef struct COTTER_TRACE *TRACE;
typedef struct COTTER_PROTO *PROTO;
typedef struct COTTER_IARGLIST *IARGLIST;
typedef struct COTTER_CALLBACK *PIN_CALLBACK;

/* ---- Constants ---- */
#define INVALID_THREADID ((THREADID)-1)
#define INVALID_PIN_THREAD_UID ((PIN_THREAD_UID)-1)
#define INVALID_OS_THREAD_ID ((OS_THREAD_ID)0)
#define INVALID_TLS_KEY ((TLS_KEY)-1)
#define BUFFER_ID_INVALID ((BUFFER_ID)0)
#define PIN_CALLBACK_INVALID ((PIN_CALLBACK)0)
#define PIN_INFINITE_TIMEOUT ((UINT32)-1)
#define PIN_MAX_THREADS 8192u
#define MAX_CLIENT_TLS_KEYS 64u
#define MAX_MULTI_MEMOPS 16
#define MAX_WINDOWS_EXCEPTION_ARGS 5
#define VSYSCALL_NR 0xABCDDCBAu
#define XMM_REG_SIZE 16
#define YMM_REG_SIZE 32
#define ZMM_REG_SIZE 64
#define PIN_FAST_ANALYSIS_CALL

/* ---- Enumerations ---- */
typedef enum { CALL_ORDER_FIRST = 100, CALL_ORDER_DEFAULT = 200, CALL_ORDER_LAST = 300 } CALL_ORDER;
typedef enum { IPOINT_INVALID, IPOINT_BEFORE, IPOINT_AFTER, IPOINT_ANYWHERE, IPOINT_TAKEN_BRANCH } IPOINT;
typedef enum { FPOINT_BEFORE, FPOINT_AFTER_IN_PARENT, FPOINT_AFTER_IN_CHILD } FPOINT;
typedef enum {
    CALLINGSTD_INVALID, CALLINGSTD_DEFAULT, CALLINGSTD_CDECL, CALLINGSTD_REGPARMS, CALLINGSTD_STDCALL, CALLINGSTD_ART
} CALLINGSTD_TYPE;
typedef enum {
    SYSCALL_STANDARD_INVALID, SYSCALL_STANDARD_IA32_LINUX, SYSCALL_STANDARD_IA32_LINUX_SYSENTER, SYSCALL_STANDARD_IA32E_LINUX,
    SYSCALL_STANDARD_IA32E_LINUX_VSYSCALL, SYSCALL_STANDARD_IA32_MAC, SYSCALL_STANDARD_IA32E_MAC,
    SYSCALL_STANDARD_IA32_WINDOWS_FAST, SYSCALL_STANDARD_IA32E_WINDOWS_FAST, SYSCALL_STANDARD_IA32_WINDOWS_ALT,
    SYSCALL_STANDARD_WOW64, SYSCALL_STANDARD_WINDOWS_INT
} SYSCALL_STANDARD;
typedef enum {
    CONTEXT_CHANGE_REASON_FATALSIGNAL, CONTEXT_CHANGE_REASON_SIGNAL, CONTEXT_CHANGE_REASON_SIGRETURN, CONTEXT_CHANGE_REASON_APC,
    CONTEXT_CHANGE_REASON_EXCEPTION, CONTEXT_CHANGE_REASON_CALLBACK
} CONTEXT_CHANGE_REASON;
typedef enum { NO_SYMBOLS = 0, EXPORT_SYMBOLS = 1, DEBUG_SYMBOLS = 2, IFUNC_SYMBOLS = 4, DEBUG_OR_EXPORT_SYMBOLS = 3 } SYMBOL_INFO_MODE;
typedef enum { UNDECORATION_COMPLETE, UNDECORATION_NAME_ONLY } UNDECORATION;
typedef enum {
    IMG_TYPE_INVALID, IMG_TYPE_STATIC, IMG_TYPE_SHARED, IMG_TYPE_SHAREDLIB, IMG_TYPE_RELOCATABLE, IMG_TYPE_DYNAMIC_CODE,
    IMG_TYPE_API_CREATED, IMG_TYPE_LAST
} IMG_TYPE;
typedef enum { IMG_PROPERTY_INVALID, IMG_PROPERTY_SHSTK_ENABLED, IMG_PROPERTY_IBT_ENABLED, IMG_PROPERTY_LAST } IMG_PROPERTY;
typedef enum {
    SEC_TYPE_INVALID, SEC_TYPE_UNUSED, SEC_TYPE_REGREL, SEC_TYPE_DYNREL, SEC_TYPE_EXEC, SEC_TYPE_DATA, SEC_TYPE_DYNAMIC,
    SEC_TYPE_OPD, SEC_TYPE_GOT, SEC_TYPE_STACK, SEC_TYPE_PLTOFF, SEC_TYPE_HASH, SEC_TYPE_LSDA, SEC_TYPE_UNWIND,
    SEC_TYPE_UNWINDINFO, SEC_TYPE_REGSYM, SEC_TYPE_DYNSYM, SEC_TYPE_DEBUG, SEC_TYPE_BSS, SEC_TYPE_SYMSTR, SEC_TYPE_DYNSTR,
    SEC_TYPE_SECSTR, SEC_TYPE_COMMENT, SEC_TYPE_LOOS, SEC_TYPE_USER, SEC_TYPE_PROC, SEC_TYPE_LAST
} SEC_TYPE;
typedef enum { PIN_MEMOP_LOAD, PIN_MEMOP_STORE } PIN_MEMOP_ENUM;
typedef enum { MEMORY_TYPE_READ, MEMORY_TYPE_WRITE, MEMORY_TYPE_READ2 } MEMORY_TYPE;
typedef enum { PIN_CALLBACK_TYPE_NONE, PIN_CALLBACK_TYPE_SYSCALL } PIN_CALLBACK_TYPE;
typedef enum { SMC_ENABLE, SMC_DISABLE } SMC_ENABLE_DISABLE_TYPE;
typedef enum { PIN_ERR_FATAL, PIN_ERR_NONFATAL } PIN_ERR_SEVERITY_TYPE;
typedef enum {
    PROCESSOR_STATE_X87, PROCESSOR_STATE_XMM, PROCESSOR_STATE_YMM, PROCESSOR_STATE_ZMM, PROCESSOR_STATE_TMM
} PROCESSOR_STATE;
typedef enum { REG_ACCESS_READ, REG_ACCESS_WRITE, REG_ACCESS_OVERWRITE } REG_ACCESS;
typedef enum { TRI_YES, TRI_NO, TRI_MAYBE } TRI;

/* ---- Machine state ---- */
/* Complete types, so that a tool can declare them; their members are the interface's own business. */
#ifdef __cplusplus
struct __attribute__((aligned(64))) CONTEXT { UINT8 opaque[512] = {}, more[2816]; };   /* one that nobody filled has zeros */
#else
typedef struct __attribute__((aligned(64))) CONTEXT { UINT8 opaque[512], more[2816]; } CONTEXT;
#endif
typedef struct PHYSICAL_CONTEXT PHYSICAL_CONTEXT;

typedef union { struct { UINT64 _lo, _hi; } _raw; UINT8 _byte[16]; } FXSAVE_ST;
typedef union { UINT8 _vec8[16]; UINT16 _vec16[8]; UINT32 _vec32[4]; UINT64 _vec64[2]; } FXSAVE_XMM;
typedef struct __attribute__((aligned(16))) FXSAVE {
    UINT16 _fcw, _fsw;
    UINT8 _ftw, _pad1;
    UINT16 _fop;
    UINT32 _fpuip;
    UINT16 _cs, _pad2;
    UINT32 _fpudp;
    UINT16 _ds, _pad3;
    UINT32 _mxcsr, _mxcsrmask;
    FXSAVE_ST _sts[8];
    FXSAVE_XMM _xmms[16];
    UINT8 _reserved[96];
} FXSAVE;
typedef struct __attribute__((aligned(64))) FPSTATE {
    FXSAVE fxsave_legacy;
    struct {
        UINT8 _header[64];
        UINT8 _ymmUpper[16 * 16];
    } _xstate;
    UINT8 _vstate[2816 - 512 - 64 - 256];
} FPSTATE;
#define FPSTATE_SIZE sizeof(FPSTATE)
#define FPSTATE_ALIGNMENT 64

typedef struct { ADDRINT memoryAddress; PIN_MEMOP_ENUM memopType; UINT32 bytesAccessed; BOOL maskOn; } PIN_MEM_ACCESS_INFO;
typedef struct { UINT32 numberOfMemops; PIN_MEM_ACCESS_INFO memop[MAX_MULTI_MEMOPS]; } PIN_MULTI_MEM_ACCESS_INFO;

/* An access that an address-translation callback looks at. */
typedef struct PIN_MEM_TRANS_INFO {
    UINT32 threadIndex;
    ADDRINT addr;
    UINT32 bytes;
    PIN_MEMOP_ENUM memOpType;
    ADDRINT ip;
    union { struct { UINT32 isAtomic : 1, isRmw : 1, isPrefetch : 1, isFromPin : 1; } bits; UINT32 all; } flags;
} PIN_MEM_TRANS_INFO;

/* What IARG_MULTI_ELEMENT_OPERAND gives: an operand element by element. */
typedef enum { PIN_OP_ELEMENT_ACCESS_READ, PIN_OP_ELEMENT_ACCESS_WRITE, PIN_OP_ELEMENT_ACCESS_READWRITE } PIN_OP_ELEMENT_ACCESS;
typedef struct COTTER_ELEMENTS {
    BOOL isMemory;
    UINT32 size, numOfElements, elementSize;    /* bytes; how many; bytes of one */
    ADDRINT address;                            /* of a memory operand that is not scattered */
    PIN_OP_ELEMENT_ACCESS access;
    struct { ADDRINT address; UINT32 mask; } element[64];      /* mask 0: left out */
} COTTER_ELEMENTS;
#ifndef __cplusplus
typedef COTTER_ELEMENTS IMULTI_ELEMENT_OPERAND;
#else
extern "C++" {
class IMULTI_ELEMENT_OPERAND : COTTER_ELEMENTS {
  public:
    BOOL IsMemory() const { return isMemory; }
    BOOL IsRegister() const { return !isMemory; }
    USIZE Size() const { return size; }
    ADDRINT Address() const { return address; }
    UINT32 NumOfElements() const { return numOfElements; }
    USIZE ElementSize(UINT32) const { return elementSize; }
    ADDRINT ElementAddress(UINT32 i) const { return element[i].address; }
    UINT32 ElementOffset(UINT32 i) const { return i * elementSize; }
    UINT32 ElementMaskValue(UINT32 i) const { return element[i].mask; }
    PIN_OP_ELEMENT_ACCESS ElementAccessType(UINT32) const { return access; }
};
}
#endif

/* What IARG_REWRITE_SCATTERED_MEMOP gives: the elements of a gather or scatter; their addresses may be changed. */
typedef struct COTTER_SCATTERED {
    UINT32 numOfElements, elementSize;
    struct { ADDRINT address; UINT32 mask; } element[16];
} COTTER_SCATTERED;
#ifndef __cplusplus
typedef COTTER_SCATTERED ISCATTERED_MEMORY_REWRITE;
#else
extern "C++" {
class ISCATTERED_MEMORY_REWRITE : COTTER_SCATTERED {
  public:
    UINT32 NumOfElements() const { return numOfElements; }
    USIZE ElementSize(UINT32) const { return elementSize; }
    UINT32 ElementMaskValue(UINT32 i) const { return element[i].mask; }
    UINT32 ElementOffset(UINT32 i) const { return i * elementSize; }
    ADDRINT ElementAddress(UINT32 i) const { return element[i].address; }
    VOID SetElementAddress(UINT32 i, ADDRINT a) { element[i].address = a; }
};
}
#endif

/* ---- Callbacks ---- */
typedef ADDRINT (*MEMORY_ADDR_TRANS_CALLBACK)(PIN_MEM_TRANS_INFO *info, VOID *v);
typedef VOID (*INS_INSTRUMENT_CALLBACK)(INS ins, VOID *v);
typedef VOID (*TRACE_INSTRUMENT_CALLBACK)(TRACE trace, VOID *v);
typedef VOID (*RTN_INSTRUMENT_CALLBACK)(RTN rtn, VOID *v);
typedef VOID (*IMAGECALLBACK)(IMG img, VOID *v);
typedef VOID (*FINI_CALLBACK)(INT32 code, VOID *v);
typedef VOID (*PREPARE_FOR_FINI_CALLBACK)(VOID *v);
typedef VOID (*APPLICATION_START_CALLBACK)(VOID *v);
typedef VOID (*DETACH_CALLBACK)(VOID *v);
typedef VOID (*THREAD_ATTACH_CALLBACK)(THREADID tid, CONTEXT *ctxt, VOID *v);
typedef VOID (*THREAD_DETACH_CALLBACK)(THREADID tid, const CONTEXT *ctxt, VOID *v);
typedef VOID (*THREAD_START_CALLBACK)(THREADID tid, CONTEXT *ctxt, INT32 flags, VOID *v);
typedef VOID (*THREAD_FINI_CALLBACK)(THREADID tid, const CONTEXT *ctxt, INT32 code, VOID *v);
typedef VOID (*SYSCALL_ENTRY_CALLBACK)(THREADID tid, CONTEXT *ctxt, SYSCALL_STANDARD std, VOID *v);
typedef VOID (*SYSCALL_EXIT_CALLBACK)(THREADID tid, CONTEXT *ctxt, SYSCALL_STANDARD std, VOID *v);
typedef VOID (*COTTER_INTERRUPTION_CALLBACK)(THREADID tid, ADDRINT trace, ADDRINT pc, BOOL hasBegun, VOID *val);
typedef VOID (*CONTEXT_CHANGE_CALLBACK)(THREADID tid, CONTEXT_CHANGE_REASON reason, const CONTEXT *from, CONTEXT *to,
                                        INT32 info, VOID *v);
typedef VOID (*FORK_CALLBACK)(THREADID tid, const CONTEXT *ctxt, VOID *v);
typedef VOID (*OUT_OF_MEMORY_CALLBACK)(size_t size, VOID *v);
typedef VOID *(*TRACE_BUFFER_CALLBACK)(BUFFER_ID id, THREADID tid, const CONTEXT *ctxt, VOID *buf, UINT64 n, VOID *v);
typedef BOOL (*FOLLOW_CHILD_PROCESS_CALLBACK)(CHILD_PROCESS child, VOID *v);
typedef VOID (*SMC_CALLBACK)(ADDRINT traceStart, ADDRINT traceEnd, VOID *v);
#endif
