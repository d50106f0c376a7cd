# A vfork child, in the memory that it borrowed, is killed at any moment: its parent goes on; or, if the child had begun to
# change the code cache, the run ends with a line and status 125. It never hangs, and no wrong result comes out.
set -e
cat > p.c <<'C'
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
static void *killer(void *seed)
{
    for (;;) {
        pid_t pid = child;
        if (pid > 0) {
            usleep((unsigned)random() % 3000);
            kill(pid, SIGKILL);
            child = 0;
        }
    }
}
int main(int argc, char **argv)
{
    pthread_t t;
    int killed = 0;
    unsigned char *code = mmap(NULL, 1 << 20, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    memset(code, 0x90, 1 << 20);
    srandom((unsigned)atoi(argv[1]));
    pthread_create(&t, NULL, killer, NULL);
    for (int i = 0; i < 40; i++) {
        pid_t pid = vfork();
        if (!pid) {
            child = getpid();
            for (int k = 0;; k = (k + 1) & 0xfffff)      /* new code all the time */
                code[k] = 0xc3, ((void (*)(void))(code + (k & ~15)))();
        }
        int status;
        waitpid(pid, &status, 0);
        killed += WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL;
    }
    printf("killed %d\n", killed);
    return 0;
}
C
gcc -O1 -pthread -o p p.c
for seed in 1 2 3 4 5 6; do
    status=0
    timeout 60 $COTTER -- ./p $seed > out 2> err || status=$?
    case $status in
    0) [ "$(cat out)" = "killed 40" ] && [ ! -s err ] || { echo "seed $seed: $(cat out err)"; exit 1; } ;;
    125) grep -q "was killed while it translated code in the memory that it borrowed (vfork)" err || { echo "seed $seed: $(cat err)"; exit 1; } ;;
    *) echo "seed $seed: status $status, $(cat out err)"; exit 1 ;;
    esac
done
