/* memory.c: the application's memory, and all translated code. */
#include "api/exception.h"
#include "base/heap.h"
#include "base/sys.h"
#include "engine/cache/cache.h"
#include "engine/emulate/memory.h"
#include "engine/emulate/smc.h"
#include "engine/native.h"
#include <stdio.h>

/* ---- copies that survive a fault: page by page, so that all that can be copied is ---- */
static size_t to_page_end(const void *p) { return PAGE_SIZE - (addr_t)p % PAGE_SIZE; }

/* In probe mode no handler of ours catches a fault: the kernel copies. */
static bool copy_by_kernel(u8 *to, const u8 *from, size_t n)
{
    struct { const void *at; size_t n; } a = { to, n }, b = { from, n };
    return sys6(__NR_process_vm_readv, sys_gettid(), &a, 1, &b, 1, 0) == (long)n;
}

static bool copy_piece(u8 *to, const u8 *from, size_t n)
{
    if (native_is_on())
        return copy_by_kernel(to, from, n);
    if (mem_copy_safely(to, from, n))
        return true;
    /* A page with translated code is write-protected by the engine, not by the application. */
    return !code_is_shown() && smc_write_fault((addr_t)to) && mem_copy_safely(to, from, n);
}

size_t PIN_SafeCopy(VOID *dst, const VOID *src, size_t size)
{
    u8 *to = dst;
    const u8 *from = src;
    size_t done = 0;
    while (done < size) {
        size_t n = MIN(size - done, MIN(to_page_end(to + done), to_page_end(from + done)));
        if (!copy_piece(to + done, from + done, n))
            break;
        done += n;
    }
    return done;
}

size_t PIN_SafeCopyEx(VOID *dst, const VOID *src, size_t size, EXCEPTION_INFO *info)
{
    size_t n = PIN_SafeCopy(dst, src, size);
    u8 probe;
    if (n < size && info) {
        bool can_read = copy_piece(&probe, (const u8 *)src + n, 1);
        PIN_InitAccessFaultInfo(info, EXCEPTCODE_ACCESS_INVALID_ADDRESS, 0, can_read ? (ADDRINT)dst + n : (ADDRINT)src + n,
                                can_read ? FAULTY_ACCESS_WRITE : FAULTY_ACCESS_READ);
    }
    return n;
}

/* ---- code as the tool has it ---- */
static struct { FETCH_CALLBACK fun; VOID *val; } fetcher;

size_t PIN_FetchCode(VOID *to, const VOID *from, size_t size, EXCEPTION_INFO *info)
{
    EXCEPTION_INFO unused;
    if (!fetcher.fun)
        return PIN_SafeCopyEx(to, from, size, info);
    return fetcher.fun(to, (ADDRINT)from, size, info ? info : &unused, fetcher.val);
}

static size_t fetch(void *to, addr_t at, size_t n) { return MIN(n, PIN_FetchCode(to, (VOID *)at, n, NULL)); }

VOID PIN_AddFetchFunction(FETCH_CALLBACK fun, VOID *val)
{
    fetcher.fun = fun;
    fetcher.val = val;
    hooks.fetch = fun ? fetch : NULL;
    smc_turn_off();
}

VOID PIN_SetSmcSupport(SMC_ENABLE_DISABLE_TYPE how)
{
    if (how == SMC_DISABLE)
        smc_turn_off();
}

BOOL PIN_CheckReadAccess(VOID *addr)
{
    u8 probe;
    return copy_piece(&probe, addr, 1);
}

/* The kernel's list is asked: trying would race with the application's own writes. */
BOOL PIN_CheckWriteAccess(VOID *addr)
{
    FILE *f = fopen("/proc/thread-self/maps", "r");
    unsigned long lo, hi;
    char prot[8], line[512];
    BOOL can = FALSE;
    while (f && !can && fgets(line, sizeof line, f))
        if (sscanf(line, "%lx-%lx %7s", &lo, &hi, prot) == 3 && (addr_t)addr >= lo && (addr_t)addr < hi)
            can = prot[1] == 'w' || (mem_exec_prot((addr_t)addr) & 2) != 0;
    if (f)
        fclose(f);
    return can;
}

/* ---- the engine's own memory ---- */
static struct { OUT_OF_MEMORY_CALLBACK fun; VOID *val; } out_of_memory;

static void tell_out_of_memory(size_t size) { out_of_memory.fun(size, out_of_memory.val); }

VOID PIN_AddOutOfMemoryFunction(OUT_OF_MEMORY_CALLBACK fun, VOID *val)
{
    out_of_memory.fun = fun;
    out_of_memory.val = val;
    heap_on_failure = fun ? tell_out_of_memory : NULL;
}

/* ---- translated code ---- */
void code_lock(void)
{
    not_in_probe_mode("PIN_RemoveInstrumentation");
    if (!code_is_shown())
        cache_lock_take();
}

void code_unlock(void)
{
    if (!code_is_shown())
        cache_lock_drop();
}

VOID PIN_RemoveInstrumentation(VOID)
{
    code_lock();
    cache_flush_all();
    code_unlock();
}

VOID PIN_RemoveInstrumentationInRange(ADDRINT start, ADDRINT end)
{
    code_lock();
    cache_invalidate(start, end + 1);
    code_unlock();
}

BOOL PIN_IsActionPending(THREADID tid) { return thr_self.arch.pending != 0; }
