/* A pipeline of five forked stages moves a megabyte; each stage changes it.
 * test-follow: yes */
#include "t.h"

int main(void)
{
    int in = -1;
    for (int stage = 0; stage < 5; stage++) {
        int fd[2];
        CHECK(pipe(fd) == 0);
        if (fork() == 0) {
            close(fd[0]);
            u8 buf[4096];
            if (stage == 0) {
                for (int i = 0; i < 256; i++) {
                    memset(buf, i, sizeof buf);
                    CHECK(write(fd[1], buf, sizeof buf) == (ssize_t)sizeof buf);
                }
            } else {
                ssize_t n;
                while ((n = read(in, buf, sizeof buf)) > 0) {
                    for (ssize_t i = 0; i < n; i++)
                        buf[i] = (u8)(buf[i] * 3 + stage);
                    for (ssize_t done = 0; done < n;)
                        done += write(fd[1], buf + done, (size_t)(n - done));
                }
            }
            _exit(stage);
        }
        close(fd[1]);
        if (in >= 0)
            close(in);
        in = fd[0];
    }
    u8 c[4096];
    u64 h = T_HASH0;
    size_t total = 0;
    ssize_t n;
    while ((n = read(in, c, sizeof c)) > 0)
        h = t_hash(h, c, (size_t)n), total += (size_t)n;
    int sum = 0, status;
    while (wait(&status) > 0)
        sum += WEXITSTATUS(status);
    printf("%zu %016llx %d\n", total, (unsigned long long)h, sum);
    return DONE();
}
