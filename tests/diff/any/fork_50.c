/* Fifty children alive at once, each computing and leaving its own status.
 * test-follow: yes */
#include "t.h"

int main(void)
{
    pid_t pid[50];
    for (int i = 0; i < 50; i++) {
        pid[i] = fork();
        CHECK(pid[i] >= 0);
        if (pid[i] == 0) {
            u64 s = (u64)i + 1, x = 0;
            for (int j = 0; j < 20000; j++)
                x ^= t_random(&s);
            _exit((int)(x % 200));
        }
    }
    for (int i = 0; i < 50; i++)
        t_wait("child", pid[i]);
    return DONE();
}
