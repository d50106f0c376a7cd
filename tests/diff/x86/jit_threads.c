/* Four threads each generate and run code in pages of their own, and in parts of one common page.
 * test-schemes: yes */
#include "t.h"

static u8 *common;
static u64 results[4];
static void *body(void *arg)
{
    int id = (int)(long)arg;
    u8 *own = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    u8 *mine = common + id * 1024;
    for (int i = 0; i < 500; i++) {
        u8 code[] = {0xb8, (u8)i, (u8)id, 0, 0, 0xc3};
        memcpy(own + (i & 15) * 64, code, 6), memcpy(mine + (i & 7) * 64, code, 6);
        results[id] = results[id] * 31 + (u64)((int (*)(void))(own + (i & 15) * 64))();
        results[id] = results[id] * 31 + (u64)((int (*)(void))(mine + (i & 7) * 64))();
    }
    return NULL;
}

int main(void)
{
    common = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    pthread_t t[4];
    for (long i = 0; i < 4; i++)
        CHECK(pthread_create(&t[i], NULL, body, (void *)i) == 0);
    for (int i = 0; i < 4; i++) {
        pthread_join(t[i], NULL);
        printf("%llx\n", (unsigned long long)results[i]);
    }
    return DONE();
}
