/* print.h: formatted text without libc: %d %u %x %lx %s %c %p with width, precision for %s, '-' and '0'. */
#ifndef BASE_PRINT_H
#define BASE_PRINT_H
#include "base/types.h"

size_t ct_vformat(char *to, size_t size, const char *fmt, va_list ap);
size_t ct_format(char *to, size_t size, const char *fmt, ...) PRINTF_LIKE(3, 4);
void ct_print(int fd, const char *fmt, ...) PRINTF_LIKE(2, 3);   /* one write(2) per call, cut at 1 KiB */
extern long print_error;                                         /* of the last ct_print that failed; 0: none since it was set so */
long ct_write(int fd, const char *text, size_t n);               /* what write(2) gives; raises no signal */
extern int print_stderr;                                         /* where what is meant for descriptor 2 goes */
u64 str_to_u64(const char *s, const char **end);                 /* decimal, or hexadecimal after 0x */
#endif
