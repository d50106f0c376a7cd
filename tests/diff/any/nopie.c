/* A dynamically linked program at a fixed address.
 * test-build: -no-pie -fno-pie
 * test-schemes: exec */
#include "t.h"

int main(int argc, char **argv)
{
    printf("%d %d\n", (u64)main < 0x80000000ul, argc);
    return DONE();
}
