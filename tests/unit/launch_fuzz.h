/* launch_fuzz.h: the parsers of the launcher in one process: what fails comes back instead of ending it. */
#ifndef LAUNCH_FUZZ_H
#define LAUNCH_FUZZ_H
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "launcher/say.h"

static jmp_buf failed;
static unsigned long n_failed, n_passed;

void say(const char *fmt, ...) { }

/* The text is made all the same: its arguments must be good. */
void fail(int status, const char *fmt, ...)
{
    char text[512];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    n_failed++;
    longjmp(failed, 1);
}

#define CHECK(c) ((c) ? (void)0 : (printf("%s:%d: not true: %s\n", __FILE__, __LINE__, #c), fflush(stdout), abort()))

static unsigned below(unsigned n) { return (unsigned)rand() % n; }

/* main of both: once(arg) again and again, for some seconds. */
static int fuzz_for(double seconds, unsigned seed, void (*once)(void *), void *arg)
{
    struct timespec from, now;
    srand(seed);
    clock_gettime(CLOCK_MONOTONIC, &from);
    do {
        for (int i = 0; i < 50; i++)
            once(arg);
        clock_gettime(CLOCK_MONOTONIC, &now);
    } while ((double)(now.tv_sec - from.tv_sec) + (double)(now.tv_nsec - from.tv_nsec) / 1e9 < seconds);
    printf("%lu passed, %lu refused\n", n_passed, n_failed);
    return !(n_passed && n_failed);
}
#endif
