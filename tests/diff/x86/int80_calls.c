/* 32-bit system calls by int 0x80 from 64-bit code, over the whole table: memory, files, signals, processes, structures of the
 * other form, numbers that do not exist; and what interrupts them. */
#include "x86.h"
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>

/* Like the instruction: all registers but rax stay. */
static long call(long nr, u64 b, u64 c, u64 d, u64 s, u64 di, u64 bp)
{
    long args[7] = { nr, (long)b, (long)c, (long)d, (long)s, (long)di, (long)bp }, r;
    __asm__ volatile("lea -128(%%rsp), %%rsp; push %%rbp; push %%rbx; mov %1, %%rax; mov 8(%%rax), %%rbx; mov 16(%%rax), %%rcx; mov 24(%%rax), %%rdx;"
                     "mov 32(%%rax), %%rsi; mov 40(%%rax), %%rdi; mov 48(%%rax), %%rbp; mov (%%rax), %%rax; int $0x80;"
                     "pop %%rbx; pop %%rbp; lea 128(%%rsp), %%rsp" : "=a"(r) : "r"(args) : "rcx", "rdx", "rsi", "rdi", "r8", "r9", "r10", "r11", "memory");
    return r;
}
#define CALL(nr, ...) CALL_(nr, ##__VA_ARGS__, 0, 0, 0, 0, 0, 0)
#define CALL_(nr, b, c, d, s, di, bp, ...) call(nr, (u64)(b), (u64)(c), (u64)(d), (u64)(s), (u64)(di), (u64)(bp))

static u8 *low, *top;                           /* memory that 32 bits can name */
static void *put(const void *what, size_t n)
{
    void *at = top;
    memcpy(at, what, n);
    top += (n + 15) & ~15ul;
    return at;
}
static char *text(const char *s) { return put(s, strlen(s) + 1); }
static void *room(size_t n) { void *at = top; memset(at, 0, n); top += (n + 15) & ~15ul; return at; }

static void memory(void)
{
    static const u8 code[] = { 0xb8, 42, 0, 0, 0, 0xc3 };
    u32 old[6] = { 0, 8192, 3, 0x22, ~0u, 0 };
    u64 at = (u64)CALL(192, 0, 8192, 3, 0x22, -1, 0);
    printf("mmap2: %d\n", at < 1ull << 32 && at % 4096 == 0);
    memcpy((void *)at, code, sizeof code);
    printf("mprotect: %ld\n", CALL(125, at, 4096, 5));
    printf("code: %d\n", ((int (*)(void))at)());
    printf("mprotect: %ld\n", CALL(125, at, 4096, 3));
    ((u8 *)at)[1] = 43;
    printf("mprotect: %ld\n", CALL(125, at, 4096, 5));
    printf("code: %d\n", ((int (*)(void))at)());
    u64 two = (u64)CALL(90, put(old, sizeof old));
    printf("mmap: %d\n", two < 1ull << 32);
    u64 moved = (u64)CALL(163, two, 8192, 65536, 1, 0);
    printf("mremap: %d\n", moved < 1ull << 32);
    ((u8 *)moved)[65535] = 1;
    printf("munmap: %ld %ld %ld\n", CALL(91, at, 8192), CALL(91, moved, 65536), CALL(91, 1, 4096));
    printf("madvise: %ld\n", CALL(219, low, 4096, 3));
    int fd = open("/proc/self/exe", O_RDONLY);
    u8 page[16];
    u8 *file = (u8 *)(u64)CALL(192, 0, 4096, 1, 2, fd, 1);   /* the second page */
    CHECK(pread(fd, page, sizeof page, 4096) == sizeof page);
    printf("file: %d, bad length: %ld\n", !memcmp(file, page, sizeof page), CALL(192, 0, 0, 3, 0x22, -1, 0));
    close(fd);
    long id = CALL(117, 23, 0, 4096, 01600);
    u32 *where = room(4);
    printf("shmget: %d, shmat: %ld\n", id >= 0, CALL(117, 21, id, 0, where, 0));
    *(int *)(u64)*where = 7;
    printf("shmdt: %ld", CALL(117, 22, 0, 0, 0, *where));
    printf(", shmctl: %ld\n", CALL(117, 24, id, 0));
}

