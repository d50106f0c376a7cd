/* exception.c: EXCEPTION_INFO: what a fault was, in words that fit every system. */
#include "api/api.h"
#include "api/exception.h"
#include <stdio.h>

EXCEPTION_CODE PIN_GetExceptionCode(const EXCEPTION_INFO *i) { return i->_code; }
ADDRINT PIN_GetExceptionAddress(const EXCEPTION_INFO *i) { return i->_address; }
VOID PIN_SetExceptionAddress(EXCEPTION_INFO *i, ADDRINT address) { i->_address = address; }
FAULTY_ACCESS_TYPE PIN_GetFaultyAccessType(const EXCEPTION_INFO *i) { return i->_type; }

BOOL PIN_GetFaultyAccessAddress(const EXCEPTION_INFO *i, ADDRINT *address)
{
    if (i->_hasAccess && address)
        *address = i->_access;
    return i->_hasAccess;
}

VOID PIN_InitExceptionInfo(EXCEPTION_INFO *i, EXCEPTION_CODE code, ADDRINT address)
{
    *i = (EXCEPTION_INFO){ ._code = code, ._address = address };
}

VOID PIN_InitAccessFaultInfo(EXCEPTION_INFO *i, EXCEPTION_CODE code, ADDRINT address, ADDRINT access, FAULTY_ACCESS_TYPE type)
{
    *i = (EXCEPTION_INFO){ code, address, access, type, TRUE };
}

/* One line per code: class, signal and its code for raising it, text. */
#define SEGV_MAPERR 1
#define SEGV_ACCERR 2
static const struct { u8 class, sig, code; const char *text; } codes[] = {
    [EXCEPTCODE_NONE] = { EXCEPTCLASS_NONE, 0, 0, "no exception" },
    [EXCEPTCODE_ACCESS_INVALID_ADDRESS] = { EXCEPTCLASS_ACCESS_FAULT, K_SIGSEGV, SEGV_MAPERR, "access to an invalid address" },
    [EXCEPTCODE_ACCESS_DENIED] = { EXCEPTCLASS_ACCESS_FAULT, K_SIGSEGV, SEGV_ACCERR, "access denied" },
    [EXCEPTCODE_ACCESS_INVALID_PAGE] = { EXCEPTCLASS_ACCESS_FAULT, K_SIGBUS, 2, "access beyond the end of a mapped file" },
    [EXCEPTCODE_ACCESS_MISALIGNED] = { EXCEPTCLASS_ACCESS_FAULT, K_SIGBUS, 1, "misaligned access" },
    [EXCEPTCODE_ILLEGAL_INS] = { EXCEPTCLASS_INVALID_INS, K_SIGILL, 2, "illegal instruction" },
    [EXCEPTCODE_PRIVILEGED_INS] = { EXCEPTCLASS_INVALID_INS, K_SIGSEGV, 128, "privileged instruction" },
    [EXCEPTCODE_INT_DIVIDE_BY_ZERO] = { EXCEPTCLASS_INT_ERROR, K_SIGFPE, 1, "integer division by zero" },
    [EXCEPTCODE_INT_OVERFLOW_TRAP] = { EXCEPTCLASS_INT_ERROR, K_SIGSEGV, 128, "integer overflow trap" },
    [EXCEPTCODE_INT_BOUNDS_EXCEEDED] = { EXCEPTCLASS_INT_ERROR, K_SIGSEGV, 128, "bounds exceeded" },
    [EXCEPTCODE_X87_DIVIDE_BY_ZERO] = { EXCEPTCLASS_FP_ERROR, K_SIGFPE, 3, "x87 division by zero" },
    [EXCEPTCODE_X87_OVERFLOW] = { EXCEPTCLASS_FP_ERROR, K_SIGFPE, 4, "x87 overflow" },
    [EXCEPTCODE_X87_UNDERFLOW] = { EXCEPTCLASS_FP_ERROR, K_SIGFPE, 5, "x87 underflow" },
    [EXCEPTCODE_X87_INEXACT_RESULT] = { EXCEPTCLASS_FP_ERROR, K_SIGFPE, 6, "x87 inexact result" },
    [EXCEPTCODE_X87_INVALID_OPERATION] = { EXCEPTCLASS_FP_ERROR, K_SIGFPE, 7, "x87 invalid operation" },
    [EXCEPTCODE_X87_DENORMAL_OPERAND] = { EXCEPTCLASS_FP_ERROR, K_SIGFPE, 5, "x87 denormal operand" },
    [EXCEPTCODE_X87_STACK_ERROR] = { EXCEPTCLASS_FP_ERROR, K_SIGFPE, 7, "x87 stack error" },
    [EXCEPTCODE_SIMD_DIVIDE_BY_ZERO] = { EXCEPTCLASS_FP_ERROR, K_SIGFPE, 3, "vector division by zero" },
    [EXCEPTCODE_SIMD_OVERFLOW] = { EXCEPTCLASS_FP_ERROR, K_SIGFPE, 4, "vector overflow" },
    [EXCEPTCODE_SIMD_UNDERFLOW] = { EXCEPTCLASS_FP_ERROR, K_SIGFPE, 5, "vector underflow" },
    [EXCEPTCODE_SIMD_INEXACT_RESULT] = { EXCEPTCLASS_FP_ERROR, K_SIGFPE, 6, "vector inexact result" },
    [EXCEPTCODE_SIMD_INVALID_OPERATION] = { EXCEPTCLASS_FP_ERROR, K_SIGFPE, 7, "vector invalid operation" },
    [EXCEPTCODE_SIMD_DENORMAL_OPERAND] = { EXCEPTCLASS_FP_ERROR, K_SIGFPE, 5, "vector denormal operand" },
    [EXCEPTCODE_DBG_BREAKPOINT_TRAP] = { EXCEPTCLASS_DEBUG, K_SIGTRAP, 128, "breakpoint" },
    [EXCEPTCODE_DBG_SINGLE_STEP_TRAP] = { EXCEPTCLASS_DEBUG, K_SIGTRAP, 2, "single step" },
    [EXCEPTCODE_RECEIVED_UNKNOWN] = { EXCEPTCLASS_UNKNOWN, K_SIGSEGV, 128, "unknown exception" },
    [EXCEPTCODE_RECEIVED_ACCESS_FAULT] = { EXCEPTCLASS_ACCESS_FAULT, K_SIGSEGV, SEGV_MAPERR, "access fault" },
    [EXCEPTCODE_RECEIVED_AMBIGUOUS_X87] = { EXCEPTCLASS_MULTIPLE_FP_ERROR, K_SIGFPE, 0, "x87 exception" },
    [EXCEPTCODE_RECEIVED_AMBIGUOUS_SIMD] = { EXCEPTCLASS_MULTIPLE_FP_ERROR, K_SIGFPE, 0, "vector floating-point exception" },
};

