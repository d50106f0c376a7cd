/* os-apis.h: the system calls of Pin's own C library by its names, for tools that use them. Here a tool has a whole C library, and
 * these are thin covers over it. Those that only that library needs (its signals, its descriptors) are not here. */
#ifndef COTTER_OS_APIS_H
#define COTTER_OS_APIS_H
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>
#ifdef __cplusplus
extern "C" {
#endif

typedef int NATIVE_FD;
typedef pid_t NATIVE_PID;
typedef pid_t NATIVE_TID;
typedef int BOOL_T;
#define NATIVE_PID_CURRENT ((NATIVE_PID)-1)
#ifndef INVALID_NATIVE_FD
#define INVALID_NATIVE_FD ((NATIVE_FD)-1)
#endif

typedef enum {
    OS_RETURN_CODE_NO_ERROR, OS_RETURN_CODE_INVALID_ARGS, OS_RETURN_CODE_MEMORY_MAP_FAILED, OS_RETURN_CODE_MEMORY_FREE_FAILED,
    OS_RETURN_CODE_QUERY_FAILED, OS_RETURN_CODE_MEMORY_PROTECT_FAILED, OS_RETURN_CODE_FILE_OPERATION_FAILED,
    OS_RETURN_CODE_FILE_OPEN_FAILED, OS_RETURN_CODE_FILE_WRITE_FAILED, OS_RETURN_CODE_FILE_READ_FAILED,
    OS_RETURN_CODE_FILE_SEEK_FAILED, OS_RETURN_CODE_FILE_CLOSE_FAILED, OS_RETURN_CODE_FILE_DELETE_FAILED,
    OS_RETURN_CODE_FILE_FLUSH_FAILED, OS_RETURN_CODE_FILE_QUERY_FAILED, OS_RETURN_CODE_THREAD_SLEEP_FAILED,
    OS_RETURN_CODE_PROCESS_QUERY_FAILED, OS_RETURN_CODE_TIME_QUERY_FAILED, OS_RETURN_CODE_BUFFER_TOO_SHORT, OS_RETURN_CODE_FILE_EXIST
} OS_RETURN_CODE_GENERIC;
typedef struct { OS_RETURN_CODE_GENERIC generic_err; int os_specific_err; } OS_RETURN_CODE;
#ifdef __cplusplus
extern "C++" {
inline bool operator==(OS_RETURN_CODE_GENERIC g, const OS_RETURN_CODE &r) { return r.generic_err == g; }
inline bool operator!=(OS_RETURN_CODE_GENERIC g, const OS_RETURN_CODE &r) { return r.generic_err != g; }
}
#endif
#define OS_RETURN_CODE_IS_SUCCESS(r) ((r).generic_err == OS_RETURN_CODE_NO_ERROR)

static inline OS_RETURN_CODE cotter_os_result(int failed, OS_RETURN_CODE_GENERIC error)
{
    OS_RETURN_CODE r = { failed ? error : OS_RETURN_CODE_NO_ERROR, failed ? errno : 0 };
    return r;
}

/* ---- files ---- */
typedef enum {
    OS_FILE_OPEN_TYPE_READ = 1, OS_FILE_OPEN_TYPE_WRITE = 2, OS_FILE_OPEN_TYPE_EXECUTE = 4, OS_FILE_OPEN_TYPE_APPEND = 8,
    OS_FILE_OPEN_TYPE_TRUNCATE = 16, OS_FILE_OPEN_TYPE_CREATE = 32, OS_FILE_OPEN_TYPE_CREATE_EXCL = 64, OS_FILE_OPEN_TYPE_DELETE = 128,
    OS_FILE_OPEN_TYPE_CLOSE_ON_EXEC = 256
} OS_FILE_OPEN_TYPE;
enum {
    OS_FILE_PERMISSION_TYPE_EXECUTE_OTHERS = 0001, OS_FILE_PERMISSION_TYPE_WRITE_OTHERS = 0002, OS_FILE_PERMISSION_TYPE_READ_OTHERS = 0004,
    OS_FILE_PERMISSION_TYPE_ALL_OTHERS = 0007, OS_FILE_PERMISSION_TYPE_EXECUTE_GROUP = 0010, OS_FILE_PERMISSION_TYPE_WRITE_GROUP = 0020,
    OS_FILE_PERMISSION_TYPE_READ_GROUP = 0040, OS_FILE_PERMISSION_TYPE_ALL_GROUP = 0070, OS_FILE_PERMISSION_TYPE_EXECUTE_USER = 0100,
    OS_FILE_PERMISSION_TYPE_WRITE_USER = 0200, OS_FILE_PERMISSION_TYPE_READ_USER = 0400, OS_FILE_PERMISSION_TYPE_ALL_USER = 0700
};
typedef int OS_FILE_PERMISSION_TYPE;
typedef enum { OS_FILE_SEEK_SET = 0, OS_FILE_SEEK_CUR = 1, OS_FILE_SEEK_END = 2 } OS_FILE_SEEK_TYPE;
typedef enum {
    OS_FILE_ATTRIBUTES_NONE = 0, OS_FILE_ATTRIBUTES_EXIST = 1, OS_FILE_ATTRIBUTES_REGULAR = 2, OS_FILE_ATTRIBUTES_DIRECTORY = 4,
    OS_FILE_ATTRIBUTES_SYMLINK = 8
} OS_FILE_ATTRIBUTES;

static inline OS_RETURN_CODE OS_OpenFD(const char *path, int how, OS_FILE_PERMISSION_TYPE mode, NATIVE_FD *fd)
{
    int access = how & OS_FILE_OPEN_TYPE_WRITE ? (how & OS_FILE_OPEN_TYPE_READ ? O_RDWR : O_WRONLY) : O_RDONLY;
    int flags = access | (how & OS_FILE_OPEN_TYPE_APPEND ? O_APPEND : 0) | (how & OS_FILE_OPEN_TYPE_TRUNCATE ? O_TRUNC : 0) |
                (how & OS_FILE_OPEN_TYPE_CREATE ? O_CREAT : 0) | (how & OS_FILE_OPEN_TYPE_CREATE_EXCL ? O_CREAT | O_EXCL : 0) |
                (how & OS_FILE_OPEN_TYPE_CLOSE_ON_EXEC ? O_CLOEXEC : 0);
    *fd = open(path, flags, mode);
    return cotter_os_result(*fd < 0, OS_RETURN_CODE_FILE_OPEN_FAILED);
}
static inline OS_RETURN_CODE OS_CloseFD(NATIVE_FD fd) { return cotter_os_result(close(fd), OS_RETURN_CODE_FILE_CLOSE_FAILED); }

/* *count: bytes to write or read, then how many were. */
static inline OS_RETURN_CODE OS_WriteFD(NATIVE_FD fd, const void *buffer, unsigned int *count)
{
    ssize_t n = write(fd, buffer, *count);
    *count = n < 0 ? 0 : (unsigned int)n;
    return cotter_os_result(n < 0, OS_RETURN_CODE_FILE_WRITE_FAILED);
}
static inline OS_RETURN_CODE OS_ReadFD(NATIVE_FD fd, unsigned int *count, void *buffer)
{
    ssize_t n = read(fd, buffer, *count);
    *count = n < 0 ? 0 : (unsigned int)n;
    return cotter_os_result(n < 0, OS_RETURN_CODE_FILE_READ_FAILED);
}
static inline OS_RETURN_CODE OS_SeekFD(NATIVE_FD fd, int whence, int64_t *offset)
{
    off_t at = lseek(fd, *offset, whence == OS_FILE_SEEK_SET ? SEEK_SET : whence == OS_FILE_SEEK_CUR ? SEEK_CUR : SEEK_END);
    *offset = at < 0 ? *offset : at;
    return cotter_os_result(at < 0, OS_RETURN_CODE_FILE_SEEK_FAILED);
}
static inline OS_RETURN_CODE OS_FlushFD(NATIVE_FD fd) { return cotter_os_result(fsync(fd), OS_RETURN_CODE_FILE_FLUSH_FAILED); }
static inline OS_RETURN_CODE OS_Ftruncate(NATIVE_FD fd, int64_t length) { return cotter_os_result(ftruncate(fd, length), OS_RETURN_CODE_FILE_OPERATION_FAILED); }
static inline OS_RETURN_CODE OS_DeleteFile(const char *name) { return cotter_os_result(unlink(name), OS_RETURN_CODE_FILE_DELETE_FAILED); }
static inline OS_RETURN_CODE OS_RenameFile(const char *from, const char *to) { return cotter_os_result(rename(from, to), OS_RETURN_CODE_FILE_OPERATION_FAILED); }
static inline OS_RETURN_CODE OS_DeleteDirectory(const char *name) { return cotter_os_result(rmdir(name), OS_RETURN_CODE_FILE_DELETE_FAILED); }
static inline OS_RETURN_CODE OS_Cwd(char *cwd, int size) { return cotter_os_result(!getcwd(cwd, (size_t)size), OS_RETURN_CODE_FILE_QUERY_FAILED); }

static inline OS_RETURN_CODE OS_MkDir(const char *name, OS_FILE_PERMISSION_TYPE mode)
{
    int failed = mkdir(name, (mode_t)mode);
    return cotter_os_result(failed, errno == EEXIST ? OS_RETURN_CODE_FILE_EXIST : OS_RETURN_CODE_FILE_OPERATION_FAILED);
}
static inline OS_FILE_ATTRIBUTES cotter_os_attributes(const struct stat *s, int is_link)
{
    int a = OS_FILE_ATTRIBUTES_EXIST | (S_ISREG(s->st_mode) ? OS_FILE_ATTRIBUTES_REGULAR : 0) |
            (S_ISDIR(s->st_mode) ? OS_FILE_ATTRIBUTES_DIRECTORY : 0) | (is_link ? OS_FILE_ATTRIBUTES_SYMLINK : 0);
    return (OS_FILE_ATTRIBUTES)a;
}
static inline OS_RETURN_CODE OS_GetFileAttributes(const char *path, OS_FILE_ATTRIBUTES *attributes)
{
    struct stat s, link;
    int is_link = !lstat(path, &link) && S_ISLNK(link.st_mode);
    *attributes = stat(path, &s) ? OS_FILE_ATTRIBUTES_NONE : cotter_os_attributes(&s, is_link);
    return cotter_os_result(0, OS_RETURN_CODE_NO_ERROR);
}
static inline OS_RETURN_CODE OS_GetFDAttributes(NATIVE_FD fd, OS_FILE_ATTRIBUTES *attributes)
{
    struct stat s;
    int failed = fstat(fd, &s);
    *attributes = failed ? OS_FILE_ATTRIBUTES_NONE : cotter_os_attributes(&s, 0);
    return cotter_os_result(failed, OS_RETURN_CODE_FILE_QUERY_FAILED);
}
static inline OS_RETURN_CODE OS_FileSizeFD(NATIVE_FD fd, unsigned int *size)
{
    struct stat s;
    int failed = fstat(fd, &s);
    *size = failed ? 0 : (unsigned int)s.st_size;
    return cotter_os_result(failed, OS_RETURN_CODE_FILE_QUERY_FAILED);
}
static inline OS_RETURN_CODE OS_Realpath(const char *path, BOOL_T must_exist, char *resolved)
{
    return cotter_os_result(!realpath(path, resolved) && must_exist, OS_RETURN_CODE_FILE_QUERY_FAILED);
}

/* ---- memory of this process ---- */
typedef enum {
    OS_PAGE_PROTECTION_TYPE_NOACCESS = 0, OS_PAGE_PROTECTION_TYPE_READ = 1, OS_PAGE_PROTECTION_TYPE_WRITE = 2,
    OS_PAGE_PROTECTION_TYPE_EXECUTE = 4
} OS_PAGE_PROTECTION_TYPE;
typedef enum { OS_MEMORY_FLAGS_PRIVATE = 0, OS_MEMORY_FLAGS_FIXED_ADDRESS = 1, OS_MEMORY_FLAGS_STACK = 2, OS_MEMORY_FLAGS_SHARED = 8 } OS_MEMORY_FLAGS;

static inline int cotter_os_protection(unsigned int p)
{
    return (p & OS_PAGE_PROTECTION_TYPE_READ ? PROT_READ : 0) | (p & OS_PAGE_PROTECTION_TYPE_WRITE ? PROT_WRITE : 0) |
           (p & OS_PAGE_PROTECTION_TYPE_EXECUTE ? PROT_EXEC : 0);
}
static inline OS_RETURN_CODE cotter_os_map(unsigned int protection, size_t size, int flags, NATIVE_FD fd, uint64_t offset, void **base)
{
    int how = (flags & OS_MEMORY_FLAGS_SHARED ? MAP_SHARED : MAP_PRIVATE) | (flags & OS_MEMORY_FLAGS_FIXED_ADDRESS ? MAP_FIXED : 0) |
              (fd < 0 ? MAP_ANONYMOUS : 0);
    void *at = mmap(*base, size, cotter_os_protection(protection), how, fd, (off_t)offset);
    if (at != MAP_FAILED)
        *base = at;
    return cotter_os_result(at == MAP_FAILED, OS_RETURN_CODE_MEMORY_MAP_FAILED);
}
static inline OS_RETURN_CODE OS_AllocateMemory(NATIVE_PID pid, unsigned int protection, unsigned int size, int flags, void **base)
{
    return cotter_os_map(protection, size, flags, -1, 0, base);
}
static inline OS_RETURN_CODE OS_MapFileToMemory(NATIVE_PID pid, unsigned int protection, unsigned int size, int flags, NATIVE_FD fd,
                                                uint64_t offset, void **base)
{
    return cotter_os_map(protection, size, flags, fd, offset, base);
}
static inline OS_RETURN_CODE OS_FreeMemory(NATIVE_PID pid, void *base, unsigned int size)
{
    return cotter_os_result(munmap(base, size), OS_RETURN_CODE_MEMORY_FREE_FAILED);
}
static inline OS_RETURN_CODE OS_ProtectMemory(NATIVE_PID pid, void *base, unsigned int size, unsigned int protection)
{
    return cotter_os_result(mprotect(base, size, cotter_os_protection(protection)), OS_RETURN_CODE_MEMORY_PROTECT_FAILED);
}
static inline OS_RETURN_CODE OS_GetPageSize(unsigned int *size)
{
    *size = (unsigned int)sysconf(_SC_PAGESIZE);
    return cotter_os_result(0, OS_RETURN_CODE_NO_ERROR);
}

/* ---- processes, threads, time ---- */
static inline OS_RETURN_CODE OS_GetPid(NATIVE_PID *pid) { return *pid = getpid(), cotter_os_result(0, OS_RETURN_CODE_NO_ERROR); }
static inline OS_RETURN_CODE OS_GetTid(NATIVE_TID *tid) { return *tid = (NATIVE_TID)syscall(SYS_gettid), cotter_os_result(0, OS_RETURN_CODE_NO_ERROR); }
static inline OS_RETURN_CODE OS_Yield(void) { return sched_yield(), cotter_os_result(0, OS_RETURN_CODE_NO_ERROR); }
static inline OS_RETURN_CODE OS_Sleep(int milliseconds)
{
    struct timespec t = { milliseconds / 1000, milliseconds % 1000 * 1000000l };
    return cotter_os_result(nanosleep(&t, NULL), OS_RETURN_CODE_THREAD_SLEEP_FAILED);
}
static inline OS_RETURN_CODE OS_Time(uint64_t *microseconds)
{
    struct timespec t;
    int failed = clock_gettime(CLOCK_REALTIME, &t);
    *microseconds = (uint64_t)t.tv_sec * 1000000u + (uint64_t)t.tv_nsec / 1000u;
    return cotter_os_result(failed, OS_RETURN_CODE_TIME_QUERY_FAILED);
}
static inline OS_RETURN_CODE OS_GetHostName(char *name, unsigned int size) { return cotter_os_result(gethostname(name, size), OS_RETURN_CODE_QUERY_FAILED); }

static inline OS_RETURN_CODE cotter_os_text(const char *text, char *to, unsigned int size)
{
    OS_RETURN_CODE r = { snprintf(to, size, "%s", text) < (int)size ? OS_RETURN_CODE_NO_ERROR : OS_RETURN_CODE_BUFFER_TOO_SHORT, 0 };
    return r;
}
static inline OS_RETURN_CODE OS_GetKernelRelease(char *to, unsigned int size) { struct utsname u; uname(&u); return cotter_os_text(u.release, to, size); }
static inline OS_RETURN_CODE OS_GetOSName(char *to, unsigned int size) { struct utsname u; uname(&u); return cotter_os_text(u.sysname, to, size); }
static inline OS_RETURN_CODE OS_GetOSVersion(char *to, unsigned int size) { struct utsname u; uname(&u); return cotter_os_text(u.version, to, size); }

/* ---- what a thread keeps for itself ---- */
typedef unsigned int PIN_TLS_INDEX;
#define INVALID_PIN_TLS_INDEX ((PIN_TLS_INDEX)-1)
typedef void (*TLS_DESTRUCTOR)(void *);
static inline PIN_TLS_INDEX OS_TlsAlloc(TLS_DESTRUCTOR destructor)
{
    pthread_key_t key;
    return pthread_key_create(&key, destructor) ? INVALID_PIN_TLS_INDEX : (PIN_TLS_INDEX)key;
}
static inline BOOL_T OS_TlsFree(PIN_TLS_INDEX i) { return !pthread_key_delete((pthread_key_t)i); }
static inline void *OS_TlsGetValue(PIN_TLS_INDEX i) { return pthread_getspecific((pthread_key_t)i); }
static inline BOOL_T OS_TlsSetValue(PIN_TLS_INDEX i, void *value) { return !pthread_setspecific((pthread_key_t)i, value); }
#ifdef __cplusplus
}
#endif
#endif
