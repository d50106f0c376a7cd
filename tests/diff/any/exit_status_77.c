/* The program's own exit status 77.
 * test-ends: exit status 77 */
#include "t.h"

int main(void)
{
    printf("leaving\n");
    return 77;
}
