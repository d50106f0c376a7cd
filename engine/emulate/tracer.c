/* tracer.c: see tracer.h. */
#include "engine/emulate/tracer.h"
#include "base/print.h"
#include "base/sys.h"

static int first;                              /* it was there before the program */

static int tracer_in(const char *status)
{
    static const char label[] = "TracerPid:\t";
    char text[1024];
    long fd = sys4(__NR_openat, -100, status, 02000000, 0);
    if (sys_failed(fd))
        return 0;
    long n = sys3(__NR_read, fd, text, sizeof text - 1);
    sys1(__NR_close, fd);
    text[MAX(n, 0l)] = 0;
    for (const char *line = text; line; line = strchr(line, '\n'), line += line != NULL)
        if (!strncmp(line, label, sizeof label - 1))
            return (int)str_to_u64(line + sizeof label - 1, NULL);
    return 0;
}

static int own(void) { return tracer_in("/proc/thread-self/status"); }

/* Of this thread or of the first: a tracer that translates paths (proot) takes thread-self for itself, but knows self. */
static int any(void)
{
    int tracer = own();
    return tracer ? tracer : tracer_in("/proc/self/status");
}

/* Where the launcher itself was the tracer, there can have been no other. */
void tracer_init(bool is_launched) { first = is_launched ? 0 : any(); }
bool tracer_is_there(void) { return own() != 0; }

bool tracer_has_come(void)
{
    int now = any();
    return now && now != first;
}
