/* panic.c: see panic.h. */
#include "base/panic.h"
#include "base/print.h"
#include "base/sys.h"

static void (*reporter)(void);
static u32 panicking;

void panic_set_reporter(void (*report)(void)) { reporter = report; }

static NORETURN void end_process(void)
{
    for (;;)
        sys1(__NR_exit_group, EXIT_COTTER_FAILED);
}

void ct_fatal(const char *fmt, ...)
{
    char text[900];
    va_list ap;
    va_start(ap, fmt);
    ct_vformat(text, sizeof text, fmt, ap);
    va_end(ap);
    ct_print(2, "cotter: %s\n", text);
    end_process();
}

void ct_panic(const char *file, int line, const char *cond, const char *fmt, ...)
{
    char text[700];
    va_list ap;
    va_start(ap, fmt);
    ct_vformat(text, sizeof text, fmt, ap);
    va_end(ap);
    ct_print(2, "cotter: internal error at %s:%d: %s (%s)\n", file, line, text, cond);
    if (reporter && !__atomic_exchange_n(&panicking, 1, __ATOMIC_RELAXED))
        reporter();
    end_process();
}
