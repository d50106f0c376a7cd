/* Default action of a real-time signal: the program dies by the same signal as natively.
 * test-ends: killed by signal 37 */
#include "t.h"

int main(void)
{
    printf("before\n");
    fflush(stdout);
    raise(SIGRTMIN + 3);
    printf("not reached\n");
    return DONE();
}
