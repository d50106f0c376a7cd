/* atexit handlers run last to first, destructors after them, buffered output is flushed; then exit status 3.
 * test-ends: exit status 3 */
#include "t.h"

static void one(void) { printf("one\n"); }
static void two(void) { printf("two\n"); }
static void __attribute__((constructor)) begin(void) { printf("constructor\n"); }
static void __attribute__((destructor)) end(void) { printf("destructor\n"); }
static void with_arg(int status, void *arg) { printf("status %d %s\n", status, (char *)arg); }

int main(void)
{
    atexit(one);
    on_exit(with_arg, "arg");
    atexit(two);
    printf("main");
    exit(3);
}
