/* The program's own exit status 1.
 * test-ends: exit status 1 */
#include "t.h"

int main(void)
{
    printf("leaving\n");
    return 1;
}
