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
#endif
