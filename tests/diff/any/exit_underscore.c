/* _exit loses buffered output, runs no handlers and keeps its status.
 * test-ends: exit status 9 */
#include "t.h"

static void never(void) { write(1, "handler\n", 8); }

int main(void)
{
    atexit(never);
    printf("lost");
    write(1, "kept\n", 5);
    _exit(9);
}
