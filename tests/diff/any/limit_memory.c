/* A program that has used up all memory its limit allows, by mappings, by threads, by code, finds out, and lives on. */
#include "t.h"
#include <sys/resource.h>

enum { LIMIT = 200 << 20, PIECE = 1 << 16 };

static void *wait_for_ever(void *unused)
{
    pause();
    return NULL;
}

static int threads(void)
{
    pthread_t t;
    pthread_attr_t a;
    pthread_attr_init(&a);
    pthread_attr_setstacksize(&a, PIECE);
    int n = 0;
    while (pthread_create(&t, &a, wait_for_ever, NULL) == 0)
        n++;
    return n;
}

static int mappings(void)
{
    int n = 0;
    while (mmap(NULL, PIECE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) != MAP_FAILED)
        n++;
    return n;
}

static int blocks(void)
{
    int n = 0;
    while (malloc(1000))
        n++;
    return n;
}

/* Each page of code is executed once. */
static int code(void)
{
    for (int n = 0;; n++) {
        u8 *p = mmap(NULL, PIECE, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (p == MAP_FAILED)
            return n;
        p[0] = 0xb8, memcpy(p + 1, &n, 4), p[5] = 0xc3;           /* mov $n, %eax; ret */
        CHECK(((int (*)(void))p)() == n);
    }
}

static int compare(const void *a, const void *b) { return *(const u8 *)a - *(const u8 *)b; }

/* Much that has not run before: code that the engine has to have memory for. */
static void live_on(void)
{
    char text[64];
    snprintf(text, sizeof text, "%a %.3f %s", 1.5, 2.25, "x");
    qsort(text, strlen(text), 1, compare);
    printf("%s %ld %d\n", text, strtol("0x1f", NULL, 0), strcmp(strerror(ENOMEM), ""));
    fflush(stdout);
    pid_t pid = fork();
    if (pid == 0)
        _exit(3);
    t_wait("a child of it", pid);
}

static void use_up(const char *what, int (*way)(void))
{
    fflush(stdout);
    pid_t pid = fork();
    if (pid == 0) {
        struct rlimit r = { LIMIT, LIMIT };
        CHECK(setrlimit(RLIMIT_AS, &r) == 0);
        int n = way();
        printf("%s: %s\n", what, n > 50 ? "many" : "few");
        live_on();
        _exit(0);
    }
    t_wait(what, pid);
}

int main(void)
{
    use_up("mappings", mappings);
    use_up("threads", threads);
    use_up("blocks", blocks);
    use_up("code", code);
    return DONE();
}
