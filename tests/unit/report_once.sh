# However a program ends, its report is written, once: return, _exit, exit of the main thread alone, exit_group from a thread,
# abort, a fault, a deadly signal from outside or while a thread waits for it, exec.
set -e
cat > p.c <<'C'
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>
/* Who is last gives the process its status. */
static void *ends_last(void *p)
{
    char path[64], text[512], *state;
    snprintf(path, sizeof path, "/proc/self/task/%d/stat", getpid());
    do {
        FILE *f = fopen(path, "r");
        text[f ? fread(text, 1, sizeof text - 1, f) : 0] = 0;
        if (f)
            fclose(f);
        state = strrchr(text, ')');
    } while (!state || state[2] != 'Z');
    return NULL;
}
static void *ends(void *p) { usleep(1000); if (p) _exit(3); return NULL; }
static void *spins(void *p) { for (;;) ; }
/* Another thread lets the signal in: it ends the process, and waiting for it is no use. */
static void *waits(void *p)
{
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGTERM);
    kill(getpid(), SIGTERM);
    sigtimedwait(&set, NULL, &(struct timespec){ 20, 0 });
    _exit(4);
}
int main(int argc, char **argv)
{
    const char *how = argv[1];
    pthread_t t;
    if (!strcmp(how, "busy"))
        for (int i = 0; i < 3; i++)
            pthread_create(&t, NULL, spins, NULL);
    if (!strcmp(how, "_exit"))
        _exit(3);
    if (!strcmp(how, "main alone")) {
        pthread_create(&t, NULL, ends_last, NULL);
        syscall(SYS_exit, 3);
    }
    if (!strcmp(how, "thread")) {
        pthread_create(&t, NULL, ends, &t);
        pause();
    }
    if (!strcmp(how, "abort"))
        abort();
    if (!strcmp(how, "fault"))
        *(volatile int *)8 = 1;
    if (!strcmp(how, "killed") || !strcmp(how, "interrupted"))
        kill(getpid(), how[0] == 'k' ? SIGTERM : SIGINT);
    if (!strcmp(how, "from thread")) {
        pthread_create(&t, NULL, spins, NULL);
        pthread_kill(t, SIGUSR1);
        pause();
    }
    if (!strcmp(how, "waited for")) {
        pthread_create(&t, NULL, waits, NULL);
        pthread_join(t, NULL);
    }
    if (!strcmp(how, "exec"))
        execl("/bin/true", "true", (char *)NULL);
    if (!strcmp(how, "exec fails"))
        execl("/nonexistent", "x", (char *)NULL);
    if (!strcmp(how, "exec directory"))
        execl("/", "x", (char *)NULL);
    if (!strcmp(how, "exec data"))
        execl("data", "x", (char *)NULL);
    if (!strcmp(how, "quick_exit"))
        quick_exit(3);
    return 3;
}
C
gcc -O1 -pthread -o p p.c
echo nothing to execute > data
chmod +x data
for how in return _exit "main alone" thread abort fault killed interrupted "from thread" "waited for" exec "exec fails" "exec directory" "exec data" quick_exit busy; do
    native=0 here=0
    ./p "$how" 2> /dev/null || native=$?
    rm -f report
    $COTTER --stats=json --stats-file=report -- ./p "$how" 2> err || here=$?
    [ $native = $here ] || { echo "$how: status $here, natively $native: $(cat err)"; exit 1; }
    [ "$(grep -c '"traces"' report)" = 1 ] && [ "$(wc -l < report)" = 1 ] || { echo "$how: $(wc -l < report) reports"; exit 1; }
done 2> /dev/null
