# Where ptrace is refused, the user-space exec is chosen without being asked for: dynamic, static, both with and without fixed
# addresses, scripts, followed children; output, status and signal as natively. The kernel refuses by a seccomp filter.
set -e
cat > noptrace.c <<'C'
/* Runs a program under a filter with which ptrace and process_vm_writev fail: EPERM. */
#define _GNU_SOURCE
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>
int main(int argc, char **argv)
{
    struct sock_filter f[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_ptrace, 2, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_process_vm_writev, 1, 0),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
    };
    struct sock_fprog p = { sizeof f / sizeof *f, f };
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &p))
        return perror("seccomp"), 125;
    execvp(argv[1], argv + 1);
    perror(argv[1]);
    return 127;
}
C
cat > p.c <<'C'
#define _GNU_SOURCE
#include <elf.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>
extern char **environ, etext;
static __thread int mine = 7;
static void *thread(void *p) { mine += *(int *)p; return (void *)(long)mine; }
int main(int argc, char **argv)
{
    char name[17] = "", exe[300] = "";
    int five = 5;
    void *sum;
    pthread_t t;
    prctl(PR_GET_NAME, name);
    (void)!readlink("/proc/self/exe", exe, sizeof exe - 1);
    const Elf64_Phdr *h = (void *)getauxval(AT_PHDR);
    printf("%s %s %s %d", name, strrchr(exe, '/'), (char *)getauxval(AT_EXECFN), (int)getauxval(AT_PHNUM));
    printf(" phdr %d entry %d secure %ld", (int)h->p_type, (void *)getauxval(AT_ENTRY) < (void *)&etext, (long)getauxval(AT_SECURE));
    for (int i = 0; i < argc; i++)
        printf(" [%s]", argv[i]);
    pthread_create(&t, NULL, thread, &five);
    pthread_join(t, &sum);
    printf(" %ld %s\n", (long)sum, getenv("SOME_NAME"));
    for (char **e = environ; *e; e++)
        if (strstr(*e, "COTTER"))
            puts(*e);
    fflush(stdout);
    if (fork() == 0)
        execl("/bin/sh", "sh", "-c", "echo child; exit 4", (char *)NULL);
    int status;
    wait(&status);
    printf("%x\n", status);
    fflush(stdout);
    if (argc > 2 && !strcmp(argv[2], "dies"))
        raise(SIGTERM);
    return 3;
}
C
gcc -o noptrace noptrace.c
gcc -O1 -pthread -o dynamic p.c
gcc -O1 -pthread -no-pie -o nopie p.c
gcc -O1 -pthread -static -o static p.c
gcc -O1 -pthread -static-pie -o static_pie p.c
printf '#!%s/static_pie  an argument \nnothing\n' "$PWD" > script
printf '#!%s/script\nnothing\n' "$PWD" > script2
printf '#!/bin/sh\necho "$0 $#"; exit 5\n' > script3
chmod +x script script2 script3
export SOME_NAME=value
for p in dynamic nopie static static_pie script script2 script3 /usr/bin/perl; do
    for options in "" -f --strict; do
        for end in lives dies; do
            args="$PWD/$p $end"
            case $p in /*) args="$p -e print(42);" ;; esac
            native=0 here=0
            ($args $end) > native 2>&1 || native=$?
            (./noptrace "$COTTER" -v $options -- $args $end) > here 2> err || here=$?
            grep -q '^cotter: ptrace is refused (Operation not permitted): using the user-space exec$' err ||
                { echo "$p: not said: $(cat err)"; exit 1; }
            cmp -s native here && [ $native = $here ] || { echo "$p $options $end: status $here, natively $native: $(diff native here) $(cat err)"; exit 1; }
        done
    done
done
got=0
./noptrace "$COTTER" --inject=ptrace -- ./dynamic > out 2> err || got=$?
[ $got = 125 ] && [ ! -s out ] && grep -q '^cotter: ptrace is refused .*--inject=exec' err && [ "$(wc -l < err)" = 1 ]