EXCEPTION_CLASS PIN_GetExceptionClass(EXCEPTION_CODE code)
{
    return code < ARRAY_LEN(codes) ? (EXCEPTION_CLASS)codes[code].class : EXCEPTCLASS_UNKNOWN;
}

UINT32 PIN_GetFpErrorSet(const EXCEPTION_INFO *i)
{
    enum { ALL = 2 * FPERROR_DENORMAL_OPERAND - 1 };
    switch (i->_code) {
    case EXCEPTCODE_RECEIVED_AMBIGUOUS_X87: return ALL | FPERROR_X87_STACK_ERROR;
    case EXCEPTCODE_RECEIVED_AMBIGUOUS_SIMD: return ALL;
    case EXCEPTCODE_X87_DIVIDE_BY_ZERO: case EXCEPTCODE_SIMD_DIVIDE_BY_ZERO: return FPERROR_DIVIDE_BY_ZERO;
    case EXCEPTCODE_X87_OVERFLOW: case EXCEPTCODE_SIMD_OVERFLOW: return FPERROR_OVERFLOW;
    case EXCEPTCODE_X87_UNDERFLOW: case EXCEPTCODE_SIMD_UNDERFLOW: return FPERROR_UNDERFLOW;
    case EXCEPTCODE_X87_INEXACT_RESULT: case EXCEPTCODE_SIMD_INEXACT_RESULT: return FPERROR_INEXACT_RESULT;
    case EXCEPTCODE_X87_INVALID_OPERATION: case EXCEPTCODE_SIMD_INVALID_OPERATION: return FPERROR_INVALID_OPERATION;
    case EXCEPTCODE_X87_DENORMAL_OPERAND: case EXCEPTCODE_SIMD_DENORMAL_OPERAND: return FPERROR_DENORMAL_OPERAND;
    case EXCEPTCODE_X87_STACK_ERROR: return FPERROR_X87_STACK_ERROR;
    default: return 0;
    }
}

