/* Children that are forked in turn and go the same way, through calls, indirect calls, returns and signals; and code that is another one
 * in each child, at the same address, or gone: what one child ran must not show in the next. */
#include "t.h"
#include <sys/mman.h>
#include <sys/wait.h>

enum { CHILDREN = 12 };

static unsigned char *const place = (unsigned char *)0x200000000ul;

static int add(int a) { return a + 1; }
static int twice(int a) { return a * 2; }
static int minus(int a) { return a - 3; }
static int (*volatile steps[])(int) = { add, twice, minus, twice, add };

static int __attribute__((noinline)) walk(int depth, int v)
{
    int (*step)(int) = steps[depth % 5];
    v = step(v) % 100003;
    return depth ? walk(depth - 1, v) + 1 : v;
}

static volatile int seen;
static void on_signal(int sig) { seen += walk(7, sig); }

/* mov eax, value; ret: on a page of its own that cannot be written, as code of a file is. */
static void put_code(int value)
{
    unsigned char code[] = { 0xb8, (unsigned char)value, (unsigned char)(value >> 8), 0, 0, 0xc3 };
    mmap(place, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
    memcpy(place, code, sizeof code);
    mprotect(place, 4096, PROT_READ | PROT_EXEC);
}
static int run_code(void) { return ((int (*)(void))place)(); }

static int child(int i, int has_code)
{
    int sum = has_code ? run_code() : 0;
    put_code(1000 + i);
    sum += run_code();
    signal(SIGUSR1, on_signal);
    raise(SIGUSR1);
    sum += seen + walk(20 + i, i);
    if (i % 4 == 3)
        sum += system("exit 3") >> 8;
    printf("child %d: %d\n", i, sum);
    return sum & 63;
}

int main(void)
{
    for (int i = 0; i < CHILDREN; i++) {
        int status, has_code = i % 3 != 2;
        if (has_code)
            put_code(i);
        else
            munmap(place, 4096);
        fflush(stdout);
        pid_t pid = fork();
        if (!pid)
            exit(child(i, has_code));
        waitpid(pid, &status, 0);
        printf("%d %d\n", i, WEXITSTATUS(status));
    }
    printf("%d\n", walk(50, 1));
    return DONE();
}
