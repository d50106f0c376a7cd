/* panic.h: how the engine fails.
 *   ct_assert  our bug: says where, prints the state that the engine registered with panic_set_reporter, exits with 125
 *   ct_fatal   the user's or the machine's fault: one line that names cause and cure, exits with 125 */
#ifndef BASE_PANIC_H
#define BASE_PANIC_H
#include "base/types.h"

enum { EXIT_COTTER_FAILED = 125 };

void ct_fatal(const char *fmt, ...) NORETURN PRINTF_LIKE(1, 2);
void ct_panic(const char *file, int line, const char *cond, const char *fmt, ...) NORETURN PRINTF_LIKE(4, 5);
void panic_set_reporter(void (*report)(void));

#define ct_assert(cond, ...) (LIKELY(cond) ? (void)0 : ct_panic(__FILE__, __LINE__, #cond, __VA_ARGS__))
#endif
