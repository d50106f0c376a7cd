/* clone3 with arguments longer than the kernel's: accepted if the rest is zero, E2BIG if not or if too long. */
#include "t.h"
#include <linux/sched.h>

int main(void)
{
    static union { struct clone_args a; u8 bytes[8192]; } u;
    static const size_t sizes[] = {0, 63, 64, sizeof u.a, 96, 128, 4096, 4097};
    for (int dirty = 0; dirty < 2; dirty++)
        for (unsigned i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
            memset(&u, 0, sizeof u);
            u.a.exit_signal = SIGCHLD;
            if (dirty)
                u.bytes[sizes[i] ? sizes[i] - 1 : 0] |= sizes[i] > 96;
            long pid = syscall(SYS_clone3, &u, sizes[i]);
            int e = errno;
            if (pid == 0)
                _exit(5);
            printf("size %zu, rest %s: %s\n", sizes[i], dirty ? "used" : "zero", pid > 0 ? "made" : strerror(e));
            fflush(stdout);
            if (pid > 0)
                t_wait("child", (pid_t)pid);
        }
    return DONE();
}
