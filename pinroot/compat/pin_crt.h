/* pin_crt.h: what the headers of Pin's own C library declared along with other things, and tools came to rely on: files, sockets,
 * union semun, the integer types without pin.H. Included (by the pin root's c++) for tools that do not compile otherwise. */
#ifndef COTTER_PIN_CRT_H
#define COTTER_PIN_CRT_H
#define file_handle cotter_file_handle          /* tools that describe system calls have their own */
#include <fcntl.h>
#undef file_handle
#include "os-apis.h"
#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ipc.h>
#include <sys/sem.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

union semun {
    int val;
    struct semid_ds *buf;
    unsigned short *array;
    struct seminfo *__buf;
};

typedef char CHAR;
typedef int8_t INT8;
typedef int16_t INT16;
typedef int32_t INT32;
typedef int64_t INT64;
typedef uint8_t UINT8;
typedef uint16_t UINT16;
typedef uint32_t UINT32;
typedef uint64_t UINT64;
typedef uint64_t ADDRINT;

#ifndef UNUSED
#define UNUSED __attribute__((unused))
#endif
#endif