static void files(void)
{
    char *name = text("int80.txt"), *line = text("one two\n"), *back = room(64), *st = room(256);
    u32 iov[4] = { (u32)(u64)line, 4, (u32)(u64)line, 3 };
    long fd = CALL(5, name, O_RDWR | O_CREAT | O_TRUNC, 0600);
    printf("write: %ld", CALL(4, fd, line, 8));
    printf(", writev: %ld\n", CALL(146, fd, put(iov, sizeof iov), 2));
    printf("flags: %lx\n", CALL(221, fd, F_GETFL));
    printf("pwrite: %ld", CALL(181, fd, text("X"), 1, 2, 0));
    printf(", pread: %ld", CALL(180, fd, back, 15, 0, 0));
    printf(" %s\n", back);
    u64 *where = room(8);
    printf("llseek: %ld", CALL(140, fd, 0, 3, where, 0));
    printf(" %ld\n", (long)*where);
    printf("fstat64: %ld", CALL(197, fd, st));
    printf(", size %d\n", *(u32 *)(st + 44));
    printf("stat64 of nothing: %ld\n", CALL(195, text("no such file"), st));
    printf("uname: %ld", CALL(122, st));
    printf(" %s\n", st);
    printf("readlink: %d\n", CALL(85, text("/proc/self/exe"), back, 64) > 0);
    printf("dup2: %ld", CALL(63, fd, 50));
    printf(", close: %ld", CALL(6, 50));
    printf(" %ld", CALL(6, fd));
    printf(", of a bad one: %ld\n", CALL(6, -1));
    printf("unlink: %ld\n", CALL(10, name));
    u32 pair[4] = { 1, 1, 0, (u32)(u64)room(8) };
    printf("socketpair: %ld\n", CALL(102, 8, put(pair, sizeof pair)));
}

static volatile int caught;
static void handler(int sig) { caught = sig; }
static int pipe_end;
static void feed(int sig) { caught = sig; CHECK(write(pipe_end, "x", 1) == 1); }

static void signals(void)
{
    u32 *set = room(8), *old = room(8), *action = room(20), *stack = room(12);
    set[0] = 1u << (SIGUSR1 - 1);
    printf("sigprocmask: %ld", CALL(126, SIG_BLOCK, set, old));
    printf(" %x\n", old[0]);
    raise(SIGUSR1);
    printf("sigpending: %ld", CALL(73, old));
    printf(" %x\n", old[0]);
    action[0] = 1;                               /* SIG_IGN */
    printf("rt_sigaction: %ld", CALL(174, SIGUSR1, action, room(20), 8));
    printf(" %ld %ld\n", CALL(174, SIGUSR1, 0, action, 8), CALL(174, 99, 0, action, 8));
    printf("handler: %x, signal: %ld", action[0], CALL(48, SIGUSR1, 0));
    printf(", then: %ld\n", CALL(48, SIGUSR1, 1));
    signal(SIGUSR1, handler);
    raise(SIGUSR1);
    printf("rt_sigprocmask: %ld", CALL(175, SIG_SETMASK, room(8), old, 8));
    printf(" %x, caught %d\n", old[0], caught);
    printf("sigaltstack: %ld", CALL(186, 0, stack));
    printf(" %x %x %x\n", stack[0], stack[1], stack[2]);
    stack[0] = (u32)(u64)low, stack[1] = 0, stack[2] = 16384;
    printf("sigaltstack: %ld, too small: ", CALL(186, stack, 0));
    stack[2] = 16;
    printf("%ld\n", CALL(186, stack, 0));
    caught = 0;
    CHECK(!syscall(SYS_rt_sigprocmask, SIG_BLOCK, set, NULL, 8));
    raise(SIGUSR1);
    printf("sigsuspend: %ld", CALL(72, 0, 0, 0));
    printf(", caught %d\n", caught);
    caught = 0;
    raise(SIGUSR1);
    u32 empty[2] = { (u32)(u64)room(8), 8 };
    printf("pselect6: %ld", CALL(308, 0, 0, 0, 0, 0, put(empty, sizeof empty)));
    printf(", caught %d\n", caught);
    caught = 0;
    raise(SIGUSR1);
    printf("ppoll: %ld", CALL(309, 0, 0, 0, room(8), 8));
    printf(", caught %d\n", caught);
    CHECK(!syscall(SYS_rt_sigprocmask, SIG_UNBLOCK, set, NULL, 8));
}

