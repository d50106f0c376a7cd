/* userfaultfd: one thread fills the pages that another one touches. */
#include "t.h"
#include <linux/userfaultfd.h>
#include <sys/ioctl.h>

static int fd;
static void *serve(void *arg)
{
    static char page[4096];
    for (int i = 0; i < 16; i++) {
        struct uffd_msg msg;
        CHECK(read(fd, &msg, sizeof msg) == sizeof msg && msg.event == UFFD_EVENT_PAGEFAULT);
        memset(page, 'a' + i, sizeof page);
        struct uffdio_copy copy = {.dst = msg.arg.pagefault.address & ~4095ull, .src = (u64)page, .len = 4096};
        CHECK(ioctl(fd, UFFDIO_COPY, &copy) == 0);
    }
    return NULL;
}

int main(void)
{
    fd = (int)syscall(SYS_userfaultfd, O_CLOEXEC | 1 /* user mode only */);
    if (fd < 0)
        return printf("not permitted\n"), DONE();
    struct uffdio_api api = {.api = UFFD_API};
    CHECK(ioctl(fd, UFFDIO_API, &api) == 0);
    char *p = mmap(NULL, 16 * 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    struct uffdio_register reg = {.range = {(u64)p, 16 * 4096}, .mode = UFFDIO_REGISTER_MODE_MISSING};
    CHECK(ioctl(fd, UFFDIO_REGISTER, &reg) == 0);
    pthread_t t;
    pthread_create(&t, NULL, serve, NULL);
    for (int i = 0; i < 16; i++)
        putchar(p[i * 4096 + 7]);
    putchar('\n');
    pthread_join(t, NULL);
    return DONE();
}
