/* The program ends by exit through int 0x80.
 * test-ends: exit status 42 */
#include "t.h"

int main(void)
{
    printf("before\n");
    fflush(stdout);
    __asm__ volatile("int $0x80" :: "a"(1), "b"(42));
    printf("not reached\n");
    return 0;
}
