/* Code changed past the page protection: /proc/self/mem opened by openat2, relative to a directory, through a symbolic link,
 * and process_vm_writev to a thread of one's own. */
#include "x86.h"
#include <linux/openat2.h>
#include <sys/uio.h>

static u8 *page;
static int run(void) { return ((int (*)(void))page)(); }
static u8 code[6] = {0xb8, 0, 0, 0, 0, 0xc3};

static void change(const char *what, int fd)
{
    code[1]++;
    CHECK(fd >= 0 && pwrite(fd, code, 6, (off_t)page) == 6);
    printf("%s: %d\n", what, run());
    close(fd);
}

static void *by_thread(void *arg)
{
    code[1]++;
    struct iovec from = {code, 6}, to = {page, 6};
    printf("process_vm_writev: %zd", process_vm_writev((pid_t)syscall(SYS_gettid), &from, 1, &to, 1, 0));
    printf(" %d\n", run());
    return NULL;
}

int main(void)
{
    page = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    memcpy(page, code, 6);
    printf("at first: %d\n", run());
    pthread_t t;
    pthread_create(&t, NULL, by_thread, NULL);
    pthread_join(t, NULL);
    if (fork() == 0) {
        struct open_how how = {.flags = O_RDWR};
        change("openat2", (int)syscall(SYS_openat2, AT_FDCWD, "/proc/self/mem", &how, sizeof how));
        exit(0);
    }
    wait(NULL);
    if (fork() == 0) {
        int dir = open("/proc/self", O_RDONLY | O_DIRECTORY);
        change("openat", openat(dir, "mem", O_WRONLY));
        exit(0);
    }
    wait(NULL);
    if (fork() == 0) {
        symlink("/proc/self/mem", "link");
        change("link", open("link", O_RDWR));
        unlink("link");
        exit(0);
    }
    wait(NULL);
    return DONE();
}
