/* str.h: the few string functions of the freestanding engine. mk/ includes this header into every engine file, so that
 * the calls that the compiler makes up by itself also reach our versions: the tool's libc would pick vector code, and
 * vector registers hold the application's state while the engine runs. */
#ifndef BASE_STR_H
#define BASE_STR_H
#include <stddef.h>
void *memcpy(void *, const void *, size_t) __asm__("ct_memcpy");
void *memmove(void *, const void *, size_t) __asm__("ct_memmove");
void *memset(void *, int, size_t) __asm__("ct_memset");
int memcmp(const void *, const void *, size_t) __asm__("ct_memcmp");
size_t strlen(const char *) __asm__("ct_strlen");
int strcmp(const char *, const char *) __asm__("ct_strcmp");
int strncmp(const char *, const char *, size_t) __asm__("ct_strncmp");
char *strchr(const char *, int) __asm__("ct_strchr");

/* A freestanding compiler takes these for ordinary functions. A copy of a few bytes, of which emission makes several for each
 * instruction, had better be a move. */
#define STR_INLINE extern inline __attribute__((gnu_inline, always_inline)) void *
enum { STR_FEW = 32 };
void *str_copy(void *, const void *, size_t) __asm__("ct_memcpy");
void *str_fill(void *, int, size_t) __asm__("ct_memset");
STR_INLINE memcpy(void *to, const void *from, size_t n)
{
    return __builtin_constant_p(n) && n <= STR_FEW ? __builtin_memcpy(to, from, n) : str_copy(to, from, n);
}
STR_INLINE memset(void *to, int c, size_t n)
{
    return __builtin_constant_p(n) && n <= STR_FEW ? __builtin_memset(to, c, n) : str_fill(to, c, n);
}
#endif
