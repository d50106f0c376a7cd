/* types.h: the words every other file is written in. */
#ifndef BASE_TYPES_H
#define BASE_TYPES_H
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef uint64_t u64;
typedef int32_t s32;
typedef int64_t s64;

/* An application address is an integer; a cache address is a pointer (u8 *). Mixing them needs a visible cast. */
typedef uintptr_t addr_t;

#define PAGE_SIZE 4096ul
#define ROUND_DOWN(x, n) ((x) & ~((__typeof__(x))(n) - 1))
#define ROUND_UP(x, n) (((x) + (n) - 1) & ~((__typeof__(x))(n) - 1))
#define ARRAY_LEN(a) (sizeof(a) / sizeof((a)[0]))
#define MIN(a, b) ((a) < (b) ? (a) : (b))
#define MAX(a, b) ((a) > (b) ? (a) : (b))
#define LIKELY(x) __builtin_expect(!!(x), 1)
#define UNLIKELY(x) __builtin_expect(!!(x), 0)
#define CONTAINER_OF(p, type, field) ((type *)((char *)(p) - offsetof(type, field)))
#define NORETURN __attribute__((noreturn))
#define PRINTF_LIKE(f, a) __attribute__((format(printf, f, a)))
#endif
