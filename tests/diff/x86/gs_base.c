/* A program that uses gs itself: arch_prctl, wrgsbase, rdgsbase, gs operands, beside TLS through fs.
 * test-needs: cpu:fsgsbase */
#include "t.h"
#include <asm/prctl.h>

static u64 area[8] = {1, 2, 3, 4, 5, 6, 7, 8}, other[8] = {10, 20, 30, 40, 50, 60, 70, 80};
static __thread u64 mine = 77;

static void show(const char *what)
{
    u64 base, first, got;
    CHECK(syscall(SYS_arch_prctl, ARCH_GET_GS, &got) == 0);
    __asm__ volatile("rdgsbase %0; mov %%gs:0, %1" : "=r"(base), "=r"(first));
    printf("%s: %s %s %llu tls %llu\n", what, base == (u64)area ? "area" : base == (u64)other ? "other" : "?",
           got == base ? "same" : "differs", (unsigned long long)first, (unsigned long long)mine);
}

static void *body(void *arg)
{
    u64 base;
    __asm__ volatile("rdgsbase %0" : "=r"(base));
    printf("thread starts with %s\n", base == (u64)other ? "other" : base ? "?" : "0");
    __asm__ volatile("wrgsbase %0" :: "r"(area));
    mine = 99;
    show("thread");
    return NULL;
}

static void handler(int signo) { show("handler"); }

int main(void)
{
    u64 base;
    __asm__ volatile("rdgsbase %0" : "=r"(base));
    printf("at first %llx\n", (unsigned long long)base);
    CHECK(syscall(SYS_arch_prctl, ARCH_SET_GS, area) == 0);
    show("arch_prctl");
    __asm__ volatile("addq $100, %%gs:8; lock xaddq %0, %%gs:16; movups %%gs:32, %%xmm0" :: "r"(7ull) : "memory",
                     "xmm0");
    printf("%llu %llu\n", (unsigned long long)area[1], (unsigned long long)area[2]);
    __asm__ volatile("wrgsbase %0" :: "r"(other));
    show("wrgsbase");
    pthread_t t;
    CHECK(pthread_create(&t, NULL, body, NULL) == 0);
    pthread_join(t, NULL);
    show("after thread");
    signal(SIGUSR1, handler);
    raise(SIGUSR1);
    u64 v;
    __asm__ volatile("mov $24, %%ecx; mov %%gs:(%%rcx), %0" : "=r"(v) :: "rcx");
    printf("%llu\n", (unsigned long long)v);
    __asm__ volatile("wrgsbase %0" :: "r"(0ull));
    return DONE();
}
