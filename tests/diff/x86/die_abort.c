/* Default action of abort() (SIGABRT): the program dies by the same signal as natively.
 * test-ends: killed by SIGABRT */
#include "t.h"

int main(void)
{
    printf("before\n");
    fflush(stdout);
    abort();
    printf("not reached\n");
    return DONE();
}
