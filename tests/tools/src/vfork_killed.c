/* vfork_killed.c: vfork children that are killed at any moment, most often while they translate. They share memory with their
 * killers, so nothing here may take a lock: random() does, and would be locked for good by who is killed in it. */
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
static volatile pid_t child;
static volatile int stop;
static unsigned next(unsigned *state) { return (*state = *state * 1103515245 + 12345) >> 8; }
static void *killer(void *seed)
{
    unsigned state = *(unsigned *)seed;
    for (;;) {
        pid_t pid = child;
        if (pid > 0) {
            usleep(next(&state) % 3000);
            child = 0;
            kill(pid, SIGKILL);
        }
    }
}
/* A third party that makes code, changes it and sees what it does. */
static void *writer(void *wrong)
{
    unsigned char *p = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    for (unsigned i = 0; !stop; i++) {
        p[0] = 0xb8, memcpy(p + 1, &i, 4), p[5] = 0xc3;
        if (((unsigned (*)(void))p)() != i)
            ++*(int *)wrong;
    }
    return NULL;
}
int main(int argc, char **argv)
{
    pthread_t t, w;
    int wrong = 0;
    int killed = 0;
    unsigned char *code = mmap(NULL, 1 << 20, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    memset(code, 0x90, 1 << 20);
    for (int i = 15; i < 1 << 20; i += 16)
        code[i] = 0xc3;
    unsigned seed = (unsigned)atoi(argv[1]), state = ~seed;
    pthread_create(&t, NULL, killer, &seed);
    pthread_create(&w, NULL, writer, &wrong);
    for (int i = 0; i < (argc > 2 ? atoi(argv[2]) : 30); i++) {
        pid_t pid = vfork();
        if (!pid) {
            child = getpid();
            for (int k = (int)(next(&state) & 0xffff0);; k = (k + 16) & 0xfffff) {     /* new code all the time */
                if (k % 4096 == 0)
                    code[k + 3] ^= 0x90 ^ 0xf8;
                ((void (*)(void))(code + k))();
            }
        }
        int status;
        waitpid(pid, &status, 0);
        killed += WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL;
    }
    stop = 1;
    pthread_join(w, NULL);
    printf("killed %d, wrong %d\n", killed, wrong);
    return 0;
}
