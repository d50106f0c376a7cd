/* A page of code is given back by others over and over, since the kernel writes into it for two threads, while a third one changes
 * the code in it and runs it. Whoever is late for the page must not be told that it could not be written. */
#include "t.h"
#include <pthread.h>

enum { ROUNDS = 100000 };

static u8 *page;
static volatile int is_over;

static void *let_kernel_write(void *unused)
{
    int fd = open("/dev/zero", O_RDONLY);
    while (!is_over)
        CHECK(read(fd, page + 2048, 1) == 1);
    return unused;
}

static int change_and_run(void)
{
    int n_wrong = 0;
    for (u32 i = 0; i < ROUNDS; i++) {
        page[0] = 0xb8; /* mov eax, i; ret */
        memcpy(page + 1, &i, 4);
        page[5] = 0xc3;
        n_wrong += ((u32(*)(void))(void *)page)() != i;
    }
    return n_wrong;
}

int main(void)
{
    page = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    CHECK(page != MAP_FAILED);
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        CHECK(pthread_create(&threads[i], NULL, let_kernel_write, NULL) == 0);
    printf("%d wrong\n", change_and_run());
    is_over = 1;
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    return DONE();
}
