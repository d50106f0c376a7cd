/* System calls write into pages that hold translated code: no datagram is lost, no read falls short. */
#include <sys/socket.h>
#include "t.h"

static const u8 code[] = {0xb8, 1, 0, 0, 0, 0xc3}; /* mov eax, 1; ret */

static int call(u8 *at) { return ((int (*)(void))(void *)at)(); }

int main(void)
{
    u8 *p = mmap(NULL, 4 * 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0), other[8192], text[6];
    int s[2], q[2];
    CHECK(p != MAP_FAILED && socketpair(AF_UNIX, SOCK_DGRAM, 0, s) == 0 && pipe(q) == 0);
    memcpy(p, code, sizeof code);
    memcpy(text, code, sizeof code);
    for (u8 i = 10; i < 13; i++) {
        text[1] = i;
        CHECK(write(s[0], text, sizeof text) == sizeof text);
    }
    for (int i = 0; i < 3; i++) {
        printf("%d, ", call(p));
        printf("got %zd: ", read(s[1], p, sizeof text));
        printf("%d\n", call(p));
    }
    memset(other, 0x90, sizeof other);
    memcpy(other + 4096, text, sizeof text);
    memcpy(p + 8192, code, sizeof code);
    CHECK(write(q[1], other, sizeof other) == sizeof other);
    printf("%d, ", call(p + 8192));
    printf("got %zd: ", read(q[0], p + 4096, sizeof other));
    printf("%d\n", call(p + 8192));
    sigset_t *old = (sigset_t *)(p + 2048);
    call(p);
    CHECK(sigprocmask(SIG_BLOCK, NULL, old) == 0);
    call(p);
    CHECK(sigaltstack(NULL, (stack_t *)(p + 2048)) == 0);
    call(p);
    CHECK(sigaction(SIGUSR1, NULL, (struct sigaction *)(p + 2048)) == 0);
    return DONE();
}