/* A signal comes while the kernel waits: EINTR, or the call goes on. */
static void interrupted(void)
{
    struct itimerval soon = { { 0, 0 }, { 0, 20000 } }, often = { { 0, 20000 }, { 0, 20000 } };
    struct sigaction once = { .sa_handler = handler }, again = { .sa_handler = feed, .sa_flags = SA_RESTART };
    int p[2];
    char *byte = room(1);
    CHECK(!sigaction(SIGALRM, &once, NULL) && !setitimer(ITIMER_REAL, &often, NULL));   /* one may come too early */
    long r = CALL(29);
    CHECK(!setitimer(ITIMER_REAL, &soon, NULL));
    printf("pause: %ld, caught %d\n", r, caught);
    CHECK(!pipe(p) && !sigaction(SIGALRM, &again, NULL));
    pipe_end = p[1];
    CHECK(!setitimer(ITIMER_REAL, &soon, NULL));
    printf("read: %ld", CALL(3, p[0], byte, 1));
    printf(" %c\n", *byte);
    u32 *time = room(8);
    time[1] = 50 * 1000000;
    signal(SIGALRM, SIG_IGN);
    CHECK(!setitimer(ITIMER_REAL, &soon, NULL));
    printf("nanosleep: %ld\n", CALL(162, time, 0));
}

static int in_thread;
static int run(void *stack)
{
    /* clone: the child comes back on the other stack, with everything else as it was. */
    int r;
    __asm__ volatile("lea -128(%%rsp), %%rsp; push %%rbx; mov $0x100, %%ebx; xor %%edx, %%edx; xor %%esi, %%esi; xor %%edi, %%edi; mov $120, %%eax; mov $0x77, %%r11d;"
                     "int $0x80; test %%eax, %%eax; jnz 1f; cmp %%rsp, %%rcx; jne 2f; cmp $0x77, %%r11d; jne 2f; incl %2;"
                     "2: mov $1, %%eax; mov $5, %%ebx; int $0x80; 1: pop %%rbx; lea 128(%%rsp), %%rsp" : "=a"(r), "+c"(stack), "+m"(in_thread) : : "rdx", "rsi", "rdi", "r11", "memory");
    return r;
}

static void processes(void)
{
    int *status = room(4);
    fflush(stdout);
    long pid = CALL(2);
    if (!pid)
        CALL(252, 3);
    printf("fork: %d, waitpid: %d", pid > 0, CALL(7, pid, status, 0) == pid);
    printf(" %x\n", *status);
    u32 argv[4] = { (u32)(u64)text("echo"), (u32)(u64)text("by"), (u32)(u64)text("execve"), 0 };
    u32 envp[1] = { 0 };
    fflush(stdout);
    pid = CALL(2);
    if (!pid) {
        CALL(11, text("/bin/echo"), put(argv, sizeof argv), put(envp, sizeof envp));
        _exit(99);
    }
    printf("wait4: %d", CALL(114, pid, status, 0, 0) == pid);
    printf(" %x\n", *status);
    printf("execve of nothing: %ld, of a bad vector: %ld\n", CALL(11, text("/no/such"), 0, 0), CALL(11, text("/bin/echo"), 8, 0));
    pid = run(top + 65536);
    int got;
    CHECK(waitpid((int)pid, &got, __WALL) == pid);
    printf("clone: %x, counted %d\n", got, in_thread);
    printf("getpid: %d, getuid: %d\n", CALL(20) == getpid(), CALL(199) == getuid());
}

static void others(void)
{
    u32 *t = room(8);
    printf("gettimeofday: %ld, clock_gettime: %ld, time: %d\n", CALL(78, t, 0), CALL(265, 1, t), CALL(13, 0) > 1000000000);
    printf("prctl: %ld, sched_yield: %ld\n", CALL(172, 15, text("name")), CALL(158));
    printf("vm86: %ld, none: %ld %ld %ld %ld\n", CALL(166), CALL(222), CALL(511), CALL(100000), CALL(-1));
}

int main(void)
{
    low = top = mmap(NULL, 1 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_32BIT, -1, 0);
    CHECK(low != MAP_FAILED);
    top += 16384;
    memory();
    files();
    signals();
    interrupted();
    processes();
    others();
    return DONE();
}
