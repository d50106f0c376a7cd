/* The program's own file by its names in /proc: read, followed, and looked at as a link.
 * test-schemes: exec */
#include "t.h"
#include <sys/stat.h>

static void show(const char *path)
{
    char text[4096];
    struct stat s = {0}, l = {0};
    ssize_t n = readlink(path, text, sizeof text - 1);
    text[n > 0 ? n : 0] = 0;
    int a = stat(path, &s), b = lstat(path, &l), fd = open(path, O_RDONLY | O_NOFOLLOW), e = errno;
    printf("%s; stat %d: file %d, size %s; lstat %d: link %d, size %ld; not followed: %s\n",
           n > 0 ? strrchr(text, '/') : "nothing", a, S_ISREG(s.st_mode), s.st_size > 0 ? "some" : "none", b, S_ISLNK(l.st_mode),
           (long)l.st_size, fd < 0 ? strerror(e) : "open");
}

static void *in_thread(void *arg)
{
    char path[64];
    sprintf(path, "/proc/%d/task/%ld/exe", getpid(), syscall(SYS_gettid));
    show(path);
    show("/proc/thread-self/exe");
    return NULL;
}

int main(void)
{
    char path[64];
    show("/proc/self/exe");
    sprintf(path, "/proc/%d/exe", getpid());
    show(path);
    sprintf(path, "/proc/self/task/%d/exe", getpid());
    show(path);
    show("/proc/self/task/1/exe");
    pthread_t t;
    pthread_create(&t, NULL, in_thread, NULL);
    pthread_join(t, NULL);
    return DONE();
}
