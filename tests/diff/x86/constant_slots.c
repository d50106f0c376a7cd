/* Jumps and calls through a word that is write-protected: it changes when the program lifts the protection, maps something
 * else there, or gives up its copy of the file's page. */
#include "x86.h"

__asm__(".section slots, \"aw\"\n .balign 4096\n .globl slot\n slot: .quad one\n .quad one\n .skip 4080\n"
        ".text\n"
        "one: mov $1, %eax\n ret\n"
        "two: mov $2, %eax\n ret\n"
        "three: push %rbx\n mov $3, %eax\n pop %rbx\n ret\n"
        ".globl by_jump\n by_jump: jmp *slot(%rip)\n"
        ".globl by_call\n by_call: sub $8, %rsp\n call *slot+8(%rip)\n add $10, %eax\n add $8, %rsp\n ret\n"
        ".globl by_both\n by_both: sub $8, %rsp\n call by_jump\n add $100, %eax\n add $8, %rsp\n ret\n");
int by_jump(void), by_call(void), by_both(void);
extern char one[], two[], three[];
extern void *slot[512];

static void show(const char *when)
{
    int sum = 0;
    for (int i = 0; i < 1000; i++)
        sum += by_jump() + by_call() + by_both();
    printf("%s: %d\n", when, sum);
}

static void change(void *to)
{
    mprotect(slot, 4096, PROT_READ | PROT_WRITE);
    slot[0] = slot[1] = to;
    mprotect(slot, 4096, PROT_READ);
}

static volatile int is_running = 1;
static void *keep_calling(void *arg)
{
    while (is_running)
        by_both();
    return NULL;
}

int main(void)
{
    show("writable");
    mprotect(slot, 4096, PROT_READ);
    show("protected");
    change(two);
    show("changed");
    change(three);
    show("again");
    madvise(slot, 4096, MADV_DONTNEED);           /* back to the file's own bytes: not relocated in a fixed-address program */
    printf("given up: %d\n", slot[0] != three);
    change(two);
    int fd = open("slots.bin", O_RDWR | O_CREAT | O_TRUNC, 0600);
    void *bytes[512] = {one, three};
    CHECK(write(fd, bytes, sizeof bytes) == sizeof bytes);
    unlink("slots.bin");
    show("before the file");
    CHECK(mmap(slot, 4096, PROT_READ, MAP_PRIVATE | MAP_FIXED, fd, 0) == slot);
    show("mapped over");
    pthread_t t;
    pthread_create(&t, NULL, keep_calling, NULL);
    for (int i = 0; i < 50; i++) {
        change(i % 2 ? one : two);
        if (by_jump() != (i % 2 ? 1 : 2) || by_call() != (i % 2 ? 11 : 12))
            printf("stale in round %d\n", i);
    }
    is_running = 0;
    pthread_join(t, NULL);
    show("after the rounds");
    return DONE();
}
