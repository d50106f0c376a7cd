/* The program's own exit status 127.
 * test-ends: exit status 127 */
#include "t.h"

int main(void)
{
    printf("leaving\n");
    return 127;
}
