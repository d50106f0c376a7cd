/* exit() called by a second thread while the first one sleeps, and others spin.
 * test-ends: exit status 17 */
#include "t.h"

static volatile u64 counter;
static void *spin(void *arg) { for (;;) counter++; }
static void *leave(void *arg) { printf("leaving\n"); exit(17); }

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, spin, NULL);
    pthread_create(&t, NULL, spin, NULL);
    pthread_create(&t, NULL, leave, NULL);
    for (;;)
        pause();
}
