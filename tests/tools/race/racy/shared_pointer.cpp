/* The counts of a shared pointer are atomic, what it points to is not. */
#include <cstdio>
#include <memory>
#include <pthread.h>
#include <thread>

/* Otherwise one thread may have ended, and its count seen by the maker of the other, before that begins: then they are ordered. */
static pthread_barrier_t both;

int main()
{
    auto n = std::make_shared<int>(0);
    pthread_barrier_init(&both, NULL, 2);
    std::thread a([n] { pthread_barrier_wait(&both); *n = 1; /* RACE */ });
    std::thread b([n] { pthread_barrier_wait(&both); *n = 2; /* RACE */ });
    a.join();
    b.join();
    printf("%d\n", *n > 0);
}
