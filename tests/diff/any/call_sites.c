/* Many places that calls return to, in code that comes and goes, on several threads at once. */
#include "t.h"

#define NEST4(x) x x x x
#define NEST64(x) NEST4(NEST4(NEST4(x)))

__attribute__((noinline)) static u64 leaf(u64 v) { return v * 6364136223846793005u + 1442695040888963407u; }
__attribute__((noinline)) static u64 (*volatile by_pointer)(u64) = leaf;

/* Each call is a place of its own. */
#define PART(name) \
    __attribute__((noinline)) static u64 name(u64 v) { NEST64(NEST4(v = leaf(v) ^ v >> 7;)) return v; }
PART(part_0) PART(part_1) PART(part_2) PART(part_3)
__attribute__((noinline)) static u64 part_4(u64 v) { NEST64(v = by_pointer(v) ^ v >> 7;) return v; }

static void *work(void *seed)
{
    u64 v = (uintptr_t)seed;
    for (int i = 0; i < 300; i++)
        v = part_4(part_3(part_2(part_1(part_0(v)))));
    return (void *)(uintptr_t)v;
}

#if defined __x86_64__
/* sub rsp,8; call *rsi ×N; add rsp,8; ret: 64 calls of a function, at a new place each time. */
static u64 generated(u64 v)
{
    enum { CALLS = 64, SIZE = 4096 };
    unsigned char *code = mmap(NULL, SIZE, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0), *p = code;
    memcpy(p, "\x53\x48\x89\xf3\x48\x89\xf8", 7), p += 7;             /* push rbx; mov rbx, rsi; mov rax, rdi */
    for (int i = 0; i < CALLS; i++)
        memcpy(p, "\x48\x89\xc7\xff\xd3", 5), p += 5;                 /* mov rdi, rax; call rbx */
    memcpy(p, "\x5b\xc3", 2);
    v = ((u64 (*)(u64, u64 (*)(u64)))code)(v, leaf);
    munmap(code, SIZE);
    return v;
}
#else
static u64 generated(u64 v) { for (int i = 0; i < 64; i++) v = leaf(v); return v; }
#endif

int main(void)
{
    enum { THREADS = 4 };
    pthread_t t[THREADS];
    u64 sum = 0, v = 1;
    for (uintptr_t i = 0; i < THREADS; i++)
        pthread_create(&t[i], NULL, work, (void *)(i + 1));
    for (int i = 0; i < 200; i++)
        v = generated(v);
    for (int i = 0; i < THREADS; i++) {
        void *r;
        pthread_join(t[i], &r);
        sum = sum * 31 + (uintptr_t)r;
    }
    printf("%llx %llx\n", (unsigned long long)sum, (unsigned long long)v);
    return DONE();
}
