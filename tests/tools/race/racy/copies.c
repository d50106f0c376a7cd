/* A structure is copied with memcpy while another thread sets it with memset. */
#include <pthread.h>
#include <string.h>
struct { char text[200]; } shared;
static volatile long n = 150;
static void *sets(void *v)
{
    memset(shared.text, 7, n); /* RACE */
    return 0;
}
int main(void)
{
    pthread_t t;
    char copy[200];
    pthread_create(&t, 0, sets, 0);
    memcpy(copy, shared.text, n); /* RACE */
    pthread_join(t, 0);
    return copy[0] != 0 && copy[0] != 7;
}