const char *PIN_ExceptionToString(const EXCEPTION_INFO *i)
{
    static __thread char text[256];
    int n = snprintf(text, sizeof text, "%s at 0x%lx", codes[i->_code].text, i->_address);
    if (i->_hasAccess)
        snprintf(text + n, sizeof text - (size_t)n, ", %s 0x%lx",
                 i->_type == FAULTY_ACCESS_WRITE ? "writing" : i->_type == FAULTY_ACCESS_EXECUTE ? "executing" : "reading", i->_access);
    return text;
}

/* ---- from a signal ---- */
static EXCEPTION_CODE float_code(int si_code, bool is_simd)
{
    u32 simd = is_simd ? EXCEPTCODE_SIMD_DIVIDE_BY_ZERO - EXCEPTCODE_X87_DIVIDE_BY_ZERO : 0;
    if (is_simd && si_code == 7)
        return EXCEPTCODE_SIMD_INVALID_OPERATION;
    switch (si_code) {
    case 1: return EXCEPTCODE_INT_DIVIDE_BY_ZERO;
    case 2: return EXCEPTCODE_INT_OVERFLOW_TRAP;
    case 3: return (EXCEPTION_CODE)(EXCEPTCODE_X87_DIVIDE_BY_ZERO + simd);
    case 4: return (EXCEPTION_CODE)(EXCEPTCODE_X87_OVERFLOW + simd);
    case 5: return (EXCEPTION_CODE)(EXCEPTCODE_X87_UNDERFLOW + simd);
    case 6: return (EXCEPTION_CODE)(EXCEPTCODE_X87_INEXACT_RESULT + simd);
    case 7: return EXCEPTCODE_X87_INVALID_OPERATION;
    default: return is_simd ? EXCEPTCODE_RECEIVED_AMBIGUOUS_SIMD : EXCEPTCODE_RECEIVED_AMBIGUOUS_X87;
    }
}

static EXCEPTION_CODE code_of(int sig, int si_code, u64 trapno)
{
    enum { TRAP_SIMD = 19, TRAP_GP = 13 };
    switch (sig) {
    case K_SIGSEGV:
        if (trapno == TRAP_GP)
            return EXCEPTCODE_ACCESS_INVALID_ADDRESS;
        return si_code == SEGV_ACCERR ? EXCEPTCODE_ACCESS_DENIED : EXCEPTCODE_ACCESS_INVALID_ADDRESS;
    case K_SIGBUS: return si_code == 1 ? EXCEPTCODE_ACCESS_MISALIGNED : EXCEPTCODE_ACCESS_INVALID_PAGE;
    case K_SIGILL: return EXCEPTCODE_ILLEGAL_INS;
    case K_SIGFPE: return float_code(si_code, trapno == TRAP_SIMD);
    case K_SIGTRAP: return si_code == 2 ? EXCEPTCODE_DBG_SINGLE_STEP_TRAP : EXCEPTCODE_DBG_BREAKPOINT_TRAP;
    default: return EXCEPTCODE_RECEIVED_UNKNOWN;
    }
}

void exception_from_signal(EXCEPTION_INFO *out, int sig, const struct k_siginfo *info, const struct arch_fault *f, addr_t pc)
{
    enum { TRAP_PAGE = 14, ERR_WRITE = 2, ERR_FETCH = 16 };
    *out = (EXCEPTION_INFO){ ._code = code_of(sig, info->code, f->trapno), ._address = pc };
    if (f->trapno != TRAP_PAGE)
        return;
    out->_hasAccess = TRUE;
    out->_access = f->cr2;
    out->_type = f->err & ERR_FETCH ? FAULTY_ACCESS_EXECUTE : f->err & ERR_WRITE ? FAULTY_ACCESS_WRITE : FAULTY_ACCESS_READ;
}

/* ---- into the application ---- */
VOID PIN_RaiseException(const CONTEXT *c, THREADID tid, const EXCEPTION_INFO *i)
{
    struct arch_fault f = { 0 };
    EXCEPTION_CODE code = i->_code < ARRAY_LEN(codes) ? i->_code : EXCEPTCODE_RECEIVED_UNKNOWN;
    addr_t address = i->_hasAccess ? i->_access : i->_address;
    if (i->_hasAccess)
        f = (struct arch_fault){ 14, 4u | (i->_type == FAULTY_ACCESS_WRITE ? 2 : 0), i->_access };
    sig_raise(&thr_self, codes[code].sig, codes[code].code == 128 ? 0x80 : codes[code].code, address, &f);
    context_execute(c);
}
