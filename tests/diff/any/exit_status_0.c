/* The program's own exit status 0.
 * test-ends: exit status 0 */
#include "t.h"

int main(void)
{
    printf("leaving\n");
    return 0;
}
