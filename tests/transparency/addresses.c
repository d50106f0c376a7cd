/* With ASLR off, every address that a program can learn is the native one: code, data, stack, brk, mmap, malloc,
 * libraries, vdso, thread stacks and thread areas.
 * test-prefix: setarch -R
 * test-schemes: exec */
#include "t.h"
#include <sys/auxv.h>

static int data = 1, bss;
static void *body(void *arg)
{
    int local;
    u64 fs;
    __asm__("mov %%fs:0, %0" : "=r"(fs));
    printf("thread stack %p area %llx malloc %p\n", (void *)&local, (unsigned long long)fs, malloc(100));
    return NULL;
}

int main(int argc, char **argv)
{
    int local;
    u64 fs;
    __asm__("mov %%fs:0, %0" : "=r"(fs));
    printf("brk %p\n", sbrk(0));
    printf("main %p data %p bss %p stack %p argv %p env %p fs %llx\n", (void *)main, (void *)&data, (void *)&bss,
           (void *)&local,
           (void *)argv, (void *)environ, (unsigned long long)fs);
    printf("printf %p malloc %p errno %p\n", (void *)printf, (void *)malloc, (void *)&errno);
    for (size_t n = 4096; n < 1ul << 32; n *= 8)
        printf("mmap %zx at %p\n", n, mmap(NULL, n, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0));
    void *p = mmap(NULL, 1 << 20, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    munmap(p, 1 << 20);
    printf("reused %p\n", mmap(NULL, 1 << 19, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    printf("32 bit %p\n", mmap(NULL, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_32BIT, -1, 0));
    printf("hint %p\n", mmap((void *)0x123456789000, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    for (size_t n = 16; n < 1 << 22; n *= 4)
        printf("malloc %zu at %p\n", n, malloc(n));
    printf("brk %p\n", sbrk(0));
    for (int i = 0; i < 3; i++) {
        pthread_t t;
        CHECK(pthread_create(&t, NULL, body, NULL) == 0);
        pthread_join(t, NULL);
    }
    for (unsigned long tag = 1; tag < 64; tag++)
        if (tag != AT_RANDOM && getauxval(tag))
            printf("auxv %lu %lx\n", tag, getauxval(tag));
    printf("random at %lx\n", getauxval(AT_RANDOM));
    return DONE();
}
