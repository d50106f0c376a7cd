/* Code that another process writes into shared memory, and code that a system call writes into the file behind a mapping:
 * anonymous memory across a fork, seen after a wait and seen by looking only; a memory file; a file with a name.
 * test-follow: yes */
#include "x86.h"
#include <sys/wait.h>

static void put(volatile u8 *at, u8 v) { memcpy((void *)at, (u8[]){0xb8, v, 0, 0, 0, 0xc3}, 6); }
static int run(u8 *at) { return ((int (*)(void))at)(); }

static void by_child(u8 *code, u8 v)
{
    pid_t pid = fork();
    if (!pid) {
        put(code, v);
        _exit(run(code) != v);
    }
    int status;
    waitpid(pid, &status, 0);
    printf(" %d/%d", run(code), status);
}

static void by_writing(int fd, const char *name)
{
    u8 text[4096] = {0xb8, 1, 0, 0, 0, 0xc3};
    CHECK(write(fd, text, sizeof text) == sizeof text);
    u8 *code = mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_SHARED, fd, 0);
    CHECK(code != MAP_FAILED);
    printf("%s: %d", name, run(code));
    for (u8 v = 2; v < 6; v++) {
        CHECK(pwrite(fd, &v, 1, 1) == 1);
        printf(" %d", run(code));
    }
    printf("\n");
}

int main(void)
{
    u8 *code = mmap(NULL, 8192, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    put(code, 1);
    printf("child: %d", run(code));
    for (u8 v = 2; v < 6; v++)
        by_child(code, v);
    printf("\n");

    /* No system call tells of the change: it is looked for until it is there. */
    u8 *view = code + 4096;
    put(view, 1);
    CHECK(mprotect(code, 8192, PROT_READ | PROT_EXEC) == 0);
    run(view);
    fflush(stdout);
    pid_t pid = fork();
    if (!pid) {
        CHECK(mprotect(code, 8192, PROT_READ | PROT_WRITE | PROT_EXEC) == 0);
        for (u8 v = 2; v < 100; v++)
            __atomic_store_n(&view[1], v, __ATOMIC_SEQ_CST);
        _exit(0);
    }
    int last = 0, bad = 0;
    while (last != 99) {
        int now = run(view);
        bad += now < last;
        last = now;
    }
    waitpid(pid, NULL, 0);
    printf("looked: %d bad %d\n", last, bad);

    by_writing(memfd_create("code", 0), "memory file");
    by_writing(open("code", O_RDWR | O_CREAT | O_TRUNC, 0700), "file");
    return DONE();
}
