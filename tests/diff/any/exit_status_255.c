/* The program's own exit status 255.
 * test-ends: exit status 255 */
#include "t.h"

int main(void)
{
    printf("leaving\n");
    return 255;
}
